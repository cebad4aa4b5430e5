//! Clocks: when definitions have rows, and what a look at a stream means on one.
//!
//! ```text
//! let d[t on trades] = trades.price - trades[prev].price + quotes.bid
//!                      row 0          row 1                at t
//! ```

use super::StreamType;
use crate::names::Stream;
use tilt_ir::Grid;
use tilt_ir::tir::{Frame, Index, When, Window};

/// When a stream has rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// At the points of a grid.
    Grid(Grid),
    /// With the rows of these inputs.
    Events(Vec<Stream>),
    /// Whenever an operand changes.
    Continuous,
}

/// How a stream is looked at, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Its bare name: its row on its own clock, else its value at `t`.
    Here,
    /// `x[t-5s]`
    Time(Index),
    /// `x[prev 2]`
    Back(u64),
}

/// Why `prev` has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoRows {
    /// The rows of the stream are not those of the definition.
    Elsewhere,
    /// The stream is one of several on the clock.
    OneOfSeveral,
    /// The definition is continuous.
    Continuous,
    /// So many rows are more than 64 bits of nanoseconds.
    TooFar,
}

impl Clock {
    pub(crate) fn grid(&self) -> Option<Grid> {
        match self {
            Clock::Grid(grid) => Some(*grid),
            Clock::Events(_) | Clock::Continuous => None,
        }
    }

    /// Whether a row of this clock is also one of `stream`, whose own clock is `of`; if it is an input it may be one of several.
    pub(super) fn shares_rows(&self, stream: Stream, of: &Clock) -> bool {
        match self {
            Clock::Events(inputs) => {
                self == of || (*of == Clock::Events(vec![stream]) && inputs.contains(&stream))
            }
            Clock::Grid(_) | Clock::Continuous => false,
        }
    }

    /// What `look` at `stream` means in a definition on this clock.
    pub(crate) fn when(&self, stream: Stream, known: &StreamType, look: Look) -> When {
        let is_row = known.clock.as_ref().is_some_and(|of| self.shares_rows(stream, of));
        match (look, self) {
            (Look::Time(index), _) => When::Time(index),
            (Look::Here, _) if is_row => When::Row(0),
            (Look::Here, _) => When::NOW,
            (Look::Back(count), Clock::Grid(grid)) => {
                When::Time(Index::now(rows(*grid, count).unwrap_or(i64::MIN)))
            }
            (Look::Back(count), Clock::Events(_) | Clock::Continuous) => When::Row(count),
        }
    }

    /// Whether `x[prev count]` has a meaning here, of a stream whose own clock is `of`.
    pub(super) fn look_back(&self, stream: Stream, of: &Clock, count: u64) -> Result<(), NoRows> {
        match self {
            Clock::Continuous => Err(NoRows::Continuous),
            Clock::Grid(grid) if of == self => rows(*grid, count).map(drop).ok_or(NoRows::TooFar),
            Clock::Events(_) if of == self => Ok(()),
            Clock::Events(_) if self.shares_rows(stream, of) => Err(NoRows::OneOfSeveral),
            Clock::Grid(_) | Clock::Events(_) => Err(NoRows::Elsewhere),
        }
    }

    /// What `frame` over the rows of `of` is in a definition on this clock: on one grid, rows are counted by time.
    pub(crate) fn frame(&self, frame: Frame, of: &Clock) -> Frame {
        match (frame, self) {
            (Frame::Last(count), Clock::Grid(grid)) if self == of => match rows(*grid, count) {
                Some(from) => Frame::Time(Window { from: Index::now(from), to: Index::NOW }),
                None => frame,
            },
            _ => frame,
        }
    }
}

/// `-count` rows in nanoseconds.
fn rows(grid: Grid, count: u64) -> Option<i64> {
    i64::try_from(count).ok()?.checked_mul(grid.period)?.checked_neg()
}
