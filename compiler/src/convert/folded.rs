//! The reducers that loops fold; all others are operators of the runtime.

use tilt_ir::tir::Reducer;

/// A reducer of which [`Reducer::is_folded`] is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Folded {
    Count,
    Sum,
    Mean,
    Min,
    Max,
    First,
    Last,
    Var { ddof: u32 },
    Std { ddof: u32 },
}

impl Folded {
    /// The reducer as one that is folded.
    ///
    /// # Panics
    /// If it is not: such reductions never come here.
    pub(super) fn of(reducer: Reducer) -> Folded {
        match reducer {
            Reducer::Count => Folded::Count,
            Reducer::Sum => Folded::Sum,
            Reducer::Mean => Folded::Mean,
            Reducer::Min => Folded::Min,
            Reducer::Max => Folded::Max,
            Reducer::First => Folded::First,
            Reducer::Last => Folded::Last,
            Reducer::Var { ddof } => Folded::Var { ddof },
            Reducer::Std { ddof } => Folded::Std { ddof },
            Reducer::Skew
            | Reducer::Kurtosis
            | Reducer::ArgMin
            | Reducer::ArgMax
            | Reducer::CountDistinct
            | Reducer::Mode
            | Reducer::Quantile { .. }
            | Reducer::WeightedMean
            | Reducer::Cov { .. }
            | Reducer::Corr
            | Reducer::Integral
            | Reducer::DurationMean => panic!("`{}` is not folded by loops", reducer.name()),
        }
    }
}
