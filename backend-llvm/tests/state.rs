//! Reductions, ordered loops, scratch buffers and flags.

mod harness;

use harness::{Noise, agree_text};
use tilt_ir::{
    Const, Type,
    loops::eval::{Inputs, Rows},
};

const PIECES: &[(i64, i64)] = &[(0, 0), (0, 1), (0, 64), (-64, 40), (64, 129)];

fn stream(first: i64, rows: usize, columns: &[(Type, bool)]) -> Inputs {
    let mut noise = Noise(0xABCD_EF01_2345);
    let columns = columns.iter().map(|(ty, nullable)| noise.column(*ty, *nullable, rows)).collect();
    Inputs { streams: vec![Rows { first, columns }] }
}

#[test]
fn sums_of_windows_of_any_length() {
    for (ty, zero) in [(Type::F64, "0.0"), (Type::F32, "0.0"), (Type::I64, "0"), (Type::U8, "0")] {
        for width in [0, 1, 5, 63, 64, 65, 128, 200] {
            let text = format!(
                r#"program "tumble"
stream in0 @s every 1s offset 0s {{a: {ty}}}
kernel @k every 1s offset 0s (%0, %1) {{
  out0: {ty} = @o.sum
  out1: i64 = @o.last
  %2 = const {zero} : {ty}
  %3 = const -1 : i64
  for %4 in %0, %1 {{
    %5 = const {width} : i64
    %6 = add %4, %5 : i64
    %7, %8 = reduce %9 step %10 in %4, %6 from (%11 = %2 : {ty}, %12 = %3 : i64) {{
      %13 = load in0.0 [row] : {ty}
      %14 = add %11, %13 : {ty}
      %15 = add %9, %10 : i64
      yield %14, %15
    }} combine (%16, %17), (%18, %19) {{
      %20 = add %16, %18 : {ty}
      %21 = max %17, %19 : i64
      yield %20, %21
    }}
    store out0 [row], %7
    store out1 [row], %8
  }}
}}"#
            );
            agree_text(&text, &stream(-70, 420, &[(ty, false)]), PIECES);
        }
    }
}

#[test]
fn reductions_skip_nulls() {
    let text = r#"program "skip"
stream in0 @s every 1s offset 0s {a: f32 nullable, b: bool}
kernel @k every 1s offset 0s (%0, %1) {
  out0: f32 nullable = @o.greatest
  out1: i64 = @o.count
  %2 = const 0.0 : f32
  %3 = const 0 : i64
  %4 = first in0 : i64
  %5 = end in0 : i64
  for %6 in %0, %1 {
    %7 = const 77 : i64
    %8 = sub %6, %7 : i64
    %9 = max %8, %4 : i64
    %10 = min %6, %5 : i64
    %11, %12 = reduce %13 step %14 in %9, %10 from (%15 = %2 : f32, %16 = %3 : i64) {
      %17 = load_valid in0.0 [row] : bool
      %18 = load in0.0 [row] mask %17 : f32
      %19 = load in0.1 [row] : bool
      %20 = and %17, %19 : bool
      %21 = max %18, %15 : f32
      %22 = select %20, %21, %15 : f32
      %23 = cast %20 : i64
      %24 = add %16, %23 : i64
      yield %22, %24
    } combine (%25, %26), (%27, %28) {
      %29 = max %25, %27 : f32
      %30 = add %26, %28 : i64
      yield %29, %30
    }
    %31 = gt %12, %3 : bool
    store out0 [row], %11 valid %31
    store out1 [row], %12
  }
}"#;
    for (first, rows) in [(-200, 500), (-20, 31), (3, 0)] {
        let columns = [(Type::F32, true), (Type::Bool, false)];
        agree_text(text, &stream(first, rows, &columns), PIECES);
    }
}

