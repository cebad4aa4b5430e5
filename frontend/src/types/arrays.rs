//! Arrays: `[a, b, c]`, their elements, operators on each element, and functions of arrays.
//!
//! ```text
//! x.acceleration * 9.81      →      [x.acceleration[0] * 9.81, x.acceleration[1] * 9.81, x.acceleration[2] * 9.81]
//! ```
//!
//! An array is a row of the fields `[0]`, `[1]`, …, so that definitions, `if`, `where` and `init` treat it as any row.

use super::builtin::{ArrayFn, ReducerName};
use super::clock::Look;
use super::hidden::Seen;
use super::index::Reach;
use super::literal::meet;
use super::operator::Operation;
use super::structs::Fields;
use super::tree::{Kind, Node, Ty, Value};
use super::{Checker, Env};
use crate::ast::{Arg, BinaryOp, Expr, ExprKind, Name};
use crate::span::{Span, Spanned};
use tilt_ir::tir::{self, Index};

/// How many elements an array may have.
pub(super) const MAX_LEN: u64 = 1024;

/// Whether these are the elements of an array.
pub(super) fn is_array(fields: &Fields) -> bool {
    fields.first().is_some_and(|(name, _)| name.starts_with('['))
}

/// What element `number` of the field `name` is called in a row; that of an array alone if the name is empty.
pub(super) fn element_of(name: &str, number: usize) -> Box<str> {
    format!("{name}[{number}]").into()
}

/// The names that can stand behind a row: those of its fields, arrays once.
pub(super) fn names(fields: &Fields) -> Vec<Box<str>> {
    let whole = |name: &str| match name.find('[') {
        Some(0) | None => name.len(),
        Some(end) => end,
    };
    let mut names: Vec<Box<str>> = fields.iter().map(|(name, _)| name[..whole(name)].into()).collect();
    names.dedup();
    names
}

/// A row in messages: an array, or its fields.
pub(super) fn described(fields: &Fields) -> String {
    if is_array(fields) {
        return format!("an array of {}", fields.len());
    }
    let names: Vec<String> = names(fields).iter().map(|name| format!("`{name}`")).collect();
    format!("the fields {}", names.join(", "))
}

/// A single value beside an array becomes an array of it.
pub(super) fn same_length(a: Value, b: Value) -> (Value, Value) {
    let spread = |node: &Node, like: &Fields, span: Span| {
        Value::Struct(like.iter().map(|(place, _)| (place.clone(), node.clone())).collect(), span)
    };
    match (&a, &b) {
        (Value::Plain(node), Value::Struct(like, _)) if is_array(like) => (spread(node, like, node.span), b),
        (Value::Struct(like, _), Value::Plain(node)) if is_array(like) => {
            let b = spread(node, like, node.span);
            (a, b)
        }
        _ => (a, b),
    }
}

/// The elements, if it is an array.
fn elements(value: &Value) -> Option<&Fields> {
    match value {
        Value::Struct(fields, _) if is_array(fields) => Some(fields),
        Value::Struct(..) | Value::Plain(_) => None,
    }
}

