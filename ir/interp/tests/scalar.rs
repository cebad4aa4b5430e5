//! Every operation on values, by hand.

mod common;

use common::{show, values};
use tilt_interp::scalar::{binary, coalesce, compare, is_null, math, select, unary};
use tilt_ir::{
    Const, Type,
    tir::{BinaryOp, CmpOp, MathFn, UnaryOp},
};

fn one(ty: Type, text: &str) -> Option<Const> {
    values(ty, text)[0]
}

fn text(result: tilt_interp::scalar::Scalar) -> String {
    result.map_or("error".to_owned(), |value| show(&[value]))
}

/// `a op b` for operands of types `left`, `right` and a result of type `to`.
fn mixed(op: BinaryOp, (left, a): (Type, &str), (right, b): (Type, &str), to: Type) -> String {
    text(binary(op, to, one(left, a), one(right, b)))
}

fn same(op: BinaryOp, ty: Type, a: &str, b: &str) -> String {
    mixed(op, (ty, a), (ty, b), ty)
}

#[test]
fn integers_never_wrap() {
    use BinaryOp::{Add, Max, Min, Mul, Sub};
    for (op, ty, a, b, result) in [
        (Add, Type::I8, "100", "27", "127"),
        (Add, Type::I8, "100", "28", "error"),
        (Sub, Type::U8, "3", "4", "error"),
        (Sub, Type::I64, "-9223372036854775808", "1", "error"),
        (Mul, Type::I64, "9000000000000000000", "2", "error"),
        (Mul, Type::I64, "-4611686018427387904", "2", "-9223372036854775808"),
        (Mul, Type::U64, "18446744073709551615", "18446744073709551615", "error"),
        (Mul, Type::U64, "18446744073709551615", "1", "18446744073709551615"),
        (Min, Type::I16, "-3", "2", "-3"),
        (Max, Type::U16, "3", "2", "3"),
    ] {
        assert_eq!(same(op, ty, a, b), result, "{a} {op} {b}");
    }
}

#[test]
fn integer_division_rounds_down_and_by_zero_is_null() {
    let division = |ty, a, b| {
        let div = mixed(BinaryOp::Div, (ty, a), (ty, b), Type::F64);
        let floor_div = same(BinaryOp::FloorDiv, ty, a, b);
        (div, floor_div, same(BinaryOp::Mod, ty, a, b))
    };
    for (a, b, div, floor_div, modulo) in [
        ("7", "2", "3.5", "3", "1"),
        ("-7", "2", "-3.5", "-4", "1"),
        ("7", "-2", "-3.5", "-4", "-1"),
        ("-7", "-2", "3.5", "3", "-1"),
        ("-6", "2", "-3", "-3", "0"),
        ("1", "0", "_", "_", "_"),
        // 2^53 + 1 is rounded to f64 before it is divided.
        ("9007199254740993", "1", "9007199254740992", "9007199254740993", "0"),
        ("-9223372036854775808", "-1", "9.223372036854776e18", "error", "0"),
    ] {
        let expected = (div.to_owned(), floor_div.to_owned(), modulo.to_owned());
        assert_eq!(division(Type::I64, a, b), expected, "{a}, {b}");
    }
}

#[test]
fn times_and_durations() {
    use Type::{Duration, F64, I64, Time};
    let mixed = |op, a, b, to| mixed(op, a, b, to);
    assert_eq!(mixed(BinaryOp::Add, (Time, "5"), (Duration, "-7"), Time), "-2");
    assert_eq!(mixed(BinaryOp::Sub, (Time, "5"), (Time, "7"), Duration), "-2");
    assert_eq!(mixed(BinaryOp::Mul, (Duration, "5"), (I64, "-3"), Duration), "-15");
    assert_eq!(mixed(BinaryOp::Div, (Duration, "5"), (Duration, "2"), F64), "2.5");
    assert_eq!(mixed(BinaryOp::FloorDiv, (Duration, "-5"), (Duration, "2"), I64), "-3");
    assert_eq!(mixed(BinaryOp::Mod, (Duration, "-5"), (Duration, "2"), Duration), "1");
    assert_eq!(mixed(BinaryOp::Add, (Time, "9223372036854775807"), (Duration, "1"), Time), "error");
}

