//! `lanes64` by hand: 64 partial results by position in the window, then a fixed tree.

use super::fraud::Moments;

/// Lane `l` with lane `l + 32`, then `l + 16`, ….
#[inline(always)]
fn tree<T: Copy>(mut lanes: [T; 64], merge: impl Fn(T, T) -> T) -> T {
    for half in [32, 16, 8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] = merge(lanes[lane], lanes[lane + half]);
        }
    }
    lanes[0]
}

/// The sum of a window.
#[inline(always)]
pub fn sum(window: &[f32]) -> f32 {
    let mut lanes = [-0.0f32; 64];
    let mut steps = window.chunks_exact(64);
    for values in &mut steps {
        for (lane, x) in lanes.iter_mut().zip(values) {
            *lane += x;
        }
    }
    for (lane, x) in lanes.iter_mut().zip(steps.remainder()) {
        *lane += x;
    }
    tree(lanes, |a, b| a + b)
}

/// Sum, mean and squared deviations of a window without missing rows.
#[inline(always)]
#[expect(clippy::eq_op, reason = "an infinity has no deviation: NaN")]
pub(super) fn moments(window: &[f32]) -> (f32, Moments) {
    let (mut sums, mut means, mut squares) = ([-0.0f32; 64], [0.0f32; 64], [0.0f32; 64]);
    let steps = window.chunks_exact(64);
    let (whole, rest) = (window.len() / 64, steps.remainder());
    for (step, values) in steps.enumerate() {
        // lanes hold `step` rows each
        let weight = 1.0 / (step + 1) as f32;
        let factor = step as f32 * weight;
        for lane in 0..64 {
            let x = values[lane];
            let delta = x - means[lane];
            sums[lane] += x;
            means[lane] = match step {
                0 => x,
                1 => (means[lane] + x) * 0.5,
                _ => means[lane] + delta * weight,
            };
            squares[lane] = match step {
                0 => x - x,
                _ => (squares[lane] + (x - x)) + (delta * delta) * factor,
            };
        }
    }
    let mut lanes = [Moments::NONE; 64];
    for (lane, state) in lanes.iter_mut().enumerate() {
        *state = Moments { count: whole as u64, mean: means[lane], m2: squares[lane] };
        if let Some(x) = rest.get(lane) {
            sums[lane] += x;
            *state = state.merge(Moments::of(*x));
        }
    }
    (tree(sums, |a, b| a + b), tree(lanes, Moments::merge))
}

/// As [`moments`], of a window in which rows may be missing: `present(k)` says whether the `k`th is there.
pub(super) fn present_moments(window: &[f32], present: impl Fn(usize) -> bool) -> (f32, Moments) {
    let (mut sums, mut lanes) = ([-0.0f32; 64], [Moments::NONE; 64]);
    for (k, x) in window.iter().enumerate().filter(|(k, _)| present(*k)) {
        sums[k % 64] += x;
        lanes[k % 64] = lanes[k % 64].merge(Moments::of(*x));
    }
    (tree(sums, |a, b| a + b), tree(lanes, Moments::merge))
}

/// The sum and the number of the rows of a window that are there.
pub(super) fn present_sum(window: &[f32], present: impl Fn(usize) -> bool) -> (f32, usize) {
    let (mut sums, mut count) = ([-0.0f32; 64], 0);
    for (k, x) in window.iter().enumerate().filter(|(k, _)| present(*k)) {
        sums[k % 64] += x;
        count += 1;
    }
    (tree(sums, |a, b| a + b), count)
}

#[cfg(target_arch = "x86_64")]
pub(super) mod wide {
    use std::arch::x86_64::*;

    use super::{Moments, tree};
    use crate::hand::wide::{quarters, tree_sum};

