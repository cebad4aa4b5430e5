//! Regular time: the points `offset + k·period`.
//!
//! A regular stream stores no time stamps. Its row k, any integer, is stamped `offset + k·period`;
//! row 0 is never "the first row of the data", so two streams on one grid agree on every k.
//!
//! ```
//! use tilt_exec::Grid;
//! let minutes = Grid::new(60_000_000_000, 0).unwrap();
//! assert_eq!(minutes.row_at_or_before(-1), -1); // one nanosecond before the epoch: row -1
//! assert_eq!(minutes.row_of(120_000_000_000), Some(2));
//! assert_eq!(minutes.row_of(120_000_000_001), None);
//! assert_eq!(minutes.to_string(), "every 1m");
//! ```

use std::fmt;

use crate::time::DurationText;

/// A grid of time points, in nanoseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    period: i64,
    offset: i64,
}

impl Grid {
    /// The grid of the points `offset + k·period`; `None` unless `period` is positive.
    pub fn new(period: i64, offset: i64) -> Option<Grid> {
        (period > 0).then_some(Grid { period, offset })
    }

    /// Nanoseconds from one point to the next: positive.
    pub fn period(self) -> i64 {
        self.period
    }

    /// The time of row 0.
    pub fn offset(self) -> i64 {
        self.offset
    }

    /// The last row stamped at `time` or before it. Rounds down, for negative times too; saturates.
    pub fn row_at_or_before(self, time: i64) -> i64 {
        match time.checked_sub(self.offset) {
            Some(distance) => distance.div_euclid(self.period),
            None => clamp(self.distance(time).div_euclid(i128::from(self.period))),
        }
    }

    /// The first row stamped at `time` or after it. Saturates.
    pub fn row_at_or_after(self, time: i64) -> i64 {
        let period = i128::from(self.period);
        clamp(-(-self.distance(time)).div_euclid(period))
    }

    /// The row stamped exactly `time`, if the grid has that point.
    pub fn row_of(self, time: i64) -> Option<i64> {
        let row = self.row_at_or_before(time);
        (self.stamp(row) == Some(time)).then_some(row)
    }

    /// The time of a row, or `None` if it lies outside the 64-bit range of times.
    pub fn stamp(self, row: i64) -> Option<i64> {
        row.checked_mul(self.period)
            .and_then(|span| span.checked_add(self.offset))
            .or_else(|| {
                let wide = i128::from(row) * i128::from(self.period) + i128::from(self.offset);
                i64::try_from(wide).ok()
            })
    }

    fn distance(self, time: i64) -> i128 {
        i128::from(time) - i128::from(self.offset)
    }
}

fn clamp(row: i128) -> i64 {
    row.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "every {}", DurationText(self.period))?;
        if self.offset != 0 {
            write!(f, " offset {}", DurationText(self.offset))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_round_down_on_both_sides_of_zero() {
        let grid = Grid::new(100, 0).unwrap();
        assert_eq!(grid.row_at_or_before(-101), -2);
        assert_eq!(grid.row_at_or_before(-100), -1);
        assert_eq!(grid.row_at_or_before(99), 0);
        assert_eq!(grid.row_at_or_after(-101), -1);
        assert_eq!(grid.row_at_or_after(1), 1);
        assert_eq!(grid.row_at_or_after(100), 1);
    }

    #[test]
    fn offsets_of_either_sign_name_the_same_points_by_other_rows() {
        let late = Grid::new(10, 3).unwrap();
        let early = Grid::new(10, -7).unwrap();
        assert_eq!(late.row_of(13), Some(1));
        assert_eq!(early.row_of(13), Some(2));
    }

    #[test]
    fn the_ends_of_time_do_not_overflow() {
        let grid = Grid::new(1, i64::MAX).unwrap();
        assert_eq!(grid.row_at_or_before(i64::MIN), i64::MIN);
        assert_eq!(grid.stamp(1), None);
        let seconds = Grid::new(1_000_000_000, 0).unwrap();
        let last = seconds.row_at_or_before(i64::MAX);
        assert_eq!(seconds.stamp(last), Some(9_223_372_036_000_000_000));
        assert_eq!(seconds.stamp(last + 1), None);
        // the product overflows, the sum does not
        let wide = Grid::new(i64::MAX, -i64::MAX).unwrap();
        assert_eq!(wide.stamp(2), Some(i64::MAX));
    }

    #[test]
    fn a_period_is_positive() {
        assert_eq!(Grid::new(0, 0), None);
        assert_eq!(Grid::new(-5, 0), None);
    }
}