#[test]
fn floats_by_ieee_754() {
    use BinaryOp::{Add, Div, FloorDiv, Max, Min, Mod, Mul};
    for (op, a, b, result) in [
        (Add, "1e308", "1e308", "inf"),
        (Mul, "inf", "0", "NaN"),
        (Div, "1", "0", "inf"),
        (Div, "-1", "0", "-inf"),
        (Div, "0", "0", "NaN"),
        (FloorDiv, "-7", "2", "-4"),
        (FloorDiv, "1", "0", "inf"),
        (Mod, "-7", "2", "1"),
        (Mod, "7", "-2", "-1"),
        (Mod, "5.5", "2", "1.5"),
        (Mod, "-6", "2", "0"),
        (Mod, "6", "-2", "-0"),
        (Mod, "-1", "inf", "inf"),
        (Mod, "1", "0", "NaN"),
        (Min, "-0", "0", "-0"),
        (Min, "0", "-0", "-0"),
        (Max, "-0", "0", "0"),
        (Max, "0", "-0", "0"),
        (Min, "NaN", "1", "NaN"),
        (Max, "1", "NaN", "NaN"),
    ] {
        assert_eq!(same(op, Type::F64, a, b), result, "{a} {op} {b}");
        assert_eq!(same(op, Type::F32, a, b).replace("1e308", "inf"), result, "{a} {op} {b} in f32");
    }
    // In f32 each step rounds to 24 bits.
    assert_eq!(same(Add, Type::F32, "16777216", "1"), "16777216");
    assert_eq!(same(Div, Type::F32, "1", "3"), "0.33333334");
}

#[test]
fn logic_is_strict() {
    for (a, b, and, or) in [
        ("true", "false", "false", "true"),
        ("true", "true", "true", "true"),
        ("false", "_", "_", "_"),
        ("_", "true", "_", "_"),
    ] {
        assert_eq!(same(BinaryOp::And, Type::Bool, a, b), and);
        assert_eq!(same(BinaryOp::Or, Type::Bool, a, b), or);
    }
    assert_eq!(text(unary(UnaryOp::Not, Type::Bool, Type::Bool, one(Type::Bool, "true"))), "false");
}

#[test]
fn null_in_null_out() {
    for op in BinaryOp::ALL.iter().copied() {
        let ty = if matches!(op, BinaryOp::And | BinaryOp::Or) { Type::Bool } else { Type::F64 };
        let value = if ty == Type::Bool { "true" } else { "1" };
        assert_eq!((same(op, ty, "_", value), same(op, ty, value, "_")), ("_".into(), "_".into()));
    }
    for function in MathFn::ALL.iter().copied() {
        let operands = vec![None; function.arity()];
        assert_eq!(math(function, Type::F64, &operands), Ok(None));
    }
    assert_eq!(unary(UnaryOp::Neg, Type::I8, Type::I8, None), Ok(None));
    assert_eq!(compare(CmpOp::Ne, one(Type::I8, "1"), None), None);
}

#[test]
fn conversions() {
    use Type::{Duration, F32, F64, I8, I32, I64, Time, U8, U64};
    for (from, a, to, result) in [
        (F64, "2.9", I8, "2"),
        (F64, "-2.9", I8, "-2"),
        (F64, "-0.9", U8, "0"),
        (F64, "-1", U8, "error"),
        (F64, "127.99", I8, "127"),
        (F64, "128", I8, "error"),
        (F64, "NaN", I64, "error"),
        (F64, "inf", I64, "error"),
        (F64, "-inf", U64, "error"),
        (F64, "9223372036854775807", I64, "error"), // rounds to 2^63
        (F64, "-9223372036854775808", I64, "-9223372036854775808"),
        (F32, "1e38", U64, "error"),
        (F64, "0.1", F32, "0.1"),
        (F32, "0.1", F64, "0.10000000149011612"),
        (F64, "1e300", F32, "inf"),
        (I64, "9007199254740993", F64, "9007199254740992"), // ties to even
        (I64, "16777219", F32, "16777220"),
        (U64, "18446744073709551615", F64, "1.8446744073709552e19"),
        (I32, "-1", U8, "error"),
        (I32, "255", U8, "255"),
        (I64, "-5", Time, "-5"),
        (Time, "-5", Duration, "-5"),
    ] {
        assert_eq!(text(unary(UnaryOp::Cast, from, to, one(from, a))), result, "{a}: {from} to {to}");
    }
    for (ty, a, result) in
        [(I8, "-128", "error"), (U8, "1", "error"), (U8, "0", "0"), (Duration, "7", "-7"), (F32, "0", "-0")]
    {
        assert_eq!(text(unary(UnaryOp::Neg, ty, ty, one(ty, a))), result, "-{a} of {ty}");
    }
}

