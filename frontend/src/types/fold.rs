//! Values of constant expressions: what `init` and `quantile` need before the run.

use super::tree::{Kind, Node, Ty};
use tilt_ir::tir::{BinaryOp, UnaryOp};
use tilt_ir::{Const, Type};

/// The value of a constant expression, φ or not; `None` if it is more than literals and arithmetic.
pub(super) fn folded(node: &Node) -> Option<Option<Const>> {
    let Ty::Known(ty) = node.ty else { return None };
    let value = match &node.kind {
        Kind::Const(constant) => *constant,
        Kind::Null => return Some(None),
        Kind::Unary(UnaryOp::Neg, a) => match folded(a)? {
            Some(a) => negated(a)?,
            None => return Some(None),
        },
        Kind::Unary(UnaryOp::Cast, a) => match folded(a)? {
            Some(a) => widened(a, ty)?,
            None => return Some(None),
        },
        Kind::Binary(op, a, b) => match (folded(a)?, folded(b)?) {
            (Some(a), Some(b)) => binary(*op, a, b)?,
            _ => return Some(None),
        },
        _ => return None,
    };
    value.fits(ty).then_some(Some(value))
}

fn negated(a: Const) -> Option<Const> {
    match a {
        Const::Int(a) => a.checked_neg().map(Const::Int),
        Const::F32(a) => Some(Const::f32(-f32::from_bits(a))),
        Const::F64(a) => Some(Const::f64(-f64::from_bits(a))),
        Const::Bool(_) => None,
    }
}

fn widened(a: Const, to: Type) -> Option<Const> {
    match (a, to) {
        (Const::F32(a), Type::F64) => Some(Const::f64(f64::from(f32::from_bits(a)))),
        (Const::Int(a), Type::F64) => Some(Const::f64(a as f64)),
        (Const::Int(a), to) if to.is_integer() => Some(Const::Int(a)),
        _ => None,
    }
}

fn binary(op: BinaryOp, a: Const, b: Const) -> Option<Const> {
    match (a, b) {
        (Const::Int(a), Const::Int(b)) => integers(op, a, b),
        (Const::F32(a), Const::F32(b)) => {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            let value = match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                _ => return None,
            };
            Some(Const::f32(value))
        }
        (Const::F64(a), Const::F64(b)) => floats(op, f64::from_bits(a), f64::from_bits(b)),
        _ => None,
    }
}

fn integers(op: BinaryOp, a: i128, b: i128) -> Option<Const> {
    match op {
        BinaryOp::Add => a.checked_add(b).map(Const::Int),
        BinaryOp::Sub => a.checked_sub(b).map(Const::Int),
        BinaryOp::Mul => a.checked_mul(b).map(Const::Int),
        BinaryOp::Div if b != 0 => Some(Const::f64(a as f64 / b as f64)),
        _ => None,
    }
}

fn floats(op: BinaryOp, a: f64, b: f64) -> Option<Const> {
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        _ => return None,
    };
    Some(Const::f64(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn folds_arithmetic_and_nothing_that_overflows() {
        let int = |value| Node::int(value, Type::I64, Span::default());
        let sum = |a, b| Node::binary(BinaryOp::Add, a, b, Ty::Known(Type::I64), Span::default());
        assert_eq!(folded(&sum(int(40), int(2))), Some(Some(Const::Int(42))));
        assert_eq!(folded(&sum(int(i64::MAX), int(1))), None);
    }
}
