//! `forv`: maps, masks, splices, bitmaps, at all alignments.

mod harness;

use harness::{Noise, agree_text};
use tilt_ir::{
    Type,
    loops::eval::{Inputs, Rows},
};

/// Pieces of many lengths.
const PIECES: &[(i64, i64)] = &[(0, 0), (0, 1), (0, 63), (0, 64), (64, 129), (-128, 5), (-64, 300)];

fn one_stream(first: i64, rows: usize, columns: &[(Type, bool)]) -> Inputs {
    let mut noise = Noise(0x9E37_79B9_7F4A_7C15);
    let columns = columns.iter().map(|(ty, nullable)| noise.column(*ty, *nullable, rows)).collect();
    Inputs { streams: vec![Rows { first, columns }] }
}

#[test]
fn map_over_every_type() {
    for ty in Type::ALL {
        if matches!(ty, Type::Bool | Type::Time | Type::Duration | Type::Symbol) {
            continue;
        }
        let text = format!(
            r#"program "map"
stream in0 @s every 1s offset 0s {{a: {ty}, b: {ty}}}
kernel @k every 1s offset 0s (%0, %1) {{
  out0: {ty} = @o.sum
  out1: {ty} = @o.least
  out2: {ty} = @o.greatest
  out3: bool = @o.less
  forv %2 in %0, %1 warmup 0 {{
    %3 = load in0.0 [row] : {ty}
    %4 = load in0.1 [row-3] : {ty}
    %5 = add %3, %4 : {ty}
    %6 = min %3, %4 : {ty}
    %7 = max %3, %4 : {ty}
    %8 = lt %3, %4 : bool
    %9 = mul %5, %3 : {ty}
    %10 = sub %9, %4 : {ty}
    store out0 [row], %10
    store out1 [row], %6
    store out2 [row], %7
    store out3 [row], %8
  }}
}}"#
        );
        agree_text(&text, &one_stream(-131, 440, &[(ty, false); 2]), PIECES);
    }
}

#[test]
fn edges_of_the_data_are_masked() {
    let text = r#"program "mask"
stream in0 @s every 1s offset 0s {a: f64 nullable, b: bool, c: i16}
kernel @k every 1s offset 0s (%0, %1) {
  out0: f64 nullable = @o.a
  out1: bool nullable = @o.b
  out2: i16 nullable = @o.c
  %2 = first in0 : i64
  %3 = end in0 : i64
  forv %4 in %0, %1 warmup 0 {
    %5 = const 7 : i64
    %6 = sub %4, %5 : i64
    %7 = ge %6, %2 : bool
    %8 = lt %6, %3 : bool
    %9 = and %7, %8 : bool
    %10 = load in0.0 [row-7] mask %9 : f64
    %11 = load_valid in0.0 [row-7] mask %9 : bool
    %12 = load in0.1 [row-7] mask %9 : bool
    %13 = load in0.2 [row-7] mask %9 : i16
    store out0 [row], %10 valid %11
    store out1 [row], %12 valid %9
    store out2 [row], %13 valid %9
  }
}"#;
    for (first, rows) in [(0, 0), (-100, 1), (-20, 70), (1, 64), (-64, 128), (40, 200), (-300, 1000)] {
        let columns = [(Type::F64, true), (Type::Bool, false), (Type::I16, false)];
        agree_text(text, &one_stream(first, rows, &columns), PIECES);
    }
}

#[test]
fn splices_of_any_distance() {
    for by in [1, 2, 7, 8, 15, 16, 17, 33, 64, 99, 520] {
        for ty in [Type::F32, Type::F64, Type::I8] {
            let text = format!(
                r#"program "splice"
stream in0 @s every 1s offset 0s {{a: {ty}, b: bool}}
kernel @k every 1s offset 0s (%0, %1) {{
  out0: {ty} = @o.a
  out1: bool = @o.b
  out2: {ty} = @o.c
  out3: i64 = @o.row
  forv %2 in %0, %1 warmup {warmup} {{
    %3 = load in0.0 [row] : {ty}
    %4 = load in0.1 [row] : bool
    %5 = splice %3, {by} : {ty}
    %6 = splice %4, {by} : bool
    %7 = add %5, %3 : {ty}
    %8 = splice %7, 1 : {ty}
    %9 = splice %2, 1 : i64
    store out0 [row], %5
    store out1 [row], %6
    store out2 [row], %8
    store out3 [row], %9
  }}
}}"#,
                warmup = by + 1
            );
            let inputs = one_stream(-700, 1010, &[(ty, false), (Type::Bool, false)]);
            agree_text(&text, &inputs, PIECES);
        }
    }
}

