//! Where in time a value can be anything but φ.
//!
//! A window may reach over far more rows than there are data: 2^63 − 1 ns of a stream with three rows. Only the rows that
//! matter are looked at, those inside the *support* of the row body.
//!
//! ```text
//! at x.v[t]        data in 10s..=12s           10s..=12s (and the period of the last row)
//! at x.v[t-5s]                                 15s..=17s
//! x.v + x.v[t-5s]                              empty: never both
//! x.v ?? 0                                     everywhere
//! at q.v[t]        q holds, first row at 10s   from 10s on
//! ```
//!
//! The spans are intervals that may be too wide (then time is lost), never too narrow.

use crate::rows::Rows;
use tilt_ir::{
    Grid,
    entity::{Entity, SideTable},
    tir::{
        Base, Body, Clock, Frame, Hold, Index, Input, Inst, Op, Query, Reduce, Reducer, Source, Stamps,
        Value, When,
    },
};

/// The times `first..=last`; none if `last < first`. Wide enough that no shift of 64 bits leads out of `i128`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    first: i128,
    last: i128,
}

impl Span {
    const EMPTY: Span = Span { first: i128::MAX / 2, last: i128::MIN / 2 };
    const EVERYWHERE: Span = Span { first: i128::MIN / 2, last: i128::MAX / 2 };

    fn at(time: i64) -> Span {
        Span { first: time.into(), last: time.into() }
    }
    fn is_empty(self) -> bool {
        self.last < self.first
    }
    fn meet(self, other: Span) -> Span {
        Span { first: self.first.max(other.first), last: self.last.min(other.last) }
    }
    fn hull(self, other: Span) -> Span {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            (false, false) => Span { first: self.first.min(other.first), last: self.last.max(other.last) },
        }
    }
    fn widened(self, before: i128, after: i128) -> Span {
        if self.is_empty() {
            return Span::EMPTY;
        }
        Span { first: self.first - before, last: self.last + after }
    }
    /// From here on for ever.
    fn onward(self) -> Span {
        if self.is_empty() { Span::EMPTY } else { Span { last: Span::EVERYWHERE.last, ..self } }
    }
    /// The part of the times `first..=last` that is inside.
    pub(crate) fn clip_times(self, first: i128, last: i128) -> (i128, i128) {
        (self.first.max(first), self.last.min(last))
    }
    /// The rows of `grid` among `rows` that are stamped inside.
    pub(crate) fn clip(self, grid: Grid, rows: std::ops::Range<i128>) -> std::ops::Range<i128> {
        let (period, offset) = (i128::from(grid.period), i128::from(grid.offset));
        let first = -(offset - self.first).div_euclid(period);
        let end = (self.last - offset).div_euclid(period) + 1;
        let start = rows.start.max(first);
        start..rows.end.min(end).max(start)
    }
}

/// Where a value may not be φ, and where its evaluation may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Support {
    value: Span,
    error: Span,
}

impl Support {
    const EVERYWHERE: Support = Support { value: Span::EVERYWHERE, error: Span::EMPTY };
    const NOWHERE: Support = Support { value: Span::EMPTY, error: Span::EMPTY };
    fn map(self, f: impl Fn(Span) -> Span) -> Support {
        Support { value: f(self.value), error: f(self.error) }
    }
    fn widened(self, before: i128, after: i128) -> Support {
        self.map(|span| span.widened(before, after))
    }
    fn within(self, span: Span) -> Support {
        self.map(|own| own.meet(span))
    }
}

/// The supports of all streams of a query on given data.
#[derive(Debug)]
pub(crate) struct Supports {
    inputs: Vec<Support>,
    defs: Vec<Vec<Support>>,
}

impl Supports {
    pub(crate) fn of(query: &Query, rows: &dyn Rows) -> Supports {
        let mut supports = Supports { inputs: Vec::new(), defs: Vec::new() };
        for input in query.inputs.ids() {
            let value = input_span(query, rows, input);
            supports.inputs.push(Support { value, error: Span::EMPTY });
        }
        for def in query.defs.rows() {
            let values = supports.body(query, &def.body);
            let clock = clock_span(rows, &def.clock);
            let result = |result| match (&def.init, &def.clock) {
                (None, _) => values[result].within(clock),
                (Some(_), Clock::Grid(_)) => {
                    let start = rows.start(def.keyed).map_or(Span::EMPTY, |start| Span::at(start).onward());
                    Support { value: start, error: start }
                }
                (Some(_), Clock::Events(_) | Clock::Continuous) => Support { value: clock, error: clock },
            };
            supports.defs.push(def.body.results.iter().map(|value| result(*value)).collect());
        }
        supports
    }

    /// Where the rows of a reduction matter: where they have a value or fail.
    pub(crate) fn rows(&self, query: &Query, rows: &dyn Rows, reduce: &Reduce) -> Span {
        let row = self.row(query, reduce).within(clock_span(rows, &reduce.rows));
        row.value.hull(row.error)
    }

    /// Where all values of the row body are there, or one fails.
    fn row(&self, query: &Query, reduce: &Reduce) -> Support {
        let values = self.body(query, &reduce.row);
        let results = reduce.row.results.iter().map(|result| values[*result]);
        let both =
            |a: Support, b: Support| Support { value: a.value.meet(b.value), error: a.error.hull(b.error) };
        results.reduce(both).unwrap_or(Support::NOWHERE)
    }

