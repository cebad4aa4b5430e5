//! Loops by hand, one file for each kind of work.
//!
//! A loop computes a range of output rows, multiples of 64 but at the end, from whole columns; row 0 is the first row of the
//! data. [`HandLoop`] runs one over all rows, on one thread or two. Every loop is compiled for AVX-512, for AVX2 and for any
//! processor, and picks at run time; where plain Rust does not become the code that one wants, the AVX-512 version is written
//! with intrinsics.

pub mod doubling;
pub mod elementwise;
pub mod fraud;
pub mod lanes;
pub mod normalize;
pub mod recursion;
pub mod resample;
pub mod rsi;
pub mod sliding;
pub mod trend;
#[cfg(target_arch = "x86_64")]
mod wide;
pub mod window_sum;

use std::ops::Range;

use rayon::ThreadPool;
use tilt::RegularStream;

use crate::memory::Pages;

/// An input column.
#[derive(Clone, Copy)]
pub struct Series<'a> {
    /// The numbers.
    pub values: &'a [f32],
    /// The bitmap of the rows that are there, padded; `None` if all are.
    pub valid: Option<&'a [u8]>,
}

impl<'a> Series<'a> {
    /// The first column of a stream.
    pub fn of(stream: &'a RegularStream) -> Series<'a> {
        Series { values: stream.columns[0].values(), valid: stream.columns[0].validity() }
    }

    /// Which of the 64 rows from `row` on, a multiple of 8, are there.
    #[inline(always)]
    pub fn word(self, row: usize) -> u64 {
        match self.valid {
            None => u64::MAX,
            Some(bits) => match bits[row / 8..].first_chunk() {
                Some(bytes) => u64::from_le_bytes(*bytes),
                None => unreachable!("bitmaps are padded"),
            },
        }
    }

    /// Whether there is such a row.
    #[inline(always)]
    pub fn has(self, row: isize) -> bool {
        let Some(row) = usize::try_from(row).ok().filter(|row| *row < self.values.len()) else {
            return false;
        };
        self.valid.is_none_or(|bits| bits[row / 8] >> (row % 8) & 1 == 1)
    }

    /// The number in a row; `-0.0`, which leaves any sum as it is, where there is none.
    #[inline(always)]
    pub fn term(self, row: isize) -> f32 {
        if self.has(row) { self.values[row as usize] } else { -0.0 }
    }
}

/// The part of the output that a call computes; row `rows.start` comes first. What an application does not put out is empty.
pub struct Chunk<'a> {
    /// Numbers.
    pub f32s: &'a mut [f32],
    /// Numbers.
    pub f64s: &'a mut [f64],
    /// Truth values, or which rows are kept.
    pub bits: &'a mut [u64],
    /// Which rows are not φ.
    pub valid: &'a mut [u64],
}

/// Computes some rows of an output.
pub type Compute = fn(&[Series<'_>], Range<usize>, Chunk<'_>);

/// What an application puts out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number for each row.
    F32,
    /// A number for each row.
    F64,
    /// A truth value for each row.
    Bool,
    /// Which rows of the input are put out.
    Keep,
}

/// A loop, as the table of applications names it.
#[derive(Clone, Copy)]
pub struct Hand {
    /// The loop.
    pub compute: Compute,
    /// What it puts out.
    pub kind: Kind,
    /// Whether rows may be φ.
    pub nullable: bool,
    /// Work is divided between threads at multiples of so many output rows (itself one of 64).
    pub unit: usize,
    /// From the number of input rows to that of output rows.
    pub rows: fn(usize) -> usize,
}

/// A loop with its output.
pub struct HandLoop {
    hand: Hand,
    /// How many rows there are.
    pub rows: usize,
    f32s: Pages<f32>,
    f64s: Pages<f64>,
    bits: Pages<u64>,
    valid: Pages<u64>,
    pool: Option<ThreadPool>,
}

