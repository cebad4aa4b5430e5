//! What each operation on values means, as pure functions on `Option<Const>` (`None` is φ).
//!
//! ```
//! use tilt_interp::scalar::{OutOfRange, binary};
//! use tilt_ir::{Const::Int, Type, tir::BinaryOp};
//!
//! let add = |a, b| binary(BinaryOp::Add, Type::I8, a, b);
//! assert_eq!(add(Some(Int(100)), Some(Int(27))), Ok(Some(Int(127))));
//! assert_eq!(add(Some(Int(100)), Some(Int(28))), Err(OutOfRange)); // never a wrap
//! assert_eq!(add(Some(Int(100)), None), Ok(None)); // φ if an operand is
//! ```
//!
//! Integers, times and durations are computed in `i128` and then checked against the range of the result type. Floats are
//! computed by IEEE 754 in their own type; the sign and payload of a NaN mean nothing.
//!
//! # Panics
//!
//! Every function here takes operands of the types that its op's documentation names, which is what the verifier of TiLT
//! IR assures. Others are a bug of the caller and panic.

mod arith;
mod compare;
mod convert;
mod math;

pub use arith::binary;
pub use compare::compare;
pub use convert::unary;
pub use math::math;

use std::fmt;
use tilt_ir::{Const, Type};

/// A value, perhaps φ, or the only error that an operation can have.
pub type Scalar = Result<Option<Const>, OutOfRange>;

/// An integer, time or duration does not fit its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutOfRange;

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the result is out of the range of its type")
    }
}

impl std::error::Error for OutOfRange {}

/// `if cond then a else b`: φ if `cond` is φ, else the chosen value, φ or not.
///
/// ```
/// use tilt_interp::scalar::select;
/// use tilt_ir::Const::{Bool, Int};
/// assert_eq!(select(Some(Bool(false)), None, Some(Int(2))), Some(Int(2)));
/// assert_eq!(select(None, Some(Int(1)), Some(Int(2))), None);
/// ```
pub fn select(cond: Option<Const>, then: Option<Const>, otherwise: Option<Const>) -> Option<Const> {
    if truth(cond)? { then } else { otherwise }
}

/// `a ?? b`: `a` unless it is φ, else `b`.
pub fn coalesce(a: Option<Const>, b: Option<Const>) -> Option<Const> {
    a.or(b)
}

/// Whether `a` is φ: a bool that is never φ itself.
pub fn is_null(a: Option<Const>) -> Option<Const> {
    Some(Const::Bool(a.is_none()))
}

/// A bool, or φ, as Rust knows it.
pub fn truth(a: Option<Const>) -> Option<bool> {
    match a? {
        Const::Bool(truth) => Some(truth),
        other => ill_typed("a condition", &[other]),
    }
}

/// `value` as a value of `ty`, if it is one.
pub(crate) fn in_range(value: Option<i128>, ty: Type) -> Scalar {
    match value.map(Const::Int) {
        Some(value) if value.fits(ty) => Ok(Some(value)),
        _ => Err(OutOfRange),
    }
}

/// Reports IR that the verifier would have refused.
pub(crate) fn ill_typed(op: impl fmt::Debug, operands: &[Const]) -> ! {
    panic!("{op:?} does not take {operands:?}: this query was not verified")
}
