//! What stands in the brackets of a definition: `[t every 1s]`, `[t on l | r]`.

use super::clock::Clock;
use super::{Checker, Env, grid};
use crate::ast::{self, Name};
use crate::names::Stream;
use crate::span::Span;

/// What the brackets say.
pub(super) enum Head {
    /// When there are rows.
    Known(Clock),
    /// That follows from the streams that are named.
    Inferred,
    /// Something that was reported.
    Broken,
}

impl Head {
    pub(super) fn clock(&self) -> Option<Clock> {
        match self {
            Head::Known(clock) => Some(clock.clone()),
            Head::Inferred | Head::Broken => None,
        }
    }
}

impl<'p> Checker<'_, 'p> {
    pub(super) fn head(&mut self, head: &'p ast::Head) -> Head {
        match head {
            ast::Head::Inferred => Head::Inferred,
            ast::Head::Error => Head::Broken,
            ast::Head::Every(written) => match grid::written(written, self.sink) {
                Some(grid) => Head::Known(Clock::Grid(grid)),
                None => Head::Broken,
            },
            ast::Head::On(names) => match self.rows_on(names) {
                Some(clock) => Head::Known(clock),
                None => Head::Broken,
            },
        }
    }

    /// The clock that has the rows of these streams.
    fn rows_on(&mut self, names: &'p [Name]) -> Option<Clock> {
        let mut clocks: Vec<(Span, Clock)> = Vec::new();
        let mut fine = true;
        for name in names {
            match self.clock_of(name) {
                Some(clock) => clocks.push((name.span, clock)),
                None => fine = false,
            }
        }
        if !fine {
            return None;
        }
        if let [(_, clock)] = clocks.as_slice() {
            return Some(clock.clone());
        }
        let mut inputs: Vec<(Span, Stream)> = Vec::new();
        for (span, clock) in clocks {
            let Clock::Events(more) = clock else {
                self.error("union-clock", span, "only the rows of events are taken together")
                    .label("this one has rows on a grid")
                    .help("for several grids say which one: `[t every 1s]`; the value of a regular stream is known on any clock");
                return None;
            };
            for stream in more {
                if let Some((first, _)) = inputs.iter().find(|known| known.1 == stream) {
                    let (first, name) = (*first, self.stream_name(stream));
                    self.error("union-clock", span, format!("the rows of `{name}` are among these twice"))
                        .label("here again")
                        .note(first, "here already")
                        .help("name each stream once");
                    return None;
                }
                inputs.push((span, stream));
            }
        }
        Some(Clock::Events(inputs.into_iter().map(|(_, stream)| stream).collect()))
    }

    fn clock_of(&mut self, name: &'p Name) -> Option<Clock> {
        let stream = self.stream_named(&name.node, name.span, Env::NONE)?;
        if self.is_open(stream) || !self.types.contains_key(&stream) {
            self.report_own(stream, name.span);
            return None;
        }
        let clock = self.types.get(&stream)?.clock.clone()?;
        if clock == Clock::Continuous {
            let name_text = &name.node;
            self.error("continuous-rows", name.span, format!("`{name_text}` is continuous: it has no rows"))
                .label("a function of time")
                .help(format!("name the stream whose rows are meant, or give `{name_text}` rows: `let {name_text}[t every 1s] = …`"));
            return None;
        }
        Some(clock)
    }
}
