//! resample: from a value every 4 seconds to one every 5, along straight lines. Five rows become four.
//!
//! The data starts at 4 s, the output at 5 s, and the number of rows is a multiple of five: every output row lies between two
//! input rows, or on one.

use std::ops::Range;

use super::{Chunk, Series, versions};

versions! {
    /// Portably.
    portable = portable_rows
}

#[inline(always)]
fn portable_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let q = &inputs[0].values[rows.start / 4 * 5..];
    for (y, q) in out.f64s.chunks_exact_mut(4).zip(q.chunks_exact(5)) {
        let line = |a: f32, b: f32, part: f64| f64::from(a) + f64::from(b - a) * part;
        y[0] = line(q[0], q[1], 0.25);
        y[1] = line(q[1], q[2], 0.5);
        y[2] = line(q[2], q[3], 0.75);
        y[3] = line(q[4], q[4], 0.0);
    }
}

/// In registers where the processor has them.
pub fn resample(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    if super::has_wide_vectors() {
        // eight rows at a time, of ten, from a register of sixteen
        let steps = rows.len() / 8;
        let steps = steps.min((inputs[0].values.len().saturating_sub(rows.start / 4 * 5 + 6)) / 10);
        let (head, tail) = out.split(8 * steps);
        // SAFETY: the processor has these instructions.
        unsafe { wide::resample(&inputs[0].values[rows.start / 4 * 5..], head.f64s) };
        return portable(inputs, rows.start + 8 * steps..rows.end, tail);
    }
    portable(inputs, rows, out);
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) fn resample(q: &[f32], y: &mut [f64]) {
        let from = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 7, 9, 0, 0, 0, 0, 0, 0, 0, 0);
        let to = _mm512_setr_epi32(1, 2, 3, 4, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0, 0);
        let part = _mm512_setr_pd(0.25, 0.5, 0.75, 0.0, 0.25, 0.5, 0.75, 0.0);
        for (y, q) in y.chunks_exact_mut(8).zip(q.windows(16).step_by(10)) {
            // SAFETY: sixteen numbers are there.
            let q = unsafe { _mm512_loadu_ps(q.as_ptr()) };
            let a = _mm512_castps512_ps256(_mm512_permutexvar_ps(from, q));
            let b = _mm512_castps512_ps256(_mm512_permutexvar_ps(to, q));
            let rise = _mm512_mul_pd(_mm512_cvtps_pd(_mm256_sub_ps(b, a)), part);
            let line = _mm512_add_pd(_mm512_cvtps_pd(a), rise);
            // SAFETY: there is room for eight numbers.
            unsafe { _mm512_storeu_pd(y.as_mut_ptr(), line) };
        }
    }
}
