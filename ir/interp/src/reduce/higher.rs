//! Skewness and kurtosis: central moments up to the fourth, merged pairwise (Pébay 2008).
//!
//! ```
//! use tilt_interp::reduce::HigherMoments;
//! let (a, b) = (HigherMoments::of(-1.0), HigherMoments::of(1.0));
//! let both = a.merge(1, b, 1);
//! assert_eq!((both.skew(2), both.kurtosis(2)), (Some(0.0), Some(-2.0)));
//! assert_eq!(a.skew(1), None); // of equal values there is none
//! ```

/// The mean of some values and the sums of the second, third and fourth powers of their deviations from it. Mean and `m2` have
/// the bits of [`Moments`](super::Moments).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HigherMoments {
    mean: f64,
    m2: f64,
    m3: f64,
    m4: f64,
}

impl HigherMoments {
    /// Those of one value. Its deviation is `x - x`: 0, but NaN for an infinity or NaN.
    #[expect(clippy::eq_op, reason = "`x - x` is 0 for finite values only")]
    pub fn of(x: f64) -> HigherMoments {
        HigherMoments { mean: x, m2: x - x, m3: x - x, m4: x - x }
    }

    /// Those of `count` values and of `later_count` values together.
    pub fn merge(self, count: u64, later: HigherMoments, later_count: u64) -> HigherMoments {
        let (a, b) = (self, later);
        let all = (count + later_count) as f64;
        let (share_a, share_b) = (count as f64 / all, later_count as f64 / all);
        let delta = b.mean - a.mean;
        let square = delta * delta;
        let between = square * (count as f64 * share_b);
        let mean = match count == later_count {
            true => (a.mean + b.mean) * 0.5,
            false => a.mean + delta * share_b,
        };
        let m3_between = (between * delta) * (share_a - share_b);
        let m3_mixed = 3.0 * (delta * (share_a * b.m2 - share_b * a.m2));
        let m4_between = (between * square) * ((share_a * share_a - share_a * share_b) + share_b * share_b);
        let m4_from_m2 = 6.0 * (square * ((share_a * share_a) * b.m2 + (share_b * share_b) * a.m2));
        let m4_from_m3 = 4.0 * (delta * (share_a * b.m3 - share_b * a.m3));
        HigherMoments {
            mean,
            m2: (a.m2 + b.m2) + between,
            m3: ((a.m3 + b.m3) + m3_between) + m3_mixed,
            m4: (((a.m4 + b.m4) + m4_between) + m4_from_m2) + m4_from_m3,
        }
    }

    /// The population skewness of `count` values; none where they are equal.
    pub fn skew(self, count: u64) -> Option<f64> {
        let HigherMoments { m2, m3, .. } = self;
        (m2 != 0.0).then(|| (count as f64).sqrt() * ((m3 / m2) / m2.sqrt()))
    }

    /// The population kurtosis of `count` values in excess of 3; none where they are equal.
    pub fn kurtosis(self, count: u64) -> Option<f64> {
        let HigherMoments { m2, m4, .. } = self;
        (m2 != 0.0).then(|| count as f64 * ((m4 / m2) / m2) - 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::HigherMoments;

    /// Merged in two different trees.
    fn trees(values: &[f64]) -> [HigherMoments; 2] {
        let row = |all: Option<(HigherMoments, u64)>, x: &f64| match all {
            None => Some((HigherMoments::of(*x), 1)),
            Some((state, count)) => Some((state.merge(count, HigherMoments::of(*x), 1), count + 1)),
        };
        let whole = values.iter().fold(None, row).expect("values").0;
        let (head, tail) = values.split_at(values.len() / 3);
        let (a, b) = (head.iter().fold(None, row).expect("a"), tail.iter().fold(None, row).expect("b"));
        [whole, a.0.merge(a.1, b.0, b.1)]
    }

    fn directly(values: &[f64]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let moment = |power| values.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n;
        (moment(3) / moment(2).powf(1.5), moment(4) / moment(2).powi(2) - 3.0)
    }

    #[test]
    fn as_by_definition() {
        let values = [3.0, 1.0, -4.0, 1.5, 9.0, 2.6, 5.0, 3.5, -8.0];
        let (skew, kurtosis) = directly(&values);
        for state in trees(&values) {
            assert!((state.skew(9).expect("a value") - skew).abs() < 1e-13);
            assert!((state.kurtosis(9).expect("a value") - kurtosis).abs() < 1e-13);
        }
    }

    #[test]
    fn scale_does_not_matter() {
        let values = [0.3, -1.0, 0.7, 0.1, 2.0];
        let small: Vec<f64> = values.iter().map(|x| x * 1e-8).collect();
        let [a, _] = trees(&values);
        let [b, _] = trees(&small);
        let ratio = |a: Option<f64>, b: Option<f64>| a.expect("a") / b.expect("b");
        assert!((ratio(a.skew(5), b.skew(5)) - 1.0).abs() < 1e-12);
        assert!((ratio(a.kurtosis(5), b.kurtosis(5)) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn equal_values_and_infinities() {
        let [equal, _] = trees(&[0.1; 7]);
        assert_eq!((equal.skew(7), equal.kurtosis(7)), (None, None));
        let [infinite, _] = trees(&[1.0, f64::INFINITY, 2.0]);
        assert!(infinite.skew(3).is_some_and(f64::is_nan));
    }
}
