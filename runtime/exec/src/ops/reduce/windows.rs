//! The rows of a stream that are there, and which of them each window has.

use tilt_ir::{Grid, tir::Window};

use crate::ops::Values;

/// When rows are stamped.
#[derive(Clone, Copy, Debug)]
pub enum Stamps<'a> {
    /// Row k at point k of a grid.
    Grid(Grid),
    /// As these say, one for each row that is there.
    Events(&'a [i64]),
}

/// The rows `first .. first + len` of a stream. Rows outside are φ.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The number of the first row.
    pub first: i64,
    /// The value of each row.
    pub values: Values<'a>,
    /// The second value of each row, of reducers that take two.
    pub second: Option<Values<'a>>,
    /// When the rows are stamped.
    pub stamps: Stamps<'a>,
}

/// Window k has the rows `lo[k]..hi[k]`, whether they are there or not. Neither bound ever falls.
#[derive(Clone, Copy, Debug)]
pub struct Windows<'a> {
    /// The first row of each window.
    pub lo: &'a [i64],
    /// The row after the last of each window; not less than `lo`.
    pub hi: &'a [i64],
    /// Of windows of time: which, and the times that they are seen from. `time_blocks` are cut by these.
    pub times: Option<(Window, &'a [i64])>,
    /// How many rows each window has before `lo` that are not there; without it none. Only their number matters to `lanes64`.
    pub skipped: Option<&'a [i64]>,
}

/// The rows of one window that are there, counted from the first one that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Live {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Rows<'_> {
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// When a row that is there is stamped; at the ends of time the end.
    pub(super) fn stamp(&self, place: usize) -> i64 {
        match self.stamps {
            Stamps::Events(stamps) => stamps[place],
            Stamps::Grid(grid) => {
                let row = i128::from(self.first) + place as i128;
                let time = i128::from(grid.offset) + row * i128::from(grid.period);
                time.clamp(i64::MIN.into(), i64::MAX.into()) as i64
            }
        }
    }
}

impl Windows<'_> {
    /// How many windows there are.
    pub(in crate::ops) fn len(&self) -> usize {
        self.lo.len()
    }

    /// Those rows of window `k` that are among the `len` rows from `first` on.
    #[inline]
    pub(super) fn live(&self, k: usize, first: i64, len: usize) -> Live {
        let place = |row: i64| row.saturating_sub(first).clamp(0, len as i64) as usize;
        let start = place(self.lo[k]);
        Live { start, end: place(self.hi[k]).max(start) }
    }
}

/// Something that rows enter and leave.
pub(super) trait Sliding {
    fn enter(&mut self, row: usize);
    fn leave(&mut self, row: usize);
    /// One row leaves, another one enters.
    #[inline]
    fn exchange(&mut self, old: usize, new: usize) {
        self.leave(old);
        self.enter(new);
    }
}

/// Lets the rows of each window in, and those out that are no longer in it.
pub(super) fn slide<S: Sliding>(
    state: &mut S,
    windows: &Windows<'_>,
    (first, len): (i64, usize),
    mut put: impl FnMut(usize, &mut S),
) {
    let mut last = Live { start: 0, end: 0 };
    for k in 0..windows.len() {
        let live = windows.live(k, first, len);
        if live.start == last.start + 1 && live.end == last.end + 1 && live.start <= last.end {
            state.exchange(last.start, last.end);
        } else {
            (last.start..live.start.min(last.end)).for_each(|row| state.leave(row));
            (live.start.max(last.end)..live.end).for_each(|row| state.enter(row));
        }
        last = live;
        put(k, state);
    }
}
