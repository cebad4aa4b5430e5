//! Reducers that look at all values at once: no grouping, they are functions of the rows in their order.

use super::{
    Term,
    state::{narrowed, widened},
};
use crate::scalar::{Scalar, ill_typed, in_range};
use std::cmp::Ordering;
use tilt_ir::{Const, Type, tir::Reducer};

/// The result, of type `to`, of the rows that have a value; φ if there are fewer than `min_count`, or none.
///
/// ```
/// use tilt_interp::reduce::{Term, ranked};
/// use tilt_ir::{Const, Type, tir::Reducer};
/// let rows = [(3, 2.5), (5, 1.0), (9, 1.0), (9, 4.0)];
/// let rows = rows.map(|(time, x)| Term { time, value: Const::f64(x), weight: None });
/// let result = |kind, to| ranked(kind, 1, to, &rows).unwrap();
/// assert_eq!(result(Reducer::ArgMin, Type::Time), Some(Const::Int(5))); // the earliest
/// assert_eq!(result(Reducer::CountDistinct, Type::I64), Some(Const::Int(3)));
/// assert_eq!(result(Reducer::Mode, Type::F64), Some(Const::f64(1.0)));
/// let median = Reducer::Quantile { q: 0.5f64.to_bits() };
/// assert_eq!(result(median, Type::F64), Some(Const::f64(1.75)));
/// ```
///
/// # Errors
/// The time of a row of a grid is beyond the range of time.
pub fn ranked(kind: Reducer, min_count: u64, to: Type, rows: &[Term]) -> Scalar {
    let Some(first) = rows.first().filter(|_| rows.len() as u64 >= min_count) else { return Ok(None) };
    let time_of = |row: &Term| in_range(Some(row.time), Type::Time);
    match kind {
        Reducer::ArgMin => time_of(extreme(rows, Ordering::Less)),
        Reducer::ArgMax => time_of(extreme(rows, Ordering::Greater)),
        Reducer::CountDistinct => Ok(Some(Const::Int(classes(rows).len() as i128))),
        Reducer::Mode => {
            let mut most = (first.value, 0);
            for class in classes(rows) {
                if class.1 > most.1 {
                    most = class;
                }
            }
            Ok(Some(most.0))
        }
        Reducer::Quantile { q } => {
            let values = rows.iter().map(|row| widened(row.value)).collect();
            Ok(Some(narrowed(quantile(f64::from_bits(q), values), to)))
        }
        Reducer::Count
        | Reducer::Sum
        | Reducer::Mean
        | Reducer::Min
        | Reducer::Max
        | Reducer::First
        | Reducer::Last
        | Reducer::Var { .. }
        | Reducer::Std { .. }
        | Reducer::Skew
        | Reducer::Kurtosis
        | Reducer::WeightedMean
        | Reducer::Cov { .. }
        | Reducer::Corr
        | Reducer::Integral
        | Reducer::DurationMean => ill_typed(kind, &[first.value]),
    }
}

/// The first row with a NaN; else the first of those whose value is `than` all others.
fn extreme(rows: &[Term], than: Ordering) -> &Term {
    let is_nan =
        |row: &&Term| matches!(row.value, Const::F32(_) | Const::F64(_)) && widened(row.value).is_nan();
    if let Some(nan) = rows.iter().find(is_nan) {
        return nan;
    }
    let mut best = &rows[0];
    for row in &rows[1..] {
        if compare(row.value, best.value) == than {
            best = row;
        }
    }
    best
}

/// The order of values that are not NaN; `-0.0 < +0.0`.
fn compare(a: Const, b: Const) -> Ordering {
    match (a, b) {
        (Const::Int(a), Const::Int(b)) => a.cmp(&b),
        _ => widened(a).total_cmp(&widened(b)),
    }
}

/// The different values, each as it is in its first row, in the order of these rows, with the number of its rows. All NaN are one
/// value, and so are the zeros.
fn classes(rows: &[Term]) -> Vec<(Const, usize)> {
    let mut place = std::collections::HashMap::new();
    let mut classes: Vec<(Const, usize)> = Vec::new();
    for row in rows {
        let next = classes.len();
        let place = *place.entry(class_of(row.value)).or_insert(next);
        if place == next {
            classes.push((row.value, 0));
        }
        classes[place].1 += 1;
    }
    classes
}

