//! Arguments that become definitions.
//!
//! ```text
//! fn sma(s, n) = mean(s[t-n..t])
//! output y = sma(x.a + x.b, 20s)      →      let y_s[t] = x.a + x.b
//!                                            output y = mean(y_s[t-20s..t])
//! ```
//!
//! Only streams can be looked at at another time. Where a function does so with a parameter whose argument is another
//! expression, the argument becomes a definition `[t]` of its own, as if by `let`. It has the name of the definition that
//! it is needed in and that of the parameter.

use super::items::CheckedLet;
use super::{Checker, Env, StreamType, items};
use crate::ast::{Expr, ExprKind, Name};
use crate::names::Stream;
use crate::span::Span;
use std::collections::HashMap;
use tilt_ir::entity::Entity;

/// The definitions that arguments became.
#[derive(Default)]
pub(super) struct Hidden<'p> {
    /// By the argument, and the call in which its names have their meaning.
    known: HashMap<(*const Expr, u32), Stream>,
    /// The parameters, in the order of the streams, which come behind those of the program.
    params: Vec<&'p Name>,
    /// Those that are not among the definitions yet.
    pub(super) pending: Vec<CheckedLet>,
}

/// Whether `expr` is written as a stream, or a field of one. A parameter is: its argument decides.
fn is_path(expr: &Expr, env: Env<'_, '_>) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => &**name != "t" || env.argument(name).is_some(),
        ExprKind::Field(of, _) => is_path(of, env),
        ExprKind::Error => true,
        _ => false,
    }
}

impl<'p> Checker<'_, 'p> {
    /// The stream that `argument` becomes, the argument for `param`; `None` if it is written as a stream. What is wrong
    /// with it is reported.
    pub(super) fn hidden(
        &mut self,
        param: &'p str,
        argument: &'p Expr,
        caller: Env<'_, 'p>,
        env: Env<'_, 'p>,
    ) -> Option<Option<Stream>> {
        if is_path(argument, caller) {
            return None;
        }
        let key = (std::ptr::from_ref(argument), caller.call());
        let stream = match self.hidden.known.get(&key) {
            Some(known) => Some(*known),
            None => {
                let param = env.params().iter().find(|name| &*name.node == param)?;
                let stream = self.define_hidden(param, argument, caller);
                self.hidden.known.extend(stream.map(|stream| (key, stream)));
                stream
            }
        };
        self.named.extend(stream.map(|stream| (stream, argument.span)));
        Some(stream)
    }

    fn define_hidden(&mut self, param: &'p Name, argument: &'p Expr, caller: Env<'_, 'p>) -> Option<Stream> {
        let outer = (std::mem::take(&mut self.named), self.rows.take());
        let value = self.value(argument, caller);
        let mut value = self.settle_value(value);
        let named = std::mem::replace(&mut self.named, outer.0);
        self.rows = outer.1;
        if value.is_error() {
            return None;
        }
        if named.is_empty() {
            return self.no_stream(argument.span);
        }
        let grid = self.finest(param, &named)?;
        let span = self.place(argument.span);
        value.relocate(self.program_len, span);
        let stream = Stream::new(self.scope.streams.len() + self.hidden.params.len());
        self.hidden.params.push(param);
        self.types.insert(stream, StreamType { fields: items::fields(&value), grid: Some(grid) });
        let name = format!("{}_{}", self.owner, param.node);
        self.hidden.pending.push(CheckedLet { stream, name, span, value, grid });
        Some(stream)
    }

    /// `span` if it lies in the program, else the call in the program that led to it.
    fn place(&self, span: Span) -> Span {
        let mut places = std::iter::once(span).chain(self.calls.iter().rev().copied());
        places.find(|place| place.start <= self.program_len).unwrap_or_default()
    }

    /// What a stream is called in messages.
    pub(super) fn stream_name(&self, stream: Stream) -> &'p str {
        match self.scope.streams.get(stream) {
            Some(decl) => &decl.name().node,
            None => self
                .hidden
                .params
                .get(stream.index() - self.scope.streams.len())
                .map_or("", |param| &param.node),
        }
    }
}
