//! Reducers: what one row contributes, how two partial results become one, and what comes out.
//!
//! A partial result is an `Option<State>`: `None` is that of no value at all. φ rows have none, so that no identity element
//! (no `+ 0.0`) is ever visible: combining with nothing gives the other side.
//!
//! ```
//! use tilt_interp::reduce::{State, finish, merge};
//! use tilt_ir::{Const, Type, tir::Reducer};
//!
//! let kind = Reducer::Var { ddof: 1 };
//! let leaf = |row, x| Some(State::leaf(kind, row, Const::f64(x)));
//! let state = merge(merge(leaf(0, 1.0), None), merge(leaf(2, 2.0), leaf(3, 3.0)));
//! assert_eq!(finish(kind, 1, Type::F64, state), Ok(Some(Const::f64(1.0))));
//! ```
//!
//! In which order the rows of a window are merged is the business of [`fold`].

mod finish;
mod group;
mod moments;

pub use finish::finish;
pub use group::{Terms, fold};
pub use moments::Moments;

use crate::{float::Float, scalar::ill_typed};
use tilt_ir::{Const, tir::Reducer};

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
}

impl State {
    /// The state of one value that is not φ, found in row number `row` (of which only the order matters).
    pub fn leaf(kind: Reducer, row: i128, value: Const) -> State {
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