impl<'p> Checker<'_, 'p> {
    /// `[a, b, c]`
    pub(super) fn array_value(&mut self, written: &'p [Expr], span: Span, env: Env<'_, 'p>) -> Value {
        if written.is_empty() {
            self.error("empty-struct", span, "an array needs at least one element").label("nothing in it");
            return Value::error(span);
        }
        if !self.is_length(written.len() as u64, span) {
            return Value::error(span);
        }
        let mut nodes: Vec<Node> = written.iter().map(|element| self.plain(element, env)).collect();
        let mut common = nodes[0].ty;
        for node in &nodes[1..] {
            match meet(common, node.ty) {
                Some(ty) => common = ty,
                None => {
                    let ty = node.ty;
                    self.error("type-mismatch", node.span, "the elements of an array have one type")
                        .label(format!("this is {ty}"))
                        .note(nodes[0].span, format!("this is {common}"))
                        .help("convert one of them, as in `f64(x)`");
                    return Value::error(span);
                }
            }
        }
        if common == Ty::Error {
            return Value::error(span);
        }
        for node in &mut nodes {
            let whole = std::mem::replace(node, Node::error(span));
            *node = match common {
                Ty::Known(ty) => self.coerce(whole, ty),
                ty => Node { ty, ..whole },
            };
        }
        array(nodes, span)
    }

    /// How many elements an input says that its arrays have, if it may.
    pub(super) fn array_length(&mut self, len: &Spanned<u64>) -> Option<usize> {
        self.is_length(len.node, len.span).then_some(len.node as usize)
    }

    fn is_length(&mut self, len: u64, span: Span) -> bool {
        let fits = (1..=MAX_LEN).contains(&len);
        if !fits {
            self.error("literal-out-of-range", span, format!("an array has 1 to {MAX_LEN} elements"))
                .label(format!("{len} elements"));
        }
        fits
    }

    /// Element `number` of an array, `said` at a place.
    pub(super) fn element(&mut self, whole: Value, number: i64, said: Span, span: Span) -> Value {
        if whole.is_error() {
            return Value::error(span);
        }
        let Some(elements) = elements(&whole) else {
            let diagnostic = self.error("time-index", said, "a time index counts from `t`");
            diagnostic.label("does not depend on `t`");
            diagnostic.help(
                "a shift back by 5 seconds is `x[t-5s]`, the row before is `x[prev]`; elements have arrays only",
            );
            return Value::error(span);
        };
        match usize::try_from(number).ok().and_then(|number| elements.get(number)) {
            Some((_, node)) => Value::Plain(Node { span, ..node.clone() }),
            None => {
                let len = elements.len();
                self.error("no-element", said, format!("there is no element {number}"))
                    .label(format!("elements are counted from 0 to {}", len - 1));
                Value::error(span)
            }
        }
    }

    /// What `combine` makes of single values; of arrays, of each element.
    pub(super) fn each<const N: usize>(
        &mut self,
        values: [Value; N],
        span: Span,
        mut combine: impl FnMut(&mut Self, [Node; N]) -> Node,
    ) -> Value {
        self.each_of(values.into(), span, |this, nodes| match <[Node; N]>::try_from(nodes) {
            Ok(nodes) => combine(this, nodes),
            Err(_) => Node::error(span),
        })
    }

    /// The same of any number of values.
    pub(super) fn each_of(
        &mut self,
        values: Vec<Value>,
        span: Span,
        mut combine: impl FnMut(&mut Self, Vec<Node>) -> Node,
    ) -> Value {
        let Some(len) = values.iter().find_map(elements).map(Vec::len) else {
            let nodes = values.into_iter().map(|value| self.only(value)).collect();
            return Value::Plain(combine(self, nodes));
        };
        if let Some(other) = values.iter().filter_map(elements).find(|other| other.len() != len) {
            let (message, other) = ("arrays that go together have one length", other.len());
            self.error("type-mismatch", span, message).label(format!("an array of {len} and one of {other}"));
            return Value::error(span);
        }
        let mut columns: Vec<Vec<Node>> = Vec::new();
        for value in values {
            columns.push(match value {
                Value::Struct(fields, _) if is_array(&fields) => {
                    fields.into_iter().map(|(_, node)| node).collect()
                }
                value => vec![self.only(value); len],
            });
        }
        let mut combined = Vec::new();
        for number in 0..len {
            let node = combine(self, columns.iter().map(|column| column[number].clone()).collect());
            if node.is_error() {
                return Value::error(span);
            }
            combined.push(node);
        }
        array(combined, span)
    }

    /// `sum`, `mean`, `min` or `max` of the elements of an array; `None` of other values and for other reducers.
    pub(super) fn reduced_elements(
        &mut self,
        reducer: ReducerName,
        name: &'p Name,
        value: &Value,
        span: Span,
    ) -> Option<Node> {
        let elements: Vec<Node> = elements(value)?.iter().map(|(_, node)| node.clone()).collect();
        let count = Node::new(Kind::IntLiteral(elements.len() as i128), Ty::Int, span);
        match reducer {
            ReducerName::Sum => Some(self.total(elements, span)),
            ReducerName::Mean => {
                let left = self.total(elements, span);
                Some(self.operation(Operation { op: BinaryOp::Div, left, right: count, span }))
            }
            ReducerName::Min => Some(self.halves(elements, span, &mut |this, a, b| {
                this.extreme(tir::BinaryOp::Min, name, vec![a, b], span)
            })),
            ReducerName::Max => Some(self.halves(elements, span, &mut |this, a, b| {
                this.extreme(tir::BinaryOp::Max, name, vec![a, b], span)
            })),
            _ => None,
        }
    }

    fn total(&mut self, elements: Vec<Node>, span: Span) -> Node {
        self.halves(elements, span, &mut |this, left, right| {
            this.operation(Operation { op: BinaryOp::Add, left, right, span })
        })
    }

    /// What `combine` makes of both halves of the nodes, the first being the larger: a tree as low as can be.
    fn halves(
        &mut self,
        mut nodes: Vec<Node>,
        span: Span,
        combine: &mut impl FnMut(&mut Self, Node, Node) -> Node,
    ) -> Node {
        if nodes.len() < 2 {
            return nodes.pop().unwrap_or(Node::error(span));
        }
        let second = nodes.split_off(nodes.len().div_ceil(2));
        let first = self.halves(nodes, span, combine);
        let second = self.halves(second, span, combine);
        match first.is_error() || second.is_error() {
            true => Node::error(span),
            false => combine(self, first, second),
        }
    }

    /// `len`, `dot`, `lags`
    pub(super) fn array_function(
        &mut self,
        function: ArrayFn,
        name: &'p Name,
        args: &'p [Arg],
        span: Span,
        env: Env<'_, 'p>,
    ) -> Value {
        if function == ArrayFn::Lags {
            return self.lags(name, args, span, env);
        }
        let wanted = if function == ArrayFn::Len { 1 } else { 2 };
        let Some(values) = self.operands(name, args, wanted, span, env) else {
            return Value::error(span);
        };
        if values.iter().any(Value::is_error) {
            return Value::error(span);
        }
        for (value, arg) in values.iter().zip(args) {
            if elements(value).is_none() {
                let of = arg.value.span;
                self.error("type-mismatch", of, format!("`{}` needs an array", name.node))
                    .label("not an array")
                    .help("an array is written `[a, b, c]`; an input has one as `a: [f64; 3]`");
                return Value::error(span);
            }
        }
        let len = elements(&values[0]).map_or(0, Vec::len);
        if function == ArrayFn::Len {
            return Value::Plain(Node::new(Kind::IntLiteral(len as i128), Ty::Int, span));
        }
        let products = self.each_of(values, span, |this, mut nodes| {
            let (right, left) = (nodes.pop(), nodes.pop());
            let (Some(left), Some(right)) = (left, right) else { return Node::error(span) };
            this.operation(Operation { op: BinaryOp::Mul, left, right, span })
        });
        match products {
            Value::Struct(products, _) => {
                Value::Plain(self.total(products.into_iter().map(|(_, node)| node).collect(), span))
            }
            error => error,
        }
    }

    /// `lags(s, step, n)`: `[s, s[prev step], …]`, n elements.
    fn lags(&mut self, name: &'p Name, args: &'p [Arg], span: Span, env: Env<'_, 'p>) -> Value {
        let [of, step, count] = args else {
            self.operands(name, args, 3, span, env);
            return Value::error(span);
        };
        if let Some(named) = args.iter().find_map(|arg| arg.name.as_ref()) {
            self.unknown_argument(named, &name.node, &[]);
            return Value::error(span);
        }
        let step = self.reach(&step.value, env);
        let count = self.length_or_count(&count.value, env);
        let seen = if matches!(step, Some(Reach::Time(_))) { Seen::AtTimes } else { Seen::InRows };
        let path = self.path(&of.value, env, seen);
        let (Some(step), Some(count), Some(path)) = (step, count, path) else {
            return Value::error(span);
        };
        if !self.is_length(count, span) {
            return Value::error(span);
        }
        let mut nodes = Vec::new();
        for number in 0..count {
            let look = match (number, step) {
                (0, _) => Some(Look::Here),
                (_, Reach::Rows(rows)) => rows.checked_mul(number).map(Look::Back),
                (_, Reach::Time(ns)) => ns.checked_mul(number as i64).map(|ns| Look::Time(Index::now(-ns))),
            };
            let Some(look) = look else {
                self.error("literal-out-of-range", span, "the last of these is out of range")
                    .label("more than 64 bits");
                return Value::error(span);
            };
            let value = self.looked_at(path, look, span);
            nodes.push(self.only(value));
            if nodes.last().is_some_and(Node::is_error) {
                return Value::error(span);
            }
        }
        array(nodes, span)
    }

    /// A constant whole number, or the length of an array.
    fn length_or_count(&mut self, expr: &'p Expr, env: Env<'_, 'p>) -> Option<u64> {
        match &expr.kind {
            ExprKind::Name(name) => match env.argument(name) {
                Some((argument, caller)) => self.length_or_count(argument, caller),
                None => self.constant_count(expr, env),
            },
            ExprKind::Call(path, _) if path.modules.is_empty() && &*path.name.node == "len" => {
                match self.plain(expr, env) {
                    Node { kind: Kind::IntLiteral(len), .. } => u64::try_from(len).ok(),
                    node if node.is_error() => None,
                    _ => self.constant_count(expr, env),
                }
            }
            _ => self.constant_count(expr, env),
        }
    }
}

/// An array of these elements.
pub(super) fn array(nodes: Vec<Node>, span: Span) -> Value {
    Value::Struct((0..).map(|number| element_of("", number)).zip(nodes).collect(), span)
}
