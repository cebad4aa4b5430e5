//! Moments of one series and of two, merged pairwise (Chan, Golub and LeVeque 1979; Pébay 2008).
//!
//! With δ the distance between the means of `a` and `b`, and `w` the share of `b`:
//!
//! ```text
//! mean = a.mean + δ·w          (a.mean + b.mean)/2 of as many
//! m2   = (a.m2 + b.m2) + δ²·(n_a·w)
//! ```
//!
//! A second moment is a sum of squares: never negative, and exactly 0 of equal values.

use super::terms::{Float, Terms};
use crate::ops::Bitmap;

/// Rows as terms of a variance.
pub(super) struct Moments<'a, F> {
    pub(super) values: &'a [F],
    pub(super) valid: Option<&'a Bitmap>,
}

/// Count, mean and sum of squared deviations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<F> {
    pub(super) count: u64,
    pub(super) mean: F,
    pub(super) m2: F,
}

/// The mean of `a_count` values with mean `a` and `b_count` with mean `b`, which is `delta` away; `weight` is the share of the latter.
#[inline]
fn mean<F: Float>((a_count, a): (u64, F), (b_count, b): (u64, F), delta: F, weight: F) -> F {
    if a_count == b_count { a.add(b).mul(F::HALF) } else { a.add(delta.mul(weight)) }
}

/// `b / (a + b)`.
#[inline]
fn share<F: Float>(a: u64, b: u64) -> F {
    if a == b { F::HALF } else { F::of_count(b).div(F::of_count(a + b)) }
}

impl<F: Float> Terms for Moments<'_, F> {
    type State = Moment<F>;
    const NOTHING: Moment<F> = Moment { count: 0, mean: F::NOTHING, m2: F::NOTHING };

    #[inline]
    fn leaf(&self, row: usize) -> Moment<F> {
        if self.valid.is_some_and(|valid| !valid.get(row)) {
            return Self::NOTHING;
        }
        let x = self.values[row];
        Moment { count: 1, mean: x, m2: x.sub(x) }
    }

    #[inline]
    fn merge(a: Moment<F>, b: Moment<F>) -> Moment<F> {
        if b.count == 0 {
            return a;
        }
        if a.count == 0 {
            return b;
        }
        let delta = b.mean.sub(a.mean);
        let weight: F = share(a.count, b.count);
        let between = delta.mul(delta).mul(F::of_count(a.count).mul(weight));
        Moment {
            count: a.count + b.count,
            mean: mean((a.count, a.mean), (b.count, b.mean), delta, weight),
            m2: a.m2.add(b.m2).add(between),
        }
    }
}

/// Rows as terms of skewness and kurtosis.
pub(super) struct HigherMoments {
    pub(super) values: Vec<f64>,
    pub(super) valid: Option<Bitmap>,
}

/// Count, mean and sums of the second to fourth powers of the deviations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment4 {
    count: u64,
    mean: f64,
    m2: f64,
    m3: f64,
    m4: f64,
}

impl Terms for HigherMoments {
    type State = Moment4;
    const NOTHING: Moment4 = Moment4 { count: 0, mean: 0.0, m2: 0.0, m3: 0.0, m4: 0.0 };

    #[inline]
    #[expect(clippy::eq_op, reason = "`x - x` is 0 for finite values only")]
    fn leaf(&self, row: usize) -> Moment4 {
        if self.valid.as_ref().is_some_and(|valid| !valid.get(row)) {
            return Self::NOTHING;
        }
        let x = self.values[row];
        let none = x - x;
        Moment4 { count: 1, mean: x, m2: none, m3: none, m4: none }
    }

