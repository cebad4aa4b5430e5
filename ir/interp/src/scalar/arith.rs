//! Operations with two operands.

use super::{Scalar, ill_typed, in_range};
use crate::float::Float;
use tilt_ir::{Const, Type, tir::BinaryOp};

/// `a op b`, of type `to`. Integers, times and durations out of the range of `to` are an error.
///
/// ```
/// use tilt_interp::scalar::binary;
/// use tilt_ir::{Const, Type, tir::BinaryOp};
/// let (a, b) = (Some(Const::Int(-7)), Some(Const::Int(2)));
/// assert_eq!(binary(BinaryOp::FloorDiv, Type::I64, a, b), Ok(Some(Const::Int(-4))));
/// assert_eq!(binary(BinaryOp::Mod, Type::I64, a, b), Ok(Some(Const::Int(1))));
/// assert_eq!(binary(BinaryOp::Div, Type::F64, a, b), Ok(Some(Const::f64(-3.5))));
/// assert_eq!(binary(BinaryOp::Div, Type::F64, a, Some(Const::Int(0))), Ok(None));
/// ```
pub fn binary(op: BinaryOp, to: Type, a: Option<Const>, b: Option<Const>) -> Scalar {
    let (Some(a), Some(b)) = (a, b) else {
        return Ok(None);
    };
    match (a, b) {
        (Const::Int(x), Const::Int(y)) => integers(op, to, x, y),
        (Const::F32(x), Const::F32(y)) => {
            let result = floats(op, f32::from_bits(x), f32::from_bits(y));
            Ok(Some(result.to_const()))
        }
        (Const::F64(x), Const::F64(y)) => {
            let result = floats(op, f64::from_bits(x), f64::from_bits(y));
            Ok(Some(result.to_const()))
        }
        (Const::Bool(x), Const::Bool(y)) => Ok(Some(Const::Bool(bools(op, x, y)))),
        _ => ill_typed(op, &[a, b]),
    }
}

/// Integers, times and durations: what they mean is in their types, how they are computed is the same.
fn integers(op: BinaryOp, to: Type, a: i128, b: i128) -> Scalar {
    match op {
        BinaryOp::Add => in_range(a.checked_add(b), to),
        BinaryOp::Sub => in_range(a.checked_sub(b), to),
        BinaryOp::Mul => in_range(a.checked_mul(b), to),
        BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod if b == 0 => Ok(None),
        BinaryOp::Div => Ok(Some(Const::f64(a as f64 / b as f64))),
        BinaryOp::FloorDiv => in_range(Some(floor_div(a, b)), to),
        BinaryOp::Mod => in_range(Some(a - floor_div(a, b) * b), to),
        BinaryOp::Min => in_range(Some(a.min(b)), to),
        BinaryOp::Max => in_range(Some(a.max(b)), to),
        BinaryOp::And | BinaryOp::Or => ill_typed(op, &[Const::Int(a), Const::Int(b)]),
    }
}

/// The quotient rounded down. Operands have 64 bits, so that nothing here overflows.
fn floor_div(a: i128, b: i128) -> i128 {
    let inexact = a % b != 0;
    let negative = (a < 0) != (b < 0);
    a / b - i128::from(inexact && negative)
}

fn floats<F: Float>(op: BinaryOp, a: F, b: F) -> F {
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::FloorDiv => (a / b).floor(),
        BinaryOp::Mod => float_mod(a, b),
        BinaryOp::Min => a.lesser(b),
        BinaryOp::Max => a.greater(b),
        BinaryOp::And | BinaryOp::Or => ill_typed(op, &[a.to_const(), b.to_const()]),
    }
}

/// The remainder with the sign of `b`; a remainder of zero has the sign of `b`, too (as in Python).
fn float_mod<F: Float>(a: F, b: F) -> F {
    let remainder = a % b;
    if remainder == F::ZERO {
        remainder.copysign(b)
    } else if (remainder < F::ZERO) != (b < F::ZERO) {
        remainder + b
    } else {
        remainder
    }
}

fn bools(op: BinaryOp, a: bool, b: bool) -> bool {
    match op {
        BinaryOp::And => a && b,
        BinaryOp::Or => a || b,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::FloorDiv
        | BinaryOp::Mod
        | BinaryOp::Min
        | BinaryOp::Max => ill_typed(op, &[Const::Bool(a), Const::Bool(b)]),
    }
}
