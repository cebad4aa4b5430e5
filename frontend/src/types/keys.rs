//! Keys: what keyed streams are keyed by, and the key as a value.

use super::tree::{Kind, Node, Value};
use super::{Checker, Env, Fields};
use crate::ast::{self, Expr, ExprKind, Name};
use crate::load::program_module;
use crate::names::{Stream, report_duplicate};
use crate::span::Span;
use tilt_ir::{Const, Type};

/// The keys of a program: those of its first keyed input.
#[derive(Debug)]
pub(crate) struct Keys<'p> {
    pub(crate) keys: Vec<(&'p Name, Type)>,
    /// The input that has them.
    input: &'p str,
}

impl Keys<'_> {
    fn position(&self, name: &str) -> Option<usize> {
        self.keys.iter().position(|key| &*key.0.node == name)
    }
}

impl<'p> Checker<'_, 'p> {
    /// Notes the keys of an input; reports if they are wrong, or not those of the others.
    pub(super) fn add_keys(&mut self, input: &'p ast::Input) {
        let Some(first) = input.keys.first() else { return };
        let mut keys = Vec::new();
        for (at, key) in input.keys.iter().enumerate() {
            if let Some(other) = input.keys[..at].iter().find(|other| other.name == key.name) {
                report_duplicate(&key.name, other.name.span, self.sink);
                continue;
            }
            if let Some(field) = input.fields.iter().find(|field| field.name == key.name) {
                self.error("key-name", field.name.span, format!("`{}` is a key already", key.name.node))
                    .label("a field of the same name")
                    .note(key.name.span, "the key")
                    .help(format!(
                        "leave the field out: the key is read as `{}.{}`",
                        input.name.node, key.name.node
                    ));
            }
            keys.extend(self.key_type(key).map(|ty| (&key.name, ty)));
        }
        if keys.len() < input.keys.len() {
            return;
        }
        let span = first.name.span.to(input.keys.last().unwrap_or(first).name.span);
        match &self.keys {
            None => self.keys = Some(Keys { keys, input: &input.name.node }),
            Some(known) => {
                let listed = |keys: &[(&Name, Type)]| {
                    keys.iter()
                        .map(|(name, ty)| format!("{}: {ty}", name.node))
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let (ours, theirs) = (listed(&keys), listed(&known.keys));
                if ours != theirs {
                    let (other, place) = (known.input, known.keys.first().map(|key| key.0.span));
                    let message = format!("`{}` and `{other}` have different keys", input.name.node);
                    let diagnostic = self.error("key-mismatch", span, message);
                    diagnostic.label(format!("keyed by {ours}"));
                    if let Some(place) = place {
                        diagnostic.note(place, format!("keyed by {theirs}"));
                    }
                    diagnostic.help("streams are matched by key, so that all keyed inputs have the same: names, types and order");
                }
            }
        }
    }

    fn key_type(&mut self, key: &ast::Key) -> Option<Type> {
        let Some(written) = &key.ty else { return Some(Type::Symbol) };
        match Type::from_name(&written.node) {
            Some(ty) if ty == Type::Symbol || ty.is_integer() => Some(ty),
            Some(ty) => {
                self.error("type-mismatch", written.span, "a key is a symbol or an integer")
                    .label(format!("this is `{ty}`"))
                    .help("leave the type out for symbols, or write `i64`");
                None
            }
            None => {
                self.unknown_type(written);
                None
            }
        }
    }

    /// A symbol literal.
    pub(super) fn symbol(&mut self, text: &str, span: Span) -> Node {
        let known = self.symbols.iter().position(|symbol| symbol == text);
        let number = known.unwrap_or_else(|| {
            self.symbols.push(text.into());
            self.symbols.len() - 1
        });
        Node::known(Kind::Const(Const::Int(number as i128)), Type::Symbol, span)
    }

    /// The key called `name`.
    pub(super) fn key(&self, name: &Name, span: Span) -> Value {
        let keys = self.keys.as_ref();
        match keys.and_then(|keys| Some((keys.position(&name.node)?, keys))) {
            Some((at, keys)) => Value::Plain(Node::known(Kind::Key(at as u32), keys.keys[at].1, span)),
            None => Value::error(span),
        }
    }

    /// Whether `name` is a key of `stream` and no field of it.
    pub(super) fn is_key(&self, stream: Stream, name: &Name) -> bool {
        let is_key = self.keys.as_ref().is_some_and(|keys| keys.position(&name.node).is_some());
        is_key
            && self.types.get(&stream).is_some_and(|known| match &known.fields {
                Fields::Struct(fields) => known.keyed && !fields.iter().any(|field| field.0 == name.node),
                Fields::Plain(_) => known.keyed,
                Fields::Error => false,
            })
    }

    /// `name` itself if `of.name` is a key: where `of` is a stream, at any time.
    pub(super) fn key_named(&self, of: &'p Expr, name: &'p Name, env: Env<'_, 'p>) -> Option<&'p Name> {
        self.keys.as_ref()?.position(&name.node)?;
        let stream = self.stream_in(of, env)?;
        self.is_key(stream, name).then_some(name)
    }

    fn stream_in(&self, expr: &'p Expr, env: Env<'_, 'p>) -> Option<Stream> {
        match &expr.kind {
            ExprKind::Name(name) => match env.argument(name) {
                Some((argument, caller)) => self.stream_in(argument, caller),
                None if env.module() == program_module() => self.scope.stream(name),
                None => None,
            },
            ExprKind::At(of, _) | ExprKind::Window(of, _, _) => self.stream_in(of, env),
            ExprKind::Prev(of, _) | ExprKind::Last(of, _) => self.stream_in(of, env),
            _ => None,
        }
    }

    /// Reports a column that is called like a key of a keyed output.
    pub(super) fn report_key_column(&mut self, column: &str, span: Span) {
        let is_key = self.keys.as_ref().is_some_and(|keys| keys.position(column).is_some());
        if is_key {
            self.error("key-name", span, format!("a column is called `{column}`, like a key"))
                .label("keyed outputs have a column for each key by themselves")
                .help("leave it out, or give it another name");
        }
    }
}
