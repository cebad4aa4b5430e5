//! Quantiles of sliding windows: linear interpolation between order statistics (type 7).
//!
//! Small windows are kept as a sorted list. For large ones all rows are ranked once; a window is then a set of ranks (a bitmap
//! with bitmaps of its words above) with a finger at one of them. A row that enters or leaves moves the finger by one.

use super::windows::{Sliding, Windows, slide};
use crate::ops::{Bitmap, values::Native};

/// Windows of at most so many rows are kept as a list.
const SMALL: usize = 384;

/// The `q`-quantile of each window, 0 ≤ q ≤ 1; NaN if there is one in the window, meaningless without values.
pub(super) fn quantiles(
    values: &[f64],
    valid: Option<&Bitmap>,
    q: f64,
    windows: &Windows<'_>,
    first: i64,
    put: &mut impl FnMut(usize, f64),
) {
    let rows = (first, values.len());
    let kind = |row: usize| match valid.is_none_or(|valid| valid.get(row)) {
        false => Kind::Null,
        true if values[row].is_nan() => Kind::Nan,
        true => Kind::Number,
    };
    let size = |k: usize| {
        let live = windows.live(k, first, values.len());
        live.end - live.start
    };
    if (0..windows.len()).map(size).max().unwrap_or(0) <= SMALL {
        let list = List { values, sorted: Vec::with_capacity(SMALL) };
        let mut window = Window { set: list, kind, nan: 0, len: 0 };
        slide(&mut window, windows, rows, |k, window| put(k, window.quantile(q)));
    } else {
        let ranks = Ranks::new(values);
        let mut window = Window { set: ranks, kind, nan: 0, len: 0 };
        slide(&mut window, windows, rows, |k, window| put(k, window.quantile(q)));
    }
}

enum Kind {
    Null,
    Nan,
    Number,
}

/// Rows in the order of their values.
trait Order {
    fn insert(&mut self, row: usize);
    fn remove(&mut self, row: usize);
    /// Removes one row and inserts another.
    #[inline]
    fn exchange(&mut self, old: usize, new: usize) {
        self.remove(old);
        self.insert(new);
    }
    /// The value in place `k`, and the next one (the same if there is none).
    fn pair(&mut self, k: usize) -> (f64, f64);
}

struct Window<S, K> {
    set: S,
    kind: K,
    nan: usize,
    len: usize,
}

impl<S: Order, K: Fn(usize) -> Kind> Sliding for Window<S, K> {
    #[inline]
    fn enter(&mut self, row: usize) {
        match (self.kind)(row) {
            Kind::Null => {}
            Kind::Nan => self.nan += 1,
            Kind::Number => {
                self.set.insert(row);
                self.len += 1;
            }
        }
    }

    #[inline]
    fn leave(&mut self, row: usize) {
        match (self.kind)(row) {
            Kind::Null => {}
            Kind::Nan => self.nan -= 1,
            Kind::Number => {
                self.set.remove(row);
                self.len -= 1;
            }
        }
    }

    #[inline]
    fn exchange(&mut self, old: usize, new: usize) {
        match ((self.kind)(old), (self.kind)(new)) {
            (Kind::Number, Kind::Number) => self.set.exchange(old, new),
            _ => {
                self.leave(old);
                self.enter(new);
            }
        }
    }
}

impl<S: Order, K> Window<S, K> {
    fn quantile(&mut self, q: f64) -> f64 {
        if self.nan > 0 || self.len == 0 {
            return f64::NAN;
        }
        let place = q * (self.len - 1) as f64;
        let below = place.floor();
        let part = place - below;
        let (a, b) = self.set.pair((below as usize).min(self.len - 1));
        if part == 0.0 {
            return a;
        }
        let distance = b - a;
        if distance.is_finite() { a + part * distance } else { (1.0 - part) * a + part * b }
    }
}

/// A sorted list of keys.
struct List<'a> {
    values: &'a [f64],
    sorted: Vec<i64>,
}

impl List<'_> {
    /// Where the key of a row belongs, and the key. Counted, because branches would be guessed wrong half of the time: blocks whose
    /// greatest key is less, then keys of the next one.
    #[inline]
    fn place(&self, row: usize) -> (usize, i64) {
        const BLOCK: usize = 16;
        let key = self.values[row].key();
        let (blocks, _) = self.sorted.as_chunks::<BLOCK>();
        let start = blocks.iter().filter(|block| block[BLOCK - 1] < key).count() * BLOCK;
        let next = &self.sorted[start..self.sorted.len().min(start + BLOCK)];
        (start + next.iter().filter(|other| **other < key).count(), key)
    }
}

