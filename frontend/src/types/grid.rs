//! Grids: as written, or the finest of the streams that are named.

use super::Checker;
use super::clock::Clock;
use crate::ast::{self, Name};
use crate::diagnostic::Sink;
use crate::names::Stream;
use crate::span::Span;
use crate::token::literal::UNITS;
use tilt_ir::Grid;

/// The grid that is written; `None` if it is none, which is reported.
pub(super) fn written(grid: &ast::Grid, sink: &mut Sink) -> Option<Grid> {
    let period = grid.every.nanoseconds();
    if period <= 0 {
        sink.error("period-not-positive", grid.every.span, "a period is longer than nothing")
            .label("zero or negative");
        return None;
    }
    Some(Grid::new(period, grid.offset.as_ref().map_or(0, ast::Period::nanoseconds)))
}

impl Checker<'_, '_> {
    /// The clock of `head`, which is defined for `[t]`.
    pub(super) fn inferred(&mut self, head: &Name) -> Option<Clock> {
        if !self.names_a_stream(head) {
            return None;
        }
        self.clock_of_named(head, &self.named.clone())
    }

    /// Reports if the definition of `head` names no stream.
    pub(super) fn names_a_stream(&mut self, head: &Name) -> bool {
        if self.named.is_empty() {
            self.error("no-grid", head.span, "nothing here says how often there is a row")
                .label("names no stream")
                .help(format!("say it: `let {}[t every 1s] = …`", head.node));
        }
        !self.named.is_empty()
    }

    /// What follows from the streams that `head` names: the finest of their grids, or that it is continuous.
    pub(super) fn clock_of_named(&mut self, head: &Name, named: &[(Stream, Span)]) -> Option<Clock> {
        let clocks: Option<Vec<(Stream, Span, &Clock)>> = named
            .iter()
            .map(|&(stream, span)| Some((stream, span, self.types.get(&stream)?.clock.as_ref()?)))
            .collect();
        let clocks = clocks?;
        let grids: Option<Vec<(Stream, Span, Grid)>> =
            clocks.iter().map(|(stream, span, clock)| Some((*stream, *span, clock.grid()?))).collect();
        match grids {
            Some(grids) => self.finest(head, &grids).map(Clock::Grid),
            None => Some(Clock::Continuous),
        }
    }

    /// The finest of the grids of the streams that `head` names.
    fn finest(&mut self, head: &Name, grids: &[(Stream, Span, Grid)]) -> Option<Grid> {
        let &(finest, finest_span, grid) = grids.iter().min_by_key(|(_, _, grid)| grid.period)?;
        let odd = grids.iter().find(|(_, _, other)| {
            other.period % grid.period != 0 || (other.period == grid.period && other.offset != grid.offset)
        });
        match odd {
            None => Some(grid),
            Some(&(stream, span, other)) => {
                self.report_grids(head, (stream, span, other), (finest, finest_span, grid));
                None
            }
        }
    }

    fn report_grids(&mut self, head: &Name, odd: (Stream, Span, Grid), finest: (Stream, Span, Grid)) {
        let (odd_name, finest_name) = (self.stream_name(odd.0), self.stream_name(finest.0));
        let is_offset = odd.2.period == finest.2.period;
        let (code, message) = match is_offset {
            true => ("offset-mismatch", format!("`{odd_name}` and `{finest_name}` are on different offsets")),
            false => (
                "grid-mismatch",
                format!("the period of `{odd_name}` is no multiple of that of `{finest_name}`"),
            ),
        };
        let common = match is_offset {
            true => odd.2.period,
            false => gcd(odd.2.period, finest.2.period),
        };
        self.error(code, odd.1, message).label(describe(odd.2)).note(finest.1, describe(finest.2)).help(
            format!("say which rows are wanted: `let {}[t every {}] = …`", head.node, duration(common)),
        );
    }
}

fn describe(grid: Grid) -> String {
    match grid.offset {
        0 => format!("every {}", duration(grid.period)),
        offset => format!("every {} offset {}", duration(grid.period), duration(offset)),
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A duration as it is written in the language.
pub(super) fn duration(nanoseconds: i64) -> String {
    let mut rest = nanoseconds.unsigned_abs();
    let mut text = String::from(if nanoseconds < 0 { "-" } else { "" });
    for &(unit, length) in &UNITS[1..] {
        let count = rest / length.unsigned_abs();
        rest %= length.unsigned_abs();
        if count > 0 {
            text.push_str(&format!("{count}{unit}"));
        }
    }
    if nanoseconds == 0 { "0s".into() } else { text }
}
