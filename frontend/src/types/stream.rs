//! Streams in expressions: their value at a time, their rows in a window, their fields.

use super::tree::{Kind, Node, Value};
use super::{Checker, Env, Fields, RowScope, StreamType};
use crate::ast::{Expr, ExprKind, Name};
use crate::load::program_module;
use crate::names::{Stream, nearest};
use crate::span::Span;
use tilt_ir::Type;
use tilt_ir::tir::{Index, Window};

/// A stream, or a field of one.
#[derive(Clone, Copy)]
struct Path<'p> {
    stream: Stream,
    field: Option<&'p Name>,
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
            self.named.push((stream, span));
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
    pub(super) fn value_at(&mut self, stream: Stream, index: Index, span: Span) -> Value {
        self.fields_of(stream, span, |field| Kind::At { stream, field, index })
    }

    fn fields_of(&self, stream: Stream, span: Span, kind: impl Fn(u32) -> Kind) -> Value {
        let node = |field: usize, ty: Type| Node::known(kind(field as u32), ty, span);
        match self.types.get(&stream).map(|known| &known.fields) {
            Some(Fields::Plain(ty)) => Value::Plain(node(0, *ty)),
            Some(Fields::Struct(fields)) => {
                let fields = fields.iter().enumerate().map(|(at, (name, ty))| (name.clone(), node(at, *ty)));
                Value::Struct(fields.collect(), span)
            }
            Some(Fields::Error) | None => Value::error(span),
        }
    }

    /// `of.name`
    pub(super) fn field(&mut self, of: &'p Expr, name: &'p Name, span: Span, env: Env<'_, 'p>) -> Value {
        match self.value(of, env) {
            Value::Struct(fields, _) => Value::Plain(self.pick(fields, name, of.span)),
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

    /// `of[at]`
    pub(super) fn shifted(&mut self, of: &'p Expr, at: &'p Expr, span: Span, env: Env<'_, 'p>) -> Value {
        let path = self.path(of, env);
        let index = self.index(at, env);
        match (path, index) {
            (Some(path), Some(index)) => {
                let value = self.value_at(path.stream, index, span);
                self.path_field(value, path, span)
            }
            _ => Value::error(span),
        }
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
        let path = self.path(of, env);
        let from = self.index(from, env);
        let to = self.index(to, env);
        let (Some(path), Some(from), Some(to)) = (path, from, to) else {
            if let Some(rows) = &mut self.rows {
                rows.broken = true;
            }
            return Value::error(span);
        };
        if !self.enter_window(path.stream, Window { from, to }, span) {
            return Value::error(span);
        }
        let stream = path.stream;
        let value = self.fields_of(stream, span, |field| Kind::Row { stream, field });
        self.path_field(value, path, span)
    }

    /// Notes that the reducer at hand looks at this window; reports if it may not.
    fn enter_window(&mut self, stream: Stream, window: Window, span: Span) -> bool {
        if window.from.base == window.to.base && window.from.shift >= window.to.shift {
            self.error("empty-window", span, "this window never has a row")
                .label("ends where it begins, or before")
                .help(
                    "a window x[a..b] has the rows after a and up to b: the last 5 seconds are `x[t-5s..t]`",
                );
            self.break_rows();
            return false;
        }
        let Some(RowScope { window: seen, .. }) = &self.rows else {
            self.error("window-outside-reducer", span, "a window is no value")
                .label("many rows")
                .help("reduce it: `mean(x[t-5s..t].v)`; one value at another time is `x[t-5s]`");
            return false;
        };
        let Some(grid) = self.types.get(&stream).and_then(|StreamType { grid, .. }| *grid) else {
            self.break_rows();
            return false;
        };
        match *seen {
            None => {
                self.rows = Some(RowScope { window: Some((window, grid, span)), broken: false });
                true
            }
            Some((other, rows, _)) if other == window && rows == grid => true,
            Some((other, _, first)) => {
                let what = if other == window { "the same rows" } else { "the same window" };
                self.error("window-mismatch", span, format!("all windows of a reducer must have {what}"))
                    .label("this differs")
                    .note(first, "from this")
                    .help("reduce them one by one, or put the parts into a `let` first");
                self.break_rows();
                false
            }
        }
    }

    fn break_rows(&mut self) {
        if let Some(rows) = &mut self.rows {
            rows.broken = true;
        }
    }

    fn path_field(&mut self, value: Value, path: Path<'p>, span: Span) -> Value {
        match (path.field, value) {
            (None, value) => value,
            (Some(name), Value::Struct(fields, _)) => Value::Plain(self.pick(fields, name, path.span)),
            (Some(name), Value::Plain(node)) => {
                if !node.is_error() {
                    self.unknown_field(name, path.span, &[]);
                }
                Value::error(span)
            }
        }
    }

    /// The stream that is indexed; reports what is none.
    fn path(&mut self, expr: &'p Expr, env: Env<'_, 'p>) -> Option<Path<'p>> {
        match &expr.kind {
            ExprKind::Name(name) => match env.argument(name) {
                Some((argument, caller)) => match self.hidden(name, argument, caller, env) {
                    Some(stream) => Some(Path { stream: stream?, field: None, span: expr.span }),
                    None => self.path(argument, caller),
                },
                None if &**name == "t" => self.no_stream(expr.span),
                None => {
                    let stream = self.stream_named(name, expr.span, env)?;
                    Some(Path { stream, field: None, span: expr.span })
                }
            },
            ExprKind::Field(of, name) => {
                let path = self.path(of, env)?;
                match path.field {
                    None => Some(Path { field: Some(name), ..path }),
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
