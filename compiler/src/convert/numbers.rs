//! Arithmetic on one row: what TiLT IR's operators mean in Loop IR, where φ comes in, where the flag goes up.
//!
//! The flag says "this piece may have an integer out of range": it goes up for valid rows only, and may go up for a value that
//! is not used in the end; the interpreter then decides.

use tilt_ir::{
    Const, Type,
    loops::{Binary, Builder, Cmp, Math, Unary, Value},
    tir::{BinaryOp, CmpOp, MathFn, UnaryOp},
};

use super::machine;

/// A value and its validity; `None` if it is never φ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Val {
    pub(super) value: Value,
    pub(super) valid: Option<Value>,
}

impl Val {
    /// A value that is never φ.
    pub(super) fn sure(value: Value) -> Val {
        Val { value, valid: None }
    }
}

/// Valid where all are.
pub(super) fn all_valid(b: &mut Builder<'_>, vals: &[Val]) -> Option<Value> {
    vals.iter().filter_map(|v| v.valid).reduce(|x, y| b.and(x, y))
}

/// Raises the flag where `bad` and the value is valid.
pub(super) fn flag_if(b: &mut Builder<'_>, bad: Value, valid: Option<Value>) {
    let bad = match valid {
        Some(valid) => b.and(valid, bad),
        None => bad,
    };
    b.flag(bad);
}

/// A constant of a TiLT IR type.
pub(super) fn constant(b: &mut Builder<'_>, ty: Type, value: Const) -> Value {
    b.constant(machine(ty), value)
}

/// The float `value`, exact in `ty`.
pub(super) fn float(b: &mut Builder<'_>, ty: Type, value: f64) -> Value {
    match ty {
        Type::F32 => b.constant(ty, Const::f32(value as f32)),
        _ => b.constant(ty, Const::f64(value)),
    }
}

fn integer(b: &mut Builder<'_>, ty: Type, value: i128) -> Value {
    b.constant(ty, Const::Int(value))
}

pub(super) fn unary(b: &mut Builder<'_>, op: UnaryOp, a: Val, from: Type, to: Type) -> Val {
    let value = match op {
        UnaryOp::Not => b.not(a.value),
        UnaryOp::Neg if from.is_float() => b.neg(a.value),
        UnaryOp::Neg => {
            let zero = b.zero(machine(from));
            let bad = b.overflows(Binary::Sub, zero, a.value);
            flag_if(b, bad, a.valid);
            b.neg(a.value)
        }
        UnaryOp::Cast => cast(b, a, from, machine(to)),
    };
    Val { value, ..a }
}

fn cast(b: &mut Builder<'_>, a: Val, from: Type, to: Type) -> Value {
    let source = machine(from);
    if source == to {
        return a.value;
    }
    let Some((least, greatest)) = to.int_range() else { return b.cast(a.value, to) };
    let in_range = if source.is_float() {
        Some(float_in_range(b, a.value, source, least, greatest))
    } else {
        integer_in_range(b, a.value, source, least, greatest)
    };
    let Some(in_range) = in_range else { return b.cast(a.value, to) };
    let bad = b.not(in_range);
    flag_if(b, bad, a.valid);
    let zero = b.zero(source);
    let guarded = b.select(in_range, a.value, zero);
    b.cast(guarded, to)
}

/// Whether a float, rounded toward zero, lies in `least..=greatest` (ends as integer types have them).
fn float_in_range(b: &mut Builder<'_>, value: Value, ty: Type, least: i128, greatest: i128) -> Value {
    let exact = |i: i128| match ty {
        Type::F32 => (i as f32) as i128 == i,
        _ => (i as f64) as i128 == i,
    };
    let above = float(b, ty, (greatest + 1) as f64);
    let below_limit = b.cmp(Cmp::Lt, value, above);
    let above_limit = if exact(least - 1) {
        let below = float(b, ty, (least - 1) as f64);
        b.cmp(Cmp::Gt, value, below)
    } else {
        let lowest = float(b, ty, least as f64);
        b.cmp(Cmp::Ge, value, lowest)
    };
    b.and(below_limit, above_limit)
}

/// Whether an integer lies in `least..=greatest`; `None` if it always does.
fn integer_in_range(
    b: &mut Builder<'_>,
    value: Value,
    ty: Type,
    least: i128,
    greatest: i128,
) -> Option<Value> {
    let (own_least, own_greatest) = ty.int_range()?;
    let low = (own_least < least).then(|| {
        let least = integer(b, ty, least);
        b.cmp(Cmp::Ge, value, least)
    });
    let high = (own_greatest > greatest).then(|| {
        let greatest = integer(b, ty, greatest);
        b.cmp(Cmp::Le, value, greatest)
    });
    match (low, high) {
        (Some(low), Some(high)) => Some(b.and(low, high)),
        (low, high) => low.or(high),
    }
}

