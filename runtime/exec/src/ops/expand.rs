//! Rows and the rows of their windows, as pairs.
//!
//! ```text
//! windows [5..7), [6..9)      outer  0 0 1 1 1
//!                             inner  5 6 6 7 8
//! ```
//!
//! A reduction whose row expression looks at its outer row is computed pair by pair and then folded for each outer row.

use super::{How, Made, OutOfRange, Rows, Stamps, Values, Windows, reduce};
use tilt_ir::tir::{Grouping, Reducer};

/// Pairs in the order of the outer rows.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// Where the pairs of each outer row begin, and where the last ones end.
    pub offsets: Vec<i64>,
    /// For each pair the inner row.
    pub inner: Vec<i64>,
    /// For each outer row how many rows of its window come before its first pair, as they are not there.
    pub skipped: Vec<i64>,
}

impl Pairs {
    /// The pairs of windows with the rows `lo[k]..hi[k]`, of which those in `there` are there; `None` if there are more than `most`.
    pub fn new(lo: &[i64], hi: &[i64], there: (i64, i64), most: usize) -> Option<Pairs> {
        let mut pairs = Pairs { offsets: vec![0], ..Pairs::default() };
        for (lo, hi) in lo.iter().zip(hi) {
            let (from, to) = (there.0.max(*lo), there.1.min(*hi));
            let count = usize::try_from(to.saturating_sub(from)).unwrap_or(0);
            if pairs.inner.len().saturating_add(count) > most {
                return None;
            }
            pairs.inner.extend(from..to);
            pairs.offsets.push(pairs.inner.len() as i64);
            pairs.skipped.push(from.wrapping_sub(*lo));
        }
        Some(pairs)
    }

    /// For each pair the number of its window.
    pub fn outer(&self) -> Vec<i64> {
        let mut outer = Vec::with_capacity(self.inner.len());
        for (k, ends) in self.offsets.windows(2).enumerate() {
            outer.resize(ends[1] as usize, k as i64);
        }
        outer
    }

    /// The windows over the pairs.
    pub fn windows(&self) -> Windows<'_> {
        let windows = self.offsets.len() - 1;
        let (lo, hi) = (&self.offsets[..windows], &self.offsets[1..]);
        Windows { lo, hi, times: None, skipped: Some(&self.skipped) }
    }

    /// The reduction of the pairs of each outer row, grouped as `lanes64`, where pairs have these values and the stamps of their
    /// inner rows.
    ///
    /// # Errors
    /// As of [`reduce`].
    ///
    /// # Panics
    /// As [`reduce`].
    pub fn fold(
        &self,
        values: Values<'_>,
        second: Option<Values<'_>>,
        stamps: &[i64],
        kind: Reducer,
        min_count: u64,
    ) -> Result<Made, OutOfRange> {
        let rows = Rows { first: 0, values, second, stamps: Stamps::Events(stamps) };
        reduce(&rows, &self.windows(), How { kind, grouping: Grouping::Lanes64, min_count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Data, Numbers};

    #[test]
    fn pairs_of_rows_that_are_there() {
        let pairs = Pairs::new(&[-2, 1, 4], &[1, 4, 9], (0, 5), 100).unwrap_or_default();
        assert_eq!(pairs.offsets, [0, 1, 4, 5]);
        assert_eq!(pairs.inner, [0, 1, 2, 3, 4]);
        assert_eq!((pairs.outer(), pairs.skipped.clone()), (vec![0, 1, 1, 1, 2], vec![2, 0, 0]));
        assert!(Pairs::new(&[0, 0], &[3, 4], (0, 5), 6).is_none());
        let values = Values { data: Data::I32(&[1, 2, 3, 4, 5]), valid: None };
        let sums = pairs.fold(values, None, &[0; 5], Reducer::Sum, 2).unwrap();
        assert_eq!((sums.data.clone(), sums.is_valid(0)), (Numbers::I64(vec![1, 9, 5]), false));
        assert_eq!(pairs.windows().len(), 3);
    }
}