    /// Up to 64 numbers from `at` on, sixteen to a register; 0 where there is none.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn load(window: &[f32], at: usize) -> [__m512; 4] {
        let left = window.len() - at;
        let masks = quarters(if left >= 64 { u64::MAX } else { (1 << left) - 1 });
        let mut values = [_mm512_setzero_ps(); 4];
        for k in 0..4 {
            let start = window.as_ptr().wrapping_add(at + 16 * k);
            // SAFETY: only numbers of the window are touched.
            values[k] = unsafe { _mm512_maskz_loadu_ps(masks[k], start) };
        }
        values
    }

    /// See [`super::present_sum`]; `word(k)` says which of the 64 rows from the `k`th on are there.
    #[target_feature(enable = "avx512f,avx512dq")]
    pub(in crate::hand) fn present_sum(window: &[f32], word: impl Fn(usize) -> u64) -> (f32, usize) {
        let mut sums = [_mm512_set1_ps(-0.0); 4];
        let mut count = 0;
        for at in (0..window.len()).step_by(64) {
            let values = load(window, at);
            let word = inside(word(at), window.len() - at);
            count += word.count_ones() as usize;
            for (k, mask) in quarters(word).into_iter().enumerate() {
                sums[k] = _mm512_mask_add_ps(sums[k], mask, sums[k], values[k]);
            }
        }
        (tree_sum(sums), count)
    }

    /// See [`super::moments`].
    #[target_feature(enable = "avx512f,avx512dq")]
    pub(in crate::hand) fn moments(window: &[f32]) -> (f32, Moments) {
        let mut sums = [_mm512_set1_ps(-0.0); 4];
        let (mut means, mut squares) = ([_mm512_setzero_ps(); 4], [_mm512_setzero_ps(); 4]);
        let half = _mm512_set1_ps(0.5);
        let whole = window.len() / 64;
        for step in 0..whole {
            let values = load(window, 64 * step);
            let weight = _mm512_set1_ps(1.0 / (step + 1) as f32);
            let factor = _mm512_set1_ps(step as f32 * (1.0 / (step + 1) as f32));
            for k in 0..4 {
                let (x, mean) = (values[k], means[k]);
                let own = _mm512_sub_ps(x, x);
                sums[k] = _mm512_add_ps(sums[k], x);
                if step == 0 {
                    (means[k], squares[k]) = (x, own);
                    continue;
                }
                let delta = _mm512_sub_ps(x, mean);
                means[k] = match step {
                    1 => _mm512_mul_ps(_mm512_add_ps(mean, x), half),
                    _ => _mm512_add_ps(mean, _mm512_mul_ps(delta, weight)),
                };
                let between = _mm512_mul_ps(_mm512_mul_ps(delta, delta), factor);
                squares[k] = _mm512_add_ps(_mm512_add_ps(squares[k], own), between);
            }
        }
        let counts = [_mm512_set1_ps(whole as f32); 4];
        let (mut sums, mut lanes) = (spread(sums), lanes(counts, means, squares));
        for (lane, x) in window[64 * whole..].iter().enumerate() {
            sums[lane] += x;
            lanes[lane] = lanes[lane].merge(Moments::of(*x));
        }
        (tree(sums, |a, b| a + b), tree(lanes, Moments::merge))
    }

    /// See [`super::present_moments`]; `word(k)` says which of the 64 rows from the `k`th on are there.
    #[target_feature(enable = "avx512f,avx512dq")]
    pub(in crate::hand) fn present_moments(window: &[f32], word: impl Fn(usize) -> u64) -> (f32, Moments) {
        let (zero, one, half) = (_mm512_setzero_ps(), _mm512_set1_ps(1.0), _mm512_set1_ps(0.5));
        let mut sums = [_mm512_set1_ps(-0.0); 4];
        let (mut counts, mut means, mut squares) = ([zero; 4], [zero; 4], [zero; 4]);
        for at in (0..window.len()).step_by(64) {
            let values = load(window, at);
            let word = inside(word(at), window.len() - at);
            for (k, mask) in quarters(word).into_iter().enumerate() {
                let (x, count, mean) = (values[k], counts[k], means[k]);
                sums[k] = _mm512_mask_add_ps(sums[k], mask, sums[k], x);
                let total = _mm512_add_ps(count, one);
                let weight = _mm512_div_ps(one, total);
                let delta = _mm512_sub_ps(x, mean);
                let moved = _mm512_add_ps(mean, _mm512_mul_ps(delta, weight));
                let second = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(count, one);
                let moved = _mm512_mask_mul_ps(moved, second, _mm512_add_ps(mean, x), half);
                let own = _mm512_sub_ps(x, x);
                let factor = _mm512_mul_ps(count, weight);
                let between = _mm512_mul_ps(_mm512_mul_ps(delta, delta), factor);
                let m2 = _mm512_add_ps(_mm512_add_ps(squares[k], own), between);
                let later = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(count, zero);
                counts[k] = _mm512_mask_mov_ps(count, mask, total);
                means[k] = _mm512_mask_mov_ps(mean, mask, _mm512_mask_mov_ps(x, later, moved));
                squares[k] = _mm512_mask_mov_ps(squares[k], mask, _mm512_mask_mov_ps(own, later, m2));
            }
        }
        (tree_sum(sums), tree(lanes(counts, means, squares), Moments::merge))
    }

    #[target_feature(enable = "avx512f")]
    fn spread(registers: [__m512; 4]) -> [f32; 64] {
        let mut numbers = [0.0f32; 64];
        for (k, register) in registers.into_iter().enumerate() {
            crate::hand::wide::store(&mut numbers, 16 * k, register);
        }
        numbers
    }

    #[target_feature(enable = "avx512f")]
    fn lanes(counts: [__m512; 4], means: [__m512; 4], squares: [__m512; 4]) -> [Moments; 64] {
        let (counts, means, squares) = (spread(counts), spread(means), spread(squares));
        std::array::from_fn(|k| Moments { count: counts[k] as u64, mean: means[k], m2: squares[k] })
    }

    /// The bits of rows that belong to the window.
    fn inside(word: u64, left: usize) -> u64 {
        if left >= 64 { word } else { word & ((1 << left) - 1) }
    }
}
