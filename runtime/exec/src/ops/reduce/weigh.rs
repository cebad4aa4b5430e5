//! `integral` and `duration_mean`: values weighed by how long they hold.
//!
//! ```
//! use tilt_exec::ops::{Data, Numbers, Stretches, Values, weigh};
//! use tilt_ir::tir::Reducer;
//! // 2.0 from 10 on, 5.0 from 20 on, until 30; over (12, 25]
//! let values = Values { data: Data::F64(&[2.0, 5.0]), valid: None };
//! let stretches = Stretches::new(&[10, 20], 30, values);
//! let mean = weigh(&stretches, [(12, 25)].into_iter(), Reducer::DurationMean, 0);
//! // 2.0 holds at 13 … 19, 5.0 at 20 … 25
//! assert_eq!(mean.data, Numbers::F64(vec![(2.0 * 7.0 + 5.0 * 6.0) / 13.0]));
//! ```

use tilt_ir::tir::Reducer;

use crate::ops::{Bitmap, Made, Numbers, Values, cursor::advance, values::Native, values::each_type};

/// Stretches of time on which one value holds, in order; those that touch have different values.
#[derive(Clone, Debug, Default)]
pub struct Stretches {
    /// From when (included) to when (not included).
    bounds: Vec<(i64, i128)>,
    values: Vec<f64>,
}

impl Stretches {
    /// Of rows stamped in rising order, each of which holds until the next one, the last until `end` (not included). Stretches
    /// without a value are left out; neighbours with the same value are joined (all NaN are the same, the zeros are not).
    pub fn new(stamps: &[i64], end: i128, values: Values<'_>) -> Stretches {
        let mut all = Stretches::default();
        for (row, stamp) in stamps.iter().enumerate() {
            let until = stamps.get(row + 1).map_or(end, |next| i128::from(*next));
            if values.is_valid(row) && until > i128::from(*stamp) {
                let value = each_type!(values.data, numbers => numbers[row].float(), bits => f64::from(bits.get(row)));
                all.push(*stamp, until, value);
            }
        }
        all
    }

    /// A stretch `from..until` that begins no earlier than the last one ends.
    pub fn push(&mut self, from: i64, until: i128, value: f64) {
        match (self.bounds.last_mut(), self.values.last()) {
            (Some((_, end)), Some(last))
                if *end == i128::from(from)
                    && (last.to_bits() == value.to_bits() || last.is_nan() && value.is_nan()) =>
            {
                *end = until;
            }
            _ => {
                self.bounds.push((from, until));
                self.values.push(value);
            }
        }
    }
}

/// The [`Reducer::Integral`] (value times seconds) or [`Reducer::DurationMean`] over each of the windows `(a, b]`, whose bounds
/// never fall; φ where nothing holds, or fewer stretches than `min_count`. Both count the nanoseconds of 64-bit time.
pub fn weigh(
    stretches: &Stretches,
    windows: impl Iterator<Item = (i128, i128)>,
    kind: Reducer,
    min_count: u64,
) -> Made {
    let (mut results, mut valid) = (Vec::new(), Bitmap::default());
    let bounds = &stretches.bounds;
    let mut start = None;
    for (a, b) in windows {
        let from = (a + 1).max(i64::MIN.into());
        let until = b.min(i64::MAX.into()) + 1;
        let begun = start.unwrap_or_else(|| bounds.partition_point(|(_, end)| *end <= from));
        let first = advance(begun, bounds.len(), |k| bounds[k].1 <= from);
        start = Some(first);
        let mut all = Weighed { sum: 0.0, first: 0.0, time: 0, count: 0 };
        for (bound, value) in bounds[first..].iter().zip(&stretches.values[first..]) {
            if i128::from(bound.0) >= until {
                break;
            }
            all.add(*value, bound.1.min(until) - from.max(bound.0.into()));
        }
        let result = all.finish(kind).filter(|_| all.count >= min_count);
        results.push(result.unwrap_or_default());
        valid.push(result.is_some());
    }
    Made { data: Numbers::F64(results), valid: Some(valid) }
}

struct Weighed {
    /// Σ value · nanoseconds.
    sum: f64,
    /// The first value.
    first: f64,
    time: i128,
    count: u64,
}

impl Weighed {
    #[inline]
    fn add(&mut self, value: f64, time: i128) {
        if time <= 0 {
            return;
        }
        let term = value * time as f64;
        (self.first, self.sum) = if self.count == 0 { (value, term) } else { (self.first, self.sum + term) };
        self.time += time;
        self.count += 1;
    }

    fn finish(&self, kind: Reducer) -> Option<f64> {
        if self.count == 0 {
            return None;
        }
        Some(match (kind == Reducer::DurationMean, self.count) {
            (true, 1) => self.first,
            (true, _) => self.sum / self.time as f64,
            (false, _) => self.sum / 1e9,
        })
    }
}
