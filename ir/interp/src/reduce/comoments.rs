//! Covariance and correlation: means, squared deviations and the sum of products, merged pairwise (Pébay 2008).
//!
//! ```
//! use tilt_interp::reduce::Comoments;
//! let both = Comoments::of(1.0, 10.0).merge(1, Comoments::of(3.0, 40.0), 1);
//! assert_eq!(both.covariance(2, 1), Some(30.0));
//! assert!(both.correlation().is_some_and(|r| (r - 1.0).abs() < 1e-15));
//! ```

use super::Moments;

/// What is kept of pairs of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comoments {
    x: Moments<f64>,
    y: Moments<f64>,
    /// The sum of the products of the deviations.
    products: f64,
}

impl Comoments {
    /// Those of one pair.
    pub fn of(x: f64, y: f64) -> Comoments {
        let (x, y) = (Moments::of(x), Moments::of(y));
        Comoments { x, y, products: x.m2 * y.m2 }
    }

    /// Those of `count` pairs and of `later_count` pairs together.
    pub fn merge(self, count: u64, later: Comoments, later_count: u64) -> Comoments {
        let weight = count as f64 * (later_count as f64 / (count + later_count) as f64);
        let between = (later.x.mean - self.x.mean) * (later.y.mean - self.y.mean);
        Comoments {
            x: self.x.merge(count, later.x, later_count),
            y: self.y.merge(count, later.y, later_count),
            products: (self.products + later.products) + between * weight,
        }
    }

    /// The covariance of `count` pairs with `ddof` degrees of freedom taken off; none of too few.
    pub fn covariance(self, count: u64, ddof: u32) -> Option<f64> {
        let ddof = u64::from(ddof);
        (count > ddof).then(|| self.products / (count - ddof) as f64)
    }

    /// Pearson's correlation, within −1 and 1; none where the values of a side are equal.
    pub fn correlation(self) -> Option<f64> {
        let Comoments { x, y, products } = self;
        if x.m2 == 0.0 || y.m2 == 0.0 {
            return None;
        }
        let r = products / (x.m2.sqrt() * y.m2.sqrt());
        Some(r.clamp(-1.0, 1.0)) // NaN stays
    }
}

#[cfg(test)]
mod tests {
    use super::Comoments;
    use crate::reduce::Moments;

    fn of(pairs: &[(f64, f64)]) -> Comoments {
        let (first, rest) = pairs.split_first().expect("pairs");
        let mut all = Comoments::of(first.0, first.1);
        for (count, (x, y)) in (1..).zip(rest) {
            all = all.merge(count, Comoments::of(*x, *y), 1);
        }
        all
    }

    #[test]
    fn with_itself_it_is_the_variance() {
        let values = [0.1, 5.7, -3.3, 1e6, 2.25];
        let mut variance = Moments::of(values[0]);
        for (count, x) in (1..).zip(&values[1..]) {
            variance = variance.merge(count, Moments::of(*x), 1);
        }
        let pairs = values.map(|x| (x, x));
        assert_eq!(of(&pairs).covariance(5, 1), Some(variance.variance(5, 1)));
        assert_eq!(of(&pairs).correlation(), Some(1.0));
        assert_eq!(of(&values.map(|x| (x, -3.0 * x))).correlation().map(|r| (r * 1e9).round()), Some(-1e9));
    }

    #[test]
    fn of_too_few_or_equal_values_there_is_none() {
        assert_eq!(Comoments::of(1.0, 2.0).covariance(1, 1), None);
        assert_eq!(Comoments::of(1.0, 2.0).covariance(1, 0), Some(0.0));
        assert_eq!(of(&[(1.0, 2.0), (1.0, 3.0)]).correlation(), None);
    }
}
