//! Definitions that look at their own past.
//!
//! ```text
//! let n[t on x] init 0 = n[prev] + 1        // in the value, n[prev] is an integer literal without a type yet;
//!                                           // the value as a whole says that it is i64
//! ```

use super::fold::folded;
use super::literal::meet;
use super::tree::{Kind, Node, Ty, Value};
use super::{Checker, Env};
use crate::ast::Expr;
use crate::names::Stream;
use crate::span::Span;
use tilt_ir::{Const, Type};

/// A definition that is being checked and may look at itself.
pub(super) struct Own {
    stream: Stream,
    /// What it is before its first row.
    init: Value,
}

/// What a definition was before its first row, and the types that its past turned out to have.
pub(crate) struct Recursion {
    pub(crate) init: Vec<Option<Const>>,
    pub(super) types: Vec<Type>,
}

impl<'p> Checker<'_, 'p> {
    /// Whether `stream` is being checked.
    pub(super) fn is_open(&self, stream: Stream) -> bool {
        self.own.iter().flatten().any(|own| own.stream == stream)
    }

    /// The value of the definition `stream`, and what it was before its first row if it has an `init`.
    pub(super) fn defined(
        &mut self,
        stream: Stream,
        value: &'p Expr,
        init: Option<&'p Expr>,
        env: Env<'_, 'p>,
    ) -> (Value, Option<Recursion>) {
        let Some(init) = init else {
            let value = self.value(value, env);
            return (self.settle_value(value), None);
        };
        let init = self.init(init, env);
        self.own.push(Some(Own { stream, init: init.clone() }));
        let value = self.value(value, env);
        self.own.pop();
        if value.is_error() || init.is_error() {
            return (Value::error(init_span(&init)), None);
        }
        self.tied(value, init)
    }

    /// The value before the first row: constants.
    fn init(&mut self, init: &'p Expr, env: Env<'_, 'p>) -> Value {
        let named = self.named.len();
        let value = self.value(init, env);
        self.named.truncate(named);
        match value.nodes().iter().find(|(_, node)| !node.is_constant()) {
            None => value,
            Some((_, node)) => {
                self.error("not-constant", node.span, "`init` is the value before the first row: a constant")
                    .label("depends on the data or the time")
                    .help("as in `init 0.0`, `init null`, `init { sum: 0.0, n: 0 }`");
                Value::error(init.span)
            }
        }
    }

    /// What a definition sees of itself.
    pub(super) fn own_fields(&mut self, stream: Stream, span: Span, kind: impl Fn(u32) -> Kind) -> Value {
        let Some(Some(own)) =
            self.own.last().filter(|own| own.as_ref().is_some_and(|own| own.stream == stream))
        else {
            self.report_own(stream, span);
            return Value::error(span);
        };
        let node = |field: usize, init: &Node| {
            let ty = if init.ty == Ty::Null { Ty::Open } else { init.ty };
            Node::new(kind(field as u32), ty, span)
        };
        match &own.init {
            Value::Plain(init) if init.is_error() => Value::error(span),
            Value::Plain(init) => Value::Plain(node(0, init)),
            Value::Struct(fields, _) => {
                let fields =
                    fields.iter().enumerate().map(|(at, (name, init))| (name.clone(), node(at, init)));
                Value::Struct(fields.collect(), span)
            }
        }
    }

    /// A look at a definition being checked that is none at its own past.
    pub(super) fn report_own(&mut self, stream: Stream, span: Span) {
        let name = self.own_name(stream);
        self.error("self-look", span, format!("`{name}` looks at itself where it may not"))
            .label("neither the row before nor one at a constant distance")
            .help(format!(
                "its past is `{name}[prev]`, `{name}[prev 2]` or, on a grid, `{name}[t-5s]`, and no windows, \
                 nor arguments that become definitions of their own"
            ));
    }

    /// Brings the value and its `init` to one type.
    fn tied(&mut self, value: Value, init: Value) -> (Value, Option<Recursion>) {
        let span = init_span(&init);
        let alike = match (&value, &init) {
            (Value::Plain(_), Value::Plain(_)) => true,
            (Value::Struct(a, _), Value::Struct(b, _)) => a.iter().map(|f| &f.0).eq(b.iter().map(|f| &f.0)),
            _ => false,
        };
        if !alike {
            self.error("type-mismatch", span, "`init` has other fields than the definition")
                .label("these differ")
                .help("give each field a value: `init { sum: 0.0, n: null }`");
            return (Value::error(span), None);
        }
        let mut recursion = Recursion { init: Vec::new(), types: Vec::new() };
        let inits: Vec<Node> = init.nodes().into_iter().map(|(_, node)| node.clone()).collect();
        let mut value = value;
        for (node, init) in value.nodes_mut().into_iter().zip(inits) {
            let whole = std::mem::replace(node, Node::error(span));
            let Some((whole, constant, ty)) = self.tied_field(whole, init) else {
                return (Value::error(span), None);
            };
            *node = whole;
            recursion.init.push(constant);
            recursion.types.push(ty);
        }
        (value, Some(recursion))
    }

    fn tied_field(&mut self, value: Node, init: Node) -> Option<(Node, Option<Const>, Type)> {
        let value = match meet(value.ty, init.ty) {
            Some(Ty::Known(ty)) => self.coerce(value, ty),
            Some(_) => self.settle(value),
            None => {
                let (a, b) = (value.ty, init.ty);
                self.error("type-mismatch", init.span, "`init` is of another type than the definition")
                    .label(format!("this is {b}"))
                    .note(value.span, format!("this is {a}"))
                    .help("convert one of them, as in `f64(x)`");
                return None;
            }
        };
        let Ty::Known(ty) = value.ty else { return None };
        let init = self.coerce(init, ty);
        if init.is_error() {
            return None;
        }
        match folded(&init) {
            Some(constant) => Some((value, constant, ty)),
            None => {
                self.error("not-constant", init.span, "the value of this `init` is not known before the run")
                    .label("not a plain constant")
                    .help("write the number itself");
                None
            }
        }
    }
}

fn init_span(init: &Value) -> Span {
    match init {
        Value::Plain(node) => node.span,
        Value::Struct(_, span) => *span,
    }
}
