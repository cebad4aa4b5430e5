//! When a continuous body can change.
//!
//! A body that is a function of time changes when a row that it looks at begins or ends to hold, and when a row enters or leaves
//! a window. Each look says so of one stream, moved by how far it looks:
//!
//! ```
//! use tilt_ir::{analysis::changes::{Change, changes}, tir};
//! let query = tir::parse("\
//! input @quotes {bid: f64} events hold 5s
//! def @d {value: f64} continuous {
//!   %0 = at quotes.bid[t-2s] : f64
//!   yield %0
//! }
//! ")?;
//! let quotes = query.inputs.ids().next().unwrap();
//! let second = 1_000_000_000;
//! let found = changes(&query, &query.defs.rows()[0].body);
//! // two seconds after a quote, and two seconds after it has ended
//! let shift = 2 * second;
//! assert_eq!(found, [Change::Rows { input: quotes, shift }, Change::Ends { input: quotes, shift }]);
//! # Ok::<(), tilt_ir::text::TextError>(())
//! ```
//!
//! A stream that is looked at through `floor(t, P)` only changes with that: at the points of a grid.

use std::collections::HashSet;

use crate::{
    Grid,
    tir::{Base, Body, Clock, Def, Frame, Grouping, Hold, Index, Input, Op, Query, Source, Stamps, When},
};

/// A time at which a continuous body can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Where rows of an input of events are stamped, moved.
    Rows {
        /// The input.
        input: Input,
        /// Nanoseconds added to the stamp.
        shift: i64,
    },
    /// Where rows of an input of events cease to hold (unless because of the next row), moved: of a point one nanosecond after
    /// its stamp.
    Ends {
        /// The input.
        input: Input,
        /// Nanoseconds added to the end.
        shift: i64,
    },
    /// At grid points.
    Grid(Grid),
}

/// When the values of a continuous body can change: at these times and at no others. At some of them it may stay the same.
///
/// Shifts beyond 64 bits are cut off there.
pub fn changes(query: &Query, body: &Body) -> Vec<Change> {
    let mut walk = Walk { query, found: Vec::new(), seen: HashSet::new() };
    walk.body(body, 0);
    walk.found
}

struct Walk<'a> {
    query: &'a Query,
    found: Vec<Change>,
    /// Continuous definitions that were walked, with the shift.
    seen: HashSet<(Def, i128)>,
}

impl Walk<'_> {
    fn add(&mut self, change: Change) {
        if !self.found.contains(&change) {
            self.found.push(change);
        }
    }

    /// Whatever a body looks at when it is evaluated `ahead` of `t`.
    fn body(&mut self, body: &Body, ahead: i128) {
        for inst in body.insts.rows() {
            match &inst.op {
                Op::Time(index) => {
                    self.base(*index, ahead);
                }
                Op::At { source, when: When::Time(index), .. } => {
                    if let Some(ahead) = self.base(*index, ahead) {
                        self.look(*source, ahead);
                    }
                }
                Op::Reduce(reduce) => match reduce.frame {
                    Frame::Last(_) => self.rows(&reduce.rows, ahead),
                    Frame::Time(window) => {
                        // where a bound passes from one block to the next terms are grouped in another way
                        for (index, into_block) in [(window.to, 1), (window.from, 0)] {
                            let Some(ahead) = self.base(index, ahead) else { continue };
                            self.rows(&reduce.rows, ahead);
                            if let Grouping::TimeBlocks { length, origin } = reduce.grouping {
                                let offset = i128::from(origin) + into_block - ahead;
                                self.add(Change::Grid(grid(length, offset)));
                            }
                        }
                    }
                },
                // these change with their operands, or never; rows by number have no place here
                Op::Const(_)
                | Op::Null
                | Op::Param(_)
                | Op::Key(_)
                | Op::At { when: When::Row(_), .. }
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::Compare(..)
                | Op::Math(..)
                | Op::Select { .. }
                | Op::Coalesce(..)
                | Op::IsNull(_) => {}
            }
        }
    }

    /// How far ahead of `t` an index is; `None` if it only moves at grid points, which are noted.
    fn base(&mut self, index: Index, ahead: i128) -> Option<i128> {
        match index.base {
            Base::Now => return Some(ahead + i128::from(index.shift)),
            // `floor(t + ahead, P)` moves where `t + ahead` is a multiple of P, `ceil` just after that
            Base::Floor(period) => self.add(Change::Grid(grid(period, -ahead))),
            Base::Ceil(period) => self.add(Change::Grid(grid(period, 1 - ahead))),
        }
        None
    }

    /// The value of a stream at `t + ahead`.
    fn look(&mut self, source: Source, ahead: i128) {
        match source {
            Source::Input(input) => match self.query.inputs[input].stamps {
                Stamps::Every(of) => self.add(Change::Grid(grid(of.period, i128::from(of.offset) - ahead))),
                Stamps::Events(hold) => {
                    self.add(Change::Rows { input, shift: clamp(-ahead) });
                    match hold {
                        Hold::UntilNext => {}
                        Hold::Point | Hold::For(_) | Hold::Until => {
                            self.add(Change::Ends { input, shift: clamp(-ahead) });
                        }
                    }
                }
            },
            Source::Def(def) => match &self.query.defs[def].clock {
                Clock::Grid(_) => self.rows(&self.query.defs[def].clock, ahead),
                // its rows are points
                clock @ Clock::Events(_) => {
                    self.rows(clock, ahead);
                    self.rows(clock, ahead - 1);
                }
                Clock::Continuous => {
                    if self.seen.insert((def, ahead)) {
                        self.body(&self.query.defs[def].body, ahead);
                    }
                }
            },
        }
    }

    /// The rows of a clock that are stamped until `t + ahead`.
    fn rows(&mut self, clock: &Clock, ahead: i128) {
        match clock {
            Clock::Grid(of) => self.add(Change::Grid(grid(of.period, i128::from(of.offset) - ahead))),
            Clock::Events(inputs) => {
                for input in inputs {
                    self.add(Change::Rows { input: *input, shift: clamp(-ahead) });
                }
            }
            // legal windows over these are bounded by `floor` and `ceil`
            Clock::Continuous => {}
        }
    }
}

fn clamp(shift: i128) -> i64 {
    shift.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// The grid of this period through `offset`.
fn grid(period: i64, offset: i128) -> Grid {
    Grid { period, offset: offset.rem_euclid(period.into()) as i64 }
}