#[test]
fn scratch_between_loops() {
    // a running sum in order, then a vector loop over what it left
    let text = r#"program "scratch"
stream in0 @s every 1s offset 0s {a: f64 nullable}
kernel @k every 1s offset 0s (%0, %1) {
  out0: f64 nullable = @o.sum
  out1: bool = @o.odd
  tmp0: f64 nullable
  tmp1: bool
  %2 = const 11 : i64
  %3 = sub %0, %2 : i64
  %4 = const 0.0 : f64
  %5 = const false : bool
  scratch tmp0 rows %3, %1
  scratch tmp1 rows %3, %1
  %6, %7 = for %8 in %3, %1 from (%9 = %4 : f64, %10 = %5 : bool) {
    %11 = load_valid in0.0 [row] : bool
    %12 = load in0.0 [row] mask %11 : f64
    %13 = abs %12 : f64
    %14 = const 1000.0 : f64
    %15 = lt %13, %14 : bool
    %16 = and %15, %11 : bool
    %17 = select %16, %12, %4 : f64
    %18 = add %9, %17 : f64
    %19 = not %10 : bool
    store tmp0 [row], %18 valid %16
    store tmp1 [row], %19
    yield %18, %19
  }
  forv %20 in %0, %1 warmup 0 {
    %21 = load tmp0 [row-11] : f64
    %22 = load_valid tmp0 [row-11] : bool
    %23 = load tmp1 [row-1] : bool
    %24 = add %21, %6 : f64
    store out0 [row], %24 valid %22
    store out1 [row], %23
  }
}"#;
    agree_text(text, &stream(-180, 420, &[(Type::F64, true)]), PIECES);
}

#[test]
fn scratch_written_by_vector_loops() {
    let text = r#"program "blocks"
stream in0 @s every 1s offset 0s {a: i32}
kernel @k every 1s offset 0s (%0, %1) {
  out0: i32 nullable = @o.a
  tmp0: i32 nullable
  %2 = const 37 : i64
  %3 = sub %0, %2 : i64
  scratch tmp0 rows %3, %1
  forv %4 in %3, %1 warmup 0 {
    %5 = load in0.0 [row] : i32
    %6 = const 0 : i32
    %7 = gt %5, %6 : bool
    store tmp0 [row], %5 valid %7
  }
  forv %8 in %0, %1 warmup 0 {
    %9 = load tmp0 [row-37] : i32
    %10 = load_valid tmp0 [row-36] : bool
    store out0 [row], %9 valid %10
  }
}"#;
    agree_text(text, &stream(-180, 420, &[(Type::I32, false)]), PIECES);
}

#[test]
fn flags_only_of_rows_in_the_loop() {
    let text = r#"program "flag"
stream in0 @s every 1s offset 0s {a: i64}
kernel @vector every 1s offset 0s (%0, %1) {
  out0: i64 = @a.x
  forv %2 in %0, %1 warmup 0 {
    %3 = load in0.0 [row] : i64
    %4 = const 1 : i64
    %5 = overflows add %3, %4 : bool
    flag %5
    store out0 [row], %3
  }
}
kernel @reduced every 1s offset 0s (%0, %1) {
  out0: i64 = @b.x
  %2 = const 0 : i64
  %3 = const 9223372036854775807 : i64
  %4 = reduce %5 step %6 in %0, %1 from (%7 = %2 : i64) {
    %8 = load in0.0 [row] : i64
    %9 = eq %8, %3 : bool
    flag %9
    yield %8
  } combine (%10), (%11) {
    %12 = overflows add %10, %11 : bool
    flag %12
    %13 = add %10, %11 : i64
    yield %13
  }
  forv %14 in %0, %1 warmup 0 {
    store out0 [row], %4
  }
}
kernel @ordered every 1s offset 0s (%0, %1) {
  out0: i64 = @c.x
  for %2 in %0, %1 {
    %3 = load in0.0 [row] : i64
    %4 = const 9223372036854775807 : i64
    %5 = eq %3, %4 : bool
    flag %5
    store out0 [row], %3
  }
}"#;
    for bad in [None, Some(-65), Some(-64), Some(0), Some(39), Some(40), Some(128), Some(129)] {
        let cells: Vec<_> = (-200..200_i64)
            .map(|row| match bad == Some(row) {
                true => Some(Const::Int(i64::MAX.into())),
                false => Some(Const::Int((row % 7).into())),
            })
            .collect();
        let inputs = Inputs { streams: vec![Rows { first: -200, columns: vec![cells] }] };
        agree_text(text, &inputs, PIECES);
    }
}
