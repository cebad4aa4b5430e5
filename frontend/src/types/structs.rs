//! Rows of fields, and what works on them as on single values: `if`, `where`, `??`, `is null`.

use super::arrays::{described, element_of, is_array, names, same_length};
use super::literal::{Pair, meet};
use super::tree::{Kind, Node, Ty, Value};
use super::{Checker, Env};
use crate::ast::{Expr, FieldValue, Name};
use crate::names::report_duplicate;
use crate::span::Span;
use tilt_ir::Type;
use tilt_ir::tir;

pub(super) type Fields = Vec<(Box<str>, Node)>;

impl<'p> Checker<'_, 'p> {
    pub(super) fn struct_value(&mut self, fields: &'p [FieldValue], span: Span, env: Env<'_, 'p>) -> Value {
        if fields.is_empty() {
            self.error("empty-struct", span, "a row needs at least one field").label("nothing in it");
            return Value::error(span);
        }
        let mut values: Fields = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            if let Some(first) = fields[..at].iter().find(|other| other.name == field.name) {
                report_duplicate(&field.name, first.name.span, self.sink);
            }
            match self.value(&field.value, env) {
                Value::Plain(node) => values.push((field.name.node.clone(), node)),
                Value::Struct(elements, _) if is_array(&elements) => {
                    let name = &field.name.node;
                    let named = elements.into_iter().enumerate();
                    values.extend(named.map(|(number, (_, node))| (element_of(name, number), node)));
                }
                Value::Struct(_, inner) => {
                    self.error(
                        "struct-value",
                        inner,
                        format!("the field `{}` cannot be a row of fields itself", field.name.node),
                    )
                    .label("this has fields")
                    .help("name the fields one by one");
                    values.push((field.name.node.clone(), Node::error(inner)));
                }
            }
        }
        Value::Struct(values, span)
    }

    pub(super) fn is_null(&mut self, operand: &'p Expr, negated: bool, span: Span, env: Env<'_, 'p>) -> Node {
        let missing = match self.value(operand, env) {
            Value::Plain(node) if node.is_error() => return node,
            // the past of a definition whose type is not known yet
            Value::Plain(node) if node.ty == Ty::Open => Node::is_null(node, span),
            Value::Plain(node) => {
                let node = self.settle(node);
                Node::is_null(node, span)
            }
            Value::Struct(fields, _) => all_null(&fields, span),
        };
        match negated {
            true => Node::unary(tir::UnaryOp::Not, missing, Ty::Known(Type::Bool), span),
            false => missing,
        }
    }

    pub(super) fn if_else(
        &mut self,
        condition: &'p Expr,
        yes: &'p Expr,
        no: &'p Expr,
        span: Span,
        env: Env<'_, 'p>,
    ) -> Value {
        let condition = self.plain(condition, env);
        let condition = self.boolean(condition, "`if`");
        let (yes, no) = (self.value(yes, env), self.value(no, env));
        let (yes, no) = same_length(yes, no);
        self.zip(yes, no, span, "`if`", |yes, no, ty| select(&condition, yes, no, ty, span))
    }

    pub(super) fn filtered(
        &mut self,
        value: &'p Expr,
        filter: &'p Expr,
        span: Span,
        env: Env<'_, 'p>,
    ) -> Value {
        let value = self.value(value, env);
        let filter = self.plain(filter, env);
        let filter = self.boolean(filter, "`where`");
        let keep = |node: Node| {
            let (ty, null) = (node.ty, Node::new(Kind::Null, node.ty, span));
            select(&filter, node, null, ty, span)
        };
        match value {
            Value::Plain(node) => Value::Plain(keep(node)),
            Value::Struct(fields, _) => {
                Value::Struct(fields.into_iter().map(|(name, node)| (name, keep(node))).collect(), span)
            }
        }
    }

    pub(super) fn coalesce(
        &mut self,
        left: &'p Expr,
        right: &'p Expr,
        span: Span,
        env: Env<'_, 'p>,
    ) -> Value {
        let (left, right) = (self.value(left, env), self.value(right, env));
        let (left, right) = same_length(left, right);
        let missing = match &left {
            Value::Struct(fields, _) if !is_array(fields) => Some(all_null(fields, span)),
            Value::Plain(_) | Value::Struct(..) => None,
        };
        self.zip(left, right, span, "`??`", |left, right, ty| match &missing {
            None if ty == Ty::Error => Node::error(span),
            None => Node::new(Kind::Coalesce(left.into(), right.into()), ty, span),
            Some(missing) => select(missing, right, left, ty, span),
        })
    }

    /// Combines two values of one shape, field by field.
    fn zip(
        &mut self,
        a: Value,
        b: Value,
        span: Span,
        of: &str,
        combine: impl Fn(Node, Node, Ty) -> Node,
    ) -> Value {
        match (a, b) {
            (Value::Plain(a), Value::Plain(b)) => Value::Plain(self.zip_nodes(a, b, span, of, &combine)),
            (Value::Struct(a, _), Value::Struct(b, _))
                if a.iter().map(|f| &f.0).eq(b.iter().map(|f| &f.0)) =>
            {
                let fields = a.into_iter().zip(b);
                let combined =
                    fields.map(|((name, a), (_, b))| (name, self.zip_nodes(a, b, span, of, &combine)));
                Value::Struct(combined.collect(), span)
            }
            (a, b) => {
                if !a.is_error() && !b.is_error() {
                    let diagnostic = self.sink.error(
                        "type-mismatch",
                        span,
                        format!("{of} needs both sides to have the same fields"),
                    );
                    diagnostic.label(format!("{} or {}", describe(&a), describe(&b)));
                }
                Value::error(span)
            }
        }
    }

    fn zip_nodes(
        &mut self,
        a: Node,
        b: Node,
        span: Span,
        of: &str,
        combine: &impl Fn(Node, Node, Ty) -> Node,
    ) -> Node {
        let both = meet(a.ty, b.ty);
        match self.unify(a, b) {
            Pair::Alike(a, b, ty) => combine(a, b, ty),
            Pair::Apart(a, b) if both.is_none() => {
                let (one, other) = (a.ty, b.ty);
                self.error("type-mismatch", span, format!("{of} needs both sides to have one type"))
                    .label(format!("{one} or {other}"))
                    .help("convert one of them, as in `f64(x)`");
                Node::error(span)
            }
            Pair::Apart(..) => Node::error(span),
        }
    }

    /// The field `name` of a row.
    pub(super) fn pick(&mut self, fields: Fields, name: &Name, of: Span) -> Value {
        // A parameter may stand in a module, and its argument in the program.
        let is_one = self.sink.in_one_text(of, name.span);
        let span = if is_one { of.to(name.span) } else { name.span };
        if let Some((_, node)) = fields.iter().find(|field| field.0 == name.node) {
            return Value::Plain(Node { span, ..node.clone() });
        }
        let elements: Fields = fields
            .iter()
            .filter_map(|(field, node)| {
                let place = field.strip_prefix(&*name.node).filter(|place| place.starts_with('['))?;
                Some((place.into(), Node { span, ..node.clone() }))
            })
            .collect();
        if elements.is_empty() {
            self.unknown_field(name, of, &names(&fields));
            return Value::error(name.span);
        }
        Value::Struct(elements, span)
    }

    pub(super) fn unknown_field(&mut self, name: &Name, of: Span, names: &[Box<str>]) {
        let nearest = crate::names::nearest(&name.node, names.iter().map(|name| &**name)).map(String::from);
        let diagnostic = self.error("unknown-field", name.span, format!("there is no field `{}`", name.node));
        diagnostic.label("not a field");
        let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        diagnostic.note(of, format!("this has {}", listed.join(", ")));
        if let Some(nearest) = nearest {
            diagnostic.help(format!("did you mean `{nearest}`?"));
        }
    }
}

/// Whether every field is φ: then the row is. The tests are joined as a balanced tree, however many there are.
pub(super) fn all_null(fields: &[(Box<str>, Node)], span: Span) -> Node {
    match fields {
        [] => Node::bool(true, span),
        [(_, field)] => Node::is_null(field.clone(), span),
        fields => {
            let (left, right) = fields.split_at(fields.len() / 2);
            let (left, right) = (all_null(left, span), all_null(right, span));
            Node::binary(tir::BinaryOp::And, left, right, Ty::Known(Type::Bool), span)
        }
    }
}

fn select(condition: &Node, yes: Node, no: Node, ty: Ty, span: Span) -> Node {
    if condition.is_error() || ty == Ty::Error {
        return Node::error(span);
    }
    Node::new(Kind::Select(condition.clone().into(), yes.into(), no.into()), ty, span)
}

fn describe(value: &Value) -> String {
    match value {
        Value::Plain(node) => node.ty.to_string(),
        Value::Struct(fields, _) => described(fields),
    }
}
