//! Which grouping a reduction gets: from the query and the schema alone, never from data, pieces or threads.
//!
//! | window | grouping |
//! |---|---|
//! | sees captured values, or does not overlap the next one, or overlaps it less than [`OVERLAP`] times | `lanes64` |
//! | constant count of rows | `doubling` |
//! | any other, on grids | `blocks`, cut where a `floor`/`ceil` bound falls, else every so many rows as a window can have |
//! | any other, of or at events | `time_blocks`, likewise |

use super::{Base, Clock, Frame, Grouping, Window};
use crate::Grid;

/// Windows that share each row with at most this many others are summed one by one: `doubling` would cost more.
pub const OVERLAP: i64 = 4;

impl Window {
    /// How many rows of `rows` every window has, seen from the stamps of `at`, if they all have the same number.
    pub fn constant_count(self, at: Grid, rows: Grid) -> Option<u64> {
        let span = self.to.shift as i128 - self.from.shift as i128;
        let moves_by = match (self.from.base, self.to.base) {
            (Base::Now, Base::Now) => at.period,
            (Base::Floor(p), Base::Floor(q)) | (Base::Ceil(p), Base::Ceil(q)) if p == q => p,
            _ => return None,
        };
        if span.rem_euclid(rows.period as i128) != 0 && moves_by % rows.period != 0 {
            return None;
        }
        let range = self.rows(rows, at.offset as i128);
        u64::try_from(range.end.saturating_sub(range.start).max(0)).ok()
    }

    /// Blocks of time that cut every window in few parts.
    fn time_blocks(self) -> Grouping {
        /// A window has at most about this many whole blocks.
        const BLOCKS: i128 = 64;
        let span = self.to.shift as i128 - self.from.shift as i128;
        let cut = [self.from, self.to].into_iter().find_map(|index| match index.base {
            Base::Now => None,
            Base::Floor(period) | Base::Ceil(period) => Some((period as i128, index.shift as i128)),
        });
        let (length, origin) = match cut {
            None => (span, 0),
            Some((period, shift)) => (period * (span.div_euclid(period * BLOCKS) + 1), shift),
        };
        let length = length.clamp(1, i64::MAX as i128);
        Grouping::TimeBlocks { length: length as i64, origin: origin.rem_euclid(length) as i64 }
    }

    /// The longest span of a window and the least distance between two different windows, in nanoseconds.
    fn span_and_step(self, at: Grid) -> (i128, i128) {
        let span = self.to.shift as i128 - self.from.shift as i128;
        match (self.from.base, self.to.base) {
            (Base::Now, Base::Now) => (span, at.period as i128),
            (Base::Floor(p), Base::Floor(q)) | (Base::Ceil(p), Base::Ceil(q)) if p == q => (span, p as i128),
            (Base::Floor(p), Base::Ceil(q)) if p == q => (span + p as i128, p as i128),
            (from, to) => {
                let reach = |base| match base {
                    Base::Now => 0,
                    Base::Floor(p) | Base::Ceil(p) => p as i128,
                };
                (span + reach(from) + reach(to), at.period as i128)
            }
        }
    }
}

impl Grouping {
    /// The grouping of a reduction over the rows of `rows` in `frame`, seen from the rows of `at`.
    ///
    /// ```
    /// use tilt_ir::{Grid, entity::Entity, tir::{Clock, Frame, Grouping, Index, Input, Window}};
    /// let trades = Clock::Events(vec![Input::new(0)]);
    /// let window = Frame::Time(Window { from: Index::now(-20), to: Index::NOW });
    /// assert_eq!(Grouping::of(window, &trades, &trades, false), Grouping::TimeBlocks { length: 20, origin: 0 });
    /// assert_eq!(Grouping::of(window, &Clock::Grid(Grid::new(20, 0)), &trades, false), Grouping::Lanes64);
    /// assert_eq!(Grouping::of(Frame::Last(50), &trades, &trades, false), Grouping::Doubling { count: 50 });
    /// ```
    pub fn of(frame: Frame, at: &Clock, rows: &Clock, has_captures: bool) -> Grouping {
        let window = match frame {
            _ if has_captures || *rows == Clock::Continuous => return Grouping::Lanes64,
            Frame::Last(0..=1) => return Grouping::Lanes64,
            Frame::Last(count) => return Grouping::Doubling { count },
            Frame::Time(window) => window,
        };
        match (at.grid(), rows.grid()) {
            (Some(at), Some(rows)) => return Grouping::choose(window, at, rows, false),
            (Some(at), None) => {
                let (span, step) = window.span_and_step(at);
                if span <= step * OVERLAP as i128 {
                    return Grouping::Lanes64;
                }
            }
            (None, _) => {}
        }
        window.time_blocks()
    }

    /// The grouping of a reduction over the rows of `rows` in `window`, seen from the stamps of `at`.
    ///
    /// ```
    /// use tilt_ir::{Grid, tir::{Grouping, Index, Window}};
    /// let second = Grid::new(1, 0);
    /// let last = |n: i64| Window { from: Index::now(-n), to: Index::NOW };
    /// assert_eq!(Grouping::choose(last(20), second, second, false), Grouping::Doubling { count: 20 });
    /// assert_eq!(Grouping::choose(last(20), Grid::new(20, 0), second, false), Grouping::Lanes64);
    /// ```
    pub fn choose(window: Window, at: Grid, rows: Grid, has_captures: bool) -> Grouping {
        let (span, step) = window.span_and_step(at);
        let step = step.max(rows.period as i128);
        if has_captures || span <= step {
            return Grouping::Lanes64;
        }
        if let Some(count) = window.constant_count(at, rows) {
            let hop = at.period / rows.period;
            return if count <= 1 || (hop > 1 && span <= step * OVERLAP as i128) {
                Grouping::Lanes64
            } else {
                Grouping::Doubling { count }
            };
        }
        let cut = [window.from, window.to].into_iter().find_map(|index| match index.base {
            Base::Now => None,
            Base::Floor(period) | Base::Ceil(period) => Some((period as i128, index.row(rows, 0) + 1)),
        });
        let (length, origin) = cut.unwrap_or((span + rows.period as i128 - 1, 0));
        let length = (length / rows.period as i128).clamp(1, i64::MAX as i128);
        Grouping::Blocks { rows: length as u64, origin: origin.rem_euclid(length) as i64 }
    }
}
