//! What kernels compute.

use crate::{kernel, parse};
use tilt_ir::Const;
use tilt_ir::loops::eval::{Inputs, Outputs, Rows, eval};
use tilt_ir::loops::verify;

fn float(value: f64) -> Option<Const> {
    Some(Const::f64(value))
}
fn int(value: i128) -> Option<Const> {
    Some(Const::Int(value))
}

/// Rows 0..200 of the stream of [`kernel`]: `v` is the row's number and a half, `n` ten times it and φ in odd rows.
fn inputs() -> Inputs {
    let rows = 0..200i128;
    let v = rows.clone().map(|row| float(row as f64 + 0.5)).collect();
    let n = rows.clone().map(|row| int(row * 10).filter(|_| row % 2 == 0)).collect();
    let b = rows.map(|row| Some(Const::Bool(row % 3 == 0))).collect();
    Inputs { streams: vec![Rows { first: 0, columns: vec![v, n, b] }] }
}

/// Runs a kernel body over rows `lo..hi`.
fn run(body: &str, lo: i64, hi: i64) -> Result<Outputs, String> {
    let program = parse(&kernel(body));
    assert_eq!(crate::errors(&program), [""; 0]);
    let program = verify(&program).map_err(|errors| errors[0].to_string())?;
    eval(program, 0, lo, hi, &inputs()).map_err(|error| error.to_string())
}

/// A body that stores these values in all rows of the two outputs.
fn outputs(float: &str, int: &str, before: &str, row: &str) -> String {
    format!(
        "{before} forv %90 in %0, %1 warmup 2 {{ {row} store out0 [row], {float} store out1 [row], {int} }}"
    )
    .replace("%90", "%2")
}

#[test]
fn rows_are_loaded_and_spliced() {
    let body = outputs(
        "%5",
        "%4",
        "",
        "%3 = load in0.0 [row+1] : f64 %4 = splice %2, 2 : i64 %5 = splice %3, 1 : f64",
    );
    let outputs = run(&body, 64, 66).unwrap();
    assert_eq!(outputs.columns, [[float(64.5), float(65.5)], [int(62), int(63)]]);
    assert!(!outputs.flag);
    assert_eq!(run(&body, 0, 1).unwrap_err(), "row -2: in0.0 has no row -1, only 0..200");
    assert_eq!(run(&body, 300, 300).unwrap().columns, [[], []], "no rows, no warm-up");
}

#[test]
fn what_is_spliced_from_before_the_warm_up_is_anything() {
    let body = outputs(
        "%4",
        "%2",
        "",
        "%3 = load in0.0 [row] : f64 %5 = splice %3, 2 : f64 %4 = splice %5, 2 : f64",
    );
    let error = run(&body, 64, 65).unwrap_err();
    assert_eq!(error, "row 64 of out0 may be anything");
}

#[test]
fn masks_keep_rows_from_being_touched() {
    let body = outputs(
        "%6",
        "%7",
        "%3 = const 1 : i64 %4 = const 0.0 : f64",
        "%5 = lt %2, %3 : bool
         %6 = load in0.0 [row] mask %8 : f64
         %7 = load in0.1 [row] mask %8 : i64",
    )
    .replace("%5 = lt", "%5 = ge %2, %9 : bool %8 = and %5, %10 : bool %11 = lt")
    .replace("%4 = const", "%9 = const 0 : i64 %10 = const true : bool %4 = const");
    let outputs = run(&body, -1, 1).unwrap();
    assert_eq!(outputs.columns, [[float(0.0), float(0.5)], [int(0), int(0)]]);
}

