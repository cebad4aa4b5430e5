//! Reducers: what the rows of a window give.
//!
//! | file | question |
//! |---|---|
//! | `state` | what does one row contribute, and how do two partial results become one? |
//! | `group` | in which order are the rows of a window merged? |
//! | `finish` | what comes out? |
//! | `moments`, `higher`, `comoments` | which formulas for variance, skewness and kurtosis, covariance? |
//! | `ranked` | what of reducers that look at all values at once? |
//! | `weigh` | what of those that weigh values by the time that they hold? |
//!
//! ```
//! use tilt_interp::reduce::{Term, Terms, reduce};
//! use tilt_ir::{Const, Type, tir::{Grouping, Reducer}};
//!
//! let row = |(row, x)| Some(Term { time: row, value: Const::f64(x), weight: None });
//! let rows = [row((0, 1.0)), None, row((2, 2.0)), row((3, 3.0))];
//! let terms = Terms { first: 0, end: 4, times: None, from: 0, terms: &rows };
//! let result = |kind, to| reduce(kind, Grouping::Lanes64, 1, to, terms);
//! assert_eq!(result(Reducer::Var { ddof: 1 }, Type::F64), Ok(Some(Const::f64(1.0))));
//! assert_eq!(result(Reducer::ArgMax, Type::Time), Ok(Some(Const::Int(3))));
//! ```

mod comoments;
mod finish;
mod group;
mod higher;
mod moments;
mod ranked;
mod state;
mod weigh;

pub use comoments::Comoments;
pub use finish::finish;
pub use group::fold;
pub use higher::HigherMoments;
pub use moments::Moments;
pub use ranked::ranked;
pub use state::{Part, State, merge};
pub use weigh::{Piece, weigh};

use crate::scalar::Scalar;
use tilt_ir::{
    Const, Type,
    tir::{Grouping, Reducer},
};

/// A row with a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// Its stamp.
    pub time: i128,
    /// Its value.
    pub value: Const,
    /// Its second value, of reducers of two values.
    pub weight: Option<Const>,
}

/// The rows of a window with their values. All rows that have no place in `terms` are φ.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The first row of the window.
    pub first: i128,
    /// The row after its last one.
    pub end: i128,
    /// The window `(from, to]` in time, if it is one; only time blocks want to know.
    pub times: Option<(i128, i128)>,
    /// The row of `terms[0]`; the rows of `terms` are rows of the window.
    pub from: i128,
    /// The rows `from ..`; those where a value is φ are `None`.
    pub terms: &'a [Option<Term>],
}

impl Terms<'_> {
    fn term(&self, row: i128) -> Option<Term> {
        let place = usize::try_from(row - self.from).ok()?;
        *self.terms.get(place)?
    }
}

/// The result, of type `to`, of a reduction of these rows.
///
/// # Errors
/// An integer result is out of the range of `to`.
pub fn reduce(kind: Reducer, grouping: Grouping, min_count: u64, to: Type, terms: Terms<'_>) -> Scalar {
    match kind {
        Reducer::Count
        | Reducer::Sum
        | Reducer::Mean
        | Reducer::Min
        | Reducer::Max
        | Reducer::First
        | Reducer::Last
        | Reducer::Var { .. }
        | Reducer::Std { .. }
        | Reducer::Skew
        | Reducer::Kurtosis
        | Reducer::WeightedMean
        | Reducer::Cov { .. }
        | Reducer::Corr => finish(kind, min_count, to, fold(kind, grouping, terms)),
        Reducer::ArgMin
        | Reducer::ArgMax
        | Reducer::CountDistinct
        | Reducer::Mode
        | Reducer::Quantile { .. }
        | Reducer::Integral
        | Reducer::DurationMean => {
            let rows: Vec<Term> = terms.terms.iter().copied().flatten().collect();
            ranked(kind, min_count, to, &rows)
        }
    }
}
