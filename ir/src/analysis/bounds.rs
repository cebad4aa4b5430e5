//! Bounds: how far before and after `t` each stream is looked at.
//!
//! `let d[t] = mean(x[t-20s..t].v) - x[t+3s].v` needs, for its row at `t`, the rows of `x` stamped in `(t-20s, t+3s]`. If `x`
//! has a row a second the oldest of them is stamped `t-19s`:
//!
//! ```
//! use tilt_ir::{analysis::bounds::Bounds, tir};
//! let query = tir::parse("\
//! input @x {v: f64} every 1s offset 0s
//! def @d {value: f64} every 1s offset 0s {
//!   %0 = reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
//!     %0 = at x.v[t] : f64
//!     yield %0
//!   } : f64
//!   %1 = at x.v[t+3s] : f64
//!   %2 = sub %0, %1 : f64
//!   yield %2
//! }
//! def @late {value: f64} every 10s offset 0s {
//!   %0 = at d.value[t-7s] : f64
//!   yield %0
//! }
//! ")?;
//! let bounds = Bounds::of(tir::verify(&query).map_err(|errors| errors[0].clone())?);
//! let x = query.inputs.ids().next().unwrap();
//! let reach: Vec<_> = query.defs.ids().map(|def| bounds.input(def, x).unwrap().to_string()).collect();
//! assert_eq!(reach, ["t-19s ..= t+3s", "t-26s ..= t-4s"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Distances add up through definitions and their windows. They are exact for shifts and windows of shifts, and never too
//! small: a look at `floor(t, P)` from a grid of a period that divides `P` reaches back `P` less one period.

#[cfg(test)]
mod tests;

use std::fmt;

use super::span::{self, Span};
use crate::{
    Grid,
    entity::{Entity, SideTable},
    tir::{Body, Def, Index, Input, Op, Reduce, Source, Verified},
};

/// The rows that are needed for time `t`: those stamped in `t - back ..= t + ahead` (nanoseconds; either may be negative).
/// Distances beyond 64 bits are cut off there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    /// How far before `t` the first of them can be.
    pub back: i64,
    /// How far after `t` the last of them can be.
    pub ahead: i64,
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (back, ahead) = (self.back.saturating_neg(), self.ahead);
        write!(f, "{} ..= {}", Index::now(back), Index::now(ahead))
    }
}

impl From<Span> for Reach {
    fn from(span: Span) -> Reach {
        let clamp = |ns: i128| ns.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Reach { back: clamp(-span.least), ahead: clamp(span.greatest) }
    }
}

/// The reach of every definition into every input and every definition before it.
#[derive(Clone, Debug)]
pub struct Bounds {
    defs: Vec<Needs>,
}

impl Bounds {
    /// The bounds of a query.
    pub fn of(query: Verified<'_>) -> Bounds {
        let mut bounds = Bounds { defs: Vec::new() };
        for def in query.defs.rows() {
            let mut walk = Walk { query, before: &bounds.defs, needs: Needs::new() };
            walk.body(&def.body, def.grid(), Span::ZERO);
            let needs = walk.needs;
            bounds.defs.push(needs);
        }
        bounds
    }

    /// Which rows of `input` the value of `def` (so also an output that shows it) at `t` needs; `None` if it needs none.
    pub fn input(&self, def: Def, input: Input) -> Option<Reach> {
        self.defs[def.index()].inputs[input].map(Reach::from)
    }

    /// Which rows of `other` the value of `def` at `t` needs; `None` if it needs none.
    pub fn def(&self, def: Def, other: Def) -> Option<Reach> {
        self.defs[def.index()].defs[other].map(Reach::from)
    }
}

/// What one definition needs.
#[derive(Clone, Debug)]
struct Needs {
    inputs: SideTable<Input, Option<Span>>,
    defs: SideTable<Def, Option<Span>>,
}

impl Needs {
    fn new() -> Needs {
        Needs { inputs: SideTable::new(None), defs: SideTable::new(None) }
    }
}

fn add(need: &mut Option<Span>, span: Span) {
    *need = Some(need.map_or(span, |old| old.or(span)));
}

/// A walk through the bodies of one definition.
struct Walk<'a> {
    query: Verified<'a>,
    before: &'a [Needs],
    needs: Needs,
}

impl Walk<'_> {
    /// A body evaluated at the stamps of `at` that are `here` away from the `t` of the definition.
    fn body(&mut self, body: &Body, at: Grid, here: Span) {
        for inst in body.insts.rows() {
            match &inst.op {
                Op::At { source, when, .. } => self.look(*source, when.time(), at, here),
                Op::Reduce(reduce) => self.reduce(reduce, at, here),
                Op::Const(_)
                | Op::Null
                | Op::Time(_)
                | Op::Param(_)
                | Op::Key(_)
                | Op::Unary(_, _)
                | Op::Binary(_, _, _)
                | Op::Compare(_, _, _)
                | Op::Math(_, _)
                | Op::Select { .. }
                | Op::Coalesce(_, _)
                | Op::IsNull(_) => {}
            }
        }
    }

    fn look(&mut self, source: Source, index: Index, at: Grid, here: Span) {
        let grid = match source {
            Source::Input(input) => self.query.inputs[input].grid(),
            Source::Def(def) => self.query.defs[def].grid(),
        };
        let there = here.plus(span::of_row(index, at, grid));
        match source {
            Source::Input(input) => add(&mut self.needs.inputs[input], there),
            Source::Def(def) => self.through(def, there),
        }
    }

    /// A look at `def`, and so at all that it needs.
    fn through(&mut self, def: Def, there: Span) {
        add(&mut self.needs.defs[def], there);
        let needs = &self.before[def.index()];
        for input in self.query.inputs.ids() {
            if let Some(span) = needs.inputs[input] {
                add(&mut self.needs.inputs[input], there.plus(span));
            }
        }
        for other in self.query.defs.ids().take(def.index()) {
            if let Some(span) = needs.defs[other] {
                add(&mut self.needs.defs[other], there.plus(span));
            }
        }
    }

    fn reduce(&mut self, reduce: &Reduce, at: Grid, here: Span) {
        if let Some(window) = span::of_window(reduce.window(), at, reduce.grid()) {
            self.body(&reduce.row, reduce.grid(), here.plus(window));
        }
    }
}
