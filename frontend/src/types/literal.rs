//! Literals take the type that is needed.
//!
//! ```text
//! x.v + 1            x.v: f32    → the literal is 1.0 in f32
//! x.v * (1 / 3)      x.v: f32    → so are both of these
//! if c then 1 else 0 alone       → i64
//! ```

use super::Checker;
use super::tree::{Kind, Node, Ty, Value};
use crate::ast::{Expr, ExprKind};
use crate::span::Span;
use tilt_ir::tir::UnaryOp;
use tilt_ir::{Const, Type};

/// The node of a literal.
pub(super) fn node(expr: &Expr) -> Node {
    let span = expr.span;
    match &expr.kind {
        ExprKind::Int(literal) => Node::new(Kind::IntLiteral(i128::from(literal.value)), Ty::Int, span),
        ExprKind::Float(literal) => {
            Node::new(Kind::FloatLiteral(literal.spelling.replace('_', "")), Ty::Float, span)
        }
        ExprKind::Duration(literal) => Node::int(literal.value, Type::Duration, span),
        ExprKind::Time(literal) => Node::int(literal.value, Type::Time, span),
        _ => Node::error(span),
    }
}

/// Two operands, brought together or not.
pub(super) enum Pair {
    /// Both have this type now.
    Alike(Node, Node, Ty),
    /// They have no type in common.
    Apart(Node, Node),
}

/// The type that has all values of both, if there is one.
pub(super) fn common(a: Type, b: Type) -> Option<Type> {
    if a == b {
        return Some(a);
    }
    if a.is_float() && b.is_float() {
        return Some(Type::F64);
    }
    if !a.is_integer() || !b.is_integer() {
        return None;
    }
    let (low, high) = (a.int_range()?, b.int_range()?);
    let holds = |ty: &Type| {
        ty.int_range().is_some_and(|(least, most)| least <= low.0.min(high.0) && low.1.max(high.1) <= most)
    };
    Type::ALL.into_iter().filter(|ty| ty.is_integer()).find(holds)
}

/// The type that both take on together; `None` if they do not go together.
pub(super) fn meet(a: Ty, b: Ty) -> Option<Ty> {
    match (a, b) {
        (Ty::Error, _) | (_, Ty::Error) => Some(Ty::Error),
        (Ty::Null, other) | (other, Ty::Null) => Some(other),
        (Ty::Open, other) | (other, Ty::Open) => Some(other),
        (Ty::Known(a), Ty::Known(b)) => common(a, b).map(Ty::Known),
        (Ty::Known(ty), Ty::Int) | (Ty::Int, Ty::Known(ty)) => {
            (ty.is_integer() || ty.is_float()).then_some(Ty::Known(ty))
        }
        (Ty::Known(ty), Ty::Float) | (Ty::Float, Ty::Known(ty)) => ty.is_float().then_some(Ty::Known(ty)),
        (Ty::Float, _) | (_, Ty::Float) => Some(Ty::Float),
        (Ty::Int, Ty::Int) => Some(Ty::Int),
    }
}

impl Checker<'_, '_> {
    /// Brings both to the type they have in common; reports nothing if there is none.
    pub(super) fn unify(&mut self, a: Node, b: Node) -> Pair {
        match meet(a.ty, b.ty) {
            Some(Ty::Known(ty)) => Pair::Alike(self.coerce(a, ty), self.coerce(b, ty), Ty::Known(ty)),
            Some(ty) => Pair::Alike(a, b, ty),
            None => Pair::Apart(a, b),
        }
    }

    /// Gives an expression of literals the type they have when nothing else is asked for.
    pub(super) fn settle(&mut self, node: Node) -> Node {
        match node.ty {
            Ty::Known(_) | Ty::Error => node,
            Ty::Int => self.coerce(node, Type::I64),
            Ty::Float => self.coerce(node, Type::F64),
            Ty::Open => {
                self.error("null-type", node.span, "it cannot be told what type this past value has")
                    .label("of what type?")
                    .help("give `init` a value with a type: `init 0.0`, `init i64(0)`");
                Node::error(node.span)
            }
            Ty::Null => {
                self.error("null-type", node.span, "it cannot be told what type this `null` has")
                    .label("a missing value, but of what type?")
                    .help("put it where the type is clear, as in `x.v where false`");
                Node::error(node.span)
            }
        }
    }

