//! Bitmaps: which rows have a value.
//!
//! ```
//! use tilt_exec::ops::{Bitmap, Bits};
//! let bits = Bits::new(&[0b0101_1000], 3, 4);
//! assert_eq!((0..4).map(|i| bits.get(i)).collect::<Vec<_>>(), [true, true, false, true]);
//! let ranks = Bitmap::from(bits);
//! assert_eq!(ranks.ones(), 3);
//! ```

/// Consecutive bits of a byte buffer, least significant bit first.
#[derive(Clone, Copy, Debug)]
pub struct Bits<'a> {
    bytes: &'a [u8],
    first: usize,
    len: usize,
}

impl<'a> Bits<'a> {
    /// The bits `first..first + len` of `bytes`.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn new(bytes: &'a [u8], first: usize, len: usize) -> Bits<'a> {
        assert!(
            bytes.len() * 8 >= first + len,
            "{len} bits from {first} on are more than {} bytes",
            bytes.len()
        );
        Bits { bytes, first, len }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bit `i`.
    #[inline]
    pub fn get(&self, i: usize) -> bool {
        debug_assert!(i < self.len);
        let at = self.first + i;
        self.bytes[at / 8] >> (at % 8) & 1 == 1
    }

    /// The 64 bits from bit `i` on; those past the end are 0.
    pub fn word(&self, i: usize) -> u64 {
        if i >= self.len {
            return 0;
        }
        let at = self.first + i;
        let (byte, shift) = (at / 8, at % 8);
        let mut buffer = [0; 16];
        let bytes = &self.bytes[byte..self.bytes.len().min(byte + 9)];
        buffer[..bytes.len()].copy_from_slice(bytes);
        let word = (u128::from_le_bytes(buffer) >> shift) as u64;
        match self.len - i {
            rest @ ..64 => word & ((1 << rest) - 1),
            _ => word,
        }
    }
}

/// Bits that own their memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bitmap {
    words: Vec<u64>,
    len: usize,
}

impl From<Bits<'_>> for Bitmap {
    fn from(bits: Bits<'_>) -> Bitmap {
        Bitmap { words: (0..bits.len).step_by(64).map(|i| bits.word(i)).collect(), len: bits.len }
    }
}

impl FromIterator<bool> for Bitmap {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Bitmap {
        let bits = bits.into_iter();
        let mut map = Bitmap { words: Vec::with_capacity(bits.size_hint().0.div_ceil(64)), len: 0 };
        let mut word = 0;
        bits.for_each(|bit| {
            word |= u64::from(bit) << (map.len % 64);
            map.len += 1;
            if map.len.is_multiple_of(64) {
                map.words.push(word);
                word = 0;
            }
        });
        if !map.len.is_multiple_of(64) {
            map.words.push(word);
        }
        map
    }
}

impl Bitmap {
    /// So many zeros.
    pub fn zeros(len: usize) -> Bitmap {
        Bitmap { words: vec![0; len.div_ceil(64)], len }
    }

    /// How many bits there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bit `i`.
    #[inline]
    pub fn get(&self, i: usize) -> bool {
        debug_assert!(i < self.len);
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    /// Sets bit `i`.
    #[inline]
    pub fn set(&mut self, i: usize) {
        debug_assert!(i < self.len);
        self.words[i / 64] |= 1 << (i % 64);
    }

    /// One more bit at the end.
    #[inline]
    pub fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        if let Some(word) = self.words.last_mut() {
            *word |= u64::from(bit) << (self.len % 64);
        }
        self.len += 1;
    }

    /// How many ones there are.
    pub fn ones(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The words, bit 0 first; the unused bits of the last one are 0.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words themselves.
    pub fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// The first one at `from` or after it, before `end`.
    pub fn next_one(&self, from: usize, end: usize) -> Option<usize> {
        let mut at = from;
        while at < end {
            let word = self.words[at / 64] >> (at % 64);
            if word != 0 {
                let found = at + word.trailing_zeros() as usize;
                return (found < end).then_some(found);
            }
            at = (at / 64 + 1) * 64;
        }
        None
    }

    /// The last one before `end`, at `from` or after it.
    pub fn last_one(&self, from: usize, end: usize) -> Option<usize> {
        let mut at = end;
        while at > from {
            let word = self.words[(at - 1) / 64] << (63 - (at - 1) % 64);
            if word != 0 {
                let found = at - 1 - word.leading_zeros() as usize;
                return (found >= from).then_some(found);
            }
            at = (at - 1) / 64 * 64;
        }
        None
    }

    /// Bits that are set in both.
    pub fn and(mut self, other: &Bitmap) -> Bitmap {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= b);
        self
    }
}

/// How many rows of a range have a value, at once.
#[derive(Clone, Debug)]
pub(super) struct Ranks<'a> {
    valid: Option<&'a Bitmap>,
    /// The ones before each word.
    before: Vec<u64>,
}

impl<'a> Ranks<'a> {
    pub(super) fn new(valid: Option<&'a Bitmap>) -> Ranks<'a> {
        let words = valid.map_or(&[][..], Bitmap::words);
        let before = words.iter().scan(0, |sum, word| {
            let before = *sum;
            *sum += u64::from(word.count_ones());
            Some(before)
        });
        Ranks { valid, before: before.collect() }
    }

    fn below(&self, valid: &Bitmap, row: usize) -> u64 {
        match (self.before.get(row / 64), valid.words().get(row / 64)) {
            (Some(before), Some(word)) => before + u64::from((word & ((1 << (row % 64)) - 1)).count_ones()),
            _ => self.before.last().map_or(0, |before| {
                before + valid.words().last().map_or(0, |word| u64::from(word.count_ones()))
            }),
        }
    }

    /// The values in the rows `start..end`.
    #[inline]
    pub(super) fn count(&self, start: usize, end: usize) -> u64 {
        match self.valid {
            None => (end - start) as u64,
            Some(valid) => self.below(valid, end) - self.below(valid, start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_ranks_at_any_offset() {
        let bytes: Vec<u8> = (0..40u32).map(|i| (i * 73 % 251) as u8).collect();
        for first in [0, 1, 7, 8, 13] {
            for len in [0, 1, 63, 64, 65, 200] {
                let bits = Bits::new(&bytes, first, len);
                let map = Bitmap::from(bits);
                assert_eq!(map, (0..len).map(|i| bits.get(i)).collect());
                let ranks = Ranks::new(Some(&map));
                for (start, end) in [(0, len), (len / 3, len), (len / 3, len / 2)] {
                    let count = (start..end).filter(|i| map.get(*i)).count() as u64;
                    assert_eq!(ranks.count(start, end), count);
                    assert_eq!(map.next_one(start, end), (start..end).find(|i| map.get(*i)));
                    assert_eq!(map.last_one(start, end), (start..end).rfind(|i| map.get(*i)));
                }
            }
        }
    }
}