    #[inline]
    fn merge(a: Moment4, b: Moment4) -> Moment4 {
        if b.count == 0 {
            return a;
        }
        if a.count == 0 {
            return b;
        }
        let delta = b.mean - a.mean;
        let (wa, wb): (f64, f64) = (share(b.count, a.count), share(a.count, b.count));
        let d2 = delta * delta;
        let between = d2 * (f64::of_count(a.count) * wb);
        let m3 = ((a.m3 + b.m3) + (between * delta) * (wa - wb)) + 3.0 * (delta * (wa * b.m2 - wb * a.m2));
        let m4 = (((a.m4 + b.m4) + (between * d2) * ((wa * wa - wa * wb) + wb * wb))
            + 6.0 * (d2 * ((wa * wa) * b.m2 + (wb * wb) * a.m2)))
            + 4.0 * (delta * (wa * b.m3 - wb * a.m3));
        Moment4 {
            count: a.count + b.count,
            mean: mean((a.count, a.mean), (b.count, b.mean), delta, wb),
            m2: (a.m2 + b.m2) + between,
            m3,
            m4,
        }
    }
}

impl Moment4 {
    /// The population skewness; none of equal values.
    pub(super) fn skew(self) -> Option<f64> {
        (self.m2 != 0.0).then(|| f64::of_count(self.count).sqrt() * ((self.m3 / self.m2) / self.m2.sqrt()))
    }

    /// The population kurtosis in excess of 3; none of equal values.
    pub(super) fn kurtosis(self) -> Option<f64> {
        (self.m2 != 0.0).then(|| f64::of_count(self.count) * ((self.m4 / self.m2) / self.m2) - 3.0)
    }
}

/// Rows as terms of a covariance.
pub(super) struct Comoments {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) valid: Option<Bitmap>,
}

/// Count, means, sums of squared deviations and of their products.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comoment {
    count: u64,
    mx: f64,
    my: f64,
    m2x: f64,
    m2y: f64,
    cxy: f64,
}

impl Terms for Comoments {
    type State = Comoment;
    const NOTHING: Comoment = Comoment { count: 0, mx: 0.0, my: 0.0, m2x: 0.0, m2y: 0.0, cxy: 0.0 };

    #[inline]
    #[expect(clippy::eq_op, reason = "`x - x` is 0 for finite values only")]
    fn leaf(&self, row: usize) -> Comoment {
        if self.valid.as_ref().is_some_and(|valid| !valid.get(row)) {
            return Self::NOTHING;
        }
        let (x, y) = (self.x[row], self.y[row]);
        Comoment { count: 1, mx: x, my: y, m2x: x - x, m2y: y - y, cxy: (x - x) * (y - y) }
    }

    #[inline]
    fn merge(a: Comoment, b: Comoment) -> Comoment {
        if b.count == 0 {
            return a;
        }
        if a.count == 0 {
            return b;
        }
        let (dx, dy) = (b.mx - a.mx, b.my - a.my);
        let weight: f64 = share(a.count, b.count);
        let between = f64::of_count(a.count) * weight;
        Comoment {
            count: a.count + b.count,
            mx: mean((a.count, a.mx), (b.count, b.mx), dx, weight),
            my: mean((a.count, a.my), (b.count, b.my), dy, weight),
            m2x: (a.m2x + b.m2x) + (dx * dx) * between,
            m2y: (a.m2y + b.m2y) + (dy * dy) * between,
            cxy: (a.cxy + b.cxy) + (dx * dy) * between,
        }
    }
}

impl Comoment {
    /// The covariance; none of too few values.
    pub(super) fn covariance(self, ddof: u32) -> Option<f64> {
        let rest = self.count.checked_sub(ddof.into()).filter(|rest| *rest > 0)?;
        Some(self.cxy / f64::of_count(rest))
    }

    /// Pearson's correlation, in -1..=1; none if either variance is 0.
    pub(super) fn correlation(self) -> Option<f64> {
        if self.m2x == 0.0 || self.m2y == 0.0 {
            return None;
        }
        // NaN stays
        Some((self.cxy / (self.m2x.sqrt() * self.m2y.sqrt())).clamp(-1.0, 1.0))
    }
}
