//! Time and grids. Time is a signed 64-bit count of nanoseconds; a grid is the stamps `offset + k·period`.

use std::fmt;

/// The stamps `offset + k·period` for every integer `k` (nanoseconds).
///
/// ```
/// use tilt_ir::Grid;
/// let daily = Grid { period: 10, offset: 3 };
/// assert_eq!((daily.row_at(-8), daily.stamp(-2)), (-2, Some(-17)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid {
    /// Distance between two stamps, in nanoseconds; positive.
    pub period: i64,
    /// The stamp of row 0, in nanoseconds; any sign, in canonical form `0 ≤ offset < period`.
    pub offset: i64,
}

impl Grid {
    /// The grid of this period through `offset`, in canonical form (`0 ≤ offset < period`).
    pub fn new(period: i64, offset: i64) -> Grid {
        Grid { period, offset: offset.rem_euclid(period) }
    }
    /// The last row stamped at or before `time` (rounds down, for negative times too).
    pub fn row_at(self, time: i64) -> i64 {
        clamp((time as i128 - self.offset as i128).div_euclid(self.period as i128))
    }
    /// The first row stamped at or after `time`.
    pub fn row_from(self, time: i64) -> i64 {
        clamp(-(self.offset as i128 - time as i128).div_euclid(self.period as i128))
    }
    /// The stamp of `row`; `None` beyond the range of time.
    pub fn stamp(self, row: i64) -> Option<i64> {
        i64::try_from(self.offset as i128 + row as i128 * self.period as i128).ok()
    }
    /// Whether `time` is one of the stamps.
    pub fn has(self, time: i64) -> bool {
        (time as i128 - self.offset as i128).rem_euclid(self.period as i128) == 0
    }
}

fn clamp(row: i128) -> i64 {
    row.clamp(i64::MIN as i128, i64::MAX as i128) as i64
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "every {}ns offset {}ns", self.period, self.offset)
    }
}
