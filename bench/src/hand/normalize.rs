//! normalize and impute: rows beside the mean (and standard deviation) of their own 10000 rows.

use std::ops::Range;

use super::{Chunk, Series, fraud::Moments, lanes};

/// Rows of a window. Its bits start at whole bytes.
pub const WINDOW: usize = 10_000;

/// `(x − mean) / sd`, without missing rows.
pub fn normalize(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let values = &inputs[0].values[rows];
    #[cfg(target_arch = "x86_64")]
    if super::has_wide_vectors() {
        #[target_feature(enable = "avx512f,avx512dq")]
        fn wide(values: &[f32], out: &mut [f32]) {
            for (out, window) in out.chunks_mut(WINDOW).zip(values.chunks(WINDOW)) {
                let (sum, moments) = lanes::wide::moments(window);
                scale(out, window, sum, moments);
            }
        }
        // SAFETY: the processor has these instructions.
        return unsafe { wide(values, out.f32s) };
    }
    for (out, window) in out.f32s.chunks_mut(WINDOW).zip(values.chunks(WINDOW)) {
        let (sum, moments) = lanes::moments(window);
        scale(out, window, sum, moments);
    }
}

#[inline(always)]
fn scale(out: &mut [f32], window: &[f32], sum: f32, moments: Moments) {
    let (mean, sd) = (sum / moments.count as f32, moments.sd());
    for (y, x) in out.iter_mut().zip(window) {
        *y = (x - mean) / sd;
    }
}

/// As [`normalize`], where rows may be missing: they stay so.
pub fn normalize_present(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let x = inputs[0];
    for (word, row) in out.valid.iter_mut().zip(rows.clone().step_by(64)) {
        *word = x.word(row);
    }
    let starts = rows.clone().step_by(WINDOW);
    for (start, out) in starts.zip(out.f32s.chunks_mut(WINDOW)) {
        normalize_window(x, start, out);
    }
}

fn normalize_window(x: Series<'_>, start: usize, out: &mut [f32]) {
    let window = &x.values[start..start + out.len()];
    #[cfg(target_arch = "x86_64")]
    if super::has_wide_vectors() {
        #[target_feature(enable = "avx512f,avx512dq")]
        fn wide(x: Series<'_>, start: usize, window: &[f32], out: &mut [f32]) {
            let (sum, moments) = lanes::wide::present_moments(window, |at| x.word(start + at));
            scale(out, window, sum, moments);
        }
        // SAFETY: the processor has these instructions.
        return unsafe { wide(x, start, window, out) };
    }
    let (sum, moments) = lanes::present_moments(window, |k| x.has((start + k) as isize));
    scale(out, window, sum, moments);
}

/// `x`, or the mean of its window where it is missing. Windows without any row stay φ.
pub fn impute(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    out.valid.fill(u64::MAX);
    let (x, first) = (inputs[0], rows.start);
    let starts = rows.step_by(WINDOW);
    for (start, numbers) in starts.zip(out.f32s.chunks_mut(WINDOW)) {
        let count = impute_window(x, start, numbers);
        if count == 0 {
            for row in start..start + numbers.len() {
                super::doubling::put_bit(out.valid, row - first, false);
            }
        }
    }
}

fn impute_window(x: Series<'_>, start: usize, out: &mut [f32]) -> usize {
    let window = &x.values[start..start + out.len()];
    #[cfg(target_arch = "x86_64")]
    if super::has_wide_vectors() {
        // SAFETY: the processor has these instructions.
        return unsafe { wide::impute(x, start, window, out) };
    }
    let (sum, count) = lanes::present_sum(window, |k| x.has((start + k) as isize));
    let mean = sum / count as f32;
    for (k, (y, v)) in out.iter_mut().zip(window).enumerate() {
        *y = if x.has((start + k) as isize) { *v } else { mean };
    }
    count
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    use crate::hand::{Series, lanes, wide::quarters};

    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) fn impute(x: Series<'_>, start: usize, window: &[f32], out: &mut [f32]) -> usize {
        let (sum, count) = lanes::wide::present_sum(window, |at| x.word(start + at));
        let mean = _mm512_set1_ps(sum / count as f32);
        for (k, out) in out.chunks_mut(64).enumerate() {
            let present = quarters(x.word(start + 64 * k));
            let there = quarters(if out.len() == 64 { u64::MAX } else { (1 << out.len()) - 1 });
            for quarter in 0..4 {
                let values = window.as_ptr().wrapping_add(64 * k + 16 * quarter);
                let to = out.as_mut_ptr().wrapping_add(16 * quarter);
                // SAFETY: the masks leave only rows of the window and of its output.
                unsafe {
                    let from = there[quarter] & present[quarter];
                    let filled = _mm512_mask_loadu_ps(mean, from, values);
                    _mm512_mask_storeu_ps(to, there[quarter], filled);
                }
            }
        }
        count
    }
}
