//! `lanes64`: 64 partial results by position in the window, then a fixed tree.

use super::{
    terms::Terms,
    windows::{Live, Windows},
};

/// One window: the rows `live`, the first of which is at position `phase` of the window (mod 64).
pub(super) fn lanes<T: Terms>(terms: &T, live: Live, phase: usize) -> T::State {
    let Live { start, end } = live;
    if start == end {
        return T::NOTHING;
    }
    // positions past the last one are nothing, so the tree starts where there is something
    let used = (phase + (end - start)).min(64);
    let mut lanes = [T::NOTHING; 64];
    let head = (64 - phase).min(end - start);
    for (lane, row) in lanes[phase..phase + head].iter_mut().zip(start..) {
        *lane = terms.leaf(row);
    }
    let mut row = start + head;
    while row + 64 <= end {
        for (lane, row) in lanes.iter_mut().zip(row..row + 64) {
            *lane = T::merge(*lane, terms.leaf(row));
        }
        row += 64;
    }
    for (lane, row) in lanes.iter_mut().zip(row..end) {
        *lane = T::merge(*lane, terms.leaf(row));
    }
    let mut half = used.next_power_of_two() / 2;
    while half > 0 {
        let (low, high) = lanes.split_at_mut(half);
        low.iter_mut().zip(high).for_each(|(a, b)| *a = T::merge(*a, *b));
        half /= 2;
    }
    lanes[0]
}

/// All windows; `put` gets each window's number and result.
pub(super) fn all<T: Terms>(
    terms: &T,
    windows: &Windows<'_>,
    (first, len): (i64, usize),
    put: &mut impl FnMut(usize, T::State),
) {
    for k in 0..windows.len() {
        let live = windows.live(k, first, len);
        let skipped = windows.skipped.map_or(0, |skipped| skipped[k]);
        let phase = first.wrapping_add(live.start as i64).wrapping_sub(windows.lo[k]).wrapping_add(skipped)
            as u64
            % 64;
        put(k, lanes(terms, live, phase as usize));
    }
}
