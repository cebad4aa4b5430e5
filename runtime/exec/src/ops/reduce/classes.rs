//! Numbers for equal values, and what counts them: `count_distinct` and `mode`.

use super::windows::{Sliding, Windows, slide};
use crate::ops::Bitmap;

/// What a φ row has for a class.
const NONE: u32 = u32::MAX;

/// For each row a number that equal values share, from 0 on.
pub(super) struct Classes {
    of: Vec<u32>,
    count: usize,
}

impl Classes {
    /// Of rows whose values have these classes, as any 64 bits.
    pub(super) fn new(rows: usize, class: impl Fn(usize) -> u64, valid: Option<&Bitmap>) -> Classes {
        let mut table = Table::new();
        let of = (0..rows).map(|row| match valid.is_none_or(|valid| valid.get(row)) {
            true => table.number(class(row)),
            false => NONE,
        });
        Classes { of: of.collect(), count: table.len }
    }

    /// How many different values each window has.
    pub(super) fn distinct(&self, windows: &Windows<'_>, first: i64, put: &mut impl FnMut(usize, u64)) {
        let mut distinct = Distinct { of: &self.of, counts: vec![0; self.count], distinct: 0 };
        slide(&mut distinct, windows, (first, self.of.len()), |k, state| put(k, state.distinct));
    }

    /// The first row of the class with most rows in each window, of several the one that begins first; meaningless without values.
    pub(super) fn modes(&self, windows: &Windows<'_>, first: i64, put: &mut impl FnMut(usize, usize)) {
        let mut modes = Modes::new(&self.of, self.count);
        slide(&mut modes, windows, (first, self.of.len()), |k, state| put(k, state.mode()));
    }
}

struct Distinct<'a> {
    of: &'a [u32],
    /// For each class how many of its rows are in.
    counts: Vec<u64>,
    distinct: u64,
}

impl Sliding for Distinct<'_> {
    #[inline]
    fn enter(&mut self, row: usize) {
        if let Some(count) = self.counts.get_mut(self.of[row] as usize) {
            self.distinct += u64::from(*count == 0);
            *count += 1;
        }
    }

    #[inline]
    fn leave(&mut self, row: usize) {
        if let Some(count) = self.counts.get_mut(self.of[row] as usize) {
            *count -= 1;
            self.distinct -= u64::from(*count == 0);
        }
    }
}

/// A tournament of the classes: at each node the winner of those below.
struct Modes<'a> {
    of: &'a [u32],
    /// For each row the next one of its class.
    next: Vec<usize>,
    /// Node i is above nodes 2i and 2i + 1; the classes are the leaves. A class is its count of rows, then how early it begins.
    nodes: Vec<u128>,
    leaves: usize,
}

impl<'a> Modes<'a> {
    fn new(of: &'a [u32], count: usize) -> Modes<'a> {
        let mut first = vec![usize::MAX; count];
        let mut next = vec![usize::MAX; of.len()];
        for (row, class) in of.iter().enumerate().rev() {
            if let Some(first) = first.get_mut(*class as usize) {
                next[row] = std::mem::replace(first, row);
            }
        }
        let leaves = count.next_power_of_two();
        Modes { of, next, nodes: vec![0; 2 * leaves], leaves }
    }

    fn mode(&self) -> usize {
        !(self.nodes[1] as u64) as usize
    }

    #[inline]
    fn play(&mut self, class: usize, score: u128) {
        let mut node = self.leaves + class;
        self.nodes[node] = score;
        while node > 1 {
            node /= 2;
            let winner = self.nodes[2 * node].max(self.nodes[2 * node + 1]);
            if self.nodes[node] == winner {
                break;
            }
            self.nodes[node] = winner;
        }
    }
}

const ONE: u128 = 1 << 64;

impl Sliding for Modes<'_> {
    #[inline]
    fn enter(&mut self, row: usize) {
        if self.of[row] == NONE {
            return;
        }
        let class = self.of[row] as usize;
        let score = match self.nodes[self.leaves + class] {
            0 => ONE | u128::from(!(row as u64)),
            score => score + ONE,
        };
        self.play(class, score);
    }

    #[inline]
    fn leave(&mut self, row: usize) {
        if self.of[row] == NONE {
            return;
        }
        let class = self.of[row] as usize;
        let count = (self.nodes[self.leaves + class] >> 64) - 1;
        let begin = u128::from(!(self.next[row] as u64));
        self.play(class, if count == 0 { 0 } else { count << 64 | begin });
    }
}

/// A hash table from 64 bits to numbers in order of appearance.
struct Table {
    /// Class and number; `NONE` where there is nothing. A power of two of them.
    slots: Vec<(u64, u32)>,
    len: usize,
}

impl Table {
    fn new() -> Table {
        Table { slots: vec![(0, NONE); 64], len: 0 }
    }

    #[inline]
    fn number(&mut self, class: u64) -> u32 {
        if self.len * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(class) & mask;
        loop {
            match self.slots[at] {
                (_, NONE) => {
                    let number = self.len as u32;
                    self.slots[at] = (class, number);
                    self.len += 1;
                    return number;
                }
                (known, number) if known == class => return number,
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 4;
        let old = std::mem::replace(&mut self.slots, vec![(0, NONE); size]);
        for (class, number) in old.into_iter().filter(|(_, number)| *number != NONE) {
            let mut at = hash(class) & (size - 1);
            while self.slots[at].1 != NONE {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = (class, number);
        }
    }
}

/// The finalizer of MurmurHash3.
#[inline]
fn hash(class: u64) -> usize {
    let mut x = class;
    x = (x ^ x >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ x >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    (x ^ x >> 33) as usize
}
