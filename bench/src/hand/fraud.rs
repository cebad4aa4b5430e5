//! fraud: whether a value lies above the mean of the ten rows before it by more than three of their standard deviations.

use std::ops::Range;

use super::{
    Chunk, Series,
    doubling::{put_bit, windows},
    edges_apart,
};

/// Count, mean and squared deviations of some rows; merged by Chan's formula.
#[derive(Clone, Copy)]
pub(super) struct Moments {
    pub(super) count: u64,
    pub(super) mean: f32,
    pub(super) m2: f32,
}

impl Moments {
    pub(super) const NONE: Moments = Moments { count: 0, mean: 0.0, m2: 0.0 };

    #[expect(clippy::eq_op, reason = "an infinity has no deviation: NaN")]
    pub(super) fn of(x: f32) -> Moments {
        Moments { count: 1, mean: x, m2: x - x }
    }

    #[inline(always)]
    pub(super) fn merge(self, later: Moments) -> Moments {
        if self.count == 0 {
            return later;
        }
        if later.count == 0 {
            return self;
        }
        let count = self.count + later.count;
        let delta = later.mean - self.mean;
        let weight = later.count as f32 / count as f32;
        let mean = match self.count == later.count {
            true => (self.mean + later.mean) * 0.5,
            false => self.mean + delta * weight,
        };
        let between = (delta * delta) * (self.count as f32 * weight);
        Moments { count, mean, m2: (self.m2 + later.m2) + between }
    }

    /// The standard deviation of a whole population.
    #[inline(always)]
    pub(super) fn sd(self) -> f32 {
        (self.m2 / self.count as f32).sqrt()
    }
}

/// Portably; also the rows at the edges of the data. The first row is φ.
pub fn portable(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let (x, start) = (inputs[0], rows.start);
    let leaf = |row: isize| {
        let moments = if x.has(row - 1) { Moments::of(x.term(row - 1)) } else { Moments::NONE };
        (x.term(row - 1), moments)
    };
    let combine = |a: (f32, Moments), b: (f32, Moments)| (a.0 + b.0, a.1.merge(b.1));
    windows::<10, _>(rows, leaf, combine, |row, (sum, moments)| {
        let threshold = sum / moments.count as f32 + 3.0 * moments.sd();
        put_bit(out.bits, row - start, x.values[row] > threshold);
        put_bit(out.valid, row - start, row > 0);
    });
}

/// In registers where the processor has them.
pub fn fraud(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    if super::has_wide_vectors() {
        return edges_apart(inputs, rows, out, portable, |inputs, rows, out| {
            out.valid.fill(u64::MAX);
            // SAFETY: the processor has these instructions.
            unsafe { wide::fraud(inputs[0].values, rows, out.bits) }
        });
    }
    portable(inputs, rows, out);
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::{arch::x86_64::*, ops::Range};

    use crate::hand::wide::{ago, load};

    /// Sum, mean and squared deviations of as many rows in each lane.
    #[derive(Clone, Copy)]
    struct State {
        sum: __m512,
        mean: __m512,
        m2: __m512,
    }

    /// Two states of `count` rows each.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn merge(earlier: State, later: State, count: f32) -> State {
        let delta = _mm512_sub_ps(later.mean, earlier.mean);
        let between = _mm512_mul_ps(_mm512_mul_ps(delta, delta), _mm512_set1_ps(count * 0.5));
        State {
            sum: _mm512_add_ps(earlier.sum, later.sum),
            mean: _mm512_mul_ps(_mm512_add_ps(earlier.mean, later.mean), _mm512_set1_ps(0.5)),
            m2: _mm512_add_ps(_mm512_add_ps(earlier.m2, later.m2), between),
        }
    }

    macro_rules! state_ago {
        ($now:expr, $before:expr, $k:literal) => {
            State {
                sum: ago!($now.sum, $before.sum, $k),
                mean: ago!($now.mean, $before.mean, $k),
                m2: ago!($now.m2, $before.m2, $k),
            }
        };
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn fraud(x: &[f32], rows: Range<usize>, bits: &mut [u64]) {
        let zero = _mm512_setzero_ps();
        let none = State { sum: zero, mean: zero, m2: zero };
        let mut past = [none; 4];
        let (three, ten) = (_mm512_set1_ps(3.0), _mm512_set1_ps(10.0));
        let factor = _mm512_set1_ps(8.0 * (2.0f32 / 10.0));
        let mut next = |row: usize| {
            // the window ends a row ago
            let v = load(x, row - 1);
            let one = State { sum: v, mean: v, m2: _mm512_sub_ps(v, v) };
            let two = merge(state_ago!(one, past[0], 1), one, 1.0);
            let four = merge(state_ago!(two, past[1], 2), two, 2.0);
            let eight = merge(state_ago!(four, past[2], 4), four, 4.0);
            let first = state_ago!(eight, past[3], 2);
            past = [one, two, four, eight];
            let mean = _mm512_div_ps(_mm512_add_ps(first.sum, two.sum), ten);
            let delta = _mm512_sub_ps(two.mean, first.mean);
            let between = _mm512_mul_ps(_mm512_mul_ps(delta, delta), factor);
            let m2 = _mm512_add_ps(_mm512_add_ps(first.m2, two.m2), between);
            let sd = _mm512_sqrt_ps(_mm512_div_ps(m2, ten));
            let threshold = _mm512_add_ps(mean, _mm512_mul_ps(three, sd));
            _mm512_cmp_ps_mask::<_CMP_GT_OQ>(load(x, row), threshold)
        };
        next(rows.start - 32);
        next(rows.start - 16);
        for (word, row) in bits.iter_mut().zip(rows.step_by(64)) {
            *word = (0..4).fold(0, |word, k| word | u64::from(next(row + 16 * k)) << (16 * k));
        }
    }
}
