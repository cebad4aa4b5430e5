//! Reducers whose result does not depend on how terms are grouped: count, integer sums, first and last.

use super::windows::{Live, Windows};
use crate::ops::Bitmap;

/// Sums of integers in 128 bits, by adding what enters a window and taking away what leaves it.
pub(super) struct IntSums<'a, F> {
    /// The value of a row.
    value: F,
    valid: Option<&'a Bitmap>,
    live: Live,
    sum: i128,
}

impl<'a, F: Fn(usize) -> i128> IntSums<'a, F> {
    pub(super) fn new(value: F, valid: Option<&'a Bitmap>) -> IntSums<'a, F> {
        IntSums { value, valid, live: Live { start: 0, end: 0 }, sum: 0 }
    }

    #[inline]
    fn term(&self, row: usize) -> i128 {
        if self.valid.is_none_or(|valid| valid.get(row)) { (self.value)(row) } else { 0 }
    }

    /// The sum of a window that begins and ends no earlier than those before.
    #[inline]
    pub(super) fn slide(&mut self, live: Live) -> i128 {
        if live.start >= self.live.end {
            self.sum = (live.start..live.end).map(|row| self.term(row)).sum();
        } else {
            for row in self.live.end..live.end {
                self.sum += self.term(row);
            }
            for row in self.live.start..live.start {
                self.sum -= self.term(row);
            }
        }
        self.live = live;
        self.sum
    }
}

/// For each window the first row with a value.
pub(super) fn firsts(
    windows: &Windows<'_>,
    (first, len): (i64, usize),
    valid: Option<&Bitmap>,
    put: &mut impl FnMut(usize, Option<usize>),
) {
    let mut known = 0;
    for k in 0..windows.len() {
        let Live { start, end } = windows.live(k, first, len);
        known = known.max(start);
        if let Some(valid) = valid {
            known = valid.next_one(known, end).unwrap_or(known.max(end));
        }
        put(k, (known < end).then_some(known));
    }
}

/// For each window the last row with a value.
pub(super) fn lasts(
    windows: &Windows<'_>,
    (first, len): (i64, usize),
    valid: Option<&Bitmap>,
    put: &mut impl FnMut(usize, Option<usize>),
) {
    // the last value before row `seen`
    let (mut known, mut seen) = (None, 0);
    for k in 0..windows.len() {
        let Live { start, end } = windows.live(k, first, len);
        if end > seen {
            known = match valid {
                None => Some(end - 1),
                Some(valid) => valid.last_one(seen, end).or(known),
            };
            seen = end;
        }
        put(k, known.filter(|row| *row >= start));
    }
}
