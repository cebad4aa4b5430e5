//! Arithmetic with times and durations.

use super::Checker;
use super::operator::Operation;
use super::tree::{Node, Ty};
use crate::ast::BinaryOp;
use tilt_ir::Type;
use tilt_ir::tir;

impl Checker<'_, '_> {
    /// Arithmetic with a time or a duration.
    pub(super) fn temporal(&mut self, operation: Operation) -> Node {
        use BinaryOp::{Add, Div, FloorDiv, Mul, Rem, Sub};
        use Type::{Duration, F64, I64, Time};
        let Operation { op, left, right, span } = operation;
        let as_duration = |checker: &mut Self, node: Node| match node.ty {
            Ty::Null => checker.coerce(node, Duration),
            _ => node,
        };
        let (left, right) = (as_duration(self, left), as_duration(self, right));
        let is_count =
            |ty: Ty| ty == Ty::Int || matches!(ty, Ty::Known(ty) if ty.is_integer() && ty != Type::U64);
        let kind = |node: &Node| match node.ty {
            Ty::Known(ty) => Some(ty),
            Ty::Int | Ty::Float | Ty::Null | Ty::Open | Ty::Error => None,
        };
        let (swapped, op_and_type) = match (op, kind(&left), kind(&right)) {
            (Add, Some(Time), Some(Duration)) => (false, Some((tir::BinaryOp::Add, Time))),
            (Add, Some(Duration), Some(Time)) => (true, Some((tir::BinaryOp::Add, Time))),
            (Add, Some(Duration), Some(Duration)) => (false, Some((tir::BinaryOp::Add, Duration))),
            (Sub, Some(Time), Some(Time)) => (false, Some((tir::BinaryOp::Sub, Duration))),
            (Sub, Some(Time), Some(Duration)) => (false, Some((tir::BinaryOp::Sub, Time))),
            (Sub, Some(Duration), Some(Duration)) => (false, Some((tir::BinaryOp::Sub, Duration))),
            (Div, Some(Duration), Some(Duration)) => (false, Some((tir::BinaryOp::Div, F64))),
            (FloorDiv, Some(Duration), Some(Duration)) => (false, Some((tir::BinaryOp::FloorDiv, I64))),
            (Rem, Some(Duration), Some(Duration)) => (false, Some((tir::BinaryOp::Mod, Duration))),
            (Mul, Some(Duration), _) if is_count(right.ty) => (false, Some((tir::BinaryOp::Mul, Duration))),
            (Mul, _, Some(Duration)) if is_count(left.ty) => (true, Some((tir::BinaryOp::Mul, Duration))),
            _ => (false, None),
        };
        let Some((op, ty)) = op_and_type else {
            return self.mismatch(op, &left, &right, span);
        };
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        let right = if op == tir::BinaryOp::Mul { self.coerce(right, I64) } else { right };
        Node::binary(op, left, right, Ty::Known(ty), span)
    }
}