#[test]
fn ranges_that_are_not_aligned() {
    // prologue, steady part, epilogue, written into the same bitmaps
    let text = r#"program "parts"
stream in0 @s every 1s offset 0s {a: f32 nullable}
kernel @k every 1s offset 0s (%0, %1) {
  out0: f32 nullable = @o.a
  out1: bool = @o.b
  %2 = const 13 : i64
  %3 = add %0, %2 : i64
  %4 = min %3, %1 : i64
  %5 = const 21 : i64
  %6 = sub %1, %5 : i64
  %7 = max %4, %6 : i64
  forv %8 in %0, %4 warmup 0 {
    %9 = const 1.5 : f32
    %10 = const false : bool
    store out0 [row], %9 valid %10
    store out1 [row], %10
  }
  forv %11 in %4, %7 warmup 5 {
    %12 = load in0.0 [row] : f32
    %13 = load_valid in0.0 [row] : bool
    %14 = splice %12, 5 : f32
    %15 = splice %13, 5 : bool
    store out0 [row], %14 valid %15
    store out1 [row], %13
  }
  forv %16 in %7, %1 warmup 0 {
    %17 = const true : bool
    %18 = const -2.0 : f32
    store out0 [row], %18
    store out1 [row], %17
  }
}"#;
    agree_text(text, &one_stream(-140, 500, &[(Type::F32, true)]), PIECES);
}

#[test]
fn gathers() {
    let text = r#"program "gather"
stream in0 @s every 1s offset 0s {a: f32 nullable, b: bool, c: u8}
kernel @k every 1s offset 0s (%0, %1) {
  out0: f32 nullable = @o.a
  out1: bool = @o.b
  out2: u8 nullable = @o.c
  out3: f32 = @o.same
  %2 = const 60 : i64
  %3 = const 3 : i64
  %4 = first in0 : i64
  forv %5 in %0, %1 warmup 0 {
    %6 = floor_div %5, %3 : i64
    %7 = load in0.0 [%6] : f32
    %8 = load_valid in0.0 [%6] : bool
    %9 = load in0.1 [%6] : bool
    %10 = rem %5, %3 : i64
    %11 = const 1 : i64
    %12 = eq %10, %11 : bool
    %13 = load in0.2 [%6] mask %12 : u8
    %14 = load in0.0 [%4] : f32
    store out0 [row], %7 valid %8
    store out1 [row], %9
    store out2 [row], %13 valid %12
    store out3 [row], %14
  }
}"#;
    let mut inputs = one_stream(-50, 160, &[(Type::F32, true), (Type::Bool, false), (Type::U8, false)]);
    inputs.streams[0].columns[0][0] = Some(tilt_ir::Const::f32(4.0));
    agree_text(text, &inputs, PIECES);
}

#[test]
fn arithmetic_on_rows() {
    for (mul, plus, div) in [(1, 0, 3), (1, -5, 60), (7, 11, 3), (1, 100, 1000), (5, 1, 70_000)] {
        let text = format!(
            r#"program "rows"
stream in0 @s every 1s offset 0s {{a: f32 nullable, b: bool}}
kernel @k every 1s offset 0s (%0, %1) {{
  out0: i64 = @o.quotient
  out1: i64 = @o.rest
  out2: f32 nullable = @o.a
  out3: bool = @o.b
  out4: i64 = @o.sum
  out5: f32 = @o.c
  %2 = const {mul} : i64
  %3 = const {plus} : i64
  %4 = const {div} : i64
  forv %5 in %0, %1 warmup 2 {{
    %6 = mul %5, %2 : i64
    %7 = add %6, %3 : i64
    %8 = floor_div %7, %4 : i64
    %9 = rem %7, %4 : i64
    %10 = sub %5, %3 : i64
    %11 = sub %10, %2 : i64
    %12 = load in0.0 [%11] : f32
    %13 = load_valid in0.0 [%11] : bool
    %14 = load in0.1 [%11] : bool
    %15 = add %8, %9 : i64
    %16 = load in0.1 [%10] : bool
    %17 = and %16, %14 : bool
    %18 = const 64 : i64
    %19 = rem %8, %18 : i64
    %20 = load in0.0 [%19] : f32
    %21 = add %5, %0 : i64
    %22 = sub %21, %5 : i64
    %23 = add %15, %22 : i64
    store out0 [row], %8
    store out1 [row], %9
    store out2 [row], %12 valid %13
    store out3 [row], %17
    store out4 [row], %23
    store out5 [row], %20
  }}
}}"#
        );
        let mut inputs = one_stream(-300, 720, &[(Type::F32, true), (Type::Bool, false)]);
        for cell in &mut inputs.streams[0].columns[0][300..364] {
            cell.get_or_insert(tilt_ir::Const::f32(0.5));
        }
        agree_text(&text, &inputs, PIECES);
    }
}
