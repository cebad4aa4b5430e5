//! Loads from rows of coarser and finer grids: every way to find them gives what the definition gives.

mod harness;

use harness::{Noise, agree_text};
use tilt_ir::{
    Const, Type,
    loops::eval::{Inputs, Rows},
};

const PIECES: &[(i64, i64)] = &[(0, 0), (0, 1), (0, 64), (64, 129), (-128, 5), (-64, 300)];

/// `(row · mul + plus) div · scale + post`.
struct Map {
    mul: i64,
    plus: i64,
    div: i64,
    scale: i64,
    post: i64,
}

impl Map {
    fn row(&self, row: i64) -> i64 {
        (row * self.mul + self.plus).div_euclid(self.div) * self.scale + self.post
    }
}

/// A stream that has just the rows that a map leads to from the rows of all pieces.
fn inputs(map: &Map) -> Inputs {
    let mut noise = Noise(0x0123_4567_89AB_CDEF);
    let first = map.row(-128);
    let rows = (map.row(299) - first + 1) as usize;
    let types = [(Type::F32, true), (Type::Bool, true), (Type::F64, false)];
    let mut columns: Vec<_> = types.iter().map(|(ty, nullable)| noise.column(*ty, *nullable, rows)).collect();
    columns[2].iter_mut().for_each(|cell| {
        cell.get_or_insert(Const::f64(0.5));
    });
    Inputs { streams: vec![Rows { first, columns }] }
}

#[test]
fn rows_of_other_grids() {
    let plain = |mul, plus, div| Map { mul, plus, div, scale: 1, post: 0 };
    let maps = [
        plain(5, 0, 4),        // resampling
        plain(5, 3, 4),        //
        plain(3, 0, 2),        //
        plain(1, 0, 4),        // the same row four times
        plain(1, -3, 16),      //
        plain(1, 0, 32),       //
        plain(2, 1, 1),        // every other row
        plain(10, 0, 1),       // every tenth
        plain(1, 7, 60),       // two rows in a block at most
        plain(1, 9_999, 1000), //
        plain(3, 1, 700),      //
        plain(1, 0, 3),        // nothing of these
        plain(7, 11, 3),       //
        Map { mul: 1, plus: 5, div: 100, scale: 3, post: -7 },
        Map { mul: 2, plus: -5, div: 8, scale: 2, post: 1 },
    ];
    for map in maps {
        let Map { mul, plus, div, scale, post } = map;
        let text = format!(
            r#"program "lookups"
stream in0 @s every 1s offset 0s {{a: f32 nullable, b: bool nullable, c: f64}}
kernel @k every 1s offset 0s (%0, %1) {{
  out0: f32 nullable = @o.a
  out1: bool nullable = @o.b
  out2: f64 = @o.c
  out3: f32 nullable = @o.masked
  out4: i64 = @o.row
  %2 = const {mul} : i64
  %3 = const {plus} : i64
  %4 = const {div} : i64
  %5 = const {scale} : i64
  %6 = const {post} : i64
  %7 = const 3 : i64
  %8 = const 1 : i64
  forv %9 in %0, %1 warmup 0 {{
    %10 = mul %9, %2 : i64
    %11 = add %10, %3 : i64
    %12 = floor_div %11, %4 : i64
    %13 = mul %12, %5 : i64
    %14 = add %13, %6 : i64
    %15 = load in0.0 [%14] : f32
    %16 = load_valid in0.0 [%14] : bool
    %17 = load in0.1 [%14] : bool
    %18 = load_valid in0.1 [%14] : bool
    %19 = load in0.2 [%14] : f64
    %20 = rem %9, %7 : i64
    %21 = eq %20, %8 : bool
    %22 = load in0.0 [%14] mask %21 : f32
    %23 = load_valid in0.0 [%14] mask %21 : bool
    %24 = sub %11, %14 : i64
    %25 = overflows sub %11, %14 : bool
    flag %25
    store out0 [row], %15 valid %16
    store out1 [row], %17 valid %18
    store out2 [row], %19
    store out3 [row], %22 valid %23
    store out4 [row], %24
  }}
}}"#
        );
        agree_text(&text, &inputs(&map), PIECES);
    }
}

#[test]
fn sure_validity_is_filled() {
    let text = r#"program "fill"
stream in0 @s every 1s offset 0s {a: i32}
kernel @k every 1s offset 0s (%0, %1) {
  out0: i32 nullable = @o.a
  %2 = const 0 : i64
  %3 = const 3 : i64
  %4 = const 64 : i64
  for %5 in %2, %3 {
    %6 = mul %5, %4 : i64
    %7 = add %0, %6 : i64
    %8 = add %7, %4 : i64
    %9 = add %7, %5 : i64
    %10 = min %8, %1 : i64
    %11 = min %9, %10 : i64
    forv %12 in %7, %11 warmup 0 {
      %13 = load in0.0 [row] : i32
      %14 = eq %5, %2 : bool
      store out0 [row], %13 valid %14
    }
    forv %15 in %11, %10 warmup 0 {
      %16 = load in0.0 [row] : i32
      store out0 [row], %16
    }
  }
}"#;
    let mut noise = Noise(7);
    let columns = vec![noise.column(Type::I32, false, 600)];
    let inputs = Inputs { streams: vec![Rows { first: -200, columns }] };
    agree_text(text, &inputs, &[(0, 0), (0, 1), (0, 64), (64, 129), (-128, 5), (-64, 110)]);
}
