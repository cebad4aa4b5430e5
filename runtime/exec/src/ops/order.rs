//! The rows of many keys in time order.
//!
//! ```
//! use tilt_exec::ops::order;
//! // two keys, one after the other; at equal times the first key first
//! let ordered = order(&[5, 9, 9, 2, 9, 11]).unwrap();
//! assert_eq!(ordered.rows, [3, 0, 1, 2, 4, 5]);
//! assert_eq!(ordered.stamps[..], [2, 5, 9, 9, 9, 11]);
//! assert!(order(&[1, 1, 3]).is_none()); // nothing to do
//! ```
//!
//! Rows are first dealt to *buckets*, stretches of time with about [`BUCKET`] rows each, then each bucket is sorted inside the
//! cache, on any thread. There a row is one word: the time since the bucket's start, then its number.

use arrow::buffer::ScalarBuffer;

use crate::{buffer::PageBuffer, workers};

/// Rows of a bucket, about.
const BUCKET: usize = 1 << 11;

/// There are at most two to this power buckets: so many streams of writes go well.
const MOST: u32 = 11;

/// Rows that a thread deals at a time.
const BLOCK: usize = 1 << 18;

/// Bits of a digit where a bucket is sorted by digits, and up to how many digits that is faster than comparing.
const DIGIT: u32 = 11;
const DIGITS: u32 = 3;

/// Rows in time order.
#[derive(Clone, Debug)]
pub struct Ordered {
    /// The stamps, ascending.
    pub stamps: ScalarBuffer<i64>,
    /// For each place the row that belongs there.
    pub rows: Vec<u32>,
}

/// A stable sort of rows by their stamps; `None` if they stand in order.
///
/// # Panics
/// If there are 2³² rows.
pub fn order(stamps: &[i64]) -> Option<Ordered> {
    if stamps.is_sorted() {
        return None;
    }
    let rows = u32::try_from(stamps.len()).unwrap_or_else(|_| panic!("{} rows at once", stamps.len()));
    let (least, greatest) = stamps.iter().fold((i64::MAX, i64::MIN), |(a, b), t| (a.min(*t), b.max(*t)));
    let of_time = u64::BITS - greatest.abs_diff(least).leading_zeros();
    let buckets = (stamps.len() / BUCKET).max(1).ilog2().min(MOST).min(of_time);
    let cut = Cut { least, shift: of_time - buckets, rows: u32::BITS - rows.leading_zeros() };
    Some(match cut.shift + cut.rows <= u64::BITS {
        true => sorted::<u64>(stamps, cut, 1 << buckets),
        false => sorted::<u128>(stamps, cut, 1 << buckets),
    })
}

/// How a row becomes a word.
#[derive(Clone, Copy)]
struct Cut {
    least: i64,
    /// Bits of the time inside a bucket.
    shift: u32,
    /// Bits of the number of a row.
    rows: u32,
}

impl Cut {
    fn bucket(self, stamp: i64) -> usize {
        // a single bucket may be as wide as all time
        (u128::from(stamp.abs_diff(self.least)) >> self.shift) as usize
    }
}

/// A time inside a bucket above a row.
trait Word: Copy + Ord + Default + Send + Sync {
    fn new(time: u64, row: u32, cut: Cut) -> Self;
    fn time(self, cut: Cut) -> u64;
    fn row(self, cut: Cut) -> u32;
}

macro_rules! word {
    ($ty:ident) => {
        impl Word for $ty {
            #[inline]
            fn new(time: u64, row: u32, cut: Cut) -> $ty {
                $ty::from(time) << cut.rows | $ty::from(row)
            }
            #[inline]
            fn time(self, cut: Cut) -> u64 {
                (self >> cut.rows) as u64
            }
            #[inline]
            fn row(self, cut: Cut) -> u32 {
                (self & ((1 << cut.rows) - 1)) as u32
            }
        }
    };
}
word!(u64);
word!(u128);

/// A block of rows, dealt to buckets.
struct Dealt<W> {
    words: Vec<W>,
    /// Where each bucket begins, and where the last one ends.
    starts: Vec<usize>,
}

