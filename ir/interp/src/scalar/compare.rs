//! Comparisons.

use super::ill_typed;
use std::cmp::Ordering;
use tilt_ir::{Const, tir::CmpOp};

/// `a op b`: a bool, φ if an operand is. Floats by IEEE 754: NaN is unequal to everything and neither less nor greater.
///
/// ```
/// use tilt_interp::scalar::compare;
/// use tilt_ir::{Const, tir::CmpOp};
/// let (nan, one) = (Some(Const::f64(f64::NAN)), Some(Const::f64(1.0)));
/// assert_eq!(compare(CmpOp::Ne, nan, nan), Some(Const::Bool(true)));
/// assert_eq!(compare(CmpOp::Ge, one, nan), Some(Const::Bool(false)));
/// assert_eq!(compare(CmpOp::Ge, one, None), None);
/// ```
pub fn compare(op: CmpOp, a: Option<Const>, b: Option<Const>) -> Option<Const> {
    let (a, b) = (a?, b?);
    let order = match (a, b) {
        (Const::Bool(x), Const::Bool(y)) => Some(x.cmp(&y)),
        (Const::Int(x), Const::Int(y)) => Some(x.cmp(&y)),
        (Const::F32(x), Const::F32(y)) => f32::from_bits(x).partial_cmp(&f32::from_bits(y)),
        (Const::F64(x), Const::F64(y)) => f64::from_bits(x).partial_cmp(&f64::from_bits(y)),
        _ => ill_typed(op, &[a, b]),
    };
    Some(Const::Bool(match op {
        CmpOp::Eq => order == Some(Ordering::Equal),
        CmpOp::Ne => order != Some(Ordering::Equal),
        CmpOp::Lt => order == Some(Ordering::Less),
        CmpOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        CmpOp::Gt => order == Some(Ordering::Greater),
        CmpOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }))
}
