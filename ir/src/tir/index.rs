//! Time indexes: `t ± D`, `floor(t, P) ± D`, `ceil(t, P) ± D`.

use crate::Grid;

/// What a time index counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// `t`: the time at which the body is evaluated.
    Now,
    /// The last multiple of this period (nanoseconds, positive) at or before `t`.
    Floor(i64),
    /// The first multiple of this period (nanoseconds, positive) at or after `t`.
    Ceil(i64),
}

/// A time as a function of `t`: a base and a constant shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Index {
    /// What the index counts from.
    pub base: Base,
    /// Nanoseconds added to the base; negative looks back.
    pub shift: i64,
}

impl Index {
    /// `t`.
    pub const NOW: Index = Index { base: Base::Now, shift: 0 };

    /// `t + shift` (nanoseconds).
    pub fn now(shift: i64) -> Index {
        Index { base: Base::Now, shift }
    }

    /// The time that this index names at time `t`. In 128 bits, so that no time overflows.
    ///
    /// ```
    /// use tilt_ir::tir::{Base, Index};
    /// let day_end = Index { base: Base::Ceil(10), shift: -1 };
    /// assert_eq!((day_end.at(-15), day_end.at(-10)), (-11, -11));
    /// ```
    pub fn at(self, t: i128) -> i128 {
        let base = match self.base {
            Base::Now => t,
            Base::Floor(period) => t.div_euclid(period as i128) * period as i128,
            Base::Ceil(period) => -(-t).div_euclid(period as i128) * period as i128,
        };
        base + self.shift as i128
    }

    /// The row of a stream on `grid` that holds at this index, seen from time `t`.
    pub fn row(self, grid: Grid, t: i128) -> i128 {
        (self.at(t) - grid.offset as i128).div_euclid(grid.period as i128)
    }
}

/// Where a body looks at a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// At a time: the row that holds then.
    Time(Index),
    /// At a row of the body's own clock: 0 is the row itself, k the one k rows before, per key. An input that is one of several on
    /// the clock can only be looked at in row 0: on its own rows that is the row itself, on others the value at `t`.
    Row(u64),
}

impl When {
    /// Now.
    pub const NOW: When = When::Time(Index::NOW);

    /// The time.
    ///
    /// # Panics
    /// If it is a row: for code that only meets regular streams.
    pub fn time(self) -> Index {
        match self {
            When::Time(index) => index,
            When::Row(back) => panic!("row {back} back on a clock without rows"),
        }
    }
}
