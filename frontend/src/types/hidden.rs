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
//! it is needed in and that of the parameter. So does the call of a function with `init`, which looks at its own past.
//!
//! All streams that it names being regular, it is a definition `[t]`, and so it is if it is looked at at times or weighed by time. If its
//! rows are looked at, they are those of the events that it names: those of the definition it is needed in, if it names several.
//! A call has rows like these; in a definition with other rows it is what it was in its last one.

use super::clock::Clock;
use super::index::{Fixed, fixed};
use super::items::CheckedLet;
use super::recursion::Recursion;
use super::same::fingerprint;
use super::tree::Value;
use super::{Checker, Env, StreamType, items};
use crate::ast::{Expr, ExprKind, Fn, Name};
use crate::names::Stream;
use crate::span::Span;
use std::collections::HashMap;
use tilt_ir::entity::Entity;

/// The definitions that arguments became.
#[derive(Default)]
pub(super) struct Hidden<'p> {
    /// By the argument, the call in which its names have their meaning, and how it is looked at.
    known: HashMap<(*const Expr, u32, Seen), Stream>,
    /// By the call, and that in which its names have their meaning; `None` if it is wrong.
    calls: HashMap<(*const Name, u32), Option<Stream>>,
    /// By what they say.
    same: HashMap<String, Stream>,
    /// The parameters or functions, in the order of the streams, which come behind those of the program.
    params: Vec<&'p Name>,
    /// Those that are not among the definitions yet.
    pub(super) pending: Vec<CheckedLet>,
}

/// How a stream is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Seen {
    /// At some time, or weighed by time.
    AtTimes,
    /// Its rows, in windows or counted.
    InRows,
}

