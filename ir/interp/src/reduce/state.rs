//! What is kept of the values of a window while it is folded.
//!
//! A partial result is an `Option<State>`: `None` is that of no value at all. φ rows have none, so that no identity element
//! (no `+ 0.0`) is ever visible: combining with nothing gives the other side.

use super::{Comoments, HigherMoments, Moments, Term};
use crate::{float::Float, scalar::ill_typed};
use tilt_ir::{Const, Type, tir::Reducer};

/// What is kept of one or more values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// How many values there were; at least 1.
    pub count: u64,
    /// What else is kept of them.
    pub part: Part,
}

/// What a reducer keeps beside the count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// `Count`: nothing.
    Count,
    /// `Sum` and `Mean` of integers and durations: the exact sum. 2^63 values of 64 bits fit in 128.
    IntSum(i128),
    /// `Sum` and `Mean` of `f32`: the sum, rounded at each step.
    F32Sum(f32),
    /// `Sum` and `Mean` of `f64`: the sum, rounded at each step.
    F64Sum(f64),
    /// `Min` of integers, times and durations.
    IntMin(i128),
    /// `Min` of `f32`.
    F32Min(f32),
    /// `Min` of `f64`.
    F64Min(f64),
    /// `Max` of integers, times and durations.
    IntMax(i128),
    /// `Max` of `f32`.
    F32Max(f32),
    /// `Max` of `f64`.
    F64Max(f64),
    /// `First`: the value of the least row.
    First {
        /// The row.
        row: i128,
        /// Its value.
        value: Const,
    },
    /// `Last`: the value of the greatest row.
    Last {
        /// The row.
        row: i128,
        /// Its value.
        value: Const,
    },
    /// `Var` and `Std` of `f32`.
    F32Moments(Moments<f32>),
    /// `Var` and `Std` of `f64`.
    F64Moments(Moments<f64>),
    /// `Skew` and `Kurtosis`.
    HigherMoments(HigherMoments),
    /// `Cov` and `Corr`.
    Comoments(Comoments),
    /// `WeightedMean`.
    Weighted {
        /// Σ weight · value.
        sum: f64,
        /// Σ weight.
        weights: f64,
    },
}

impl State {
    /// The state of one row that is not φ, of number `row` (of which only the order matters). None of the reducers that look at
    /// all values at once ([`ranked`](super::ranked)) or weigh them ([`weigh`](super::weigh)).
    pub fn leaf(kind: Reducer, row: i128, term: Term) -> State {
        let value = term.value;
        let part = match kind {
            Reducer::Count => Part::Count,
            Reducer::Sum | Reducer::Mean => match value {
                Const::Int(x) => Part::IntSum(x),
                Const::F32(x) => Part::F32Sum(f32::from_bits(x)),
                Const::F64(x) => Part::F64Sum(f64::from_bits(x)),
                Const::Bool(_) => ill_typed(kind, &[value]),
            },
            Reducer::Min => match value {
                Const::Int(x) => Part::IntMin(x),
                Const::F32(x) => Part::F32Min(f32::from_bits(x)),
                Const::F64(x) => Part::F64Min(f64::from_bits(x)),
                Const::Bool(_) => ill_typed(kind, &[value]),
            },
            Reducer::Max => match value {
                Const::Int(x) => Part::IntMax(x),
                Const::F32(x) => Part::F32Max(f32::from_bits(x)),
                Const::F64(x) => Part::F64Max(f64::from_bits(x)),
                Const::Bool(_) => ill_typed(kind, &[value]),
            },
            Reducer::First => Part::First { row, value },
            Reducer::Last => Part::Last { row, value },
            Reducer::Var { .. } | Reducer::Std { .. } => match value {
                Const::F32(x) => Part::F32Moments(Moments::of(f32::from_bits(x))),
                Const::F64(x) => Part::F64Moments(Moments::of(f64::from_bits(x))),
                Const::Bool(_) | Const::Int(_) => ill_typed(kind, &[value]),
            },
            Reducer::Skew | Reducer::Kurtosis => Part::HigherMoments(HigherMoments::of(widened(value))),
            Reducer::Cov { .. } | Reducer::Corr => {
                let (x, y) = term.pair();
                Part::Comoments(Comoments::of(x, y))
            }
            Reducer::WeightedMean => {
                let (x, weight) = term.pair();
                Part::Weighted { sum: weight * x, weights: weight }
            }
            Reducer::ArgMin
            | Reducer::ArgMax
            | Reducer::CountDistinct
            | Reducer::Mode
            | Reducer::Quantile { .. }
            | Reducer::Integral
            | Reducer::DurationMean => ill_typed(kind, &[value]),
        };
        State { count: 1, part }
    }

