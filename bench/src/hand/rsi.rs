//! rsi: the relative strength index over 14 rows.

use std::ops::Range;

use super::{
    Chunk, Series,
    doubling::{put_bit, sums},
    edges_apart, versions,
};

versions! {
    /// Portably; also the rows at the edges of the data. The first row is φ.
    portable = portable_rows
}

/// The greater of `d` and 0; `+0.0` for either zero, and NaN stays.
#[inline(always)]
fn positive(d: f32) -> f32 {
    if d < 0.0 { 0.0 } else { d + 0.0 }
}

#[inline(always)]
fn portable_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let (x, start) = (inputs[0], rows.start);
    let change = |row: isize| x.term(row) - x.term(row - 1);
    let leaf = |row: isize, sign: f32| if row < 1 { -0.0 } else { positive(change(row) * sign) };
    let mut gains = vec![0.0; rows.len()];
    sums::<14>(rows.clone(), |row| leaf(row, 1.0), |row, sum| gains[row - start] = sum);
    sums::<14>(
        rows.clone(),
        |row| leaf(row, -1.0),
        |row, losses| {
            out.f32s[row - start] = 100.0 - 100.0 / (1.0 + gains[row - start] / losses);
        },
    );
    for row in rows {
        put_bit(out.valid, row - start, row > 0);
    }
}

/// In registers where the processor has them.
pub fn rsi(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    if super::has_wide_vectors() {
        return edges_apart(inputs, rows, out, portable, |inputs, rows, out| {
            out.valid.fill(u64::MAX);
            // SAFETY: the processor has these instructions.
            unsafe { wide::rsi(inputs[0].values, rows, out.f32s) }
        });
    }
    portable(inputs, rows, out);
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::{arch::x86_64::*, ops::Range};

    use crate::hand::wide::{ago, load, store};

    /// Sums of 1, 2, 4 and 8 gains or losses, as they were sixteen rows ago.
    struct History([__m512; 4]);

    impl History {
        /// The windows of 14 that end in the next sixteen rows.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn next(&mut self, s1: __m512) -> __m512 {
            let s2 = _mm512_add_ps(ago!(s1, self.0[0], 1), s1);
            let s4 = _mm512_add_ps(ago!(s2, self.0[1], 2), s2);
            let s8 = _mm512_add_ps(ago!(s4, self.0[2], 4), s4);
            let sum = _mm512_add_ps(ago!(s8, self.0[3], 6), ago!(s4, self.0[2], 2));
            self.0 = [s1, s2, s4, s8];
            _mm512_add_ps(sum, s2)
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn rsi(x: &[f32], rows: Range<usize>, out: &mut [f32]) {
        let (zero, one, hundred) = (_mm512_setzero_ps(), _mm512_set1_ps(1.0), _mm512_set1_ps(100.0));
        let (mut gains, mut losses) = (History([zero; 4]), History([zero; 4]));
        // `max` gives its second operand if that is NaN or both are zeros; adding 0 makes -0.0 positive
        let positive = |d: __m512| _mm512_add_ps(_mm512_max_ps(zero, d), zero);
        let mut next = |row: usize| {
            let (now, before) = (load(x, row), load(x, row - 1));
            let gains = gains.next(positive(_mm512_sub_ps(now, before)));
            let losses = losses.next(positive(_mm512_sub_ps(before, now)));
            let strength = _mm512_add_ps(one, _mm512_div_ps(gains, losses));
            _mm512_sub_ps(hundred, _mm512_div_ps(hundred, strength))
        };
        next(rows.start - 32);
        next(rows.start - 16);
        for (out, row) in out.chunks_exact_mut(16).zip(rows.step_by(16)) {
            store(out, 0, next(row));
        }
    }
}
