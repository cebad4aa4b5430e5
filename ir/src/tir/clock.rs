//! Clocks: when the rows of a stream are stamped, and how long each of them holds.
//!
//! | clock | rows | between the rows |
//! |---|---|---|
//! | [`Clock::Grid`] | one at every grid point | the last one holds |
//! | [`Clock::Events`] | those of one or more event inputs, in time order | φ: the results are points |
//! | [`Clock::Continuous`] | whenever something it is computed from changes | a function of all time |

use super::Input;
use crate::Grid;

/// How long a row of events holds, from its stamp on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hold {
    /// For its own instant only.
    Point,
    /// Until the next row.
    UntilNext,
    /// Until the next row, but less than this many nanoseconds (positive).
    For(i64),
    /// Until (not including) the time in a second column of stamps.
    Until,
}

/// When the rows of an input are stamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stamps {
    /// At every point of a grid; each row holds for one period.
    Every(Grid),
    /// As the data say: any times, in order, the same one perhaps more than once.
    Events(Hold),
}

/// When a definition has rows, or which rows a reduction looks at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// At every grid point.
    Grid(Grid),
    /// One row for each row of these event inputs, of each key, in time order; at equal stamps the inputs in this order, then in order of arrival.
    Events(Vec<Input>),
    /// A function of time that changes whenever one of its operands does. As the rows of a reduction: the stretches on which
    /// the row body has one value; only `integral` and `duration_mean` weigh these.
    Continuous,
}

impl Stamps {
    /// The grid of a regular stream.
    pub fn grid(self) -> Option<Grid> {
        match self {
            Stamps::Every(grid) => Some(grid),
            Stamps::Events(_) => None,
        }
    }
}

impl Clock {
    /// The grid, if it is one.
    pub fn grid(&self) -> Option<Grid> {
        match self {
            Clock::Grid(grid) => Some(*grid),
            Clock::Events(_) | Clock::Continuous => None,
        }
    }
}
