//! From the state of a window to its result.

use super::{Moments, Part, State, state::narrowed};
use crate::{
    float::Float,
    scalar::{Scalar, in_range},
};
use tilt_ir::{Const, Type, tir::Reducer};

/// The result, of type `to`, of a reduction whose window has the state `state` (`None`: no value in it). φ below `min_count`
/// values and of too few for the divisor of a variance; an error if an integer result is out of the range of `to`.
///
/// ```
/// use tilt_interp::reduce::finish;
/// use tilt_ir::{Const, Type, tir::Reducer};
/// assert_eq!(finish(Reducer::Count, 0, Type::I64, None), Ok(Some(Const::Int(0))));
/// assert_eq!(finish(Reducer::Count, 1, Type::I64, None), Ok(None));
/// assert_eq!(finish(Reducer::Sum, 0, Type::F64, None), Ok(None));
/// ```
pub fn finish(kind: Reducer, min_count: u64, to: Type, state: Option<State>) -> Scalar {
    let count = state.map_or(0, |state| state.count);
    if count < min_count {
        return Ok(None);
    }
    if kind == Reducer::Count {
        return in_range(Some(i128::from(count)), to);
    }
    let Some(State { part, .. }) = state else {
        return Ok(None);
    };
    match part {
        Part::Count => in_range(Some(i128::from(count)), to),
        Part::IntSum(sum) if kind == Reducer::Mean => integer_mean(to, sum, count),
        Part::IntSum(sum) => in_range(Some(sum), to),
        Part::F32Sum(sum) => Ok(Some(sum_or_mean(kind, sum, count))),
        Part::F64Sum(sum) => Ok(Some(sum_or_mean(kind, sum, count))),
        Part::IntMin(x) | Part::IntMax(x) => in_range(Some(x), to),
        Part::F32Min(x) | Part::F32Max(x) => Ok(Some(x.to_const())),
        Part::F64Min(x) | Part::F64Max(x) => Ok(Some(x.to_const())),
        Part::First { value, .. } | Part::Last { value, .. } => Ok(Some(value)),
        Part::F32Moments(moments) => Ok(variance_or_std(kind, moments, count)),
        Part::F64Moments(moments) => Ok(variance_or_std(kind, moments, count)),
        Part::HigherMoments(moments) if kind == Reducer::Skew => Ok(float(to, moments.skew(count))),
        Part::HigherMoments(moments) => Ok(float(to, moments.kurtosis(count))),
        Part::Comoments(moments) => Ok(float(
            to,
            match kind {
                Reducer::Cov { ddof } => moments.covariance(count, ddof),
                _ => moments.correlation(),
            },
        )),
        Part::Weighted { sum, weights } => Ok(float(to, (weights != 0.0).then(|| sum / weights))),
    }
}

/// Computed in `f64`, rounded once.
fn float(to: Type, value: Option<f64>) -> Option<Const> {
    value.map(|value| narrowed(value, to))
}

/// Of integers: the exact sum rounded once to `f64`, then divided. Of durations: nanoseconds, rounded down.
fn integer_mean(to: Type, sum: i128, count: u64) -> Scalar {
    if to.is_float() {
        Ok(Some(Const::f64(sum as f64 / f64::of_count(count))))
    } else {
        in_range(Some(sum.div_euclid(i128::from(count))), to)
    }
}

fn sum_or_mean<F: Float>(kind: Reducer, sum: F, count: u64) -> Const {
    if kind == Reducer::Mean { (sum / F::of_count(count)).to_const() } else { sum.to_const() }
}

fn variance_or_std<F: Float>(kind: Reducer, moments: Moments<F>, count: u64) -> Option<Const> {
    let (ddof, is_std) = match kind {
        Reducer::Var { ddof } => (ddof, false),
        Reducer::Std { ddof } => (ddof, true),
        _ => panic!("{kind:?} keeps no moments"),
    };
    if count <= u64::from(ddof) {
        return None;
    }
    let variance = moments.variance(count, ddof);
    Some(if is_std { variance.sqrt() } else { variance }.to_const())
}
