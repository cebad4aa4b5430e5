//! Operators.

use super::literal::Pair;
use super::tree::{Kind, Node, Ty, Value};
use super::{Checker, Env};
use crate::ast::{BinaryOp, Expr, UnaryOp};
use crate::span::Span;
use tilt_ir::Type;
use tilt_ir::tir::{self, CmpOp};

/// An operator and its two operands.
pub(super) struct Operation {
    pub(super) op: BinaryOp,
    pub(super) left: Node,
    pub(super) right: Node,
    pub(super) span: Span,
}

impl<'p> Checker<'_, 'p> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &'p Expr, span: Span, env: Env<'_, 'p>) -> Value {
        let operand = self.value(operand, env);
        self.each([operand], span, |this, [operand]| match op {
            UnaryOp::Not => {
                let operand = this.boolean(operand, "`not`");
                Node::unary(tir::UnaryOp::Not, operand, Ty::Known(Type::Bool), span)
            }
            UnaryOp::Neg => this.negated(operand, span),
        })
    }

    fn negated(&mut self, operand: Node, span: Span) -> Node {
        match (operand.ty, operand.kind) {
            (_, Kind::IntLiteral(value)) => Node::new(Kind::IntLiteral(-value), Ty::Int, span),
            (_, Kind::FloatLiteral(text)) => {
                let text = text.strip_prefix('-').map_or_else(|| format!("-{text}"), String::from);
                Node::new(Kind::FloatLiteral(text), Ty::Float, span)
            }
            (ty, kind) => {
                let operand = Node::new(kind, ty, operand.span);
                let is_signed = match ty {
                    Ty::Known(ty) => {
                        ty == Type::Duration || ty.is_float() || (ty.is_integer() && !ty.is_unsigned())
                    }
                    Ty::Int | Ty::Float | Ty::Null | Ty::Open | Ty::Error => true,
                };
                if is_signed {
                    return Node::unary(tir::UnaryOp::Neg, operand, ty, span);
                }
                let diagnostic = self.error("type-mismatch", span, format!("{ty} has no negative"));
                diagnostic.label(format!("`-` of {ty}"));
                if !matches!(ty, Ty::Known(Type::Bool | Type::Time | Type::Symbol)) {
                    diagnostic.help("convert it to a type with a sign first: `-i64(x)`");
                }
                Node::error(span)
            }
        }
    }

    /// An operand that must be a bool.
    pub(super) fn boolean(&mut self, node: Node, of: &str) -> Node {
        match node.ty {
            Ty::Known(Type::Bool) | Ty::Error => node,
            Ty::Null | Ty::Open => self.coerce(node, Type::Bool),
            ty => {
                self.error("type-mismatch", node.span, format!("{of} needs a `bool`"))
                    .label(format!("this is {ty}"))
                    .help("compare it with something: `x != 0`");
                Node::error(node.span)
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &'p Expr,
        right: &'p Expr,
        span: Span,
        env: Env<'_, 'p>,
    ) -> Value {
        if op == BinaryOp::Coalesce {
            return self.coalesce(left, right, span, env);
        }
        let left = self.value(left, env);
        let right = self.value(right, env);
        self.each([left, right], span, |this, [left, right]| {
            this.operation(Operation { op, left, right, span })
        })
    }

    pub(super) fn operation(&mut self, operation: Operation) -> Node {
        let Operation { op, ref left, ref right, span } = operation;
        if left.is_error() || right.is_error() {
            return Node::error(span);
        }
        let is_temporal = |node: &Node| node.is(Type::Time) || node.is(Type::Duration);
        match op {
            BinaryOp::And => self.logic(operation, tir::BinaryOp::And),
            BinaryOp::Or => self.logic(operation, tir::BinaryOp::Or),
            BinaryOp::Equal => self.comparison(operation, CmpOp::Eq),
            BinaryOp::NotEqual => self.comparison(operation, CmpOp::Ne),
            BinaryOp::Less => self.comparison(operation, CmpOp::Lt),
            BinaryOp::LessEqual => self.comparison(operation, CmpOp::Le),
            BinaryOp::Greater => self.comparison(operation, CmpOp::Gt),
            BinaryOp::GreaterEqual => self.comparison(operation, CmpOp::Ge),
            _ if is_temporal(left) || is_temporal(right) => self.temporal(operation),
            BinaryOp::Div => self.division(operation),
            BinaryOp::Add => self.arithmetic(operation, tir::BinaryOp::Add),
            BinaryOp::Sub => self.arithmetic(operation, tir::BinaryOp::Sub),
            BinaryOp::Mul => self.arithmetic(operation, tir::BinaryOp::Mul),
            BinaryOp::FloorDiv => self.arithmetic(operation, tir::BinaryOp::FloorDiv),
            BinaryOp::Rem => self.arithmetic(operation, tir::BinaryOp::Mod),
            // Not an operation of two plain values; `binary` took it.
            BinaryOp::Coalesce => Node::error(span),
        }
    }

    fn logic(&mut self, operation: Operation, op: tir::BinaryOp) -> Node {
        let of = format!("`{}`", operation.op.spelling());
        let left = self.boolean(operation.left, &of);
        let right = self.boolean(operation.right, &of);
        Node::binary(op, left, right, Ty::Known(Type::Bool), operation.span)
    }

    fn arithmetic(&mut self, operation: Operation, op: tir::BinaryOp) -> Node {
        let Operation { op: written, left, right, span } = operation;
        match self.unify(left, right) {
            Pair::Alike(left, right, ty) if !matches!(ty, Ty::Known(Type::Bool | Type::Symbol)) => {
                Node::binary(op, left, right, ty, span)
            }
            Pair::Alike(left, right, _) | Pair::Apart(left, right) => {
                self.mismatch(written, &left, &right, span)
            }
        }
    }

    /// `/` makes floats of integers.
    fn division(&mut self, operation: Operation) -> Node {
        let Operation { op, left, right, span } = operation;
        let is_int = |ty: Ty| matches!(ty, Ty::Known(ty) if ty.is_integer());
        let is_float = |ty: Ty| ty == Ty::Float || matches!(ty, Ty::Known(ty) if ty.is_float());
        let double = Ty::Known(Type::F64);
        if (is_int(left.ty) && is_float(right.ty)) || (is_float(left.ty) && is_int(right.ty)) {
            let (left, right) = (self.coerce(left, Type::F64), self.coerce(right, Type::F64));
            return Node::binary(tir::BinaryOp::Div, left, right, double, span);
        }
        match self.unify(left, right) {
            Pair::Alike(left, right, Ty::Known(ty)) if ty.is_integer() => {
                Node::binary(tir::BinaryOp::Div, left, right, double, span)
            }
            Pair::Alike(left, right, Ty::Int) => self.literal_division(left, right, span),
            Pair::Alike(left, right, ty) if !matches!(ty, Ty::Known(Type::Bool | Type::Symbol)) => {
                Node::binary(tir::BinaryOp::Div, left, right, ty, span)
            }
            Pair::Alike(left, right, _) | Pair::Apart(left, right) => self.mismatch(op, &left, &right, span),
        }
    }

    /// `1 / 3` is a float literal, unless the divisor may be 0: then it is φ, as of all integers.
    fn literal_division(&mut self, left: Node, right: Node, span: Span) -> Node {
        if matches!(right.kind, Kind::IntLiteral(divisor) if divisor != 0) {
            return Node::binary(tir::BinaryOp::Div, left, right, Ty::Float, span);
        }
        let (left, right) = (self.settle(left), self.settle(right));
        Node::binary(tir::BinaryOp::Div, left, right, Ty::Known(Type::F64), span)
    }
}
