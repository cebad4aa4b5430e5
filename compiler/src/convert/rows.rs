//! Which row of one grid is seen from a row of another, as arithmetic on row numbers.
//!
//! From row `i` of a 1 s grid, `x[floor(t, 4s) + 4s]` of a 4 s stream is row `floor(i / 4) + 1`. All such maps rise with `i`, so
//! a range of rows maps to a range, and "which rows `i` see a row that exists" has a closed form. That is how the edges of
//! the data become ranges of a loop instead of a test in each row.

use tilt_ir::{
    Grid,
    analysis::regularity::RowMap,
    loops::{Builder, Value},
    tir::{Base, Index},
};

/// A look from the rows of one grid at those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    map: RowMap,
    index: Index,
    from: Grid,
    to: Grid,
}

impl Look {
    /// The row of `to` that holds at `index`, seen from the rows of `from`.
    pub(super) fn new(index: Index, from: Grid, to: Grid) -> Look {
        Look { map: RowMap::of(index, from, to), index, from, to }
    }

    /// The look at the row itself, `k` rows on.
    pub(super) fn shift(k: i64) -> Look {
        let rows = Grid { period: 1, offset: 0 };
        Look { map: RowMap::Shift(k), index: Index::now(k), from: rows, to: rows }
    }

    /// The shift, if that is all this look does.
    pub(super) fn as_shift(self) -> Option<i64> {
        match self.map {
            RowMap::Shift(k) => Some(k),
            RowMap::Stride { .. } | RowMap::Segments { .. } | RowMap::General => None,
        }
    }

    /// Computes the row seen from `row`.
    pub(super) fn emit(self, b: &mut Builder<'_>, row: Value) -> Value {
        match self.map {
            RowMap::Shift(k) => b.add_int(row, k),
            RowMap::Stride { mul, add } => {
                let scaled = mul_int(b, row, mul);
                b.add_int(scaled, add)
            }
            RowMap::Segments { scale, mul, add, div, post } => {
                let scaled = mul_int(b, row, mul);
                let moved = b.add_int(scaled, add);
                let quotient = floor_div_int(b, moved, div);
                let scaled = mul_int(b, quotient, scale);
                b.add_int(scaled, post)
            }
            RowMap::General => {
                let time = stamp(b, row, self.from);
                let time = time_at(b, self.index, time);
                let moved = b.add_int(time, self.to.offset.wrapping_neg());
                floor_div_int(b, moved, self.to.period)
            }
        }
    }

    /// Computes the least row that sees at least row `value`; `None` where there is no closed form.
    pub(super) fn emit_least(self, b: &mut Builder<'_>, value: Value) -> Option<Value> {
        match self.map {
            RowMap::Shift(k) => Some(b.add_int(value, k.wrapping_neg())),
            RowMap::Stride { mul, add } => {
                let moved = b.add_int(value, add.wrapping_neg());
                Some(ceil_div_int(b, moved, mul))
            }
            RowMap::Segments { scale, mul, add, div, post } => {
                let moved = b.add_int(value, post.wrapping_neg());
                let quotient = ceil_div_int(b, moved, scale);
                let scaled = mul_int(b, quotient, div);
                let moved = b.add_int(scaled, -add);
                Some(ceil_div_int(b, moved, mul))
            }
            RowMap::General => None,
        }
    }
}

/// The stamp of a row.
pub(super) fn stamp(b: &mut Builder<'_>, row: Value, grid: Grid) -> Value {
    let scaled = mul_int(b, row, grid.period);
    b.add_int(scaled, grid.offset)
}

/// The first and the last row of `grid` at which the time that `index` names, and all that it is computed from, is in range.
pub(super) fn rows_in_time(index: Index, grid: Grid) -> (i64, i64) {
    let range = i128::from(i64::MIN)..=i128::from(i64::MAX);
    // `floor` and `ceil` divide first: what they add before they do is in range, too
    let slack = match index.base {
        Base::Now | Base::Floor(_) => 0,
        Base::Ceil(period) => i128::from(period) - 1,
    };
    let fits = |row: i128| {
        let now = i128::from(grid.offset) + row * i128::from(grid.period);
        let base = Index { shift: 0, ..index };
        [now, now + slack, base.at(now), index.at(now)].iter().all(|time| range.contains(time))
    };
    // from a row in the middle of time, where the index may still be far off: then there is none
    let end = |step: i128| {
        let mut row = 0i128;
        for bit in (0..64).rev() {
            let next = row + step * (1i128 << bit);
            if fits(next) {
                row = next;
            }
        }
        row.clamp(*range.start(), *range.end()) as i64
    };
    if fits(0) { (end(-1), end(1)) } else { (0, -1) }
}

/// The time that an index names at `time`.
pub(super) fn time_at(b: &mut Builder<'_>, index: Index, time: Value) -> Value {
    let base = match index.base {
        Base::Now => time,
        Base::Floor(period) => {
            let quotient = floor_div_int(b, time, period);
            mul_int(b, quotient, period)
        }
        Base::Ceil(period) => {
            let quotient = ceil_div_int(b, time, period);
            mul_int(b, quotient, period)
        }
    };
    b.add_int(base, index.shift)
}

fn mul_int(b: &mut Builder<'_>, value: Value, by: i64) -> Value {
    let by = b.int(by);
    b.mul(value, by)
}

fn floor_div_int(b: &mut Builder<'_>, value: Value, by: i64) -> Value {
    if by == 1 {
        return value;
    }
    let by = b.int(by);
    b.floor_div(value, by)
}

fn ceil_div_int(b: &mut Builder<'_>, value: Value, by: i64) -> Value {
    if by == 1 {
        return value;
    }
    let up = b.add_int(value, by - 1);
    floor_div_int(b, up, by)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_beyond_time_are_told_apart() {
        let seconds = Grid::new(1_000_000_000, 0);
        let last = i64::MAX / 1_000_000_000;
        assert_eq!(rows_in_time(Index::NOW, seconds), (-last - 1 + 1, last));
        assert_eq!(rows_in_time(Index::now(1), seconds).1, last);
        assert_eq!(rows_in_time(Index::now(1_000_000_000), seconds).1, last - 1);
        let day = 86_400_000_000_000;
        let next_day = Index { base: Base::Ceil(day), shift: 0 };
        assert_eq!(rows_in_time(next_day, seconds).1, (i64::MAX - (day - 1)) / 1_000_000_000);
        assert_eq!(rows_in_time(Index::now(i64::MIN), seconds), (0, last));
    }
}
