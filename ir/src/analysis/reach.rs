//! How far definitions over events look: in time, in rows, or without bound.
//!
//! [`Bounds`](super::bounds::Bounds) knows this exactly, in nanoseconds, where everything lies on grids. Over events a look
//! back can also be some rows (`x[prev]`, `x[last 20]`), to the row that holds (`quotes.bid`), or to the first row of all (a
//! recursion).
//!
//! ```
//! use tilt_ir::{analysis::reach::Reaches, tir};
//! let query = tir::parse("\
//! input @trades {price: f64} events point
//! input @quotes {bid: f64} events hold
//! def @d {value: f64} on trades {
//!   %0 = at trades.price[row-1] : f64
//!   %1 = at quotes.bid[t-2s] : f64
//!   %2 = sub %0, %1 : f64
//!   yield %2
//! }
//! ")?;
//! let reaches = Reaches::of(tir::verify(&query).map_err(|errors| errors[0].clone())?);
//! let d = query.defs.ids().next().unwrap();
//! let text: Vec<_> = query.inputs.ids().map(|x| reaches.input(d, x).unwrap().to_string()).collect();
//! assert_eq!(text, ["t ..= t and 1 row before", "t-2s ..= t-2s and the row that holds"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use crate::{
    entity::{Entity, SideTable},
    tir::{Base, Body, Clock, Def, Frame, Hold, Index, Input, Op, Source, Stamps, Verified, When},
};

/// What is looked at for time `t`. Distances beyond 64 bits are cut off there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// How far before `t`, in nanoseconds (negative: after).
    pub back: i64,
    /// How far after `t`, in nanoseconds (negative: before).
    pub ahead: i64,
    /// How many rows before those.
    pub rows: u64,
    /// Also the row that holds at the first of these times, however long ago it was stamped.
    pub held: bool,
    /// All rows from the first one on.
    pub whole: bool,
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let back = self.back.saturating_neg();
        match self.whole {
            true => write!(f, "from the first row ..= {}", Index::now(self.ahead))?,
            false => write!(f, "{} ..= {}", Index::now(back), Index::now(self.ahead))?,
        }
        match self.rows {
            _ if self.whole => return Ok(()),
            0 => {}
            1 => f.write_str(" and 1 row before")?,
            rows => write!(f, " and {rows} rows before")?,
        }
        if self.held { f.write_str(" and the row that holds") } else { Ok(()) }
    }
}

impl Reach {
    const NOW: Reach = Reach { back: 0, ahead: 0, rows: 0, held: false, whole: false };

    fn or(self, other: Reach) -> Reach {
        Reach {
            back: self.back.max(other.back),
            ahead: self.ahead.max(other.ahead),
            rows: self.rows.max(other.rows),
            held: self.held || other.held,
            whole: self.whole || other.whole,
        }
    }

    /// What is looked at from a place that is itself looked at.
    fn then(self, next: Reach) -> Reach {
        Reach {
            back: self.back.saturating_add(next.back),
            ahead: self.ahead.saturating_add(next.ahead),
            rows: self.rows.saturating_add(next.rows),
            held: self.held || next.held,
            whole: self.whole || next.whole,
        }
    }

    fn at(index: Index) -> Reach {
        let (floor, ceil) = match index.base {
            Base::Now => (0, 0),
            Base::Floor(period) => (period - 1, 0),
            Base::Ceil(period) => (0, period - 1),
        };
        let back = index.shift.saturating_neg().saturating_add(floor);
        Reach { back, ahead: index.shift.saturating_add(ceil), ..Reach::NOW }
    }
}

/// The reach of every definition into every input.
#[derive(Clone, Debug)]
pub struct Reaches {
    defs: Vec<SideTable<Input, Option<Reach>>>,
}

impl Reaches {
    /// The reaches of a query.
    pub fn of(query: Verified<'_>) -> Reaches {
        let mut reaches = Reaches { defs: Vec::new() };
        for (def, data) in query.defs.iter() {
            let mut needs = SideTable::new(None);
            reaches.body(query, (def, &data.clock), &data.body, Reach::NOW, &mut needs);
            reaches.defs.push(needs);
        }
        reaches
    }

    /// What `def` (so also an output that shows it) at `t` needs of `input`; `None` if nothing.
    pub fn input(&self, def: Def, input: Input) -> Option<Reach> {
        self.defs[def.index()][input]
    }

    fn body(
        &self,
        query: Verified<'_>,
        (def, at): (Def, &Clock),
        body: &Body,
        here: Reach,
        needs: &mut SideTable<Input, Option<Reach>>,
    ) {
        for inst in body.insts.rows() {
            match &inst.op {
                Op::At { source, when, .. } => {
                    let there = here.then(match when {
                        When::Time(index) => Reach::at(*index),
                        When::Row(back) => Reach { rows: *back, ..Reach::NOW },
                    });
                    self.look(query, def, *source, there, needs);
                }
                Op::Reduce(reduce) => {
                    let there = here.then(match reduce.frame {
                        Frame::Last(rows) => Reach { rows: rows - 1, ..Reach::NOW },
                        Frame::Time(window) => {
                            let (from, to) = (Reach::at(window.from), Reach::at(window.to));
                            Reach { back: from.back.saturating_sub(1), ahead: to.ahead, ..Reach::NOW }
                        }
                    });
                    self.body(query, (def, &reduce.rows), &reduce.row, there, needs);
                }
                _ => {}
            }
        }
        // a clock of rows is itself looked at
        if let Clock::Events(inputs) = at {
            for input in inputs {
                add(&mut needs[*input], here);
            }
        }
    }

    fn look(
        &self,
        query: Verified<'_>,
        user: Def,
        source: Source,
        there: Reach,
        needs: &mut SideTable<Input, Option<Reach>>,
    ) {
        match source {
            Source::Input(input) => {
                let there = match query.inputs[input].stamps {
                    Stamps::Every(grid) => {
                        Reach { back: there.back.saturating_add(grid.period - 1), ..there }
                    }
                    Stamps::Events(Hold::Point) => there,
                    Stamps::Events(Hold::UntilNext | Hold::For(_) | Hold::Until) => {
                        Reach { held: true, ..there }
                    }
                };
                add(&mut needs[input], there);
            }
            // its own past: so far back as there are rows
            Source::Def(def) if def == user => {
                for input in query.inputs.ids() {
                    if let Some(reach) = &mut needs[input] {
                        reach.whole = true;
                    }
                }
            }
            Source::Def(def) => {
                let slack = query.defs[def].clock.grid().map_or(0, |grid| grid.period - 1);
                let there = Reach { back: there.back.saturating_add(slack), ..there };
                let whole = query.defs[def].init.is_some();
                for input in query.inputs.ids() {
                    if let Some(reach) = self.defs[def.index()][input] {
                        add(&mut needs[input], Reach { whole: whole || reach.whole, ..there.then(reach) });
                    }
                }
            }
        }
    }
}

fn add(need: &mut Option<Reach>, reach: Reach) {
    *need = Some(need.map_or(reach, |old| old.or(reach)));
}
