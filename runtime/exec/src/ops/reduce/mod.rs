//! Reductions of windows of rows: every reducer, type and grouping.
//!
//! ```
//! use tilt_exec::ops::{Data, How, Numbers, Rows, Stamps, Values, Windows, reduce};
//! use tilt_ir::tir::{Grouping, Index, Reducer, Window};
//!
//! let rows = Rows {
//!     first: 0,
//!     values: Values { data: Data::F64(&[1.0, 1e90, 4.0, 5.0]), valid: None },
//!     second: None,
//!     stamps: Stamps::Events(&[10, 20, 30, 40]),
//! };
//! let last_15 = Window { from: Index::now(-15), to: Index::NOW };
//! let windows = Windows { lo: &[0, 0, 1, 2], hi: &[1, 2, 3, 4], times: Some((last_15, &[10, 20, 30, 40])), skipped: None };
//! let grouping = Grouping::TimeBlocks { length: 15, origin: 0 };
//! let sums = reduce(&rows, &windows, How { kind: Reducer::Sum, grouping, min_count: 0 });
//! assert_eq!(sums.unwrap().data, Numbers::F64(vec![1.0, 1e90, 1e90, 9.0]));
//! ```
//!
//! A float result is the fold of the grouping, bit for bit ([`Grouping`] says which); the rest is exact, and computed in
//! whatever way is fast. φ rows contribute nothing; how many rows contribute is known from the validity bitmap alone.

mod blocks;
mod classes;
mod cuts;
mod doubling;
mod exact;
mod floats;
mod lanes;
mod least;
mod moments;
mod plain;
mod quantile;
mod terms;
#[cfg(test)]
mod tests;
mod weigh;
mod windows;

use tilt_ir::tir::{Grouping, Reducer};

pub use weigh::{Stretches, weigh};
pub use windows::{Rows, Stamps, Windows};

use crate::ops::{Bitmap, Bits, Made, bits::Ranks};

/// How windows are reduced.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// What is computed.
    pub kind: Reducer,
    /// How the terms are grouped.
    pub grouping: Grouping,
    /// φ below so many values.
    pub min_count: u64,
}

/// An integer result is out of range, in the window with this number (the first one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange(pub usize);

/// The reduction of each window. Integers are summed to `i64` (`is_duration` of `mean`: see [`reduce_durations`]).
///
/// # Errors
/// If an integer sum is out of range.
///
/// # Panics
/// If the reducer takes two values and there is one, or does not take such values, or is one of [`weigh`].
pub fn reduce(rows: &Rows<'_>, windows: &Windows<'_>, how: How) -> Result<Made, OutOfRange> {
    Job::new(rows, windows, how).reduce(false)
}

/// [`reduce`] of durations: their mean is one, rounded down.
///
/// # Errors
/// As of [`reduce`].
///
/// # Panics
/// As of [`reduce`].
pub fn reduce_durations(rows: &Rows<'_>, windows: &Windows<'_>, how: How) -> Result<Made, OutOfRange> {
    Job::new(rows, windows, how).reduce(true)
}

/// A reduction and the rows that have a value.
struct Job<'a> {
    rows: &'a Rows<'a>,
    windows: &'a Windows<'a>,
    how: How,
    valid: Option<Bitmap>,
}

impl<'a> Job<'a> {
    fn new(rows: &'a Rows<'a>, windows: &'a Windows<'a>, how: How) -> Job<'a> {
        let map = |valid: Option<Bits<'_>>| valid.map(Bitmap::from);
        let valid = match (map(rows.values.valid), map(rows.second.and_then(|second| second.valid))) {
            (Some(a), Some(b)) => Some(a.and(&b)),
            (a, b) => a.or(b),
        };
        Job { rows, windows, how, valid: valid.filter(|valid| valid.ones() < valid.len()) }
    }

    /// The first row that is there and how many are.
    fn there(&self) -> (i64, usize) {
        (self.rows.first, self.rows.len())
    }

    /// How many values each window has.
    fn counts(&self) -> impl Fn(usize) -> u64 + '_ {
        let ranks = Ranks::new(self.valid.as_ref());
        let (first, len) = self.there();
        move |k| {
            let live = self.windows.live(k, first, len);
            ranks.count(live.start, live.end)
        }
    }

    /// Which windows have a result: those with enough values, of which `more` says that they have one.
    fn enough(&self, more: impl Fn(usize, u64) -> bool) -> Bitmap {
        let counts = self.counts();
        let least = self.how.min_count.max(1);
        (0..self.windows.len())
            .map(|k| {
                let count = counts(k);
                count >= least && more(k, count)
            })
            .collect()
    }

    fn reduce(&self, is_duration: bool) -> Result<Made, OutOfRange> {
        match self.how.kind {
            Reducer::Count => Ok(self.count()),
            Reducer::Sum if !self.is_float() => self.int_sum(),
            Reducer::Mean if !self.is_float() => Ok(self.int_mean(is_duration)),
            Reducer::Sum | Reducer::Mean | Reducer::Var { .. } | Reducer::Std { .. } => Ok(self.floats()),
            Reducer::Min => Ok(self.extremes(false)),
            Reducer::Max => Ok(self.extremes(true)),
            Reducer::ArgMin => Ok(self.places(false)),
            Reducer::ArgMax => Ok(self.places(true)),
            Reducer::First | Reducer::Last => Ok(self.ends()),
            Reducer::CountDistinct => Ok(self.distinct()),
            Reducer::Mode => Ok(self.modes()),
            Reducer::Quantile { q } => Ok(self.quantiles(f64::from_bits(q))),
            Reducer::Skew | Reducer::Kurtosis => Ok(self.higher_moments()),
            Reducer::WeightedMean => Ok(self.weighted_mean()),
            Reducer::Cov { .. } | Reducer::Corr => Ok(self.comoments()),
            Reducer::Integral | Reducer::DurationMean => panic!("stretches of time are weighed, not rows"),
        }
    }
}
