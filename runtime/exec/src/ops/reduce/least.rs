//! Least and greatest values, and where they are.
//!
//! Values are compared as integer keys ([`Native::key`](crate::ops::values::Native::key)); for the greatest the keys' bits are
//! turned round. Windows are split in two where the newest half begins: of the rows before there is a table of the least key
//! from each row on, of those after it one running result.

use super::windows::{Live, Windows};
use crate::ops::Bitmap;

/// A key that is not less than any.
const NOTHING: i64 = i64::MAX;

/// The least of `keys` (one for each row; `i64::MAX` where there is no value) in each window.
pub(super) fn keys(keys: &[i64], windows: &Windows<'_>, first: i64, put: &mut impl FnMut(usize, i64)) {
    slide(windows, (first, keys.len()), NOTHING, |row| keys[row], |a, b| a.min(b), put);
}

/// The first row with the least of `keys` in each window, of the rows with a value; `usize::MAX` without.
pub(super) fn rows(
    keys: &[i64],
    valid: Option<&Bitmap>,
    windows: &Windows<'_>,
    first: i64,
    put: &mut impl FnMut(usize, usize),
) {
    let earlier = |a: (i64, usize), b: (i64, usize)| if b < a { b } else { a };
    let nothing = (NOTHING, usize::MAX);
    let leaf = |row: usize| if valid.is_none_or(|valid| valid.get(row)) { (keys[row], row) } else { nothing };
    slide(windows, (first, keys.len()), nothing, leaf, earlier, &mut |k, (_, row)| put(k, row));
}

fn slide<S: Copy>(
    windows: &Windows<'_>,
    (first, len): (i64, usize),
    nothing: S,
    leaf: impl Fn(usize) -> S,
    merge: impl Fn(S, S) -> S,
    put: &mut impl FnMut(usize, S),
) {
    // entry i of the table: rows old + i .. new; `run`: rows new .. end
    let (mut table, mut old, mut new, mut end): (Vec<S>, _, _, _) = (Vec::new(), 0, 0, 0);
    let mut run = nothing;
    for k in 0..windows.len() {
        let live = windows.live(k, first, len);
        if live.start == live.end {
            put(k, nothing);
            continue;
        }
        if live.start >= new {
            table.clear();
            table.resize(live.end - live.start, nothing);
            let mut all = nothing;
            for row in (live.start..live.end).rev() {
                all = merge(leaf(row), all);
                table[row - live.start] = all;
            }
            (old, new, end, run) = (live.start, live.end, live.end, nothing);
        }
        for row in end..live.end {
            run = merge(run, leaf(row));
        }
        end = live.end;
        let Live { start, .. } = live;
        put(k, merge(table[start - old], run));
    }
}
