//! trend: whether the mean of the last 20 rows is above that of the last 50.

use std::ops::Range;

use super::{
    Chunk, Series,
    doubling::{put_bit, sums},
    edges_apart, versions,
};

versions! {
    /// Portably; also the rows at the edges of the data.
    portable = portable_rows
}

#[inline(always)]
fn portable_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let (x, start) = (inputs[0], rows.start);
    let mut short = vec![0.0; rows.len()];
    let mean = |sum: f32, row: usize, window: usize| sum / window.min(row + 1) as f32;
    sums::<20>(rows.clone(), |row| x.term(row), |row, sum| short[row - start] = mean(sum, row, 20));
    sums::<50>(
        rows,
        |row| x.term(row),
        |row, sum| {
            put_bit(out.bits, row - start, short[row - start] > mean(sum, row, 50));
        },
    );
}

/// In registers where the processor has them.
pub fn trend(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    if super::has_wide_vectors() {
        return edges_apart(inputs, rows, out, portable, |inputs, rows, out| {
            // SAFETY: the processor has these instructions.
            unsafe { wide::trend(inputs[0].values, rows, out.bits) }
        });
    }
    portable(inputs, rows, out);
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::{arch::x86_64::*, ops::Range};

    use crate::hand::wide::{Sums, ago, load};

    #[target_feature(enable = "avx512f")]
    pub(super) fn trend(x: &[f32], rows: Range<usize>, bits: &mut [u64]) {
        let (twenty, fifty) = (_mm512_set1_ps(20.0), _mm512_set1_ps(50.0));
        let mut sums = Sums::none();
        let mut s32 = [sums.s1; 2];
        let mut next = |row: usize| {
            let now = sums.next(load(x, row));
            let this = _mm512_add_ps(sums.s16, now.s16);
            let short = _mm512_add_ps(ago!(now.s16, sums.s16, 4), now.s4);
            let long = _mm512_add_ps(ago!(s32[0], s32[1], 2), ago!(now.s16, sums.s16, 2));
            let long = _mm512_add_ps(long, now.s2);
            sums = now;
            s32 = [this, s32[0]];
            _mm512_cmp_ps_mask::<_CMP_GT_OQ>(_mm512_div_ps(short, twenty), _mm512_div_ps(long, fifty))
        };
        for row in (rows.start - 64..rows.start).step_by(16) {
            next(row);
        }
        for (word, row) in bits.iter_mut().zip(rows.step_by(64)) {
            *word = (0..4).fold(0, |word, k| word | u64::from(next(row + 16 * k)) << (16 * k));
        }
    }
}