#[test]
fn validity_is_loaded_and_stored() {
    let row = "%3 = load in0.1 [row] : i64 %4 = load_valid in0.1 [row] : bool %5 = cast %3 : f64 \
               store out0 [row], %5 valid %4 store out1 [row], %2";
    let outputs = run(&format!("forv %2 in %0, %1 warmup 0 {{ {row} }}"), 1, 3).unwrap();
    assert_eq!(outputs.columns[0], [None, float(20.0)]);
    let careless = row.replace(" valid %4", "");
    let error = run(&format!("forv %2 in %0, %1 warmup 0 {{ {careless} }}"), 1, 3).unwrap_err();
    assert_eq!(error, "row 1 of out0 may be anything");
}

#[test]
fn every_row_must_be_stored_and_none_beside_them() {
    let error = run("forv %2 in %0, %0 warmup 0 {}", 3, 4).unwrap_err();
    assert_eq!(error, "nothing was stored in row 3 of out0");
    let error = run("for %2 in %0, %1 { store out1 [row+1], %2 }", 3, 4).unwrap_err();
    assert_eq!(error, "row 3: out1 has no row 4, only 3..4");
}

#[test]
fn scratch_has_room_and_is_stored_before_it_is_loaded() {
    let all = "scratch tmp1 rows %0, %1 forv %2 in %0, %1 warmup 0 { store tmp1 [row], %2 }";
    let load = |by: &str| {
        format!(
            "{all} forv %3 in %0, %1 warmup 0 {{ %4 = load tmp1 [row{by}] : i64 store out1 [row], %4 %5 = cast %4 : f64 store out0 [row], %5 }}"
        )
    };
    assert_eq!(run(&load(""), 0, 2).unwrap().columns[1], [int(0), int(1)]);
    assert_eq!(run(&load("+1"), 0, 2).unwrap_err(), "row 1: tmp1 has no row 2, only 0..2");
    let early = load("").replace("store tmp1", "store out1");
    assert_eq!(run(&early, 0, 2).unwrap_err(), "row 0: nothing was stored in row 0 of tmp1");
    let large = run("%2 = const 9000000000000000000 : i64 scratch tmp1 rows %0, %2", 0, 0);
    assert_eq!(large.unwrap_err(), "room for 9000000000000000000 rows, from 0 to 9000000000000000000");
}

#[test]
fn loops_in_order_carry_values() {
    let body = "%2 = const 1 : i64
        %5, %8 = for %3 in %0, %1 from (%4 = %2 : i64, %7 = %2 : i64) { %6 = add %4, %7 : i64 yield %7, %6 }
        %9 = cast %8 : f64
        forv %10 in %0, %1 warmup 0 { store out0 [row], %9 store out1 [row], %5 }";
    assert_eq!(run(body, 0, 5).unwrap().columns[1], [int(8); 5]);
    assert_eq!(run(body, 0, 5).unwrap().columns[0], [float(13.0); 5]);
}

/// A reduction by `add` of floats over rows `lo..hi`, written down from the definition.
fn lanes64(rows: std::ops::Range<usize>, value: impl Fn(usize) -> f64) -> f64 {
    let mut lanes = [0.0; 64];
    for row in rows.clone() {
        lanes[(row - rows.start) % 64] += value(row);
    }
    for half in [32, 16, 8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
    }
    lanes[0]
}

#[test]
fn reductions_have_64_lanes_and_a_tree() {
    let body = "%2 = const 0.0 : f64 %3 = const 0 : i64 %4 = const 0.1 : f64
        %5, %10 = reduce %6 step %7 in %0, %1 from (%8 = %2 : f64, %11 = %3 : i64) {
          %9 = load in0.0 [row] : f64
          %12 = mul %9, %4 : f64
          %13 = add %8, %12 : f64
          %14 = max %11, %7 : i64
          yield %13, %14
        } combine (%15, %16), (%17, %18) {
          %19 = add %15, %17 : f64
          %20 = max %16, %18 : i64
          yield %19, %20
        }
        forv %21 in %0, %1 warmup 0 { store out0 [row], %5 store out1 [row], %10 }";
    for (lo, hi) in [(0, 1), (3, 67), (0, 200), (5, 150)] {
        let outputs = run(body, lo as i64, hi as i64).unwrap();
        let sum = lanes64(lo..hi, |row| (row as f64 + 0.5) * 0.1);
        assert_eq!(outputs.columns[0][0], float(sum), "{lo}..{hi}");
        assert_eq!(outputs.columns[1][0], int((hi - lo - 1) as i128 / 64));
    }
}