/// Whether `expr` is written as a stream, a field or an element of one. A parameter is: its argument decides.
fn is_path(expr: &Expr, env: Env<'_, '_>) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => &**name != "t" || env.argument(name).is_some(),
        ExprKind::Field(of, _) => is_path(of, env),
        ExprKind::At(of, at) => matches!(fixed(at, env, 0), Ok(Fixed::Int(_))) && is_path(of, env),
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
        seen: Seen,
    ) -> Option<Option<Stream>> {
        if is_path(argument, caller) {
            return None;
        }
        let key = |seen| (std::ptr::from_ref(argument), caller.call(), seen);
        let stream = match self.hidden.known.get(&key(seen)) {
            Some(known) => Some(*known),
            None => {
                let param = env.params().iter().find(|name| &*name.node == param)?;
                let stream = self.define_hidden(param, argument, caller, seen);
                self.hidden.known.extend(stream.map(|stream| (key(seen), stream)));
                if let Some(stream) = stream.filter(|stream| self.is_regular(*stream)) {
                    // on a grid it is the same, however it is looked at
                    self.hidden.known.extend([Seen::AtTimes, Seen::InRows].map(|seen| (key(seen), stream)));
                }
                stream
            }
        };
        self.named.extend(stream.map(|stream| (stream, argument.span)));
        Some(stream)
    }

    fn define_hidden(
        &mut self,
        param: &'p Name,
        argument: &'p Expr,
        caller: Env<'_, 'p>,
        seen: Seen,
    ) -> Option<Stream> {
        let outer = (std::mem::take(&mut self.named), self.rows.take());
        self.own.push(None);
        let value = self.value(argument, caller);
        let value = self.settle_value(value);
        self.own.pop();
        let named = std::mem::replace(&mut self.named, outer.0);
        self.rows = outer.1;
        if value.is_error() {
            return None;
        }
        if named.is_empty() {
            return self.no_stream(argument.span);
        }
        let clock = match seen {
            Seen::AtTimes => self.clock_of_named(param, &named)?,
            Seen::InRows => self.hidden_clock(param, &named)?,
        };
        let stream = self.new_hidden(param);
        self.add_hidden(stream, argument.span, value, clock, &named, None);
        Some(stream)
    }

    /// The definition that the call of a function with `init` becomes, made by `body` in a call in which the function's own name is
    /// that definition.
    pub(super) fn hidden_call(
        &mut self,
        name: &'p Name,
        function: &'p Fn,
        span: Span,
        caller: Env<'_, 'p>,
        body: impl FnOnce(&mut Self, Stream) -> (Value, Option<Recursion>),
    ) -> Option<Stream> {
        let key = (std::ptr::from_ref(name), caller.call());
        let stream = match self.hidden.calls.get(&key) {
            Some(known) => *known,
            None => {
                let stream = self.define_call(name, function, span, body);
                self.hidden.calls.insert(key, stream);
                stream
            }
        };
        self.named.extend(stream.map(|stream| (stream, span)));
        stream
    }

    fn define_call(
        &mut self,
        name: &'p Name,
        function: &'p Fn,
        span: Span,
        body: impl FnOnce(&mut Self, Stream) -> (Value, Option<Recursion>),
    ) -> Option<Stream> {
        let stream = self.new_hidden(&function.name);
        let outer = (std::mem::take(&mut self.named), self.rows.take());
        let (value, recursion) = body(self, stream);
        let named = std::mem::replace(&mut self.named, outer.0);
        self.rows = outer.1;
        if value.is_error() {
            return None;
        }
        let clock = match (&self.at, named.is_empty()) {
            (Some(clock), true) => clock.clone(),
            (None, true) => {
                self.error("no-grid", span, "nothing here says how often there is a row")
                    .label("names no stream")
                    .help("give it a stream, or the definition that it stands in rows: `[t every 1s]`");
                return None;
            }
            (_, false) => self.hidden_clock(name, &named)?,
        };
        self.check_rows_before(name, &clock);
        let text = fingerprint(stream, &value, &clock, recursion.as_ref());
        if let Some(same) = self.hidden.same.get(&text) {
            return Some(*same);
        }
        self.hidden.same.insert(text, stream);
        self.add_hidden(stream, span, value, clock, &named, recursion);
        Some(stream)
    }

    fn is_regular(&self, stream: Stream) -> bool {
        let clock = self.types.get(&stream).and_then(|known| known.clock.as_ref());
        clock.is_some_and(|clock| clock.grid().is_some())
    }

    /// Whether `stream` is a call of a function that looks at its own past.
    pub(super) fn is_call(&self, stream: Stream) -> bool {
        let is_hidden = stream.index() >= self.scope.streams.len();
        is_hidden && self.hidden.calls.values().any(|call| *call == Some(stream))
    }

    fn new_hidden(&mut self, name: &'p Name) -> Stream {
        let stream = Stream::new(self.scope.streams.len() + self.hidden.params.len());
        self.hidden.params.push(name);
        stream
    }

    fn add_hidden(
        &mut self,
        stream: Stream,
        span: Span,
        mut value: Value,
        clock: Clock,
        named: &[(Stream, Span)],
        recursion: Option<Recursion>,
    ) {
        let span = self.place(span);
        value.relocate(self.program_len, span);
        self.resolve(Some(stream), &mut value, &clock, recursion.as_ref());
        let on = match &clock {
            Clock::Events(inputs) => inputs.as_slice(),
            Clock::Grid(_) | Clock::Continuous => &[],
        };
        let mut seen = named.iter().map(|(stream, _)| stream).chain(on);
        let keyed = seen.any(|stream| self.types.get(stream).is_some_and(|known| known.keyed));
        let fields = items::fields(&value);
        self.types.insert(stream, StreamType { fields, clock: Some(clock.clone()), stamps: None, keyed });
        let name = format!("{}_{}", self.owner, self.own_name(stream));
        self.hidden.pending.push(CheckedLet { stream, name, span, value, clock, keyed, recursion });
    }

    /// When an argument or call that names these streams has rows.
    fn hidden_clock(&mut self, head: &Name, named: &[(Stream, Span)]) -> Option<Clock> {
        let mut events: Vec<&Clock> = Vec::new();
        for (stream, _) in named {
            let clock = self.types.get(stream)?.clock.as_ref()?;
            if matches!(clock, Clock::Events(_)) && !events.contains(&clock) {
                events.push(clock);
            }
        }
        match (events.as_slice(), &self.at) {
            ([], _) => self.clock_of_named(head, named),
            (several, Some(at)) if several.contains(&at) => Some(at.clone()),
            ([one], _) => Some((*one).clone()),
            (_, _) => Some(Clock::Continuous),
        }
    }

    /// `span` if it lies in the program, else the call in the program that led to it.
    fn place(&self, span: Span) -> Span {
        let mut places = std::iter::once(span).chain(self.calls.iter().rev().copied());
        places.find(|place| place.start <= self.program_len).unwrap_or_default()
    }

    /// What a definition that is being checked is called in messages.
    pub(super) fn own_name(&self, stream: Stream) -> &'p str {
        self.stream_name(stream)
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