#[test]
fn comparisons() {
    let all = |ty, a, b| {
        let results = CmpOp::ALL.iter().map(|op| compare(*op, one(ty, a), one(ty, b)));
        results.map(|truth| if truth == Some(Const::Bool(true)) { '1' } else { '0' }).collect::<String>()
    };
    // eq ne lt le gt ge
    assert_eq!(all(Type::I64, "1", "2"), "011100");
    assert_eq!(all(Type::U64, "18446744073709551615", "1"), "010011");
    assert_eq!(all(Type::F64, "0", "-0"), "100101");
    assert_eq!(all(Type::F32, "NaN", "NaN"), "010000");
    assert_eq!(all(Type::F32, "inf", "1"), "010011");
    assert_eq!(all(Type::Bool, "false", "true"), "011100");
    assert_eq!(all(Type::Time, "-1", "-1"), "100101");
}

#[test]
fn math_functions() {
    use MathFn::{Abs, Atan2, Ceil, Floor, IsInf, IsNan, Pow, Round, Sign, Sqrt, Trunc};
    for (function, ty, a, result) in [
        (Abs, Type::I8, "-127", "127"),
        (Abs, Type::I8, "-128", "error"),
        (Abs, Type::Duration, "-3", "3"),
        (Abs, Type::F64, "-0", "0"),
        (Sign, Type::I32, "-7", "-1"),
        (Sign, Type::U8, "7", "1"),
        (Sign, Type::F64, "-0", "-0"),
        (Sign, Type::F64, "-7.5", "-1"),
        (Sign, Type::F32, "NaN", "NaN"),
        (Sqrt, Type::F64, "2", "1.4142135623730951"),
        (Sqrt, Type::F64, "-1", "NaN"),
        (Floor, Type::F64, "-0.5", "-1"),
        (Ceil, Type::F64, "-0.5", "-0"),
        (Round, Type::F64, "0.5", "1"),
        (Round, Type::F64, "-0.5", "-1"),
        (Round, Type::F64, "0.49999999999999994", "0"),
        (Trunc, Type::F32, "-1.9", "-1"),
        (IsNan, Type::F64, "NaN", "true"),
        (IsNan, Type::F64, "inf", "false"),
        (IsInf, Type::F32, "-inf", "true"),
    ] {
        assert_eq!(text(math(function, ty, &[one(ty, a)])), result, "{function} {a}");
    }
    let pair = |function, ty, a, b| text(math(function, ty, &[one(ty, a), one(ty, b)]));
    assert_eq!(pair(Pow, Type::F64, "2", "10"), "1024");
    assert_eq!(pair(Atan2, Type::F64, "1", "-0"), "1.5707963267948966");
    assert_eq!(pair(Pow, Type::F32, "2", "0.5"), "1.4142135");
}

/// Each function, at one place, is the one of its name: compared with the standard library, which may differ in the last bits.
#[test]
fn transcendental_functions_are_not_mixed_up() {
    use MathFn::{Acos, Asin, Atan, Cos, Cosh, Exp, Ln, Log2, Log10, Sin, Sinh, Tan, Tanh};
    let x = 0.7f64;
    for (function, expected) in [
        (Exp, x.exp()),
        (Ln, x.ln()),
        (Log2, x.log2()),
        (Log10, x.log10()),
        (Sin, x.sin()),
        (Cos, x.cos()),
        (Tan, x.tan()),
        (Asin, x.asin()),
        (Acos, x.acos()),
        (Atan, x.atan()),
        (Sinh, x.sinh()),
        (Cosh, x.cosh()),
        (Tanh, x.tanh()),
    ] {
        let Ok(Some(Const::F64(bits))) = math(function, Type::F64, &[Some(Const::f64(x))]) else {
            panic!("{function} gives no f64");
        };
        assert!((f64::from_bits(bits) - expected).abs() < 1e-15, "{function}");
        let Ok(Some(Const::F32(bits))) = math(function, Type::F32, &[Some(Const::f32(x as f32))]) else {
            panic!("{function} gives no f32");
        };
        assert!((f32::from_bits(bits) - expected as f32).abs() < 3e-7, "{function}");
    }
}

#[test]
fn choices() {
    let [yes, no] = [true, false].map(|truth| Some(Const::Bool(truth)));
    let [a, b] = [1, 2].map(|i| Some(Const::Int(i)));
    assert_eq!([select(yes, a, b), select(no, a, b), select(None, a, b)], [a, b, None]);
    assert_eq!([select(yes, None, b), select(no, None, b)], [None, b]);
    assert_eq!([coalesce(a, b), coalesce(None, b), coalesce(None, None)], [a, b, None]);
    assert_eq!([is_null(a), is_null(None)], [no, yes]);
}