#[test]
fn the_flag_is_raised_and_garbage_of_the_warm_up_does_not_raise_it() {
    let body = |limit: i64| {
        outputs(
            "%6",
            "%2",
            &format!("%3 = const {limit} : i64"),
            "%4 = splice %2, 2 : i64 %5 = gt %4, %3 : bool flag %5 %6 = load in0.0 [row] : f64",
        )
    };
    assert!(!run(&body(6), 5, 9).unwrap().flag);
    assert!(run(&body(5), 5, 9).unwrap().flag);
    let row = "%3 = load in0.1 [row] : i64 %4 = gt %3, %2 : bool flag %4";
    let error = run(&format!("for %2 in %0, %1 {{ {row} }}"), 1, 2).unwrap_err();
    assert_eq!(error, "row 1: %4 may be anything here");
}

/// One operation on constants: its result as the only row.
fn one(ty: &str, text: &str) -> Result<Option<Const>, String> {
    let program = parse(&format!(
        "program \"\" kernel @k every 1s offset 0s (%0, %1) {{ out0: {ty} = @o.v {text} for %5 in %0, %1 {{ store out0 [row], %4 }} }}"
    ));
    assert_eq!(crate::errors(&program), [""; 0]);
    let outputs = eval(verify(&program).unwrap(), 0, 0, 1, &Inputs::default());
    outputs.map(|outputs| outputs.columns[0][0]).map_err(|error| error.to_string())
}
fn two(ty: &str, op: &str, a: &str, b: &str, result: &str) -> Result<Option<Const>, String> {
    one(result, &format!("%2 = const {a} : {ty} %3 = const {b} : {ty} %4 = {op} %2, %3 : {result}"))
}

#[test]
fn integers_wrap_and_round_down() {
    assert_eq!(two("i8", "add", "127", "1", "i8"), Ok(int(-128)));
    assert_eq!(two("u64", "mul", "18446744073709551615", "18446744073709551615", "u64"), Ok(int(1)));
    assert_eq!(two("i64", "floor_div", "-7", "2", "i64"), Ok(int(-4)));
    assert_eq!(two("i64", "rem", "-7", "2", "i64"), Ok(int(1)));
    assert_eq!(two("i64", "rem", "7", "-2", "i64"), Ok(int(-1)));
    assert_eq!(two("i64", "floor_div", "1", "0", "i64"), Err("division by 0".into()));
    let out = "the quotient of -128 and -1 is out of range".to_owned();
    assert_eq!(two("i8", "floor_div", "-128", "-1", "i8"), Err(out));
    assert_eq!(two("u8", "sub", "0", "1", "u8"), Ok(int(255)));
    assert_eq!(two("u8", "lt", "200", "100", "bool"), Ok(Some(Const::Bool(false))));
    assert_eq!(two("i8", "xor", "-1", "1", "i8"), Ok(int(-2)));
    assert_eq!(two("u64", "overflows mul", "4294967296", "4294967296", "bool"), Ok(Some(Const::Bool(true))));
    assert_eq!(two("u8", "overflows sub", "1", "1", "bool"), Ok(Some(Const::Bool(false))));
    assert_eq!(one("u8", "%2 = const 1 : u8 %3 = const 0 : u8 %4 = neg %2 : u8"), Ok(int(255)));
}

