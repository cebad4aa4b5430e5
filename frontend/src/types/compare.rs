//! Comparisons.

use super::Checker;
use super::literal::Pair;
use super::operator::Operation;
use super::tree::{Kind, Node, Ty};
use crate::span::Span;
use tilt_ir::Type;
use tilt_ir::tir::CmpOp;

impl Checker<'_, '_> {
    pub(super) fn comparison(&mut self, operation: Operation, op: CmpOp) -> Node {
        let Operation { op: written, left, right, span } = operation;
        if let Some(null) = [&left, &right].into_iter().find(|node| node.ty == Ty::Null) {
            self.error("compare-with-null", span, "a comparison with `null` is never true")
                .label("always null")
                .note(null.span, "this is missing, whatever it is compared with")
                .help("write `x is null` or `x is not null`");
            return Node::error(span);
        }
        let is_ordering = !matches!(op, CmpOp::Eq | CmpOp::Ne);
        match self.unify(left, right) {
            Pair::Alike(left, right, Ty::Known(Type::Bool | Type::Symbol)) if is_ordering => {
                self.mismatch(written, &left, &right, span)
            }
            Pair::Alike(left, right, _) => {
                let (left, right) = (self.settle(left), self.settle(right));
                // Of `1 < 2.5`, one side settled as an integer.
                match self.unify(left, right) {
                    Pair::Alike(left, right, _) => {
                        Node::known(Kind::Compare(op, left.into(), right.into()), Type::Bool, span)
                    }
                    Pair::Apart(left, right) => self.compare_as_floats(op, left, right, span),
                }
            }
            Pair::Apart(left, right) => self.mismatch(written, &left, &right, span),
        }
    }

    fn compare_as_floats(&mut self, op: CmpOp, left: Node, right: Node, span: Span) -> Node {
        let (left, right) = (self.coerce(left, Type::F64), self.coerce(right, Type::F64));
        Node::known(Kind::Compare(op, left.into(), right.into()), Type::Bool, span)
    }
}
