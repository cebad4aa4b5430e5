//! Reductions of floats, which depend on the grouping.

use tilt_ir::tir::{Grouping, Reducer};

use super::{
    Job, blocks,
    cuts::{RowCuts, TimeCuts},
    doubling, lanes,
    moments::{Comoments, HigherMoments, Moments},
    terms::{Float, Sums, Terms, Weighted},
};
use crate::ops::{
    Bitmap, Data, Made, Numbers,
    values::{Native, Values, each_type},
};

impl Job<'_> {
    /// Calls `put` with the number and the state of each window, in order.
    fn fold<T: Terms>(&self, terms: &T, put: &mut impl FnMut(usize, T::State)) {
        let (windows, there) = (self.windows, self.there());
        match self.how.grouping {
            Grouping::Lanes64 => lanes::all(terms, windows, there, put),
            Grouping::Doubling { count } => doubling::all(terms, windows, there, count, put),
            Grouping::Blocks { rows, origin } => {
                blocks::all(terms, windows, there, &mut RowCuts::new(windows, there, rows, origin), put);
            }
            Grouping::TimeBlocks { length, origin } => {
                blocks::all(
                    terms,
                    windows,
                    there,
                    &mut TimeCuts::new(self.rows, windows, length, origin),
                    put,
                );
            }
        }
    }

    /// `sum`, `mean`, `var`, `std`.
    pub(super) fn floats(&self) -> Made {
        match self.rows.values.data {
            Data::F32(values) => self.own_floats(values),
            Data::F64(values) => self.own_floats(values),
            Data::Bool(_)
            | Data::I8(_)
            | Data::I16(_)
            | Data::I32(_)
            | Data::I64(_)
            | Data::U8(_)
            | Data::U16(_)
            | Data::U32(_)
            | Data::U64(_) => panic!("{:?} takes floats", self.how.kind),
        }
    }

    fn own_floats<F: Float + Native>(&self, values: &[F]) -> Made {
        let mut results: Vec<F> = Vec::with_capacity(self.windows.len());
        let counts = self.counts();
        let mut ddof = 0;
        if let Reducer::Var { ddof: d } | Reducer::Std { ddof: d } = self.how.kind {
            ddof = u64::from(d);
            let is_std = matches!(self.how.kind, Reducer::Std { .. });
            self.fold(&Moments { values, valid: self.valid.as_ref() }, &mut |_, state| {
                let variance = state.m2.div(F::of_count(state.count.saturating_sub(ddof)));
                results.push(if is_std { variance.sqrt() } else { variance });
            });
        } else {
            let terms = Sums::new(values, self.valid.as_ref());
            if self.how.kind == Reducer::Mean {
                self.fold(&terms, &mut |k, sum: F| results.push(sum.div(F::of_count(counts(k)))));
            } else {
                self.fold(&terms, &mut |_, sum| results.push(sum));
            }
        }
        Made { data: F::numbers(results), valid: Some(self.enough(|_, count| count > ddof)) }
    }

    /// Numbers as `f64`.
    pub(super) fn as_f64(&self, values: Values<'_>) -> Vec<f64> {
        each_type!(
            values.data,
            numbers => numbers.iter().map(|x| x.float()).collect(),
            bits => (0..bits.len()).map(|row| bits.get(row).into()).collect()
        )
    }

    /// Results in the type of the values.
    pub(super) fn rounded(&self, results: Vec<f64>) -> Numbers {
        match self.rows.values.data {
            Data::F32(_) => Numbers::F32(results.into_iter().map(|x| x as f32).collect()),
            Data::F64(_)
            | Data::Bool(_)
            | Data::I8(_)
            | Data::I16(_)
            | Data::I32(_)
            | Data::I64(_)
            | Data::U8(_)
            | Data::U16(_)
            | Data::U32(_)
            | Data::U64(_) => Numbers::F64(results),
        }
    }

    /// The results of a fold, some of which are φ.
    fn finished<T: Terms>(&self, terms: &T, finish: impl Fn(T::State) -> Option<f64>) -> Made {
        let mut results = Vec::with_capacity(self.windows.len());
        let mut some = Bitmap::default();
        self.fold(terms, &mut |_, state| {
            let result = finish(state);
            some.push(result.is_some());
            results.push(result.unwrap_or_default());
        });
        Made { data: self.rounded(results), valid: Some(self.enough(|k, _| some.get(k))) }
    }

    /// `skew`, `kurtosis`.
    pub(super) fn higher_moments(&self) -> Made {
        let terms = HigherMoments { values: self.as_f64(self.rows.values), valid: self.valid.clone() };
        let is_skew = self.how.kind == Reducer::Skew;
        self.finished(&terms, |state| if is_skew { state.skew() } else { state.kurtosis() })
    }

    fn second(&self) -> Values<'_> {
        match self.rows.second {
            Some(second) => second,
            None => panic!("{:?} takes two values", self.how.kind),
        }
    }

    /// `wmean`.
    pub(super) fn weighted_mean(&self) -> Made {
        let (values, weights) = (self.as_f64(self.rows.values), self.as_f64(self.second()));
        let terms = Weighted { values, weights, valid: self.valid.clone() };
        self.finished(&terms, |(sum, weight)| (weight != 0.0).then(|| sum / weight))
    }

    /// `cov`, `corr`.
    pub(super) fn comoments(&self) -> Made {
        let (x, y) = (self.as_f64(self.rows.values), self.as_f64(self.second()));
        let terms = Comoments { x, y, valid: self.valid.clone() };
        if let Reducer::Cov { ddof } = self.how.kind {
            self.finished(&terms, |state| state.covariance(ddof))
        } else {
            self.finished(&terms, |state| state.correlation())
        }
    }
}