/// Two operands of type `ty` (for mixed time and duration: `i64` both).
pub(super) fn binary(b: &mut Builder<'_>, op: BinaryOp, x: Val, y: Val, ty: Type) -> Val {
    let valid = all_valid(b, &[x, y]);
    let (p, q) = (x.value, y.value);
    let plain = |value| Val { value, valid };
    match op {
        BinaryOp::Add => plain(checked(b, Binary::Add, p, q, valid, ty)),
        BinaryOp::Sub => plain(checked(b, Binary::Sub, p, q, valid, ty)),
        BinaryOp::Mul => plain(checked(b, Binary::Mul, p, q, valid, ty)),
        BinaryOp::Min => plain(b.min(p, q)),
        BinaryOp::Max => plain(b.max(p, q)),
        BinaryOp::And => plain(b.and(p, q)),
        BinaryOp::Or => plain(b.or(p, q)),
        BinaryOp::Div if ty.is_float() => plain(b.div(p, q)),
        BinaryOp::Div => {
            let (_, valid) = divisor(b, q, valid, ty);
            let (p, q) = (b.cast(p, Type::F64), b.cast(q, Type::F64));
            Val { value: b.div(p, q), valid }
        }
        BinaryOp::FloorDiv if ty.is_float() => {
            let quotient = b.div(p, q);
            plain(b.math(Math::Floor, vec![quotient]))
        }
        BinaryOp::FloorDiv => floor_div(b, p, q, valid, ty),
        BinaryOp::Mod if ty.is_float() => plain(float_mod(b, p, q, ty)),
        BinaryOp::Mod => {
            let (q, valid) = divisor(b, q, valid, ty);
            let q = avoid_minus_one(b, q, ty).0;
            Val { value: b.rem(p, q), valid }
        }
    }
}

fn checked(b: &mut Builder<'_>, op: Binary, p: Value, q: Value, valid: Option<Value>, ty: Type) -> Value {
    if !ty.is_float() {
        let bad = b.overflows(op, p, q);
        flag_if(b, bad, valid);
    }
    b.binary(op, p, q)
}

/// A divisor that is not 0, and the validity with "it was not 0" added.
fn divisor(b: &mut Builder<'_>, q: Value, valid: Option<Value>, ty: Type) -> (Value, Option<Value>) {
    if matches!(b.const_of(q), Some(Const::Int(c)) if c != 0) {
        return (q, valid);
    }
    let (zero, one) = (b.zero(ty), integer(b, ty, 1));
    let good = b.cmp(Cmp::Ne, q, zero);
    let valid = match valid {
        Some(valid) => b.and(valid, good),
        None => good,
    };
    (b.select(good, q, one), Some(valid))
}

/// The divisor with −1 replaced by 1, and whether it was −1 (`None`: it never is).
fn avoid_minus_one(b: &mut Builder<'_>, q: Value, ty: Type) -> (Value, Option<Value>) {
    if ty.is_unsigned() || matches!(b.const_of(q), Some(Const::Int(c)) if c != -1) {
        return (q, None);
    }
    let (minus_one, one) = (integer(b, ty, -1), integer(b, ty, 1));
    let is = b.cmp(Cmp::Eq, q, minus_one);
    (b.select(is, one, q), Some(is))
}

fn floor_div(b: &mut Builder<'_>, p: Value, q: Value, valid: Option<Value>, ty: Type) -> Val {
    let (q, valid) = divisor(b, q, valid, ty);
    let (q, minus_one) = avoid_minus_one(b, q, ty);
    let quotient = b.floor_div(p, q);
    let Some(minus_one) = minus_one else { return Val { value: quotient, valid } };
    let zero = b.zero(ty);
    let bad = b.overflows(Binary::Sub, zero, p);
    let bad = b.and(bad, minus_one);
    flag_if(b, bad, valid);
    let negated = b.neg(p);
    Val { value: b.select(minus_one, negated, quotient), valid }
}

/// The remainder of the sign of the divisor, also where it is 0.
fn float_mod(b: &mut Builder<'_>, p: Value, q: Value, ty: Type) -> Value {
    let rem = b.rem(p, q);
    let (zero, minus_zero) = (b.zero(ty), float(b, ty, -0.0));
    let is_zero = b.cmp(Cmp::Eq, rem, zero);
    let (negative, other) = (b.cmp(Cmp::Lt, rem, zero), b.cmp(Cmp::Lt, q, zero));
    let differ = b.xor(negative, other);
    let moved = b.add(rem, q);
    let signed = b.select(differ, moved, rem);
    let signed_zero = b.select(other, minus_zero, zero);
    b.select(is_zero, signed_zero, signed)
}

pub(super) fn compare(b: &mut Builder<'_>, op: CmpOp, x: Val, y: Val, ty: Type) -> Val {
    let valid = all_valid(b, &[x, y]);
    let cmp = match op {
        CmpOp::Eq => Cmp::Eq,
        CmpOp::Ne => Cmp::Ne,
        CmpOp::Lt => Cmp::Lt,
        CmpOp::Le => Cmp::Le,
        CmpOp::Gt => Cmp::Gt,
        CmpOp::Ge => Cmp::Ge,
    };
    let value =
        if ty == Type::Bool { compare_bools(b, cmp, x.value, y.value) } else { b.cmp(cmp, x.value, y.value) };
    Val { value, valid }
}

