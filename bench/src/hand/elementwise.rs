//! select, where, join: one row in, one row out.

use std::ops::Range;

use super::{Chunk, Series, edges_apart, versions};

versions! {
    /// `x + 3`. What is missing stays missing: the bitmap is copied.
    select = select_rows
}

#[inline(always)]
fn select_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    for (y, x) in out.f32s.iter_mut().zip(&inputs[0].values[rows.clone()]) {
        *y = x + 3.0;
    }
    for (word, row) in out.valid.iter_mut().zip(rows.step_by(64)) {
        *word = inputs[0].word(row);
    }
}

/// `x > 0`, as the bitmap of the rows that stay. The values are the input's: nothing is copied.
pub fn positive(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    if super::has_wide_vectors() {
        return edges_apart(inputs, rows, out, positive_anywhere, |inputs, rows, out| {
            // SAFETY: the processor has these instructions.
            unsafe { wide::positive(&inputs[0].values[rows], out.bits) }
        });
    }
    positive_anywhere(inputs, rows, out);
}

versions! {
    /// As [`positive`], portably.
    positive_anywhere = positive_rows
}

#[inline(always)]
fn positive_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    for (word, values) in out.bits.iter_mut().zip(inputs[0].values[rows].chunks(64)) {
        *word = values.iter().rev().fold(0, |word, x| word << 1 | u64::from(*x > 0.0));
    }
}

versions! {
    /// `l + r` where nothing is missing.
    join = join_rows
}

#[inline(always)]
fn join_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let (left, right) = (&inputs[0].values[rows.clone()], &inputs[1].values[rows]);
    for ((y, l), r) in out.f32s.iter_mut().zip(left).zip(right) {
        *y = l + r;
    }
}

/// `l + r`, what is missing counting as 0.
pub fn outer_join(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    if super::has_wide_vectors() {
        return edges_apart(inputs, rows, out, outer_join_anywhere, |inputs, rows, out| {
            // SAFETY: the processor has these instructions.
            unsafe { wide::outer_join(inputs[0], inputs[1], rows, out.f32s) }
        });
    }
    outer_join_anywhere(inputs, rows, out);
}

versions! {
    /// As [`outer_join`], portably.
    outer_join_anywhere = outer_join_rows
}

#[inline(always)]
fn outer_join_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let [left, right] = [inputs[0], inputs[1]];
    let or_zero = |x: Series<'_>, row: usize| if x.has(row as isize) { x.values[row] } else { 0.0 };
    for (y, row) in out.f32s.iter_mut().zip(rows) {
        *y = or_zero(left, row) + or_zero(right, row);
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::{arch::x86_64::*, ops::Range};

    use crate::hand::{
        Series,
        wide::{load, quarters, store},
    };

    #[target_feature(enable = "avx512f")]
    pub(super) fn positive(x: &[f32], bits: &mut [u64]) {
        let zero = _mm512_setzero_ps();
        for (word, x) in bits.iter_mut().zip(x.chunks_exact(64)) {
            let above = |k: usize| u64::from(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(load(x, 16 * k), zero));
            *word = above(0) | above(1) << 16 | above(2) << 32 | above(3) << 48;
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn outer_join(left: Series<'_>, right: Series<'_>, rows: Range<usize>, out: &mut [f32]) {
        for (sums, row) in out.chunks_exact_mut(64).zip(rows.step_by(64)) {
            let (l, r) = (&left.values[row..row + 64], &right.values[row..row + 64]);
            let (in_left, in_right) = (quarters(left.word(row)), quarters(right.word(row)));
            for k in 0..4 {
                let l = _mm512_maskz_mov_ps(in_left[k], load(l, 16 * k));
                let r = _mm512_maskz_mov_ps(in_right[k], load(r, 16 * k));
                store(sums, 16 * k, _mm512_add_ps(l, r));
            }
        }
    }
}
