//! Reductions over windows of rows, and how their terms are grouped.

use super::{Body, Clock, Index, Value};
use crate::{Grid, Type};

/// A reducer. φ rows are skipped; a window without a value gives φ (`Count`: 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reducer {
    /// How many rows are not φ (`i64`).
    Count,
    /// The sum; integers and durations exactly (out of range is an error), floats in their own type, grouped.
    Sum,
    /// Sum divided by count: `f64` of integers (sum exact, in 128 bits, rounded once to `f64`, then divided), else the own type.
    Mean,
    /// The least value; NaN if there is one in the window; `-0.0 < +0.0`.
    Min,
    /// The greatest value; NaN if there is one in the window; `-0.0 < +0.0`.
    Max,
    /// The first value that is not φ.
    First,
    /// The last value that is not φ.
    Last,
    /// The variance with `ddof` degrees of freedom taken off (floats); φ where `count ≤ ddof`.
    Var {
        /// Taken off the count in the divisor.
        ddof: u32,
    },
    /// The square root of the variance.
    Std {
        /// Taken off the count in the divisor.
        ddof: u32,
    },
    /// The population skewness (floats): φ of equal values.
    Skew,
    /// The population kurtosis in excess of 3 (floats): φ of equal values.
    Kurtosis,
    /// The time of the first row with the least value; of the first NaN if there is one.
    ArgMin,
    /// The time of the first row with the greatest value; of the first NaN if there is one.
    ArgMax,
    /// How many different values there are (`i64`): all NaN are one, and so are the zeros.
    CountDistinct,
    /// The value that occurs most often (of several the one that was first; compared as in `CountDistinct`, the first occurrence is given).
    Mode,
    /// A quantile by linear interpolation between order statistics (type 7; floats): 0 the least, 0.5 the median, 1 the greatest. NaN if there is one in the window.
    Quantile {
        /// Which one: the bits of an `f64` in 0..=1.
        q: u64,
    },
    /// Two values a row, value and weight (floats): Σ(w·x) / Σw over the rows where neither is φ; φ if Σw is 0.
    WeightedMean,
    /// Two values a row (floats): the covariance over the rows where neither is φ; φ where `count ≤ ddof`.
    Cov {
        /// Taken off the count in the divisor.
        ddof: u32,
    },
    /// Two values a row (floats): Pearson's correlation; φ where a variance is 0.
    Corr,
    /// Over continuous rows (floats, integers as f64): Σ value · seconds that it holds in the window; φ where nothing holds.
    Integral,
    /// Over continuous rows: the integral divided by the time that something holds.
    DurationMean,
}

/// A window `(from, to]`: the rows stamped after `from` and not after `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// The open end.
    pub from: Index,
    /// The closed end.
    pub to: Index,
}

impl Window {
    /// The rows of `grid` inside the window at time `t`: `first..end`, possibly empty (`end ≤ first`).
    ///
    /// ```
    /// use tilt_ir::{Grid, tir::{Index, Window}};
    /// let last_three = Window { from: Index::now(-3), to: Index::NOW };
    /// assert_eq!(last_three.rows(Grid::new(1, 0), 10), 8..11);
    /// ```
    pub fn rows(self, grid: Grid, t: i128) -> std::ops::Range<i128> {
        self.from.row(grid, t) + 1..self.to.row(grid, t) + 1
    }
}

/// Which rows a reduction looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// Those stamped inside a window: peers all in or all out.
    Time(Window),
    /// The last so many rows (positive): up to the body's own row if the rows are those of its clock, else those stamped at or before `t`.
    Last(u64),
}

/// How the terms of a reduction are grouped: part of the query's meaning (floats are not associative). Chosen from the
/// query and the schema alone by [`Grouping::choose`]. Reducers whose result does not depend on grouping (count, integer
/// sums, min, max, first, last) carry one all the same; it only says how they are computed.
///
/// In all of them a φ row (also one outside the data) contributes nothing: combining with nothing gives the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// 64 partial results: the row at position `p` of the window (counted from the window's first row, φ rows included)
    /// goes to lane `p mod 64`, in order within the lane; then lane `l` is combined with lane `l+32` for `l < 32`, then
    /// `l` with `l+16` for `l < 16`, then +8, +4, +2, +1.
    Lanes64,
    /// The window always has exactly `count` rows, the last of them row `e`. `S_1(k)` is row `k` and
    /// `S_{2m}(k) = S_m(k-m) ⊕ S_m(k)`. The window is cut, oldest rows first, in pieces of the powers
    /// of two of `count` in falling order (50 = 32 + 16 + 2, the 2 newest rows last), combined from left to right.
    Doubling {
        /// Rows in every window.
        count: u64,
    },
    /// Rows are cut in blocks of `rows` rows of the grid: block `b` has the rows `origin + b·rows ..`. A window `first..=last` is
    /// cut at block boundaries. A window within one block is folded from left to right. Otherwise: the part in its first
    /// block is folded from the right (`x₁ ⊕ (x₂ ⊕ (x₃ ⊕ …))`), each whole block between and the part in the last block from the left, and
    /// these results are combined from left to right. A first part that is a whole block is folded from the right, too.
    Blocks {
        /// Rows in a block; positive.
        rows: u64,
        /// The first row of block 0; `0 ≤ origin < rows`.
        origin: i64,
    },
    /// As `Blocks`, but rows are cut in blocks of time: block `b` has the rows stamped in `(origin + b·length, origin + (b+1)·length]`.
    TimeBlocks {
        /// Nanoseconds; positive.
        length: i64,
        /// Where block 0 begins (open); `0 ≤ origin < length`.
        origin: i64,
    },
}

