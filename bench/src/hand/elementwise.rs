//! select, where, join: one row in, one row out.

use std::ops::Range;

use super::{Chunk, Series, versions};

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

versions! {
    /// `x > 0`, as the bitmap of the rows that stay. The values are the input's: nothing is copied.
    positive = positive_rows
}

#[inline(always)]
fn positive_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    pack(out.bits, &inputs[0].values[rows], |x| *x > 0.0);
}

/// A bit for each value.
#[inline(always)]
fn pack<T>(words: &mut [u64], values: &[T], bit: impl Fn(&T) -> bool) {
    for (word, values) in words.iter_mut().zip(values.chunks(64)) {
        let mut bytes = [0u8; 64];
        for (byte, value) in bytes.iter_mut().zip(values) {
            *byte = u8::from(bit(value));
        }
        *word = (0..8).fold(0, |word, k| {
            let eight = bytes[k * 8..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            // the low bits of eight bytes, side by side
            word | (eight.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (k * 8)
        });
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

versions! {
    /// `l + r`, what is missing counting as 0.
    outer_join = outer_join_rows
}

#[inline(always)]
fn outer_join_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let [left, right] = [inputs[0], inputs[1]];
    for (row, sums) in rows.step_by(64).zip(out.f32s.chunks_mut(64)) {
        let (l, r) = (&left.values[row..], &right.values[row..]);
        let (in_left, in_right) = (left.word(row), right.word(row));
        for (k, y) in sums.iter_mut().enumerate() {
            let l = if in_left >> k & 1 == 1 { l[k] } else { 0.0 };
            let r = if in_right >> k & 1 == 1 { r[k] } else { 0.0 };
            *y = l + r;
        }
    }
}
