//! Pairs of an outer row and a row of its window.

use tilt_ir::tir::Frame;

use super::ranges::ranges;
use crate::engine::{
    schedule::ClockId,
    unit::{Pairs, Unit},
};

/// More pairs than this are not worth the memory.
const MOST: usize = 1 << 28;

/// The pairs of the outer rows `first..` with these stamps; `None` if there are too many.
pub(in crate::engine) fn pairs(
    unit: &Unit<'_>,
    (outer, rows, frame): (ClockId, ClockId, Frame),
    first: i64,
    stamps: &[i64],
) -> Option<Pairs> {
    let (lo, hi) = ranges(unit, rows, frame, (outer, first), stamps);
    let mut offsets = Vec::with_capacity(lo.len() + 1);
    let mut inner = Vec::new();
    let skipped = lo.iter().zip(&hi).map(|(lo, hi)| match frame {
        Frame::Time(_) => 0,
        Frame::Last(count) => i64::try_from(count).unwrap_or(i64::MAX) - (hi - lo),
    });
    let skipped = skipped.collect();
    offsets.push(0);
    for (lo, hi) in lo.into_iter().zip(hi) {
        let count = usize::try_from(hi.saturating_sub(lo)).unwrap_or(0);
        if inner.len().checked_add(count)? > MOST {
            return None;
        }
        inner.extend(lo..hi);
        offsets.push(inner.len());
    }
    Some(Pairs { first, offsets, skipped, inner })
}

/// For each pair its outer row.
pub(in crate::engine) fn outer_rows(pairs: &Pairs) -> Vec<i64> {
    let mut rows = Vec::with_capacity(pairs.inner.len());
    for (k, ends) in pairs.offsets.windows(2).enumerate() {
        rows.extend(std::iter::repeat_n(pairs.first + k as i64, ends[1] - ends[0]));
    }
    rows
}
