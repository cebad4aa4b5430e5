//! Functions of values: math, `min`, `max`, `clamp`, conversions.

use super::builtin::Builtin;
use super::index::{Fixed, Obstacle, fixed};
use super::literal::Pair;
use super::tree::{Kind, Node, Ty, Value};
use super::{Checker, Env};
use crate::ast::{Arg, Name};
use crate::span::Span;
use tilt_ir::Type;
use tilt_ir::tir::{BinaryOp, MathFn, UnaryOp};

impl<'p> Checker<'_, 'p> {
    pub(super) fn function(
        &mut self,
        builtin: Builtin,
        name: &'p Name,
        args: &'p [Arg],
        span: Span,
        env: Env<'_, 'p>,
    ) -> Value {
        if let (Builtin::Rounding(rounding), [time, period]) = (builtin, args)
            && time.name.is_none()
            && period.name.is_none()
        {
            return Value::Plain(self.time_rounded(rounding, time, period, span, env));
        }
        let wanted = match builtin {
            Builtin::Float(_, count) => count,
            Builtin::Min | Builtin::Max => 2,
            Builtin::Clamp => 3,
            Builtin::Abs | Builtin::Sign | Builtin::Rounding(_) | Builtin::Test(_) | Builtin::Convert(_) => 1,
            // `call` took these.
            Builtin::Reducer(_) | Builtin::Array(_) => return Value::error(span),
        };
        match self.operands(name, args, wanted, span, env) {
            Some(operands) => {
                self.each_of(operands, span, |this, operands| this.function_of(builtin, name, operands, span))
            }
            None => Value::error(span),
        }
    }

    fn function_of(&mut self, builtin: Builtin, name: &'p Name, operands: Vec<Node>, span: Span) -> Node {
        if operands.iter().any(Node::is_error) {
            return Node::error(span);
        }
        match builtin {
            Builtin::Float(function, _) | Builtin::Rounding(function) => {
                self.float_math(function, name, operands, span)
            }
            Builtin::Test(function) => {
                let node = self.float_math(function, name, operands, span);
                if node.is_error() { node } else { self.tested(node) }
            }
            Builtin::Abs => self.magnitude(MathFn::Abs, name, operands, span),
            Builtin::Sign => self.magnitude(MathFn::Sign, name, operands, span),
            Builtin::Min => self.extreme(BinaryOp::Min, name, operands, span),
            Builtin::Max => self.extreme(BinaryOp::Max, name, operands, span),
            Builtin::Clamp => self.clamped(name, operands, span),
            Builtin::Convert(ty) => self.converted(ty, operands, span),
            Builtin::Reducer(_) | Builtin::Array(_) => Node::error(span),
        }
    }

    /// A function of floats; integer literals become floats.
    fn float_math(&mut self, function: MathFn, name: &Name, operands: Vec<Node>, span: Span) -> Node {
        let mut common = Ty::Float;
        for operand in &operands {
            match super::literal::meet(common, operand.ty) {
                Some(ty) => common = ty,
                None => {
                    self.wrong_operand(name, operand, "a float");
                    return Node::error(span);
                }
            }
        }
        let operands = match common {
            Ty::Known(ty) => operands.into_iter().map(|operand| self.coerce(operand, ty)).collect(),
            Ty::Int | Ty::Float | Ty::Null | Ty::Open | Ty::Error => operands,
        };
        Node::new(Kind::Math(function, operands), common, span)
    }

    /// `is_nan` and `is_inf` give bools, so that literals in them cannot wait for a type.
    fn tested(&mut self, node: Node) -> Node {
        let node = self.settle(node);
        Node { ty: Ty::Known(Type::Bool), ..node }
    }

    /// `abs` and `sign`.
    fn magnitude(&mut self, function: MathFn, name: &Name, operands: Vec<Node>, span: Span) -> Node {
        let Some(operand) = operands.into_iter().next() else {
            return Node::error(span);
        };
        let fits = match operand.ty {
            Ty::Known(ty) => {
                ty.is_integer() || ty.is_float() || (ty == Type::Duration && function == MathFn::Abs)
            }
            Ty::Int | Ty::Float | Ty::Null | Ty::Open | Ty::Error => true,
        };
        if !fits {
            self.wrong_operand(name, &operand, "a number");
            return Node::error(span);
        }
        let ty = operand.ty;
        Node::new(Kind::Math(function, vec![operand]), ty, span)
    }

    /// `min(a, b)` and `max(a, b)`.
    pub(super) fn extreme(&mut self, op: BinaryOp, name: &Name, operands: Vec<Node>, span: Span) -> Node {
        let mut operands = operands.into_iter();
        let (Some(a), Some(b)) = (operands.next(), operands.next()) else {
            return Node::error(span);
        };
        match self.unify(a, b) {
            Pair::Alike(a, _, Ty::Known(Type::Bool | Type::Symbol)) => {
                self.wrong_operand(name, &a, "something with an order");
                Node::error(span)
            }
            Pair::Alike(a, b, ty) => Node::binary(op, a, b, ty, span),
            Pair::Apart(a, b) => {
                let (one, other) = (a.ty, b.ty);
                self.error("type-mismatch", span, format!("`{}` does not take {one} and {other}", name.node))
                    .label(format!("{one} and {other}"))
                    .help("convert one of them, as in `f64(x)`");
                Node::error(span)
            }
        }
    }

    fn clamped(&mut self, name: &Name, operands: Vec<Node>, span: Span) -> Node {
        let mut operands = operands.into_iter();
        let (Some(value), Some(low), Some(high)) = (operands.next(), operands.next(), operands.next()) else {
            return Node::error(span);
        };
        let raised = self.extreme(BinaryOp::Max, name, vec![value, low], span);
        if raised.is_error() {
            return raised;
        }
        self.extreme(BinaryOp::Min, name, vec![raised, high], span)
    }

    /// A type as a function.
    fn converted(&mut self, to: Type, operands: Vec<Node>, span: Span) -> Node {
        let Some(operand) = operands.into_iter().next() else {
            return Node::error(span);
        };
        let is_number = |ty: Type| ty.is_integer() || ty.is_float();
        let fits = |from: Type| {
            let is_temporal = matches!(from, Type::Time | Type::Duration);
            from == to
                || (is_number(from) && is_number(to))
                || (is_temporal && to == Type::I64)
                || (from == Type::I64 && matches!(to, Type::Time | Type::Duration))
        };
        match operand.ty {
            Ty::Null | Ty::Open => self.coerce(operand, to),
            Ty::Int if is_number(to) => self.coerce(operand, to),
            Ty::Float if to.is_float() => self.coerce(operand, to),
            _ => {
                let operand = self.settle(operand);
                match operand.ty {
                    Ty::Known(from) if from == to => operand,
                    Ty::Known(from) if fits(from) => Node::unary(UnaryOp::Cast, operand, Ty::Known(to), span),
                    Ty::Known(from) => self.no_conversion(from, to, span),
                    Ty::Int | Ty::Float | Ty::Null | Ty::Open | Ty::Error => Node::error(span),
                }
            }
        }
    }

    fn no_conversion(&mut self, from: Type, to: Type, span: Span) -> Node {
        let diagnostic =
            self.error("type-mismatch", span, format!("a `{from}` cannot be converted to `{to}`"));
        diagnostic.label(format!("`{from}` to `{to}`"));
        match from {
            Type::Bool => diagnostic.help("write `if b then 1 else 0`"),
            Type::Duration => diagnostic.help("divide it by its unit: `d / 1s` is its seconds, as `f64`"),
            _ => diagnostic.help(
                "numbers convert to numbers, and `i64` to and from `time` and `duration` (nanoseconds)",
            ),
        };
        Node::error(span)
    }

    /// `floor(time, period)` and `ceil(time, period)` as a value.
    fn time_rounded(
        &mut self,
        rounding: MathFn,
        time: &'p Arg,
        period: &'p Arg,
        span: Span,
        env: Env<'_, 'p>,
    ) -> Node {
        let node = self.plain(&time.value, env);
        let length = match fixed(&period.value, env, 0) {
            Ok(Fixed::Duration(length)) if length > 0 => length,
            Ok(Fixed::Duration(_)) => {
                self.report_period(period.value.span);
                return Node::error(span);
            }
            Err(Obstacle::Reported) => return Node::error(span),
            Ok(Fixed::Time(_) | Fixed::Int(_)) | Err(_) => {
                self.error("not-constant", period.value.span, "the period must be a constant duration")
                    .label("not one")
                    .help("as in `floor(t, 1d)`");
                return Node::error(span);
            }
        };
        if node.is_error() {
            return node;
        }
        if !node.is(Type::Time) {
            let ty = node.ty;
            self.error("type-mismatch", node.span, "only a `time` is rounded to a period")
                .label(format!("this is {ty}"));
            return Node::error(span);
        }
        rounded(rounding == MathFn::Ceil, node, length, span)
    }

    pub(super) fn wrong_operand(&mut self, name: &Name, operand: &Node, wanted: &str) {
        let ty = operand.ty;
        let diagnostic = self.error("type-mismatch", operand.span, format!("`{}` needs {wanted}", name.node));
        diagnostic.label(format!("this is {ty}"));
        match ty {
            Ty::Known(ty) if ty.is_integer() => diagnostic.help("convert it first: `f64(x)`"),
            Ty::Known(Type::Duration) => {
                diagnostic.help("divide it by its unit first: `d / 1s` is its seconds")
            }
            Ty::Known(Type::Bool) => diagnostic.help("make it a number: `if b then 1 else 0`"),
            _ => diagnostic,
        };
    }
}

/// The time rounded down or up to a multiple of `length`: an index if it is `t`, else by its remainder.
fn rounded(up: bool, time: Node, length: i64, span: Span) -> Node {
    use tilt_ir::tir::{Base, Index};
    if matches!(time.kind, Kind::Time(Index::NOW)) {
        let base = if up { Base::Ceil(length) } else { Base::Floor(length) };
        return Node::known(Kind::Time(Index { base, shift: 0 }), Type::Time, span);
    }
    let duration = Ty::Known(Type::Duration);
    let origin = Node::int(0, Type::Time, span);
    let since = match up {
        true => Node::binary(BinaryOp::Sub, origin, time.clone(), duration, span),
        false => Node::binary(BinaryOp::Sub, time.clone(), origin, duration, span),
    };
    let rest = Node::binary(BinaryOp::Mod, since, Node::int(length, Type::Duration, span), duration, span);
    let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
    Node::binary(op, time, rest, Ty::Known(Type::Time), span)
}
