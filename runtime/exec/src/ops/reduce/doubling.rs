//! `doubling`: a constant count of rows as sums of 2, 4, 8, … neighbours.
//!
//! With `S₁(k)` row k and `S₂ₘ(k) = Sₘ(k-m) ⊕ Sₘ(k)`, the last 7 rows up to k are `(S₄(k-3) ⊕ S₂(k-1)) ⊕ S₁(k)`. All `Sₘ` of a
//! stretch of rows are one pass over the stretch; few windows far apart are computed one by one.

use super::{terms::Terms, windows::Windows};

/// Windows are taken together whose last rows are in a stretch of at least so many rows.
const STRETCH: i128 = 4096;

/// All windows of `count` rows; `put` gets each window's number and result.
pub(super) fn all<T: Terms>(
    terms: &T,
    windows: &Windows<'_>,
    (first, len): (i64, usize),
    count: u64,
    put: &mut impl FnMut(usize, T::State),
) {
    let place = |k: usize| i128::from(windows.hi[k]) - i128::from(first);
    let (count, len) = (i128::from(count), len as i128);
    let mut k = 0;
    while k < windows.len() {
        let start = place(k);
        if start <= 0 || start - count >= len {
            put(k, T::NOTHING);
            k += 1;
            continue;
        }
        let stretch = start + count.clamp(STRETCH, 4 * STRETCH.max(len));
        let next = k + windows.hi[k..].partition_point(|hi| i128::from(*hi) - i128::from(first) < stretch);
        let base = (start - count).max(0);
        let rows = place(next - 1) - base;
        let alone = (next - k) as i128 * count.min(len);
        if alone <= 2 * rows || rows > 2 * len + 4 * STRETCH {
            (k..next).for_each(|k| put(k, window(terms, count, place(k), len)));
        } else {
            let stretch = Stretch { base, rows: rows as usize, len };
            stretch.windows(terms, count as u64, (k..next).map(|k| (k, place(k))), put);
        }
        k = next;
    }
}

/// One window that ends before row `end`, where the rows `0..len` are there.
fn window<T: Terms>(terms: &T, count: i128, end: i128, len: i128) -> T::State {
    let mut all = T::NOTHING;
    let mut at = end - count;
    for bit in (0..64).rev().map(|bit| 1i128 << bit).filter(|bit| count & bit != 0) {
        all = T::merge(all, power(terms, bit, at, len));
        at += bit;
    }
    all
}

/// `count` rows from row `at` on, where `count` is a power of two.
fn power<T: Terms>(terms: &T, count: i128, at: i128, len: i128) -> T::State {
    if at >= len || at + count <= 0 {
        return T::NOTHING;
    }
    match count {
        1 => terms.leaf(at as usize),
        2 if at >= 0 && at + 1 < len => T::merge(terms.leaf(at as usize), terms.leaf(at as usize + 1)),
        _ => {
            let half = count / 2;
            T::merge(power(terms, half, at, len), power(terms, half, at + half, len))
        }
    }
}

/// The rows `base .. base + rows`, of which those before `len` are there; before `base` there is nothing.
struct Stretch {
    base: i128,
    rows: usize,
    len: i128,
}

impl Stretch {
    fn windows<T: Terms>(
        &self,
        terms: &T,
        count: u64,
        windows: impl Iterator<Item = (usize, i128)>,
        put: &mut impl FnMut(usize, T::State),
    ) {
        let there = usize::try_from(self.len - self.base).unwrap_or(0).min(self.rows);
        let base = self.base as usize;
        let mut sums: Vec<T::State> = (base..base + there).map(|row| terms.leaf(row)).collect();
        sums.resize(self.rows, T::NOTHING);
        let mut next = sums.clone();
        // the levels that windows are made of, the least first, each with how far before the window's end it ends
        let mut levels: Vec<(u64, Vec<T::State>)> = Vec::new();
        for bit in 0..u64::BITS - count.leading_zeros() {
            let power = 1u64 << bit;
            if count & power != 0 {
                levels.push((count & (power - 1), sums.clone()));
            }
            let Some(shift) = usize::try_from(power).ok().filter(|shift| *shift < self.rows) else {
                continue;
            };
            next[..shift].copy_from_slice(&sums[..shift]);
            let pairs = sums.iter().zip(&sums[shift..]);
            next[shift..].iter_mut().zip(pairs).for_each(|(next, (a, b))| *next = T::merge(*a, *b));
            std::mem::swap(&mut sums, &mut next);
        }
        for (k, end) in windows {
            let last = (end - self.base - 1) as u64;
            let parts = levels.iter().rev().filter_map(|(back, sums)| {
                usize::try_from(last.checked_sub(*back)?).ok().and_then(|row| sums.get(row)).copied()
            });
            put(k, parts.fold(T::NOTHING, T::merge));
        }
    }
}