#[test]
fn floats_are_those_of_ieee_754() {
    assert_eq!(two("f64", "min", "0.0", "-0.0", "f64"), Ok(float(-0.0)));
    assert_eq!(two("f64", "max", "-0.0", "0.0", "f64"), Ok(float(0.0)));
    assert_eq!(two("f64", "min", "nan", "1.0", "f64"), Ok(float(f64::NAN)));
    assert_eq!(two("f64", "rem", "-7.5", "2.0", "f64"), Ok(float(-1.5)));
    assert_eq!(two("f64", "ne", "nan", "nan", "bool"), Ok(Some(Const::Bool(true))));
    assert_eq!(two("f64", "ge", "nan", "nan", "bool"), Ok(Some(Const::Bool(false))));
    assert_eq!(two("f64", "sub", "inf", "inf", "f64"), Ok(float(f64::NAN)), "the one NaN");
    assert_eq!(two("f32", "add", "16777216.0", "1.0", "f32"), Ok(Some(Const::f32(16777216.0))));
    assert_eq!(two("f64", "pow", "2.0", "0.5", "f64"), Ok(float(libm::pow(2.0, 0.5))));
    assert_eq!(one("f64", "%2 = const -2.5 : f64 %3 = const 0 : i8 %4 = round %2 : f64"), Ok(float(-3.0)));
    assert_eq!(
        one("f32", "%2 = const 1.0 : f32 %3 = const 0 : i8 %4 = exp %2 : f32"),
        Ok(Some(Const::f32(libm::expf(1.0))))
    );
}

#[test]
fn conversions_cut_extend_and_round() {
    let cast = |from: &str, value: &str, to: &str| {
        one(to, &format!("%2 = const {value} : {from} %3 = const 0 : i8 %4 = cast %2 : {to}"))
    };
    assert_eq!(cast("i64", "-1", "u8"), Ok(int(255)));
    assert_eq!(cast("u8", "255", "i8"), Ok(int(-1)));
    assert_eq!(cast("i8", "-1", "u64"), Ok(int(u64::MAX.into())));
    assert_eq!(cast("bool", "true", "f64"), Ok(float(1.0)));
    assert_eq!(cast("u64", "18446744073709551615", "f32"), Ok(Some(Const::f32(u64::MAX as f32))));
    assert_eq!(cast("f64", "-1.9", "i64"), Ok(int(-1)));
    assert_eq!(cast("f64", "127.9", "i8"), Ok(int(127)));
    let anything = Err("row 0 of out0 may be anything".to_owned());
    assert_eq!(cast("f64", "128.0", "i8"), anything);
    assert_eq!(cast("f64", "-1.0", "u8"), anything);
    assert_eq!(cast("f32", "nan", "i64"), anything);
    assert_eq!(cast("f64", "9223372036854775808.0", "i64"), anything);
    assert_eq!(cast("f64", "9223372036854775808.0", "u64"), Ok(int(1 << 63)));
    assert_eq!(cast("f64", "1e300", "f32"), Ok(Some(Const::f32(f32::INFINITY))));
}

#[test]
fn inputs_are_checked() {
    let program = parse(&kernel(""));
    let program = verify(&program).unwrap();
    let fails = |inputs: Inputs| eval(program, 0, 0, 0, &inputs).unwrap_err().to_string();
    assert_eq!(fails(Inputs::default()), "0 streams, not 1");
    let with = |change: &dyn Fn(&mut Rows)| {
        let mut inputs = inputs();
        change(&mut inputs.streams[0]);
        fails(inputs)
    };
    assert_eq!(with(&|rows| rows.columns.truncate(2)), "in0 has 2 columns, not 3");
    assert_eq!(with(&|rows| rows.columns[1].truncate(2)), "in0.1 is not as long as in0.0");
    assert_eq!(with(&|rows| rows.columns[0][7] = None), "in0.0 has a value that is not of its type");
    assert_eq!(with(&|rows| rows.columns[1][7] = float(1.0)), "in0.1 has a value that is not of its type");
    assert_eq!(eval(program, 1, 0, 0, &inputs()).unwrap_err().to_string(), "there is no kernel 1");
}