impl HandLoop {
    /// Room for the output of `hand` on so many input rows, and threads.
    ///
    /// # Panics
    /// If the system gives no threads.
    pub fn new(hand: Hand, input_rows: usize, threads: usize) -> HandLoop {
        let rows = (hand.rows)(input_rows);
        let words = rows.div_ceil(64);
        let only = |kind: Kind, len: usize| if hand.kind == kind { len } else { 0 };
        let pool = (threads > 1).then(|| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap_or_else(|error| panic!("{error}"))
        });
        HandLoop {
            hand,
            rows,
            f32s: Pages::zeroed(only(Kind::F32, rows)),
            f64s: Pages::zeroed(only(Kind::F64, rows)),
            bits: Pages::zeroed(only(Kind::Bool, words).max(only(Kind::Keep, words))),
            valid: Pages::zeroed(if hand.nullable { words } else { 0 }),
            pool,
        }
    }

    /// Computes all rows.
    pub fn run(&mut self, inputs: &[Series<'_>]) {
        let (compute, rows) = (self.hand.compute, self.rows);
        let whole = Chunk {
            f32s: &mut self.f32s,
            f64s: &mut self.f64s,
            bits: &mut self.bits,
            valid: &mut self.valid,
        };
        let half = (rows / 2).next_multiple_of(self.hand.unit);
        let Some(pool) = self.pool.as_ref().filter(|_| half < rows) else {
            return compute(inputs, 0..rows, whole);
        };
        let (first, second) = whole.split(half);
        pool.install(|| {
            rayon::join(|| compute(inputs, 0..half, first), || compute(inputs, half..rows, second))
        });
    }

    /// The numbers, widened.
    pub fn number(&self, row: usize) -> f64 {
        if self.hand.kind == Kind::F64 { self.f64s[row] } else { f64::from(self.f32s[row]) }
    }
    /// The truth value, or whether the row is kept.
    pub fn bit(&self, row: usize) -> bool {
        self.bits[row / 64] >> (row % 64) & 1 == 1
    }
    /// Whether the row is not φ.
    pub fn is_valid(&self, row: usize) -> bool {
        !self.hand.nullable || self.valid[row / 64] >> (row % 64) & 1 == 1
    }
}

impl<'a> Chunk<'a> {
    /// The first `rows` rows, a multiple of 64 or all, and the others.
    pub fn split(self, rows: usize) -> (Chunk<'a>, Chunk<'a>) {
        fn cut<T>(all: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
            let at = at.min(all.len());
            all.split_at_mut(at)
        }
        let (f32s, f32s_after) = cut(self.f32s, rows);
        let (f64s, f64s_after) = cut(self.f64s, rows);
        let (bits, bits_after) = cut(self.bits, rows.div_ceil(64));
        let (valid, valid_after) = cut(self.valid, rows.div_ceil(64));
        (
            Chunk { f32s, f64s, bits, valid },
            Chunk { f32s: f32s_after, f64s: f64s_after, bits: bits_after, valid: valid_after },
        )
    }
}

/// Rows before which the vector loops do not start: they look back this far at most.
const EDGE: usize = 128;

/// Computes the rows at both edges of the data by `edge`, and whole words of 64 rows between them by `steady`.
fn edges_apart(
    inputs: &[Series<'_>],
    rows: Range<usize>,
    out: Chunk<'_>,
    edge: impl Fn(&[Series<'_>], Range<usize>, Chunk<'_>),
    steady: impl Fn(&[Series<'_>], Range<usize>, Chunk<'_>),
) {
    let (from, to) = (rows.start.max(EDGE), rows.end / 64 * 64);
    if from >= to {
        return edge(inputs, rows, out);
    }
    let (head, rest) = out.split(from - rows.start);
    let (middle, tail) = rest.split(to - from);
    edge(inputs, rows.start..from, head);
    steady(inputs, from..to, middle);
    edge(inputs, to..rows.end, tail);
}

/// Whether the processor has the AVX-512 instructions that the loops use.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_wide_vectors() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

/// A loop compiled for AVX-512, AVX2 and any processor.
macro_rules! versions {
    ($(#[$doc:meta])* $name:ident = $body:path) => {
        $(#[$doc])*
        pub fn $name(inputs: &[$crate::hand::Series<'_>], rows: std::ops::Range<usize>, out: $crate::hand::Chunk<'_>) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
                fn wide(inputs: &[$crate::hand::Series<'_>], rows: std::ops::Range<usize>, out: $crate::hand::Chunk<'_>) {
                    $body(inputs, rows, out);
                }
                #[target_feature(enable = "avx2")]
                fn middle(inputs: &[$crate::hand::Series<'_>], rows: std::ops::Range<usize>, out: $crate::hand::Chunk<'_>) {
                    $body(inputs, rows, out);
                }
                if $crate::hand::has_wide_vectors() {
                    // SAFETY: the processor has these instructions.
                    return unsafe { wide(inputs, rows, out) };
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has these instructions.
                    return unsafe { middle(inputs, rows, out) };
                }
            }
            $body(inputs, rows, out);
        }
    };
}
pub(crate) use versions;