/// A reduction: `kind` over the values of `row` at the rows of `rows` inside `frame`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduce {
    /// What is computed.
    pub kind: Reducer,
    /// The clock whose rows are looked at.
    pub rows: Clock,
    /// Which rows.
    pub frame: Frame,
    /// How the terms are grouped.
    pub grouping: Grouping,
    /// φ if fewer values than this are not φ. 0 and 1 mean the same, except for `Count`, where 0 gives 0 for nothing.
    pub min_count: u64,
    /// Values of the enclosing body, at its `t`, that the row body sees as `param 0`, `param 1`, ….
    pub captures: Vec<Value>,
    /// The value of one row, with `t` at the row's stamp. One result, or [`Reducer::arity`].
    pub row: Body,
}

impl Reduce {
    /// Whether its rows lie on a grid, its frame is a window and its reducer is one of those that Loop IR knows.
    pub fn is_regular(&self) -> bool {
        let is_time = matches!(self.frame, Frame::Time(_));
        is_time
            && self.rows.grid().is_some()
            && self.kind.is_folded()
            && !matches!(self.grouping, Grouping::TimeBlocks { .. })
    }

    /// The grid of its rows.
    ///
    /// # Panics
    /// If there is none: for code that only meets regular streams.
    pub fn grid(&self) -> Grid {
        self.rows.grid().expect("the rows of a regular reduction lie on a grid")
    }

    /// Its window.
    ///
    /// # Panics
    /// If it has none: for code that only meets regular streams.
    pub fn window(&self) -> Window {
        match self.frame {
            Frame::Time(window) => window,
            Frame::Last(_) => panic!("a regular reduction has a window"),
        }
    }
}

impl Reducer {
    /// How many values a row has.
    pub fn arity(self) -> usize {
        match self {
            Reducer::WeightedMean | Reducer::Cov { .. } | Reducer::Corr => 2,
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
            | Reducer::ArgMin
            | Reducer::ArgMax
            | Reducer::CountDistinct
            | Reducer::Mode
            | Reducer::Quantile { .. }
            | Reducer::Integral
            | Reducer::DurationMean => 1,
        }
    }

    /// Whether compiled loops fold it; the others are operators of the runtime.
    pub fn is_folded(self) -> bool {
        match self {
            Reducer::Count
            | Reducer::Sum
            | Reducer::Mean
            | Reducer::Min
            | Reducer::Max
            | Reducer::First
            | Reducer::Last
            | Reducer::Var { .. }
            | Reducer::Std { .. } => true,
            Reducer::Skew
            | Reducer::Kurtosis
            | Reducer::ArgMin
            | Reducer::ArgMax
            | Reducer::CountDistinct
            | Reducer::Mode
            | Reducer::Quantile { .. }
            | Reducer::WeightedMean
            | Reducer::Cov { .. }
            | Reducer::Corr
            | Reducer::Integral
            | Reducer::DurationMean => false,
        }
    }

    /// Whether it weighs stretches of continuous rows.
    pub fn is_weighted(self) -> bool {
        matches!(self, Reducer::Integral | Reducer::DurationMean)
    }

    /// The type of the result for rows of this type (of the first value), if it takes them.
    pub fn result(self, row: Type) -> Option<Type> {
        let is_sum = row.is_float() || row.is_integer() || row == Type::Duration;
        let is_ordered = !matches!(row, Type::Bool | Type::Symbol);
        match self {
            Reducer::Count | Reducer::CountDistinct => Some(Type::I64),
            Reducer::Sum if row.is_integer() => Some(Type::I64),
            Reducer::Mean if row.is_integer() => Some(Type::F64),
            Reducer::Sum | Reducer::Mean => is_sum.then_some(row),
            Reducer::Min | Reducer::Max => is_ordered.then_some(row),
            Reducer::ArgMin | Reducer::ArgMax => is_ordered.then_some(Type::Time),
            Reducer::First | Reducer::Last | Reducer::Mode => Some(row),
            Reducer::Var { .. }
            | Reducer::Std { .. }
            | Reducer::Skew
            | Reducer::Kurtosis
            | Reducer::Quantile { .. }
            | Reducer::WeightedMean
            | Reducer::Cov { .. }
            | Reducer::Corr => row.is_float().then_some(row),
            Reducer::Integral | Reducer::DurationMean => (row == Type::F64).then_some(Type::F64),
        }
    }
}