impl Order for List<'_> {
    #[inline]
    fn insert(&mut self, row: usize) {
        let (place, key) = self.place(row);
        self.sorted.insert(place, key);
    }

    #[inline]
    fn remove(&mut self, row: usize) {
        let (place, _) = self.place(row);
        self.sorted.remove(place);
    }

    /// Moves only what lies between the two.
    #[inline]
    fn exchange(&mut self, old: usize, new: usize) {
        let ((from, _), (to, key)) = (self.place(old), self.place(new));
        if from < to {
            self.sorted.copy_within(from + 1..to, from);
            self.sorted[to - 1] = key;
        } else {
            self.sorted.copy_within(to..from, to + 1);
            self.sorted[to] = key;
        }
    }

    #[inline]
    fn pair(&mut self, k: usize) -> (f64, f64) {
        let next = (k + 1).min(self.sorted.len() - 1);
        (f64::of_key(self.sorted[k]), f64::of_key(self.sorted[next]))
    }
}

/// A set of ranks.
struct Ranks {
    /// For each row its place among all rows in the order of their values.
    rank: Vec<usize>,
    /// The values in order.
    sorted: Vec<f64>,
    /// The ranks that are in; above it which words are not empty, and so on up to one word.
    levels: Vec<Vec<u64>>,
    len: usize,
    /// A rank that is in (if any is), and how many are below it.
    finger: usize,
    below: usize,
}

impl Ranks {
    fn new(values: &[f64]) -> Ranks {
        let mut order: Vec<(i64, usize)> = values.iter().enumerate().map(|(row, x)| (x.key(), row)).collect();
        order.sort_unstable();
        let mut rank = vec![0; values.len()];
        let mut sorted = Vec::with_capacity(values.len());
        for (place, (_, row)) in order.iter().enumerate() {
            rank[*row] = place;
            sorted.push(values[*row]);
        }
        let mut levels = vec![vec![0; values.len().div_ceil(64).max(1)]];
        while let Some(len) = levels.last().map(Vec::len).filter(|len| *len > 1) {
            levels.push(vec![0; len.div_ceil(64)]);
        }
        Ranks { rank, sorted, levels, len: 0, finger: 0, below: 0 }
    }

    /// The next rank after one.
    #[inline]
    fn next(&self, rank: usize) -> Option<usize> {
        let mut at = rank;
        for (level, words) in self.levels.iter().enumerate() {
            let above = words[at / 64] & (!1 << (at % 64));
            if above != 0 {
                let found = at / 64 * 64 + above.trailing_zeros() as usize;
                let first = |at: usize, words: &Vec<u64>| at * 64 + words[at].trailing_zeros() as usize;
                return Some(self.levels[..level].iter().rev().fold(found, first));
            }
            at /= 64;
        }
        None
    }

    /// The last rank before one.
    #[inline]
    fn previous(&self, rank: usize) -> Option<usize> {
        let mut at = rank;
        for (level, words) in self.levels.iter().enumerate() {
            let under = words[at / 64] & ((1 << (at % 64)) - 1);
            if under != 0 {
                let found = at / 64 * 64 + 63 - under.leading_zeros() as usize;
                let last = |at: usize, words: &Vec<u64>| at * 64 + 63 - words[at].leading_zeros() as usize;
                return Some(self.levels[..level].iter().rev().fold(found, last));
            }
            at /= 64;
        }
        None
    }
}

impl Order for Ranks {
    fn insert(&mut self, row: usize) {
        let rank = self.rank[row];
        let mut at = rank;
        for words in &mut self.levels {
            let was_empty = words[at / 64] == 0;
            words[at / 64] |= 1 << (at % 64);
            if !was_empty {
                break;
            }
            at /= 64;
        }
        if self.len == 0 {
            (self.finger, self.below) = (rank, 0);
        } else if rank < self.finger {
            self.below += 1;
        }
        self.len += 1;
    }

    fn remove(&mut self, row: usize) {
        let rank = self.rank[row];
        if rank < self.finger {
            self.below -= 1;
        } else if rank == self.finger {
            if let Some(next) = self.next(rank) {
                self.finger = next;
            } else if let Some(previous) = self.previous(rank) {
                self.finger = previous;
                self.below -= 1;
            }
        }
        let mut at = rank;
        for words in &mut self.levels {
            words[at / 64] &= !(1 << (at % 64));
            if words[at / 64] != 0 {
                break;
            }
            at /= 64;
        }
        self.len -= 1;
    }

    fn pair(&mut self, k: usize) -> (f64, f64) {
        while self.below < k
            && let Some(next) = self.next(self.finger)
        {
            self.finger = next;
            self.below += 1;
        }
        while self.below > k
            && let Some(previous) = self.previous(self.finger)
        {
            self.finger = previous;
            self.below -= 1;
        }
        let next = self.next(self.finger).unwrap_or(self.finger);
        (self.sorted[self.finger], self.sorted[next])
    }
}
