//! Reductions over windows of rows, and how their terms are grouped.

use super::{Body, Index, Value};
use crate::Grid;

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
}

/// A reduction: `kind` over the values of `row` at the stamps of `rows` inside `window`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduce {
    /// What is computed.
    pub kind: Reducer,
    /// The grid whose stamps are the rows.
    pub rows: Grid,
    /// Which rows.
    pub window: Window,
    /// How the terms are grouped.
    pub grouping: Grouping,
    /// φ if fewer values than this are not φ. 0 and 1 mean the same, except for `Count`, where 0 gives 0 for nothing.
    pub min_count: u64,
    /// Values of the enclosing body, at its `t`, that the row body sees as `param 0`, `param 1`, ….
    pub captures: Vec<Value>,
    /// The value of one row, with `t` at the row's stamp. One result.
    pub row: Body,
}
