//! Which row of one grid is seen from a row of another, as arithmetic on row numbers.
//!
//! From row `i` of a 1 s grid, `x[floor(t, 4s) + 4s]` of a 4 s stream is row `floor(i / 4) + 1`. All such maps rise with `i`, so
//! a range of rows maps to a range, and "which rows `i` see a row that exists" has a closed form. That is how the edges of
//! the data become ranges of a loop instead of a test in each row.

use tilt_ir::{
    Grid,
    loops::{Builder, Value},
    tir::{Base, Index},
};

/// A rising map from row numbers to row numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowMap {
    /// `i + k`.
    Shift(i64),
    /// `floor((i·mul + add) / div)·scale + post`, all of `mul`, `div`, `scale` positive.
    Affine(Affine),
    /// An index whose periods do not divide each other: computed through time itself.
    Chain {
        /// The index.
        index: Index,
        /// Where `i` counts.
        from: Grid,
        /// Where the result counts.
        to: Grid,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Affine {
    mul: i64,
    add: i64,
    div: i64,
    scale: i64,
    post: i64,
}

impl RowMap {
    /// The row of `to` that holds at `index`, seen from the rows of `from`.
    pub(super) fn of(index: Index, from: Grid, to: Grid) -> RowMap {
        affine(index, from, to).unwrap_or(RowMap::Chain { index, from, to })
    }

    /// The shift, if that is all this map does.
    pub(super) fn as_shift(self) -> Option<i64> {
        match self {
            RowMap::Shift(k) => Some(k),
            RowMap::Affine(_) | RowMap::Chain { .. } => None,
        }
    }

    /// Computes the map of `row`.
    pub(super) fn emit(self, b: &mut Builder<'_>, row: Value) -> Value {
        match self {
            RowMap::Shift(k) => b.add_int(row, k),
            RowMap::Affine(Affine { mul, add, div, scale, post }) => {
                let scaled = mul_int(b, row, mul);
                let moved = b.add_int(scaled, add);
                let quotient = floor_div_int(b, moved, div);
                let scaled = mul_int(b, quotient, scale);
                b.add_int(scaled, post)
            }
            RowMap::Chain { index, from, to } => {
                let time = stamp(b, row, from);
                let time = time_at(b, index, time);
                let moved = b.add_int(time, to.offset.wrapping_neg());
                floor_div_int(b, moved, to.period)
            }
        }
    }

    /// Computes the least row whose map is at least `value`; `None` where there is no closed form.
    pub(super) fn emit_least(self, b: &mut Builder<'_>, value: Value) -> Option<Value> {
        match self {
            RowMap::Shift(k) => Some(b.add_int(value, -k)),
            RowMap::Affine(Affine { mul, add, div, scale, post }) => {
                let moved = b.add_int(value, -post);
                let quotient = ceil_div_int(b, moved, scale);
                let scaled = mul_int(b, quotient, div);
                let moved = b.add_int(scaled, -add);
                Some(ceil_div_int(b, moved, mul))
            }
            RowMap::Chain { .. } => None,
        }
    }
}

/// The stamp of a row.
pub(super) fn stamp(b: &mut Builder<'_>, row: Value, grid: Grid) -> Value {
    let scaled = mul_int(b, row, grid.period);
    b.add_int(scaled, grid.offset)
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

/// The map in normal form, where there is one and its numbers fit.
fn affine(index: Index, from: Grid, to: Grid) -> Option<RowMap> {
    let (p, o) = (from.period as i128, from.offset as i128);
    let (target, origin) = (to.period as i128, to.offset as i128);
    let moved = index.shift as i128 - origin;
    let (period, round_up) = match index.base {
        Base::Floor(f) if p % f as i128 != 0 || o % f as i128 != 0 => (f as i128, 0),
        Base::Ceil(f) if p % f as i128 != 0 || o % f as i128 != 0 => (f as i128, f as i128 - 1),
        Base::Now | Base::Floor(_) | Base::Ceil(_) => return normal(p, o + moved, target, 1, 0),
    };
    if period % target == 0 {
        normal(p, o + round_up, period, period / target, moved.div_euclid(target))
    } else if target % period == 0 {
        normal(p, o + round_up + moved.div_euclid(period) * period, target, 1, 0)
    } else {
        None
    }
}

fn normal(mul: i128, add: i128, div: i128, scale: i128, post: i128) -> Option<RowMap> {
    let g = gcd(mul, div);
    let (mul, add, div) = (mul / g, add.div_euclid(g), div / g);
    // whole multiples of `div` leave the quotient
    let (post, add) = (post + add.div_euclid(div) * scale, add.rem_euclid(div));
    let fit = |v: i128| i64::try_from(v).ok();
    if div == 1 && mul * scale == 1 {
        return fit(post).map(RowMap::Shift);
    }
    let (mul, scale) = if div == 1 { (mul * scale, 1) } else { (mul, scale) };
    Some(RowMap::Affine(Affine { mul: fit(mul)?, add: fit(add)?, div: fit(div)?, scale: fit(scale)?, post: fit(post)? }))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(map: RowMap, i: i128) -> i128 {
        match map {
            RowMap::Shift(k) => i + k as i128,
            RowMap::Affine(a) => {
                (i * a.mul as i128 + a.add as i128).div_euclid(a.div as i128) * a.scale as i128 + a.post as i128
            }
            RowMap::Chain { index, from, to } => index.row(to, from.offset as i128 + i * from.period as i128),
        }
    }

    proptest! {
        #[test]
        fn maps_agree_with_the_definition(
            p in 1i64..30, o in 0i64..30, q in 1i64..30, r in 0i64..30,
            base in 0..3, f in 1i64..30, shift in -100i64..100, i in -200i128..200,
        ) {
            let base = [Base::Now, Base::Floor(f), Base::Ceil(f)][base];
            let index = Index { base, shift };
            let (from, to) = (Grid::new(p, o), Grid::new(q, r));
            let wanted = index.row(to, from.offset as i128 + i * from.period as i128);
            prop_assert_eq!(run(RowMap::of(index, from, to), i), wanted);
        }
    }
}
