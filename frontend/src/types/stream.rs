//! Streams in expressions: their value at a time, their rows in a window, their fields.

use super::clock::Look;
use super::hidden::Seen;
use super::index::{Fixed, fixed};
use super::tree::{Kind, Node, Ty, Value};
use super::{Checker, Env, Fields};
use crate::ast::{Expr, ExprKind, Name};
use crate::load::program_module;
use crate::names::{Stream, nearest};
use crate::span::Span;
use tilt_ir::tir::{Frame, Window};

/// A stream, a field of one, or an element of either.
#[derive(Clone, Copy)]
pub(super) struct Path<'p> {
    pub(super) stream: Stream,
    field: Option<&'p Name>,
    /// Of an array: which element, and where that is said.
    element: Option<(i64, Span)>,
    span: Span,
}

impl<'p> Checker<'_, 'p> {
    /// The stream called `name`; reports if there is none.
    pub(super) fn stream_named(&mut self, name: &str, span: Span, env: Env<'_, 'p>) -> Option<Stream> {
        let module = env.module();
        if self.scope.is_broken(module, name) {
            return None;
        }
        // A module sees no streams but those it is given.
        let in_module = module != program_module();
        if let Some(stream) = self.scope.stream(name).filter(|_| !in_module) {
            // its own past says nothing about when a definition has rows
            if !self.is_open(stream) {
                self.named.push((stream, span));
            }
            return Some(stream);
        }
        let streams = self.scope.stream_names().filter(|_| !in_module);
        let params = env.params().iter().map(|param| &*param.node);
        let near = nearest(name, streams.chain(params)).map(String::from);
        let is_function = self.scope.function(module, name).is_some() || super::builtin::exists(name);
        let diagnostic = self.error("unknown-name", span, format!("there is no stream `{name}`"));
        diagnostic.label("not defined");
        match near {
            Some(near) => {
                diagnostic.help(format!("did you mean `{near}`?"));
            }
            None if env.frame.is_some_and(|frame| frame.name == name) => {
                diagnostic.help(format!(
                    "to look at its own past a function has an `init`, the value before the first row: `fn {name}(…) init 0.0 = …`"
                ));
            }
            None if is_function => {
                diagnostic.help(format!("`{name}` is a function: call it as `{name}(…)`"));
            }
            None if in_module => {
                diagnostic.help("a function of a module sees its parameters and no streams of the program");
            }
            None => {
                diagnostic.help("streams come from `input` and `let`");
            }
        }
        None
    }

    /// What a stream is at a time.
    pub(super) fn value_at(&mut self, stream: Stream, look: Look, span: Span) -> Value {
        self.fields_of(stream, span, |field| Kind::At { stream, field, look })
    }

    pub(super) fn fields_of(&mut self, stream: Stream, span: Span, kind: impl Fn(u32) -> Kind) -> Value {
        if self.is_open(stream) {
            return self.own_fields(stream, span, kind);
        }
        let node = |field: usize, ty: Ty| Node::new(kind(field as u32), ty, span);
        match self.types.get(&stream).map(|known| &known.fields) {
            Some(Fields::Plain(ty)) => Value::Plain(node(0, Ty::Known(*ty))),
            Some(Fields::Struct(fields)) => {
                let fields = fields.iter().enumerate();
                let fields = fields.map(|(at, (name, ty))| (name.clone(), node(at, Ty::Known(*ty))));
                Value::Struct(fields.collect(), span)
            }
            Some(Fields::Error) | None => Value::error(span),
        }
    }

    /// `of.name`
    pub(super) fn field(&mut self, of: &'p Expr, name: &'p Name, span: Span, env: Env<'_, 'p>) -> Value {
        let key = self.key_named(of, name, env);
        match self.value(of, env) {
            value if value.is_error() => Value::error(span),
            _ if key.is_some() => key.map_or(Value::error(span), |key| self.key(key, span)),
            Value::Struct(fields, _) => self.pick(fields, name, of.span),
            Value::Plain(node) => {
                if !node.is_error() {
                    let ty = node.ty;
                    self.error("unknown-field", name.span, format!("there is no field `{}`", name.node))
                        .label("not a field")
                        .note(node.span, format!("this is {ty}, a single value without fields"))
                        .help("leave the field out");
                }
                Value::error(span)
            }
        }
    }

    /// `of[at]`: at another time, or an element
    pub(super) fn shifted(&mut self, of: &'p Expr, at: &'p Expr, span: Span, env: Env<'_, 'p>) -> Value {
        if let Ok(Fixed::Int(place)) = fixed(at, env, 0) {
            let whole = self.value(of, env);
            return self.element(whole, place, at.span, span);
        }
        let path = self.path(of, env, Seen::AtTimes);
        let index = self.index(at, env);
        match (path, index) {
            (Some(path), Some(index)) => self.looked_at(path, Look::Time(index), span),
            _ => Value::error(span),
        }
    }

    /// A stream, or a field of it, at a time.
    pub(super) fn looked_at(&mut self, path: Path<'p>, look: Look, span: Span) -> Value {
        let value = self.value_at(path.stream, look, span);
        self.path_field(value, path, span)
    }

    /// `of[from..to]`
    pub(super) fn window(
        &mut self,
        of: &'p Expr,
        from: &'p Expr,
        to: &'p Expr,
        span: Span,
        env: Env<'_, 'p>,
    ) -> Value {
        let path = self.path(of, env, self.reduced_how());
        let from = self.index(from, env);
        let to = self.index(to, env);
        let (Some(path), Some(from), Some(to)) = (path, from, to) else {
            self.break_rows();
            return Value::error(span);
        };
        self.reduced(path, Frame::Time(Window { from, to }), span)
    }

    /// A stream, or a field of it, in the rows of a frame.
    pub(super) fn reduced(&mut self, path: Path<'p>, frame: Frame, span: Span) -> Value {
        if !self.enter_window(path.stream, frame, span) {
            return Value::error(span);
        }
        let stream = path.stream;
        let value = self.fields_of(stream, span, |field| Kind::Row { stream, field });
        self.path_field(value, path, span)
    }

    fn path_field(&mut self, value: Value, path: Path<'p>, span: Span) -> Value {
        let field = self.whole_field(value, path, span);
        match path.element {
            Some((place, said)) => self.element(field, place, said, span),
            None => field,
        }
    }

    fn whole_field(&mut self, value: Value, path: Path<'p>, span: Span) -> Value {
        match (path.field, value) {
            (None, value) => value,
            (Some(name), value) if self.is_key(path.stream, name) => match value.is_error() {
                true => value,
                false => self.key(name, span),
            },
            (Some(name), Value::Struct(fields, _)) => self.pick(fields, name, path.span),
            (Some(name), Value::Plain(node)) => {
                if !node.is_error() {
                    self.unknown_field(name, path.span, &[]);
                }
                Value::error(span)
            }
        }
    }

    /// The stream that is indexed; reports what is none.
    pub(super) fn path(&mut self, expr: &'p Expr, env: Env<'_, 'p>, seen: Seen) -> Option<Path<'p>> {
        match &expr.kind {
            ExprKind::Name(name) => match env.argument(name) {
                Some((argument, caller)) => match self.hidden(name, argument, caller, env, seen) {
                    Some(stream) => {
                        Some(Path { stream: stream?, field: None, element: None, span: expr.span })
                    }
                    None => self.path(argument, caller, seen),
                },
                None if &**name == "t" => self.no_stream(expr.span),
                None => {
                    let own = env.own(name);
                    let stream = own.or_else(|| self.stream_named(name, expr.span, env))?;
                    Some(Path { stream, field: None, element: None, span: expr.span })
                }
            },
            ExprKind::Field(of, name) => {
                let path = self.path(of, env, seen)?;
                match (path.field, path.element) {
                    (None, None) => Some(Path { field: Some(name), ..path }),
                    _ => self.no_stream(expr.span),
                }
            }
            ExprKind::At(of, at) => {
                let Ok(Fixed::Int(place)) = fixed(at, env, 0) else { return self.no_stream(expr.span) };
                let path = self.path(of, env, seen)?;
                match path.element {
                    None => Some(Path { element: Some((place, at.span)), ..path }),
                    Some(_) => self.no_stream(expr.span),
                }
            }
            ExprKind::Error => None,
            _ => self.no_stream(expr.span),
        }
    }

    /// Reports something that is looked at at another time and cannot be.
    pub(super) fn no_stream<T>(&mut self, span: Span) -> Option<T> {
        self.error("not-a-stream", span, "only streams can be looked at at another time")
            .label("not a stream")
            .help("give it a name first: `let y[t] = …`, then `y[t-5s]`");
        None
    }
}