/// The same constant for values that count as equal.
fn class_of(value: Const) -> Const {
    match value {
        Const::Bool(_) | Const::Int(_) => value,
        Const::F32(_) | Const::F64(_) => match widened(value) {
            x if x.is_nan() => Const::f64(f64::NAN),
            0.0 => Const::f64(0.0), // -0.0 too
            x => Const::f64(x),
        },
    }
}

/// Linear between the two order statistics around `q · (n − 1)` (type 7 of Hyndman and Fan 1996); NaN if there is one.
fn quantile(q: f64, mut values: Vec<f64>) -> f64 {
    if values.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    values.sort_by(f64::total_cmp);
    let place = q * (values.len() - 1) as f64;
    let below = place.floor();
    let part = place - below;
    let a = values[below as usize];
    if part == 0.0 {
        return a;
    }
    let b = values[below as usize + 1];
    let distance = b - a;
    match distance.is_finite() {
        true => a + part * distance,
        false => (1.0 - part) * a + part * b,
    }
}

#[cfg(test)]
mod tests {
    use super::{Term, ranked};
    use crate::scalar::OutOfRange;
    use tilt_ir::{Const, Type, tir::Reducer};

    fn rows(values: &[f64]) -> Vec<Term> {
        let row = |(time, x): (i128, &f64)| Term { time, value: Const::f64(*x), weight: None };
        (0..).zip(values).map(row).collect()
    }

    fn result(kind: Reducer, to: Type, values: &[f64]) -> Option<Const> {
        ranked(kind, 1, to, &rows(values)).expect("in range")
    }

    fn quantile(q: f64, values: &[f64]) -> f64 {
        match result(Reducer::Quantile { q: q.to_bits() }, Type::F64, values) {
            Some(Const::F64(bits)) => f64::from_bits(bits),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn quantiles() {
        assert_eq!(quantile(0.5, &[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(quantile(0.0, &[4.0, 1.0]), 1.0);
        assert_eq!(quantile(1.0, &[4.0, 1.0]), 4.0);
        assert_eq!(quantile(0.25, &[0.0, 10.0, 20.0]), 5.0);
        assert!(quantile(0.0, &[1.0, f64::NAN]).is_nan());
        // Infinite neighbours: only the one that counts.
        assert_eq!(quantile(0.5, &[1.0, 2.0, f64::INFINITY]), 2.0);
        assert_eq!(quantile(0.75, &[1.0, 2.0, f64::INFINITY]), f64::INFINITY);
        assert_eq!(quantile(0.5, &[-f64::MAX, f64::MAX]), 0.0);
    }

    #[test]
    fn ties_zeros_and_nan() {
        let time = |kind, values: &[f64]| result(kind, Type::Time, values);
        assert_eq!(time(Reducer::ArgMin, &[0.0, -0.0, -0.0]), Some(Const::Int(1)));
        assert_eq!(time(Reducer::ArgMax, &[-0.0, 0.0, 0.0]), Some(Const::Int(1)));
        assert_eq!(time(Reducer::ArgMax, &[9.0, f64::NAN, f64::NAN]), Some(Const::Int(1)));
        let distinct = |values: &[f64]| result(Reducer::CountDistinct, Type::I64, values);
        assert_eq!(distinct(&[0.0, -0.0, f64::NAN, -f64::NAN, 1.0]), Some(Const::Int(3)));
        assert_eq!(distinct(&[]), None);
        let mode = |values: &[f64]| result(Reducer::Mode, Type::F64, values);
        assert_eq!(mode(&[2.0, -0.0, 0.0, 2.0]), Some(Const::f64(2.0)));
        assert_eq!(mode(&[2.0, -0.0, 0.0]), Some(Const::f64(-0.0)));
    }

    #[test]
    fn the_time_of_a_row_beyond_time_is_an_error() {
        let row = Term { time: 1 << 64, value: Const::Int(3), weight: None };
        assert_eq!(ranked(Reducer::ArgMin, 1, Type::Time, &[row]), Err(OutOfRange));
    }
}
