//! Operations with one operand: negation and conversions.

use super::{OutOfRange, Scalar, ill_typed, in_range};
use tilt_ir::{Const, Type, tir::UnaryOp};

/// `op a`, where `a` is of type `from` and the result of type `to`.
///
/// ```
/// use tilt_interp::scalar::{OutOfRange, unary};
/// use tilt_ir::{Const, Type, tir::UnaryOp};
/// let to_u8 = |x| unary(UnaryOp::Cast, Type::F64, Type::U8, Some(Const::f64(x)));
/// assert_eq!(to_u8(-0.9), Ok(Some(Const::Int(0)))); // toward zero
/// assert_eq!(to_u8(256.0), Err(OutOfRange));
/// assert_eq!(to_u8(f64::NAN), Err(OutOfRange));
/// ```
pub fn unary(op: UnaryOp, from: Type, to: Type, a: Option<Const>) -> Scalar {
    let Some(a) = a else {
        return Ok(None);
    };
    if !a.fits(from) {
        ill_typed((op, from), &[a]);
    }
    match op {
        UnaryOp::Neg => negate(to, a),
        UnaryOp::Not => match a {
            Const::Bool(truth) => Ok(Some(Const::Bool(!truth))),
            Const::Int(_) | Const::F32(_) | Const::F64(_) => ill_typed(op, &[a]),
        },
        UnaryOp::Cast => cast(to, a),
    }
}

fn negate(to: Type, a: Const) -> Scalar {
    match a {
        Const::Int(i) => in_range(i.checked_neg(), to),
        Const::F32(bits) => Ok(Some(Const::f32(-f32::from_bits(bits)))),
        Const::F64(bits) => Ok(Some(Const::f64(-f64::from_bits(bits)))),
        Const::Bool(_) => ill_typed(UnaryOp::Neg, &[a]),
    }
}

/// Rust's `as` between numbers rounds to nearest even where it goes to a float, which is the rule here; where it goes to an
/// integer it saturates, which is an error here.
fn cast(to: Type, a: Const) -> Scalar {
    match a {
        Const::Bool(_) => ill_typed((UnaryOp::Cast, to), &[a]),
        Const::Int(i) => match to {
            Type::F32 => Ok(Some(Const::f32(i as f32))),
            Type::F64 => Ok(Some(Const::f64(i as f64))),
            _ => in_range(Some(i), to),
        },
        Const::F32(bits) if to == Type::F32 => Ok(Some(Const::F32(bits))),
        Const::F32(bits) => from_f64(to, f64::from(f32::from_bits(bits))),
        Const::F64(bits) => from_f64(to, f64::from_bits(bits)),
    }
}

/// Every `f32` is an `f64`, so that this is the only way from floats to the other types. Beyond the range of `i128` the
/// conversion saturates, and that is beyond the range of every type.
fn from_f64(to: Type, x: f64) -> Scalar {
    match to {
        Type::F32 => Ok(Some(Const::f32(x as f32))),
        Type::F64 => Ok(Some(Const::f64(x))),
        _ if x.is_nan() => Err(OutOfRange),
        _ => in_range(Some(x.trunc() as i128), to),
    }
}