/// `false < true`.
fn compare_bools(b: &mut Builder<'_>, cmp: Cmp, p: Value, q: Value) -> Value {
    match cmp {
        Cmp::Ne => b.xor(p, q),
        Cmp::Eq => {
            let differ = b.xor(p, q);
            b.not(differ)
        }
        Cmp::Lt => {
            let p = b.not(p);
            b.and(p, q)
        }
        Cmp::Le => {
            let p = b.not(p);
            b.or(p, q)
        }
        Cmp::Gt => compare_bools(b, Cmp::Lt, q, p),
        Cmp::Ge => compare_bools(b, Cmp::Le, q, p),
    }
}

/// A math function on operands of type `ty`.
pub(super) fn math(b: &mut Builder<'_>, function: MathFn, operands: &[Val], ty: Type) -> Val {
    let valid = all_valid(b, operands);
    let values: Vec<Value> = operands.iter().map(|v| v.value).collect();
    let value = match function {
        MathFn::Abs if !ty.is_float() => {
            let zero = b.zero(machine(ty));
            let negative = b.cmp(Cmp::Lt, values[0], zero);
            let bad = b.overflows(Binary::Sub, zero, values[0]);
            let bad = b.and(bad, negative);
            flag_if(b, bad, valid);
            let negated = b.neg(values[0]);
            b.select(negative, negated, values[0])
        }
        MathFn::Sign => sign(b, values[0], machine(ty)),
        MathFn::IsNan => b.cmp(Cmp::Ne, values[0], values[0]),
        MathFn::IsInf => {
            let magnitude = b.math(Math::Abs, values);
            let infinity = float(b, ty, f64::INFINITY);
            b.cmp(Cmp::Eq, magnitude, infinity)
        }
        other => match plain(other) {
            Some(function) => b.math(function, values),
            None => values[0],
        },
    };
    Val { value, valid }
}

fn sign(b: &mut Builder<'_>, x: Value, ty: Type) -> Value {
    let zero = b.zero(ty);
    let (one, minus_one) = if ty.is_float() {
        (float(b, ty, 1.0), float(b, ty, -1.0))
    } else if ty.is_unsigned() {
        (integer(b, ty, 1), zero)
    } else {
        (integer(b, ty, 1), integer(b, ty, -1))
    };
    let (positive, negative) = (b.cmp(Cmp::Gt, x, zero), b.cmp(Cmp::Lt, x, zero));
    let rest = b.select(negative, minus_one, x);
    b.select(positive, one, rest)
}

/// The function of Loop IR that computes just this one.
fn plain(function: MathFn) -> Option<Math> {
    Some(match function {
        MathFn::Abs => Math::Abs,
        MathFn::Sqrt => Math::Sqrt,
        MathFn::Floor => Math::Floor,
        MathFn::Ceil => Math::Ceil,
        MathFn::Round => Math::Round,
        MathFn::Trunc => Math::Trunc,
        MathFn::Exp => Math::Exp,
        MathFn::Ln => Math::Ln,
        MathFn::Log2 => Math::Log2,
        MathFn::Log10 => Math::Log10,
        MathFn::Sin => Math::Sin,
        MathFn::Cos => Math::Cos,
        MathFn::Tan => Math::Tan,
        MathFn::Asin => Math::Asin,
        MathFn::Acos => Math::Acos,
        MathFn::Atan => Math::Atan,
        MathFn::Sinh => Math::Sinh,
        MathFn::Cosh => Math::Cosh,
        MathFn::Tanh => Math::Tanh,
        MathFn::Pow => Math::Pow,
        MathFn::Atan2 => Math::Atan2,
        MathFn::Sign | MathFn::IsNan | MathFn::IsInf => return None,
    })
}

/// `cond ? x : y` of plain values under one condition, with validity.
pub(super) fn choose(b: &mut Builder<'_>, cond: Val, x: Val, y: Val) -> Val {
    let value = b.select(cond.value, x.value, y.value);
    let chosen = match (x.valid, y.valid) {
        (None, None) => None,
        (p, q) => {
            let p = p.unwrap_or_else(|| b.bool(true));
            let q = q.unwrap_or_else(|| b.bool(true));
            Some(b.select(cond.value, p, q))
        }
    };
    let valid = match (cond.valid, chosen) {
        (Some(c), Some(v)) => Some(b.and(c, v)),
        (c, v) => c.or(v),
    };
    Val { value, valid }
}

/// `x ?? y`.
pub(super) fn coalesce(b: &mut Builder<'_>, x: Val, y: Val) -> Val {
    let Some(x_valid) = x.valid else { return x };
    let value = b.select(x_valid, x.value, y.value);
    Val { value, valid: y.valid.map(|y_valid| b.or(x_valid, y_valid)) }
}

/// `x is null`.
pub(super) fn is_null(b: &mut Builder<'_>, x: Val) -> Val {
    Val::sure(match x.valid {
        Some(valid) => b.not(valid),
        None => b.bool(false),
    })
}

/// The bool `1` or `0` as a number.
pub(super) fn as_count(b: &mut Builder<'_>, valid: Value, ty: Type) -> Value {
    if ty == Type::Bool { valid } else { b.unary(Unary::Cast, valid, ty) }
}
