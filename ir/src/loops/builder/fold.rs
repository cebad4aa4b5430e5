//! Arithmetic on what is known, on integers and truth values only. It is there so that row numbers are `row + constant`, not
//! trees; LLVM folds the rest.

use super::Known;
use crate::loops::{Binary, Cmp, Value};
use crate::{Const, Type};

/// What a binary operation comes to.
pub(super) enum Folded {
    Const(Const),
    Value(Value),
    /// A value plus a constant.
    Plus(Value, i128),
}

type Operand = (Value, Known);

/// Zero of a type; false for bools.
pub(in crate::loops) fn zero(ty: Type) -> Const {
    match ty {
        Type::Bool => Const::Bool(false),
        Type::F32 => Const::F32(0),
        Type::F64 => Const::F64(0),
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Time | Type::Duration => Const::Int(0),
        Type::U8 | Type::U16 | Type::U32 | Type::U64 | Type::Symbol => Const::Int(0),
    }
}

/// `value` cut to the bits of the integer type `ty`.
pub(in crate::loops) fn wrap(value: i128, ty: Type) -> i128 {
    let Some((least, _)) = ty.int_range() else {
        return value;
    };
    (value.wrapping_sub(least)).rem_euclid(1 << ty.bits()) + least
}

pub(super) fn commutes(op: Binary) -> bool {
    match op {
        Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor => true,
        // they do, but a NaN operand's place is not ours to change
        Binary::Min | Binary::Max => false,
        Binary::Sub | Binary::Div | Binary::FloorDiv | Binary::Rem => false,
    }
}

pub(super) fn cast(constant: Const, ty: Type) -> Option<Const> {
    let Const::Int(i) = constant else { return None };
    ty.int_range().map(|_| Const::Int(wrap(i, ty)))
}

pub(super) fn binary(op: Binary, ty: Type, a: Operand, b: Operand) -> Option<Folded> {
    match ty {
        Type::Bool => bools(op, a, b),
        Type::F32 | Type::F64 => None,
        _ => integers(op, ty, a, b),
    }
}

fn bools(op: Binary, (a, _): Operand, (b, known): Operand) -> Option<Folded> {
    match (op, known) {
        (Binary::And, Known::Const(Const::Bool(true))) => Some(Folded::Value(a)),
        (Binary::And, Known::Const(Const::Bool(false))) => Some(Folded::Value(b)),
        (Binary::Or, Known::Const(Const::Bool(false))) => Some(Folded::Value(a)),
        (Binary::Or, Known::Const(Const::Bool(true))) => Some(Folded::Value(b)),
        (Binary::Xor, Known::Const(Const::Bool(false))) => Some(Folded::Value(a)),
        (Binary::And | Binary::Or, _) if a == b => Some(Folded::Value(a)),
        _ => None,
    }
}

fn integers(op: Binary, ty: Type, (a, x): Operand, (b, y): Operand) -> Option<Folded> {
    if let (Known::Const(Const::Int(x)), Known::Const(Const::Int(y))) = (x, y) {
        return constants(op, x, y).map(|value| Folded::Const(Const::Int(wrap(value, ty))));
    }
    let zero = Some(Folded::Const(Const::Int(0)));
    match (op, y) {
        (Binary::Add | Binary::Sub, Known::Const(Const::Int(0))) => Some(Folded::Value(a)),
        (Binary::Add, Known::Const(Const::Int(i))) => plus(ty, x, i),
        (Binary::Sub, Known::Const(Const::Int(i))) => {
            let negative = wrap(-i, ty);
            plus(ty, x, negative).or(Some(Folded::Plus(a, negative)))
        }
        (Binary::Mul | Binary::FloorDiv, Known::Const(Const::Int(1))) => Some(Folded::Value(a)),
        (Binary::Mul, Known::Const(Const::Int(0))) => zero,
        (Binary::Rem, Known::Const(Const::Int(1))) => zero,
        (Binary::Sub, _) if a == b => zero,
        (Binary::Min | Binary::Max | Binary::And | Binary::Or, _) if a == b => Some(Folded::Value(a)),
        _ => None,
    }
}

/// `(value + j) + i`.
fn plus(ty: Type, known: Known, i: i128) -> Option<Folded> {
    let Known::Plus(value, j) = known else {
        return None;
    };
    match wrap(i + j, ty) {
        0 => Some(Folded::Value(value)),
        sum => Some(Folded::Plus(value, sum)),
    }
}

/// In 128 bits; the caller cuts it to the type.
fn constants(op: Binary, x: i128, y: i128) -> Option<i128> {
    match op {
        Binary::Add => Some(x + y),
        Binary::Sub => Some(x - y),
        Binary::Mul => Some(x.wrapping_mul(y)),
        Binary::FloorDiv => (y != 0).then(|| floor_div(x, y)),
        Binary::Rem => (y != 0).then(|| x - floor_div(x, y) * y),
        Binary::Min => Some(x.min(y)),
        Binary::Max => Some(x.max(y)),
        Binary::And => Some(x & y),
        Binary::Or => Some(x | y),
        Binary::Xor => Some(x ^ y),
        Binary::Div => None,
    }
}

/// The quotient rounded down. `b` is not 0.
pub(in crate::loops) fn floor_div(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    quotient - i128::from(a % b != 0 && (a < 0) != (b < 0))
}

pub(super) fn overflows(op: Binary, ty: Type, a: Option<Const>, b: Option<Const>) -> Option<bool> {
    match (op, a, b) {
        (_, Some(Const::Int(x)), Some(Const::Int(y))) => {
            let exact = match op {
                Binary::Mul => x.checked_mul(y),
                _ => constants(op, x, y),
            };
            let (least, greatest) = ty.int_range()?;
            Some(exact.is_none_or(|value| !(least..=greatest).contains(&value)))
        }
        (Binary::Add | Binary::Sub, _, Some(Const::Int(0))) | (Binary::Add, Some(Const::Int(0)), _) => {
            Some(false)
        }
        (Binary::Mul, _, Some(Const::Int(0 | 1))) | (Binary::Mul, Some(Const::Int(0 | 1)), _) => Some(false),
        _ => None,
    }
}

pub(super) fn compare(cmp: Cmp, ty: Type, (a, x): Operand, (b, y): Operand) -> Option<bool> {
    let order = match (x, y) {
        (Known::Const(Const::Int(x)), Known::Const(Const::Int(y))) => x.cmp(&y),
        (Known::Const(Const::Bool(x)), Known::Const(Const::Bool(y))) => x.cmp(&y),
        _ if a == b && !ty.is_float() => std::cmp::Ordering::Equal,
        _ => return None,
    };
    Some(match cmp {
        Cmp::Eq => order.is_eq(),
        Cmp::Ne => order.is_ne(),
        Cmp::Lt => order.is_lt(),
        Cmp::Le => order.is_le(),
        Cmp::Gt => order.is_gt(),
        Cmp::Ge => order.is_ge(),
    })
}
