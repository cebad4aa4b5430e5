//! Sixteen rows in an AVX-512 register.
//!
//! The past of a value is the register of the sixteen rows before: what it was `k` rows ago is one instruction.

use std::arch::x86_64::*;

/// Sixteen numbers from `row` on.
///
/// # Panics
/// If there are not so many.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn load(x: &[f32], row: usize) -> __m512 {
    let x = &x[row..row + 16];
    // SAFETY: sixteen numbers are there; any alignment will do.
    unsafe { _mm512_loadu_ps(x.as_ptr()) }
}

/// Puts sixteen numbers at `row`.
///
/// # Panics
/// If there are not so many.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn store(y: &mut [f32], row: usize, values: __m512) {
    let y = &mut y[row..row + 16];
    // SAFETY: there is room for sixteen numbers; any alignment will do.
    unsafe { _mm512_storeu_ps(y.as_mut_ptr(), values) }
}

/// What a value was `$k` rows ago, 1 to 15, given what it is now and was 16 rows ago.
macro_rules! ago {
    ($now:expr, $before:expr, $k:literal) => {
        std::arch::x86_64::_mm512_castsi512_ps(std::arch::x86_64::_mm512_alignr_epi32::<{ 16 - $k }>(
            std::arch::x86_64::_mm512_castps_si512($now),
            std::arch::x86_64::_mm512_castps_si512($before),
        ))
    };
}
pub(super) use ago;

/// Sums of 2, 4, 8 and 16 neighbours, as they were sixteen rows ago.
#[derive(Clone, Copy)]
pub(super) struct Sums {
    pub(super) s1: __m512,
    pub(super) s2: __m512,
    pub(super) s4: __m512,
    pub(super) s8: __m512,
    pub(super) s16: __m512,
}

impl Sums {
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn none() -> Sums {
        let zero = _mm512_set1_ps(-0.0);
        Sums { s1: zero, s2: zero, s4: zero, s8: zero, s16: zero }
    }

    /// The sums of the next sixteen rows.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn next(&self, x: __m512) -> Sums {
        let s2 = _mm512_add_ps(ago!(x, self.s1, 1), x);
        let s4 = _mm512_add_ps(ago!(s2, self.s2, 2), s2);
        let s8 = _mm512_add_ps(ago!(s4, self.s4, 4), s4);
        let s16 = _mm512_add_ps(ago!(s8, self.s8, 8), s8);
        Sums { s1: x, s2, s4, s8, s16 }
    }
}

/// The sum of the lanes `l` and `l + 32`, then `l` and `l + 16`, … of four registers.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(super) fn tree_sum(lanes: [__m512; 4]) -> f32 {
    let low = _mm512_add_ps(lanes[0], lanes[2]);
    let high = _mm512_add_ps(lanes[1], lanes[3]);
    let sum = _mm512_add_ps(low, high);
    let sum = _mm256_add_ps(_mm512_castps512_ps256(sum), _mm512_extractf32x8_ps::<1>(sum));
    let sum = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps::<1>(sum));
    let sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
    _mm_cvtss_f32(_mm_add_ss(sum, _mm_shuffle_ps::<1>(sum, sum)))
}

/// The four masks of a word.
#[inline(always)]
pub(super) fn quarters(word: u64) -> [__mmask16; 4] {
    [word as u16, (word >> 16) as u16, (word >> 32) as u16, (word >> 48) as u16]
}
