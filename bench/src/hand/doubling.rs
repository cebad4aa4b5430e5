//! Sliding windows by doubling, portably: block by block in the first-level cache.
//!
//! `S₁` is the row's term and `S₂ₘ(k) = Sₘ(k−m) ⊕ Sₘ(k)`; a window of 50 rows is `S₃₂(k−18) ⊕ S₁₆(k−2) ⊕ S₂(k)`. One pass over a
//! block for each doubling: every pass is a plain vector loop.

use std::ops::Range;

/// Rows of a block.
const BLOCK: usize = 512;

/// Gives to `emit` each row of `rows` with the window of `COUNT` rows that ends there.
///
/// `leaf` is asked for rows before the first one, too: there it gives what changes nothing.
#[inline(always)]
pub fn windows<const COUNT: usize, T: Copy>(
    rows: Range<usize>,
    leaf: impl Fn(isize) -> T,
    combine: impl Fn(T, T) -> T,
    mut emit: impl FnMut(usize, T),
) {
    let back = COUNT - 1;
    let top = COUNT.ilog2() as usize;
    let mut levels: Vec<Vec<T>> = vec![Vec::with_capacity(BLOCK + back); top + 1];
    for start in rows.clone().step_by(BLOCK) {
        let len = BLOCK.min(rows.end - start) + back;
        let first = start as isize - back as isize;
        levels[0].clear();
        levels[0].extend((0..len).map(|k| leaf(first + k as isize)));
        for level in 1..=top {
            let half = 1 << (level - 1);
            let (below, this) = levels.split_at_mut(level);
            let (below, this) = (&below[level - 1], &mut this[0]);
            this.clear();
            // the first rows lack their past; no window uses them
            this.extend_from_slice(&below[..half.min(len)]);
            let pairs = below.iter().zip(&below[half.min(len)..]);
            this.extend(pairs.map(|(earlier, later)| combine(*earlier, *later)));
        }
        for k in back..len {
            let mut left = COUNT;
            let mut total: Option<T> = None;
            for level in (0..=top).rev().filter(|level| COUNT >> level & 1 == 1) {
                left -= 1 << level;
                let piece = levels[level][k - left];
                total = Some(total.map_or(piece, |total| combine(total, piece)));
            }
            if let Some(total) = total {
                emit(start + k - back, total);
            }
        }
    }
}

/// As [`windows`], of sums.
#[inline(always)]
pub fn sums<const COUNT: usize>(
    rows: Range<usize>,
    leaf: impl Fn(isize) -> f32,
    emit: impl FnMut(usize, f32),
) {
    windows::<COUNT, f32>(rows, leaf, |earlier, later| earlier + later, emit);
}

/// Sets or clears a row's bit.
#[inline(always)]
pub(crate) fn put_bit(words: &mut [u64], row: usize, bit: bool) {
    let word = &mut words[row / 64];
    *word = *word & !(1 << (row % 64)) | u64::from(bit) << (row % 64);
}
