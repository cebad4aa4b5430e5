//! Cursors: for each of a rising sequence of times, the row of a sorted sequence of stamps that it belongs to.
//!
//! ```
//! use tilt_exec::ops::{Hold, NONE, rows_holding};
//! let quotes = [10, 20, 20, 40];
//! let at = |hold| rows_holding(&quotes, hold, [5, 20, 39, 40, 99].into_iter().map(i128::from));
//! assert_eq!(at(Hold::UntilNext), [NONE, 2, 2, 3, 3]);
//! assert_eq!(at(Hold::For(20)), [NONE, 2, 2, 3, NONE]);
//! assert_eq!(at(Hold::Point), [NONE, 2, NONE, 3, NONE]);
//! ```
//!
//! A cursor starts by binary search and walks from there: some steps, then leaps of twice the length each. Times are in 128
//! bits, so that none overflows.

/// The number of no row.
pub const NONE: i64 = -1;

/// How long a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// At its own stamp only.
    Point,
    /// Until the next row.
    UntilNext,
    /// Until the next row, but less than this many nanoseconds.
    For(i64),
}

/// The first place in `from..end` that is not `before`, where those that are come first.
#[inline]
pub(super) fn advance(from: usize, end: usize, before: impl Fn(usize) -> bool) -> usize {
    let mut at = from;
    for _ in 0..8 {
        if at >= end || !before(at) {
            return at;
        }
        at += 1;
    }
    leap(at, end, before)
}

#[inline(never)]
fn leap(mut at: usize, end: usize, before: impl Fn(usize) -> bool) -> usize {
    let mut step = 8;
    while at + step < end && before(at + step) {
        at += step + 1;
        step *= 2;
    }
    // the answer is in at..=at + step
    let mut size = step.min(end - at);
    while size > 0 {
        let half = size / 2;
        if before(at + half) {
            at += half + 1;
            size -= half + 1;
        } else {
            size = half;
        }
    }
    at
}

/// Walks over sorted stamps.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    stamps: &'a [i64],
    /// The first row stamped after the last time asked for.
    next: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor that starts near `time`.
    pub fn new(stamps: &'a [i64], time: i128) -> Cursor<'a> {
        Cursor { stamps, next: stamps.partition_point(|stamp| i128::from(*stamp) <= time) }
    }

    /// How many rows are stamped at or before `time`, which is not less than any time before.
    #[inline]
    pub fn until(&mut self, time: i64) -> usize {
        let stamps = self.stamps;
        self.next = advance(self.next, stamps.len(), |row| stamps[row] <= time);
        self.next
    }

    /// [`Cursor::until`] of any time.
    #[inline]
    pub fn until_wide(&mut self, time: i128) -> usize {
        match i64::try_from(time) {
            Ok(time) => self.until(time),
            Err(_) if time < 0 => 0,
            Err(_) => {
                self.next = self.stamps.len();
                self.next
            }
        }
    }

    /// The last row stamped at or before `time`, or [`NONE`].
    #[inline]
    pub fn last(&mut self, time: i64) -> i64 {
        self.until(time) as i64 - 1
    }
}

/// How many of the stamps are at or before each of the rising times.
pub fn rows_until(stamps: &[i64], times: impl Iterator<Item = i128>) -> Vec<i64> {
    let mut times = times.peekable();
    let mut cursor = Cursor::new(stamps, times.peek().copied().unwrap_or(0));
    times.map(|time| cursor.until_wide(time) as i64).collect()
}

/// The row that holds at each of the rising times: the last one stamped at or before it, if that one still holds.
pub fn rows_holding(stamps: &[i64], hold: Hold, times: impl Iterator<Item = i128>) -> Vec<i64> {
    let mut times = times.peekable();
    let mut cursor = Cursor::new(stamps, times.peek().copied().unwrap_or(0));
    let held = |time: i128| {
        let row = cursor.until_wide(time).checked_sub(1)?;
        let age = time - i128::from(stamps[row]);
        let holds = match hold {
            Hold::Point => age == 0,
            Hold::UntilNext => true,
            Hold::For(length) => age < i128::from(length),
        };
        holds.then_some(row as i64)
    };
    let mut held = held;
    times.map(|time| held(time).unwrap_or(NONE)).collect()
}

/// The rows of two sorted sequences of stamps, joined as of: for each of `times` shifted by `shift` the last row stamped at or
/// before it. The common case of [`rows_holding`], as fast as a loop written by hand.
pub fn rows_as_of(stamps: &[i64], times: &[i64], shift: i64, rows: &mut Vec<i64>) {
    let shifted = |time: i64| i128::from(time) + i128::from(shift);
    let mut cursor = Cursor::new(stamps, times.first().map_or(0, |time| shifted(*time)));
    rows.clear();
    if shift != 0 {
        rows.extend(times.iter().map(|time| cursor.until_wide(shifted(*time)) as i64 - 1));
        return;
    }
    let mut next = cursor.next;
    rows.extend(times.iter().map(|time| {
        if next < stamps.len() && stamps[next] <= *time {
            next = advance(next + 1, stamps.len(), |row| stamps[row] <= *time);
        }
        next as i64 - 1
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_last_row_until_each_time(
            stamps in prop::collection::vec(0i64..300, 0..200),
            times in prop::collection::vec(-5i64..310, 0..50),
            shift in -20i64..20,
            length in 1i64..10,
        ) {
            let (mut stamps, mut times) = (stamps, times);
            stamps.sort();
            times.sort();
            let naive = |time: i64| stamps.iter().rposition(|stamp| *stamp <= time).map_or(NONE, |row| row as i64);
            let mut rows = Vec::new();
            for shift in [0, shift] {
                rows_as_of(&stamps, &times, shift, &mut rows);
                prop_assert_eq!(&rows, &times.iter().map(|time| naive(time + shift)).collect::<Vec<_>>());
            }
            let wide = || times.iter().map(|time| i128::from(*time));
            let age = |row: i64, time: i64| time - stamps.get(row as usize).copied().unwrap_or(i64::MIN / 2);
            let held = |most: i64| -> Vec<i64> {
                times.iter().map(|time| Some(naive(*time)).filter(|row| age(*row, *time) < most).unwrap_or(NONE)).collect()
            };
            prop_assert_eq!(rows_holding(&stamps, Hold::Point, wide()), held(1));
            prop_assert_eq!(rows_holding(&stamps, Hold::For(length), wide()), held(length));
            prop_assert_eq!(rows_holding(&stamps, Hold::UntilNext, wide()), held(i64::MAX));
            let until: Vec<i64> = times.iter().map(|time| naive(*time) + 1).collect();
            prop_assert_eq!(rows_until(&stamps, wide()), until);
            let values: Vec<f64> = stamps.iter().map(|stamp| *stamp as f64).collect();
            let values = crate::ops::Values { data: crate::ops::Data::F64(&values), valid: None };
            rows_as_of(&stamps, &times, 0, &mut rows);
            prop_assert_eq!(crate::ops::gather_as_of(values, &stamps, &times), crate::ops::gather(values, &rows));
        }
    }

    #[test]
    fn ends_of_time() {
        let stamps = [i64::MIN, 0, i64::MAX];
        let times = [i128::from(i64::MIN) - 1, i64::MIN.into(), i64::MAX.into(), i128::from(i64::MAX) + 5];
        assert_eq!(rows_until(&stamps, times.into_iter()), [0, 1, 3, 3]);
        assert_eq!(rows_holding(&stamps, Hold::For(i64::MAX), times.into_iter()), [NONE, 0, 2, 2]);
    }
}