    pub(super) fn settle_value(&mut self, value: Value) -> Value {
        match value {
            Value::Plain(node) => Value::Plain(self.settle(node)),
            Value::Struct(fields, span) => Value::Struct(
                fields.into_iter().map(|(name, node)| (name, self.settle(node))).collect(),
                span,
            ),
        }
    }

    /// `node` as a `to`: widened, or its literals given that type. Types that do not allow it must not come here.
    pub(super) fn coerce(&mut self, node: Node, to: Type) -> Node {
        match node.ty {
            Ty::Error => node,
            Ty::Known(from) if from == to => node,
            Ty::Known(_) => {
                let span = node.span;
                Node::unary(UnaryOp::Cast, node, Ty::Known(to), span)
            }
            // Whatever it is made of, it is φ: `abs(null)` fits where a bool is needed.
            Ty::Null => Node::known(Kind::Null, to, node.span),
            Ty::Int | Ty::Float | Ty::Open => self.adopt(node, to),
        }
    }

    fn adopt(&mut self, node: Node, to: Type) -> Node {
        let Node { kind, span, .. } = node;
        let kind = match kind {
            Kind::IntLiteral(value) => return self.int_literal(value, to, span),
            Kind::FloatLiteral(text) => return self.float_literal(&text, to, span),
            Kind::Null => Kind::Null,
            Kind::Unary(op, a) => Kind::Unary(op, self.boxed(a, to)),
            Kind::Binary(op, a, b) => Kind::Binary(op, self.boxed(a, to), self.boxed(b, to)),
            Kind::Coalesce(a, b) => Kind::Coalesce(self.boxed(a, to), self.boxed(b, to)),
            Kind::Select(condition, a, b) => Kind::Select(condition, self.boxed(a, to), self.boxed(b, to)),
            Kind::Math(function, operands) => {
                Kind::Math(function, operands.into_iter().map(|operand| self.coerce(operand, to)).collect())
            }
            // These have a type from the start.
            Kind::Const(_) | Kind::Time(_) | Kind::At { .. } | Kind::Row { .. } | Kind::Compare(..) => kind,
            Kind::Key(_) | Kind::IsNull(_) | Kind::Reduce(_) | Kind::Error => kind,
        };
        Node::known(kind, to, span)
    }

    #[expect(clippy::boxed_local, reason = "operands are boxed")]
    fn boxed(&mut self, node: Box<Node>, to: Type) -> Box<Node> {
        Box::new(self.coerce(*node, to))
    }

    fn int_literal(&mut self, value: i128, to: Type, span: Span) -> Node {
        let constant = match to {
            Type::F32 => Const::f32(value as f32),
            Type::F64 => Const::f64(value as f64),
            _ => Const::Int(value),
        };
        if !constant.fits(to) {
            self.out_of_range(&value.to_string(), to, span);
            return Node::error(span);
        }
        Node::known(Kind::Const(constant), to, span)
    }

    fn float_literal(&mut self, text: &str, to: Type, span: Span) -> Node {
        let constant = match to {
            Type::F32 => text.parse().ok().filter(|value: &f32| value.is_finite()).map(Const::f32),
            _ => text.parse().ok().map(Const::f64),
        };
        let Some(constant) = constant else {
            self.out_of_range(text, to, span);
            return Node::error(span);
        };
        Node::known(Kind::Const(constant), to, span)
    }

    fn out_of_range(&mut self, text: &str, to: Type, span: Span) {
        let diagnostic =
            self.error("literal-out-of-range", span, format!("`{text}` is out of the range of `{to}`"));
        diagnostic.label(format!("`{to}` is needed here"));
        if let Some((least, greatest)) = to.int_range() {
            diagnostic.help(format!(
                "`{to}` reaches from {least} to {greatest}; convert the other side to a wider type"
            ));
        }
    }
}
