//! Mean and squared deviations, merged pairwise (Chan, Golub and LeVeque 1979; Pébay 2008).
//!
//! ```
//! use tilt_interp::reduce::Moments;
//! let (a, b) = (Moments::of(1e9), Moments::of(1e9 + 2.0));
//! assert_eq!(a.merge(1, b, 1), Moments { mean: 1e9 + 1.0, m2: 2.0 });
//! ```
//!
//! `m2` is a sum of squares, so that a variance is never negative, and exactly 0 for equal values: then every δ is 0, as
//! equal counts take `(a + b)·½` and others add `δ·w = 0`.

use crate::float::Float;

/// The mean of some values and the sum of their squared deviations from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments<F> {
    /// The mean.
    pub mean: F,
    /// The sum of the squared deviations.
    pub m2: F,
}

impl<F: Float> Moments<F> {
    /// Those of one value. Its deviation is `x - x`: 0, but NaN for an infinity or NaN, which has no variance.
    #[expect(clippy::eq_op, reason = "`x - x` is 0 for finite values only")]
    pub fn of(x: F) -> Moments<F> {
        Moments { mean: x, m2: x - x }
    }

    /// Those of `count` values and of `later_count` values together.
    pub fn merge(self, count: u64, later: Moments<F>, later_count: u64) -> Moments<F> {
        let delta = later.mean - self.mean;
        let weight = F::of_count(later_count) / F::of_count(count + later_count);
        let mean = if count == later_count {
            (self.mean + later.mean) * F::HALF
        } else {
            self.mean + delta * weight
        };
        let between = (delta * delta) * (F::of_count(count) * weight);
        Moments { mean, m2: (self.m2 + later.m2) + between }
    }

    /// The variance of `count` values with `ddof` degrees of freedom taken off: `m2 / (count − ddof)`; `count > ddof`.
    pub fn variance(self, count: u64, ddof: u32) -> F {
        self.m2 / F::of_count(count - u64::from(ddof))
    }
}

#[cfg(test)]
mod tests {
    use super::Moments;

    fn variance(values: &[f64]) -> f64 {
        let mut count = 1;
        let mut all = Moments::of(values[0]);
        for x in &values[1..] {
            all = all.merge(count, Moments::of(*x), 1);
            count += 1;
        }
        all.variance(count, 1)
    }

    #[test]
    fn of_unequal_counts() {
        // 1, 2 | 6: δ = 4.5, w = 1/3, mean 3, m2 = 0.5 + 20.25·(2/3) = 14.
        let pair = Moments::of(1.0).merge(1, Moments::of(2.0), 1);
        assert_eq!(pair, Moments { mean: 1.5, m2: 0.5 });
        let all = pair.merge(2, Moments::of(6.0), 1);
        assert_eq!((all.mean, all.m2), (3.0, 14.0));
        assert_eq!((all.variance(3, 1), all.variance(3, 0)), (7.0, 14.0 / 3.0));
    }

    #[test]
    fn equal_values_have_no_variance() {
        assert_eq!(variance(&[2_820_376_000.1; 7]), 0.0);
        assert_eq!(variance(&[0.1; 1000]), 0.0);
    }

    #[test]
    fn a_large_common_part_does_not_hurt() {
        let x: Vec<f64> = (0..9).map(|n| 1e9 + f64::from(n % 3)).collect();
        // The running mean is rounded to multiples of 2^-23: here that is what is lost.
        assert!((variance(&x) - 0.75).abs() < 1e-7);
    }

    #[test]
    fn infinity_and_nan_have_none() {
        assert!(Moments::of(f32::INFINITY).m2.is_nan());
        assert!(variance(&[1.0, f64::NAN, 2.0]).is_nan());
    }
}
