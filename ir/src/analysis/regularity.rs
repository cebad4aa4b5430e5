//! Regularity: which row of a stream is looked at from row `i`.
//!
//! Both streams lie on grids, so the answer is arithmetic. From a 30 minute series, last hour's row is a shift, yesterday's
//! midnight is the same row for 48 rows in a run, and a day looks at every 48th row of it:
//!
//! ```
//! use tilt_ir::{Grid, tir::{Base, Index}, analysis::regularity::RowMap};
//! let minutes = 60_000_000_000;
//! let half_hours = Grid::new(30 * minutes, 0);
//! let days = Grid::new(1440 * minutes, 0);
//! let midnight = Index { base: Base::Floor(1440 * minutes), shift: 0 };
//!
//! assert_eq!(RowMap::of(Index::now(-60 * minutes), half_hours, half_hours), RowMap::Shift(-2));
//! assert_eq!(RowMap::of(Index::NOW, days, half_hours), RowMap::Stride { mul: 48, add: 0 });
//! let runs = RowMap::of(midnight, half_hours, half_hours);
//! assert_eq!(runs, RowMap::Segments { scale: 48, mul: 1, add: 0, div: 48, post: 0 });
//! assert_eq!((runs.run(), runs.row(100)), (Some(48), Some(96)));
//! ```
//!
//! With grids `(P, O)` and `(Q, R)` a look at `t + D` is `floor((i·P + O + D - R) / Q)`. A `floor(t, p)` puts another floor inside;
//! the two become one if `p` divides `P`, or `Q`; and if `Q` divides `p` the outer one is no division at all.

#[cfg(test)]
mod tests;

use super::span::gcd;
use crate::{
    Grid,
    tir::{Base, Index},
};

/// The row looked at, as a function of the row `i` that looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowMap {
    /// `i + k`.
    Shift(i64),
    /// `i·mul + add`; `mul > 1`.
    Stride {
        /// Rows between two looks.
        mul: i64,
        /// The row looked at from row 0.
        add: i64,
    },
    /// `scale · floor((i·mul + add) / div) + post`, with `scale, mul ≥ 1`, `div > 1`, `0 ≤ add < div`, and `mul`, `div` without a
    /// common factor. If `mul` is 1 the row is the same for `div` rows in a run.
    Segments {
        /// From one quotient to the next this many rows.
        scale: i64,
        /// Added to the numerator for each row.
        mul: i64,
        /// The numerator at row 0.
        add: i64,
        /// The divisor.
        div: i64,
        /// Added to it all.
        post: i64,
    },
    /// None of these, or with numbers that do not fit 64 bits: ask [`Index::row`].
    General,
}

impl RowMap {
    /// How rows of grid `from` look at rows of grid `to` by this index.
    pub fn of(index: Index, from: Grid, to: Grid) -> RowMap {
        Affine::of(index, from, to).map_or(RowMap::General, Affine::classify)
    }

    /// The row looked at from row `i`; `None` for `General`.
    pub fn row(self, i: i128) -> Option<i128> {
        match self {
            RowMap::Shift(k) => Some(i + k as i128),
            RowMap::Stride { mul, add } => Some(i * mul as i128 + add as i128),
            RowMap::Segments { scale, mul, add, div, post } => {
                let quotient = (i * mul as i128 + add as i128).div_euclid(div as i128);
                Some(quotient * scale as i128 + post as i128)
            }
            RowMap::General => None,
        }
    }

    /// How many rows in a run look at the same row (runs start where `i + add` is a multiple of it); `None` if the runs are not
    /// all of one length.
    pub fn run(self) -> Option<i64> {
        match self {
            RowMap::Shift(_) | RowMap::Stride { .. } => Some(1),
            RowMap::Segments { mul: 1, div, .. } => Some(div),
            RowMap::Segments { .. } | RowMap::General => None,
        }
    }
}

/// `scale · floor((i·mul + add) / div) + post`.
struct Affine {
    scale: i128,
    mul: i128,
    add: i128,
    div: i128,
    post: i128,
}

impl Affine {
    fn of(index: Index, from: Grid, to: Grid) -> Option<Affine> {
        let (mul, start) = (from.period as i128, from.offset as i128);
        let (div, shift) = (to.period as i128, index.shift as i128 - to.offset as i128);
        let (period, add) = match index.base {
            Base::Now => return Some(Affine::single(mul, start + shift, div)),
            Base::Floor(period) => (period as i128, start),
            // ceil(a / p) = floor((a + p - 1) / p)
            Base::Ceil(period) => (period as i128, start + period as i128 - 1),
        };
        let inner = Affine::single(mul, add, period);
        if inner.div == 1 {
            // period·(i·mul + post)
            let add = inner.post.checked_mul(period)?.checked_add(shift)?;
            return Some(Affine::single(inner.mul * period, add, div));
        }
        if div % period == 0 {
            // floor((floor(a / p)·p + s) / (p·k)) = floor((floor(a / p) + floor(s / p)) / k) = floor((a + floor(s / p)·p) / (p·k))
            return Some(Affine::single(mul, add + shift.div_euclid(period) * period, div));
        }
        if period % div == 0 {
            let scale = period / div;
            let post = inner.post.checked_mul(scale)?;
            return Some(Affine { scale, post: post.checked_add(shift.div_euclid(div))?, ..inner });
        }
        None
    }

    /// `floor((i·mul + add) / div)`, reduced.
    fn single(mul: i128, add: i128, div: i128) -> Affine {
        let common = gcd(mul, div);
        let (mul, add, div) = (mul / common, add.div_euclid(common), div / common);
        Affine { scale: 1, mul, add: add.rem_euclid(div), div, post: add.div_euclid(div) }
    }

    fn classify(self) -> RowMap {
        let numbers = [self.scale, self.mul, self.add, self.div, self.post];
        let [Ok(scale), Ok(mul), Ok(add), Ok(div), Ok(post)] = numbers.map(i64::try_from) else {
            return RowMap::General;
        };
        match (div, mul) {
            (1, 1) => RowMap::Shift(post),
            (1, _) => RowMap::Stride { mul, add: post },
            _ => RowMap::Segments { scale, mul, add, div, post },
        }
    }
}
