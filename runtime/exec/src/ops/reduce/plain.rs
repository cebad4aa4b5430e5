//! Reductions that do not depend on the grouping.

use super::{
    Job, OutOfRange,
    classes::Classes,
    exact::{IntSums, firsts, lasts},
    least, quantile,
};
use crate::ops::{
    Bitmap, Data, Made, Numbers,
    gather::gather,
    values::{Native, Values, each_type},
};
use tilt_ir::tir::Reducer;

impl Job<'_> {
    pub(super) fn is_float(&self) -> bool {
        matches!(self.rows.values.data, Data::F32(_) | Data::F64(_))
    }

    pub(super) fn count(&self) -> Made {
        let counts = self.counts();
        let counts: Vec<i64> = (0..self.windows.len()).map(|k| counts(k) as i64).collect();
        let least = self.how.min_count;
        let valid = (least > 0).then(|| counts.iter().map(|count| *count as u64 >= least).collect());
        Made { data: Numbers::I64(counts), valid }
    }

    /// Calls `put` with the exact sum of each window.
    fn int_sums(&self, mut put: impl FnMut(usize, i128)) {
        let (first, len) = self.there();
        fn all(
            job: &Job<'_>,
            value: impl Fn(usize) -> i128,
            (first, len): (i64, usize),
            put: &mut impl FnMut(usize, i128),
        ) {
            let mut sums = IntSums::new(value, job.valid.as_ref());
            for k in 0..job.windows.len() {
                put(k, sums.slide(job.windows.live(k, first, len)));
            }
        }
        each_type!(
            self.rows.values.data,
            numbers => all(self, |row| numbers[row].int(), (first, len), &mut put),
            bits => all(self, |row| bits.get(row).into(), (first, len), &mut put)
        );
    }

    pub(super) fn int_sum(&self) -> Result<Made, OutOfRange> {
        let valid = self.enough(|_, _| true);
        let mut sums = Vec::with_capacity(self.windows.len());
        let mut bad = None;
        self.int_sums(|k, sum| {
            let narrow = i64::try_from(sum);
            if narrow.is_err() && valid.get(k) {
                bad = bad.or(Some(OutOfRange(k)));
            }
            sums.push(narrow.unwrap_or_default());
        });
        match bad {
            Some(bad) => Err(bad),
            None => Ok(Made { data: Numbers::I64(sums), valid: Some(valid) }),
        }
    }

    pub(super) fn int_mean(&self, is_duration: bool) -> Made {
        let counts = self.counts();
        let valid = Some(self.enough(|_, _| true));
        if is_duration {
            let mut means = Vec::with_capacity(self.windows.len());
            self.int_sums(|k, sum| means.push(sum.div_euclid(counts(k).max(1).into()) as i64));
            return Made { data: Numbers::I64(means), valid };
        }
        let mut means = Vec::with_capacity(self.windows.len());
        self.int_sums(|k, sum| means.push(sum as f64 / counts(k) as f64));
        Made { data: Numbers::F64(means), valid }
    }

    /// An integer for each row that is ordered as the values are, or the other way round; the greatest one without a value. Of floats
    /// NaN comes first either way.
    fn keys(&self, is_greatest: bool) -> Vec<i64> {
        fn keys<T: Native>(values: &[T], valid: Option<&Bitmap>, is_greatest: bool) -> Vec<i64> {
            let key = |(row, value): (usize, &T)| {
                if valid.is_some_and(|valid| !valid.get(row)) {
                    return i64::MAX;
                }
                if is_greatest && !value.is_nan() { !value.key() } else { value.key() }
            };
            values.iter().enumerate().map(key).collect()
        }
        each_type!(
            self.rows.values.data,
            numbers => keys(numbers, self.valid.as_ref(), is_greatest),
            bits => {
                let values: Vec<u8> = (0..bits.len()).map(|row| bits.get(row).into()).collect();
                keys(&values, self.valid.as_ref(), is_greatest)
            }
        )
    }

    /// `min` or `max`.
    pub(super) fn extremes(&self, is_greatest: bool) -> Made {
        fn values<T: Native>(_: &[T], mut keys: Vec<i64>, is_greatest: bool) -> Numbers {
            let value = |key: i64| {
                let is_nan = T::IS_FLOAT && key == i64::MIN;
                T::of_key(if is_greatest && !is_nan { !key } else { key })
            };
            T::numbers(keys.drain(..).map(value).collect())
        }
        let keys = self.keys(is_greatest);
        let mut least = Vec::with_capacity(self.windows.len());
        least::keys(&keys, self.windows, self.rows.first, &mut |_, key| least.push(key));
        let data = each_type!(
            self.rows.values.data,
            numbers => values(numbers, least, is_greatest),
            _bits => Numbers::Bool(least.into_iter().map(|key| if is_greatest { key == !1 } else { key == 1 }).collect())
        );
        Made { data, valid: Some(self.enough(|_, _| true)) }
    }

    /// `argmin` or `argmax`.
    pub(super) fn places(&self, is_greatest: bool) -> Made {
        let keys = self.keys(is_greatest);
        let enough = self.enough(|_, _| true);
        let mut stamps = Vec::with_capacity(self.windows.len());
        least::rows(&keys, self.valid.as_ref(), self.windows, self.rows.first, &mut |k, row| {
            stamps.push(if enough.get(k) { self.rows.stamp(row) } else { 0 });
        });
        Made { data: Numbers::I64(stamps), valid: Some(enough) }
    }

    /// The values in these rows, where there are values enough.
    fn values_in(&self, rows: &[i64]) -> Made {
        let valid = self.enough(|k, _| rows[k] >= 0);
        let values = Values { valid: None, ..self.rows.values };
        Made { data: gather(values, rows).data, valid: Some(valid) }
    }

    /// `first` or `last`.
    pub(super) fn ends(&self) -> Made {
        let mut rows = Vec::with_capacity(self.windows.len());
        let mut put = |_: usize, row: Option<usize>| rows.push(row.map_or(-1, |row| row as i64));
        let valid = self.valid.as_ref();
        if self.how.kind == Reducer::First {
            firsts(self.windows, self.there(), valid, &mut put);
        } else {
            lasts(self.windows, self.there(), valid, &mut put);
        }
        self.values_in(&rows)
    }

    fn classes(&self) -> Classes {
        let valid = self.valid.as_ref();
        each_type!(
            self.rows.values.data,
            numbers => Classes::new(numbers.len(), |row| numbers[row].class(), valid),
            bits => Classes::new(bits.len(), |row| bits.get(row).into(), valid)
        )
    }

    pub(super) fn distinct(&self) -> Made {
        let mut counts = Vec::with_capacity(self.windows.len());
        self.classes().distinct(self.windows, self.rows.first, &mut |_, count| counts.push(count as i64));
        Made { data: Numbers::I64(counts), valid: Some(self.enough(|_, _| true)) }
    }

    pub(super) fn modes(&self) -> Made {
        let counts = self.counts();
        let mut rows = Vec::with_capacity(self.windows.len());
        self.classes().modes(self.windows, self.rows.first, &mut |k, row| {
            rows.push(if counts(k) > 0 { row as i64 } else { -1 });
        });
        self.values_in(&rows)
    }

    pub(super) fn quantiles(&self, q: f64) -> Made {
        let values = self.as_f64(self.rows.values);
        let mut results = Vec::with_capacity(self.windows.len());
        let mut put = |_: usize, result: f64| results.push(result);
        quantile::quantiles(&values, self.valid.as_ref(), q, self.windows, self.rows.first, &mut put);
        Made { data: self.rounded(results), valid: Some(self.enough(|_, _| true)) }
    }
}
