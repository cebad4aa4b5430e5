//! The small parts of operations: `Display` of indexes, windows, groupings and reducers.
//!
//! ```
//! use tilt_ir::tir::{Base, Index, Window};
//! let day = 86_400_000_000_000;
//! let index = |base| Index { base, shift: 0 };
//! let today = Window { from: index(Base::Floor(day)), to: index(Base::Ceil(day)) };
//! assert_eq!(today.to_string(), "(floor(t, 1d), ceil(t, 1d)]");
//! assert_eq!(Index::now(-1_500).to_string(), "t-1500ns");
//! ```

use std::fmt;

use crate::{
    Const, Type,
    text::{Constant, Span},
    tir::{Base, Frame, Grouping, Index, Reducer, When, Window},
};

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            When::Time(index) => index.fmt(f),
            When::Row(0) => f.write_str("row"),
            When::Row(back) => write!(f, "row-{back}"),
        }
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Frame::Time(window) => window.fmt(f),
            Frame::Last(rows) => write!(f, "last {rows}"),
        }
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            Base::Now => f.write_str("t")?,
            Base::Floor(period) => write!(f, "floor(t, {})", Span(period.into()))?,
            Base::Ceil(period) => write!(f, "ceil(t, {})", Span(period.into()))?,
        }
        match self.shift {
            0 => Ok(()),
            back @ ..0 => Span(back.into()).fmt(f),
            ahead @ 1.. => write!(f, "+{}", Span(ahead.into())),
        }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}]", self.from, self.to)
    }
}

impl fmt::Display for Grouping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grouping::Lanes64 => f.write_str("lanes64"),
            Grouping::Doubling { count } => write!(f, "doubling {count}"),
            Grouping::Blocks { rows, origin } => write!(f, "blocks {rows} origin {origin}"),
            Grouping::TimeBlocks { length, origin } => {
                write!(f, "time_blocks {} origin {}", Span((*length).into()), Span((*origin).into()))
            }
        }
    }
}

impl fmt::Display for Reducer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Reducer::Var { ddof } | Reducer::Std { ddof } | Reducer::Cov { ddof } => {
                write!(f, " ddof {ddof}")
            }
            Reducer::Quantile { q } => write!(f, " {}", Constant(Const::F64(*q), Type::F64)),
            Reducer::Count
            | Reducer::Sum
            | Reducer::Mean
            | Reducer::Min
            | Reducer::Max
            | Reducer::First
            | Reducer::Last
            | Reducer::Skew
            | Reducer::Kurtosis
            | Reducer::ArgMin
            | Reducer::ArgMax
            | Reducer::CountDistinct
            | Reducer::Mode
            | Reducer::WeightedMean
            | Reducer::Corr
            | Reducer::Integral
            | Reducer::DurationMean => Ok(()),
        }
    }
}