    /// The state of the values of `self` and of `later` together. Both are of one reducer and one type.
    pub fn merge(self, later: State) -> State {
        let part = match (self.part, later.part) {
            (Part::Count, Part::Count) => Part::Count,
            (Part::IntSum(a), Part::IntSum(b)) => Part::IntSum(a.saturating_add(b)),
            (Part::F32Sum(a), Part::F32Sum(b)) => Part::F32Sum(a + b),
            (Part::F64Sum(a), Part::F64Sum(b)) => Part::F64Sum(a + b),
            (Part::IntMin(a), Part::IntMin(b)) => Part::IntMin(a.min(b)),
            (Part::F32Min(a), Part::F32Min(b)) => Part::F32Min(a.lesser(b)),
            (Part::F64Min(a), Part::F64Min(b)) => Part::F64Min(a.lesser(b)),
            (Part::IntMax(a), Part::IntMax(b)) => Part::IntMax(a.max(b)),
            (Part::F32Max(a), Part::F32Max(b)) => Part::F32Max(a.greater(b)),
            (Part::F64Max(a), Part::F64Max(b)) => Part::F64Max(a.greater(b)),
            (Part::First { row: a, .. }, Part::First { row: b, .. }) => {
                if a <= b {
                    self.part
                } else {
                    later.part
                }
            }
            (Part::Last { row: a, .. }, Part::Last { row: b, .. }) => {
                if a > b {
                    self.part
                } else {
                    later.part
                }
            }
            (Part::F32Moments(a), Part::F32Moments(b)) => {
                Part::F32Moments(a.merge(self.count, b, later.count))
            }
            (Part::F64Moments(a), Part::F64Moments(b)) => {
                Part::F64Moments(a.merge(self.count, b, later.count))
            }
            (Part::HigherMoments(a), Part::HigherMoments(b)) => {
                Part::HigherMoments(a.merge(self.count, b, later.count))
            }
            (Part::Comoments(a), Part::Comoments(b)) => Part::Comoments(a.merge(self.count, b, later.count)),
            (Part::Weighted { sum: a, weights: v }, Part::Weighted { sum: b, weights: w }) => {
                Part::Weighted { sum: a + b, weights: v + w }
            }
            (a, b) => panic!("{a:?} and {b:?} are of different reductions"),
        };
        State { count: self.count + later.count, part }
    }
}

/// [`State::merge`] where either side may have no value: then the other side is the result.
pub fn merge(earlier: Option<State>, later: Option<State>) -> Option<State> {
    match (earlier, later) {
        (Some(a), Some(b)) => Some(a.merge(b)),
        (a, b) => a.or(b),
    }
}

/// A float as `f64`, which holds every `f32`.
pub(super) fn widened(value: Const) -> f64 {
    match value {
        Const::F32(x) => f32::from_bits(x).into(),
        Const::F64(x) => f64::from_bits(x),
        Const::Bool(_) | Const::Int(_) => ill_typed("a reduction in f64", &[value]),
    }
}

/// Rounded once to the type `ty`.
pub(super) fn narrowed(value: f64, ty: Type) -> Const {
    if ty == Type::F32 { Const::f32(value as f32) } else { Const::f64(value) }
}

impl Term {
    /// Both values.
    fn pair(self) -> (f64, f64) {
        let weight = self.weight.unwrap_or_else(|| ill_typed("a reduction of two values", &[self.value]));
        (widened(self.value), widened(weight))
    }
}
