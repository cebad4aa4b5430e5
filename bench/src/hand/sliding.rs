//! sliding-sum: the sum of the last 100 rows, at every row or at every tenth.

use std::ops::Range;

use super::{
    Chunk, Series,
    doubling::{put_bit, sums},
    edges_apart, versions,
};

/// Rows of the window: 64 + 32 + 4.
const WINDOW: usize = 100;

versions! {
    /// At every row, portably; also the rows at the edges of the data.
    portable = portable_rows
}

#[inline(always)]
fn portable_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let (x, start) = (inputs[0], rows.start);
    sums::<WINDOW>(rows.clone(), |row| x.term(row), |row, sum| out.f32s[row - start] = sum);
    if !out.valid.is_empty() {
        for row in rows {
            let first = row.saturating_sub(WINDOW - 1);
            put_bit(out.valid, row - start, (first..=row).rev().any(|row| x.has(row as isize)));
        }
    }
}

/// At every row.
pub fn every(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    #[cfg(target_arch = "x86_64")]
    if super::has_wide_vectors() {
        return edges_apart(inputs, rows, out, portable, |inputs, rows, out| {
            // SAFETY: the processor has these instructions.
            unsafe { wide::every(inputs[0], rows, out) }
        });
    }
    edges_apart(inputs, rows, out, portable, portable);
}

versions! {
    /// At every tenth row: output row `k` ends at row `10k + 9`.
    every_tenth = every_tenth_rows
}

/// All windows end at odd rows (counted from 0) and are 50 pairs long: half the work is that of the pairs.
#[inline(always)]
fn every_tenth_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    /// Windows of a block.
    const BLOCK: usize = 128;
    /// Pairs before the first window's last pair.
    const BACK: usize = WINDOW / 2 - 1;
    /// Pairs of a block: the last window ends at pair `BACK + 5·(BLOCK − 1)`.
    const PAIRS: usize = BACK + 5 * (BLOCK - 1) + 1;
    let x = inputs[0];
    let mut s: [[f32; PAIRS]; 6] = [[-0.0; PAIRS]; 6]; // sums of 1, 2, 4, 8, 16, 32 pairs
    for (block, sums) in rows.step_by(BLOCK).zip(out.f32s.chunks_mut(BLOCK)) {
        let first = 10 * block as isize + 8 - 2 * BACK as isize;
        let whole = usize::try_from(first).ok().and_then(|from| x.values.get(from..from + 2 * PAIRS));
        match whole {
            Some(values) => {
                for (sum, pair) in s[0].iter_mut().zip(values.chunks_exact(2)) {
                    *sum = pair[0] + pair[1];
                }
            }
            None => {
                for (pair, sum) in s[0].iter_mut().enumerate() {
                    let row = first + 2 * pair as isize;
                    *sum = x.term(row) + x.term(row + 1);
                }
            }
        }
        for level in 1..6 {
            let (below, this) = s.split_at_mut(level);
            let (below, this) = (&below[level - 1], &mut this[0]);
            let half = 1 << (level - 1);
            for ((sum, earlier), later) in this[half..].iter_mut().zip(below).zip(&below[half..]) {
                *sum = earlier + later;
            }
        }
        for (k, sum) in sums.iter_mut().enumerate() {
            let last = BACK + 5 * k;
            *sum = (s[5][last - 18] + s[4][last - 2]) + s[1][last];
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::{arch::x86_64::*, ops::Range};

    use crate::hand::{
        Chunk, Series,
        wide::{Sums, ago, load, quarters, store},
    };

    /// The sums of the last rows, in registers.
    struct History {
        sums: Sums,
        s32: [__m512; 2],
        s64: [__m512; 3],
    }

    impl History {
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn none() -> History {
            let zero = _mm512_set1_ps(-0.0);
            History { sums: Sums::none(), s32: [zero; 2], s64: [zero; 3] }
        }

        /// The windows that end in the next sixteen rows.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn next(&mut self, x: __m512) -> __m512 {
            let now = self.sums.next(x);
            let s32 = _mm512_add_ps(self.sums.s16, now.s16);
            let s64 = _mm512_add_ps(self.s32[1], s32);
            let first = ago!(self.s64[1], self.s64[2], 4); // 36 rows ago
            let second = ago!(s32, self.s32[0], 4);
            self.sums = now;
            self.s32 = [s32, self.s32[0]];
            self.s64 = [s64, self.s64[0], self.s64[1]];
            _mm512_add_ps(_mm512_add_ps(first, second), now.s4)
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn every(x: Series<'_>, rows: Range<usize>, out: Chunk<'_>) {
        if x.valid.is_some() {
            return present(x, rows, out);
        }
        let mut history = History::none();
        for row in (rows.start - 112..rows.start).step_by(16) {
            history.next(load(x.values, row));
        }
        for (sums, row) in out.f32s.chunks_exact_mut(16).zip(rows.step_by(16)) {
            store(sums, 0, history.next(load(x.values, row)));
        }
    }

    /// Where rows may be missing: they count as `-0.0`; a window without any row is φ.
    #[target_feature(enable = "avx512f")]
    fn present(x: Series<'_>, rows: Range<usize>, out: Chunk<'_>) {
        let mut history = History::none();
        let nothing = _mm512_set1_ps(-0.0);
        let start = rows.start;
        // whether any of 64 rows is there: the word's own windows, and the word's before
        let (mut past, mut past_any) = (x.word(start - 128), 0);
        for row in (start - 128..rows.end).step_by(64) {
            let word = x.word(row);
            for (k, mask) in quarters(word).into_iter().enumerate() {
                let row = row + 16 * k;
                let sums = history.next(_mm512_mask_mov_ps(nothing, mask, load(x.values, row)));
                if row >= start {
                    store(out.f32s, row - start, sums);
                }
            }
            let mut any = u128::from(word) << 64 | u128::from(past);
            for k in 0..6 {
                any |= any << (1 << k);
            }
            let any = (any >> 64) as u64;
            if row >= start {
                let earlier = (u128::from(any) << 64 | u128::from(past_any)) << 36;
                out.valid[(row - start) / 64] = any | (earlier >> 64) as u64;
            }
            (past, past_any) = (word, any);
        }
    }
}