fn sorted<W: Word>(stamps: &[i64], cut: Cut, buckets: usize) -> Ordered {
    let blocks: Vec<(usize, &[i64])> = (0..).step_by(BLOCK).zip(stamps.chunks(BLOCK)).collect();
    let blocks = workers::map(blocks, |(first, stamps)| deal::<W>(stamps, first, cut, buckets));
    let size =
        |bucket: usize| blocks.iter().map(|block| block.starts[bucket + 1] - block.starts[bucket]).sum();
    let mut memory = PageBuffer::zeroed(size_of_val(stamps));
    let (mut times, _) = memory.bytes_mut().as_chunks_mut::<{ size_of::<i64>() }>();
    let mut order = vec![0; stamps.len()];
    let mut rows = &mut order[..];
    let mut parts = Vec::with_capacity(buckets);
    for bucket in 0..buckets {
        let (of_bucket, after) = times.split_at_mut(size(bucket));
        let (its_rows, rest) = rows.split_at_mut(of_bucket.len());
        (times, rows) = (after, rest);
        parts.push((bucket, of_bucket, its_rows));
    }
    // a few buckets are one job
    let mut jobs = Vec::new();
    while !parts.is_empty() {
        jobs.push(parts.split_off(parts.len().saturating_sub(16)));
    }
    workers::map(jobs, |parts| {
        let (mut words, mut other) = (Vec::new(), Vec::new());
        for (bucket, times, rows) in parts {
            words.clear();
            for block in &blocks {
                words.extend_from_slice(&block.words[block.starts[bucket]..block.starts[bucket + 1]]);
            }
            sort(&mut words, &mut other, cut);
            let start = cut.least.wrapping_add((bucket as u64).checked_shl(cut.shift).unwrap_or(0) as i64);
            for ((word, time), row) in words.iter().zip(times).zip(rows) {
                *time = start.wrapping_add(word.time(cut) as i64).to_ne_bytes();
                *row = word.row(cut);
            }
        }
    });
    Ordered { stamps: ScalarBuffer::new(memory.into_arrow(), 0, stamps.len()), rows: order }
}

/// Deals rows to buckets, in their order.
fn deal<W: Word>(stamps: &[i64], first: usize, cut: Cut, buckets: usize) -> Dealt<W> {
    let mut starts = vec![0; buckets + 1];
    stamps.iter().for_each(|stamp| starts[cut.bucket(*stamp) + 1] += 1);
    for bucket in 0..buckets {
        starts[bucket + 1] += starts[bucket];
    }
    let mut next = starts.clone();
    let mut words = vec![W::default(); stamps.len()];
    let inside = u64::MAX.checked_shr(u64::BITS - cut.shift).unwrap_or(0);
    for (stamp, row) in stamps.iter().zip(first as u32..) {
        let place = &mut next[cut.bucket(*stamp)];
        words[*place] = W::new(stamp.abs_diff(cut.least) & inside, row, cut);
        *place += 1;
    }
    Dealt { words, starts }
}

/// Sorts the words of a bucket, which are in the order of their rows.
fn sort<W: Word>(words: &mut Vec<W>, other: &mut Vec<W>, cut: Cut) {
    let passes = cut.shift.div_ceil(DIGIT);
    if passes > DIGITS || words.len() < 256 {
        return words.sort_unstable();
    }
    let width = cut.shift.div_ceil(passes.max(1));
    for pass in 0..passes {
        let digit = |word: W| (word.time(cut) >> (pass * width)) as usize & ((1 << width) - 1);
        let mut places = [0u32; 1 << DIGIT];
        words.iter().for_each(|word| places[digit(*word)] += 1);
        let mut sum = 0;
        places.iter_mut().for_each(|place| sum += std::mem::replace(place, sum));
        other.resize(words.len(), W::default());
        for word in words.iter() {
            let place = &mut places[digit(*word)];
            other[*place as usize] = *word;
            *place += 1;
        }
        std::mem::swap(words, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_a_stable_sort(
            stamps in prop::collection::vec(any::<i64>(), 1..9000),
            width in 0u32..64,
            threads in 1usize..3,
        ) {
            let stamps: Vec<i64> = stamps.iter().map(|stamp| stamp >> width).collect();
            let mut expected: Vec<u32> = (0..stamps.len() as u32).collect();
            expected.sort_by_key(|row| stamps[*row as usize]);
            match workers::with_threads(threads, || order(&stamps)) {
                None => prop_assert!(stamps.is_sorted()),
                Some(ordered) => {
                    let times: Vec<i64> = expected.iter().map(|row| stamps[*row as usize]).collect();
                    prop_assert_eq!(&ordered.rows, &expected);
                    prop_assert_eq!(&ordered.stamps[..], times);
                }
            }
        }
    }

    #[test]
    fn several_blocks() {
        let stamps: Vec<i64> = (0..BLOCK as i64 * 2 + 5).map(|row| row * 7919 % 100_003).collect();
        let mut expected: Vec<u32> = (0..stamps.len() as u32).collect();
        expected.sort_by_key(|row| stamps[*row as usize]);
        let found = workers::with_threads(2, || order(&stamps));
        assert_eq!(found.map(|ordered| ordered.rows), Some(expected));
    }
}