    fn body(&self, query: &Query, body: &Body) -> SideTable<Value, Support> {
        let mut values = SideTable::new(Support::NOWHERE);
        for (value, inst) in body.insts.iter() {
            values[value] = self.inst(query, inst, &values);
        }
        values
    }

    fn inst(&self, query: &Query, inst: &Inst, of: &SideTable<Value, Support>) -> Support {
        let errors = |operands: &[Value]| operands.iter().fold(Span::EMPTY, |all, v| all.hull(of[*v].error));
        let strict = |operands: &[Value]| Support {
            value: operands.iter().fold(Span::EVERYWHERE, |all, v| all.meet(of[*v].value)),
            error: errors(operands),
        };
        match &inst.op {
            Op::Const(_) | Op::Param(_) | Op::Key(_) => Support::EVERYWHERE,
            Op::Null => Support::NOWHERE,
            Op::Time(_) => fallible(inst, Support::EVERYWHERE),
            Op::At { source, field, when: When::Time(index) } => self.at(query, *source, *field, *index),
            // a row may be any time ago: where the clock has rows is all that is known
            Op::At { when: When::Row(_), .. } => Support { value: Span::EVERYWHERE, error: Span::EVERYWHERE },
            Op::Unary(_, a) => fallible(inst, strict(&[*a])),
            Op::Binary(_, a, b) => fallible(inst, strict(&[*a, *b])),
            Op::Compare(_, a, b) => strict(&[*a, *b]),
            Op::Math(_, operands) => fallible(inst, strict(operands)),
            Op::Select { cond, then, otherwise } => Support {
                value: of[*cond].value.meet(of[*then].value.hull(of[*otherwise].value)),
                error: errors(&[*cond, *then, *otherwise]),
            },
            Op::Coalesce(a, b) => {
                Support { value: of[*a].value.hull(of[*b].value), error: errors(&[*a, *b]) }
            }
            Op::IsNull(a) => Support { value: Span::EVERYWHERE, error: of[*a].error },
            Op::Reduce(reduce) => {
                let mut result = fallible(inst, self.reduce(query, reduce));
                result.error = result.error.hull(errors(&reduce.captures));
                result
            }
        }
    }

    /// A look-up sees a row of a grid from its stamp on for one period. That of a recursion at itself is not asked for.
    fn at(&self, query: &Query, source: Source, field: u32, index: Index) -> Support {
        let (support, clock) = match source {
            Source::Input(input) => {
                let grid = query.inputs[input].stamps.grid();
                (self.inputs.get(input.index()), grid)
            }
            Source::Def(def) => {
                let fields = self.defs.get(def.index());
                (fields.and_then(|fields| fields.get(field as usize)), query.defs[def].clock.grid())
            }
        };
        let shift = i128::from(index.shift);
        let (reach, period) = (reach(index.base), clock.map_or(0, |grid| i128::from(grid.period)));
        support.copied().unwrap_or(Support::NOWHERE).widened(shift + reach, period - shift + reach)
    }

    /// A window sees a row at `s` where `from(t) < s ≤ to(t)`; the last so many rows may be any time ago.
    fn reduce(&self, query: &Query, reduce: &Reduce) -> Support {
        let row = self.row(query, reduce);
        let mut seen = match reduce.frame {
            Frame::Last(_) => row.map(Span::onward),
            Frame::Time(window) => {
                let (from, to) = (window.from, window.to);
                row.widened(i128::from(to.shift) + reach(to.base), reach(from.base) - i128::from(from.shift))
            }
        };
        if reduce.kind == Reducer::Count && reduce.min_count == 0 {
            seen.value = Span::EVERYWHERE; // 0 is a value
        }
        seen
    }
}

/// Where an input holds.
fn input_span(query: &Query, rows: &dyn Rows, input: Input) -> Span {
    let range = rows.range(input);
    if range.is_empty() {
        return Span::EMPTY;
    }
    let hold = match query.inputs[input].stamps {
        Stamps::Every(grid) => {
            let stamp = |row: i64| i128::from(row) * i128::from(grid.period) + i128::from(grid.offset);
            return Span { first: stamp(range.start), last: stamp(range.end - 1) };
        }
        Stamps::Events(hold) => hold,
    };
    let stamped = stamped(rows, input);
    match hold {
        Hold::Point => stamped,
        Hold::For(length) => stamped.widened(0, length.into()),
        Hold::UntilNext | Hold::Until => stamped.onward(),
    }
}

/// From the first to the last stamp of events.
fn stamped(rows: &dyn Rows, input: Input) -> Span {
    let range = rows.range(input);
    if range.is_empty() {
        return Span::EMPTY;
    }
    Span::at(rows.stamp(input, range.start)).hull(Span::at(rows.stamp(input, range.end - 1)))
}

/// Where a clock has rows.
fn clock_span(rows: &dyn Rows, clock: &Clock) -> Span {
    match clock {
        Clock::Grid(_) | Clock::Continuous => Span::EVERYWHERE,
        Clock::Events(inputs) => {
            inputs.iter().fold(Span::EMPTY, |all, input| all.hull(stamped(rows, *input)))
        }
    }
}

/// How far the base of an index may be from `t`.
fn reach(base: Base) -> i128 {
    match base {
        Base::Now => 0,
        Base::Floor(period) | Base::Ceil(period) => i128::from(period),
    }
}

/// An op that gives an integer, time or duration may fail wherever it has operands.
fn fallible(inst: &Inst, support: Support) -> Support {
    if inst.ty.int_range().is_none() {
        return support;
    }
    Support { error: support.error.hull(support.value), ..support }
}

#[cfg(test)]
mod tests;
