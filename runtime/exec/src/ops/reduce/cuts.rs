//! Where windows are cut in blocks.

use tilt_ir::tir::{Base, Index, Window};

use super::windows::{Live, Rows, Windows};
use crate::ops::cursor::advance;

/// The end of a window's part in its first block.
pub(super) enum Cut {
    /// All of the window is in one block.
    Inside,
    /// The first row of a later block (or one before which nothing of the window is).
    At(usize),
}

/// How rows are cut in blocks. Rows are counted from the first one that is there.
pub(super) trait Cuts {
    /// The cut of window `k`, whose rows `live` are there. Windows come in order.
    fn first(&mut self, k: usize, live: Live) -> Cut;
    /// The first row after the block of a row (at most the number of rows).
    fn block_end(&mut self, row: usize) -> usize;
}

/// Blocks of `rows` rows; row `origin` is the first of one.
pub(super) struct RowCuts<'a> {
    windows: &'a Windows<'a>,
    first: i64,
    len: usize,
    rows: i128,
    origin: i128,
    /// The rows of the block that was asked for last.
    start: i128,
    end: i128,
}

impl<'a> RowCuts<'a> {
    pub(super) fn new(
        windows: &'a Windows<'a>,
        (first, len): (i64, usize),
        rows: u64,
        origin: i64,
    ) -> RowCuts<'a> {
        let rows = i128::from(rows.max(1));
        RowCuts { windows, first, len, rows, origin: origin.into(), start: 0, end: 0 }
    }

    /// The first row after the block of a row, by their numbers.
    fn end_of(&mut self, row: i128) -> i128 {
        if !(self.start..self.end).contains(&row) {
            self.start = (row - self.origin).div_euclid(self.rows) * self.rows + self.origin;
            self.end = self.start + self.rows;
        }
        self.end
    }

    fn place(&self, row: i128) -> usize {
        (row - i128::from(self.first)).clamp(0, self.len as i128) as usize
    }
}

impl Cuts for RowCuts<'_> {
    fn first(&mut self, k: usize, _: Live) -> Cut {
        let end = self.end_of(self.windows.lo[k].into());
        if i128::from(self.windows.hi[k]) <= end { Cut::Inside } else { Cut::At(self.place(end)) }
    }

    fn block_end(&mut self, row: usize) -> usize {
        let row = i128::from(self.first) + row as i128;
        let block = (row - self.origin).div_euclid(self.rows);
        self.place((block + 1) * self.rows + self.origin)
    }
}

/// Blocks of `length` ns, one of which begins after time `origin`.
pub(super) struct TimeCuts<'a> {
    rows: &'a Rows<'a>,
    times: Option<(Window, &'a [i64])>,
    length: i128,
    origin: i128,
    /// The times of the block that was asked for last, from the first one (included) to the last one.
    first: i128,
    last: i128,
    /// No row before this one is after that block.
    cut: usize,
}

impl<'a> TimeCuts<'a> {
    pub(super) fn new(rows: &'a Rows<'a>, windows: &Windows<'a>, length: i64, origin: i64) -> TimeCuts<'a> {
        let (length, origin) = (i128::from(length.max(1)), i128::from(origin));
        TimeCuts { rows, times: windows.times, length, origin, first: 0, last: -1, cut: 0 }
    }

    fn last_of(&self, time: i128) -> i128 {
        (time - self.origin - 1).div_euclid(self.length) * self.length + self.length + self.origin
    }

    /// The first row from `from` on that is stamped after `time`.
    fn after(&self, from: usize, time: i128) -> usize {
        advance(from, self.rows.len(), |row| i128::from(self.rows.stamp(row)) <= time)
    }
}

/// [`Index::at`], quickly where nothing is to be divided.
#[inline]
fn at(index: Index, time: i64) -> i128 {
    match index.base {
        Base::Now => i128::from(time) + i128::from(index.shift),
        Base::Floor(_) | Base::Ceil(_) => index.at(time.into()),
    }
}

impl Cuts for TimeCuts<'_> {
    fn first(&mut self, k: usize, live: Live) -> Cut {
        let (from, to) = match self.times {
            Some((window, times)) => (at(window.from, times[k]), at(window.to, times[k])),
            None => (i128::from(self.rows.stamp(live.start)) - 1, self.rows.stamp(live.end - 1).into()),
        };
        if !(self.first..=self.last).contains(&(from + 1)) {
            self.last = self.last_of(from + 1);
            self.first = self.last - self.length + 1;
            self.cut = self.after(live.start, self.last);
        }
        if to <= self.last { Cut::Inside } else { Cut::At(self.cut) }
    }

    fn block_end(&mut self, row: usize) -> usize {
        self.after(row, self.last_of(self.rows.stamp(row).into()))
    }
}
