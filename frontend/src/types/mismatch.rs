//! Operands that do not go together, and what to do about them.

use super::Checker;
use super::tree::{Node, Ty};
use crate::ast::BinaryOp;
use crate::span::Span;
use tilt_ir::Type;

impl Checker<'_, '_> {
    /// Reports operands that do not go together.
    pub(super) fn mismatch(&mut self, op: BinaryOp, left: &Node, right: &Node, span: Span) -> Node {
        if left.is_error() || right.is_error() {
            return Node::error(span);
        }
        let (a, b) = (left.ty, right.ty);
        let help = advice(op, a, b);
        let diagnostic =
            self.error("type-mismatch", span, format!("`{}` does not take {a} and {b}", op.spelling()));
        diagnostic.label(format!("{a} on the left, {b} on the right"));
        // The arguments of a function stand elsewhere.
        for operand in [left, right].into_iter().filter(|operand| !span.covers(operand.span)) {
            diagnostic.note(operand.span, format!("this is {}", operand.ty));
        }
        if let Some(help) = help {
            diagnostic.help(help);
        }
        Node::error(span)
    }
}

/// What can be done about operands of these types.
fn advice(op: BinaryOp, a: Ty, b: Ty) -> Option<String> {
    let is = |wanted: Type| a == Ty::Known(wanted) || b == Ty::Known(wanted);
    let integer = [a, b].into_iter().find_map(|ty| match ty {
        Ty::Known(ty) if ty.is_integer() => Some(ty),
        _ => None,
    });
    let has_float =
        [a, b].into_iter().any(|ty| ty == Ty::Float || matches!(ty, Ty::Known(ty) if ty.is_float()));
    if is(Type::Symbol) {
        return Some(
            "symbols are compared with `==` and `!=`, with each other and with literals such as \"AAPL\""
                .into(),
        );
    }
    if is(Type::Bool) {
        return Some(match op.is_comparison() {
            true => "bools are compared with `==` and `!=` only".into(),
            false => "make it a number: `if b then 1 else 0`".into(),
        });
    }
    if is(Type::Time) || is(Type::Duration) {
        return Some(match (has_float, is(Type::Duration)) {
            (true, true) => "convert the duration to a number first: `d / 1s` is its seconds".into(),
            _ => "time - time, time ± duration, duration ± duration, duration * integer and duration / duration are known"
                .into(),
        });
    }
    match integer {
        Some(ty) if has_float => Some(format!("convert the `{ty}` first: `f64(x)`")),
        Some(_) => Some("there is no integer type for both; convert one of them: `i64(x)`".into()),
        None => None,
    }
}
