//! Mean and variance by moments: the formula of Chan, Golub and LeVeque (1983) for merging two sets of values.
//!
//! A state is the count, the mean and the sum of squared distances from the mean. Weights are known constants wherever the
//! counts are; otherwise they are computed with the same operations, so that the bits are the same.

use tilt_ir::{
    Const,
    loops::{Builder, Cmp, Value},
};

use super::{
    numbers::float,
    state::{Count, Kind, State},
};

impl Kind {
    /// `merged` where both states hold values, else the parts of the one that does.
    pub(super) fn unless_empty(
        self,
        b: &mut Builder<'_>,
        x: &State,
        y: &State,
        merged: Vec<Value>,
    ) -> Vec<Value> {
        let (in_x, in_y) = (self.holds(b, x), self.holds(b, y));
        let pick = |b: &mut Builder<'_>, k: usize| {
            let without_x = match in_x {
                None => merged[k],
                Some(holds) => b.select(holds, merged[k], y.parts[k]),
            };
            match in_y {
                None => without_x,
                Some(holds) => b.select(holds, without_x, x.parts[k]),
            }
        };
        (0..merged.len()).map(|k| pick(b, k)).collect()
    }

    /// Chan's formula for two states that both hold values.
    pub(super) fn merge_moments(self, b: &mut Builder<'_>, x: &State, y: &State) -> Vec<Value> {
        let ty = self.row;
        let n = self.count_float(b, x.count);
        let m = self.count_float(b, y.count);
        let total = match (x.count, y.count) {
            (Count::Static(n), Count::Static(m)) => self.count_float(b, Count::Static(n + m)),
            _ => {
                let (n, m) = (self.count_value(b, x.count), self.count_value(b, y.count));
                let total = b.add(n, m);
                b.cast(total, ty)
            }
        };
        let weight = self.divide(b, m, total);
        let delta = b.sub(y.parts[0], x.parts[0]);
        let mean = self.merged_mean(b, x, y, delta, weight);
        let squares = b.mul(delta, delta);
        let factor = self.multiply(b, n, weight);
        let (within, between) = (b.add(x.parts[1], y.parts[1]), b.mul(squares, factor));
        vec![mean, b.add(within, between)]
    }

    fn merged_mean(self, b: &mut Builder<'_>, x: &State, y: &State, delta: Value, weight: Value) -> Value {
        let midpoint = |b: &mut Builder<'_>| {
            let sum = b.add(x.parts[0], y.parts[0]);
            let half = float(b, self.row, 0.5);
            b.mul(sum, half)
        };
        let moved = |b: &mut Builder<'_>| {
            let step = b.mul(delta, weight);
            b.add(x.parts[0], step)
        };
        match (x.count, y.count) {
            (Count::Static(n), Count::Static(m)) if n == m => midpoint(b),
            (Count::Static(_), Count::Static(_)) => moved(b),
            _ => {
                let (n, m) = (self.count_value(b, x.count), self.count_value(b, y.count));
                let equal = b.cmp(Cmp::Eq, n, m);
                let (midpoint, moved) = (midpoint(b), moved(b));
                b.select(equal, midpoint, moved)
            }
        }
    }

    /// `x / y`, at once where both are known.
    fn divide(self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        self.known(b, x, y, |x, y| x / y, |x, y| x / y).unwrap_or_else(|| b.div(x, y))
    }
    fn multiply(self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        self.known(b, x, y, |x, y| x * y, |x, y| x * y).unwrap_or_else(|| b.mul(x, y))
    }
    fn known(
        self,
        b: &mut Builder<'_>,
        x: Value,
        y: Value,
        single: impl Fn(f32, f32) -> f32,
        double: impl Fn(f64, f64) -> f64,
    ) -> Option<Value> {
        let value = match (b.const_of(x)?, b.const_of(y)?) {
            (Const::F32(x), Const::F32(y)) => Const::f32(single(f32::from_bits(x), f32::from_bits(y))),
            (Const::F64(x), Const::F64(y)) => Const::f64(double(f64::from_bits(x), f64::from_bits(y))),
            _ => return None,
        };
        Some(b.constant(self.row, value))
    }
}

/// Chan's formula for a lane of `step` values and one more: the weights are the same for all lanes.
pub(super) fn moments_step(
    b: &mut Builder<'_>,
    kind: Kind,
    step: Value,
    state: &State,
    x: Value,
) -> Vec<Value> {
    let ty = kind.row;
    let (zero, one) = (b.int(0), b.int(1));
    let n = b.cast(step, ty);
    let next = b.add(step, one);
    let total = b.cast(next, ty);
    let unit = float(b, ty, 1.0);
    let weight = b.div(unit, total);
    let (mean, squares) = (state.parts[0], state.parts[1]);
    let delta = b.sub(x, mean);
    let moved = b.mul(delta, weight);
    let moved = b.add(mean, moved);
    let sum = b.add(mean, x);
    let half = float(b, ty, 0.5);
    let midpoint = b.mul(sum, half);
    let (is_first, is_second) = (b.cmp(Cmp::Eq, step, zero), b.cmp(Cmp::Eq, step, one));
    let merged = b.select(is_second, midpoint, moved);
    let own = b.sub(x, x);
    let within = b.add(squares, own);
    let factor = b.mul(n, weight);
    let between = b.mul(delta, delta);
    let between = b.mul(between, factor);
    let total_squares = b.add(within, between);
    let count = kind.count_value(b, state.count);
    let one = b.constant(kind.count, Const::Int(1));
    vec![b.add(count, one), b.select(is_first, x, merged), b.select(is_first, own, total_squares)]
}
