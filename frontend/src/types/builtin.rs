//! The functions of the language, by name.

use tilt_ir::Type;
use tilt_ir::tir::MathFn;

/// What a name of the language means in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    /// Over a window.
    Reducer(ReducerName),
    /// The smaller of two values, or the least of a window.
    Min,
    /// The greater of two values, or the greatest of a window.
    Max,
    /// On floats, with this many operands.
    Float(MathFn, usize),
    /// `abs`: numbers and durations.
    Abs,
    /// `sign`: numbers.
    Sign,
    /// `floor`, `ceil`: floats, or a time and a period.
    Rounding(MathFn),
    /// `is_nan`, `is_inf`.
    Test(MathFn),
    /// `clamp(x, low, high)`.
    Clamp,
    /// A type as a function.
    Convert(Type),
    /// Of arrays.
    Array(ArrayFn),
}

/// The functions of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayFn {
    /// How many elements it has.
    Len,
    /// The sum of the products of the elements of two.
    Dot,
    /// A value and those before it.
    Lags,
}

/// The reducers that are nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReducerName {
    Count,
    Sum,
    Mean,
    Min,
    Max,
    First,
    Last,
    Var,
    Std,
    Skew,
    Kurtosis,
    ArgMin,
    ArgMax,
    CountDistinct,
    Mode,
    Median,
    Quantile,
    WeightedMean,
    Cov,
    Corr,
    Integral,
    DurationMean,
}

impl ReducerName {
    /// How many arguments it takes that are not named.
    pub(super) fn arguments(self) -> usize {
        match self {
            ReducerName::Quantile | ReducerName::WeightedMean | ReducerName::Cov | ReducerName::Corr => 2,
            _ => 1,
        }
    }

    /// Its name, if it weighs values by the time they hold.
    pub(super) fn weighs(self) -> Option<&'static str> {
        match self {
            ReducerName::Integral => Some("integral"),
            ReducerName::DurationMean => Some("duration_mean"),
            _ => None,
        }
    }

    /// The named arguments that it takes.
    pub(super) fn options(self) -> &'static [&'static str] {
        match self {
            ReducerName::Var | ReducerName::Std | ReducerName::Cov => &["min_count", "ddof"],
            ReducerName::Integral | ReducerName::DurationMean => &[],
            _ => &["min_count"],
        }
    }
}

/// All functions of the language.
pub(crate) const FUNCTIONS: &[(&str, Builtin)] = &[
    ("count", Builtin::Reducer(ReducerName::Count)),
    ("sum", Builtin::Reducer(ReducerName::Sum)),
    ("mean", Builtin::Reducer(ReducerName::Mean)),
    ("first", Builtin::Reducer(ReducerName::First)),
    ("last", Builtin::Reducer(ReducerName::Last)),
    ("var", Builtin::Reducer(ReducerName::Var)),
    ("std", Builtin::Reducer(ReducerName::Std)),
    ("skew", Builtin::Reducer(ReducerName::Skew)),
    ("kurtosis", Builtin::Reducer(ReducerName::Kurtosis)),
    ("argmin", Builtin::Reducer(ReducerName::ArgMin)),
    ("argmax", Builtin::Reducer(ReducerName::ArgMax)),
    ("count_distinct", Builtin::Reducer(ReducerName::CountDistinct)),
    ("mode", Builtin::Reducer(ReducerName::Mode)),
    ("median", Builtin::Reducer(ReducerName::Median)),
    ("quantile", Builtin::Reducer(ReducerName::Quantile)),
    ("wmean", Builtin::Reducer(ReducerName::WeightedMean)),
    ("cov", Builtin::Reducer(ReducerName::Cov)),
    ("corr", Builtin::Reducer(ReducerName::Corr)),
    ("integral", Builtin::Reducer(ReducerName::Integral)),
    ("duration_mean", Builtin::Reducer(ReducerName::DurationMean)),
    ("min", Builtin::Min),
    ("max", Builtin::Max),
    ("clamp", Builtin::Clamp),
    ("abs", Builtin::Abs),
    ("sign", Builtin::Sign),
    ("floor", Builtin::Rounding(MathFn::Floor)),
    ("ceil", Builtin::Rounding(MathFn::Ceil)),
    ("round", Builtin::Float(MathFn::Round, 1)),
    ("trunc", Builtin::Float(MathFn::Trunc, 1)),
    ("sqrt", Builtin::Float(MathFn::Sqrt, 1)),
    ("exp", Builtin::Float(MathFn::Exp, 1)),
    ("ln", Builtin::Float(MathFn::Ln, 1)),
    ("log2", Builtin::Float(MathFn::Log2, 1)),
    ("log10", Builtin::Float(MathFn::Log10, 1)),
    ("sin", Builtin::Float(MathFn::Sin, 1)),
    ("cos", Builtin::Float(MathFn::Cos, 1)),
    ("tan", Builtin::Float(MathFn::Tan, 1)),
    ("asin", Builtin::Float(MathFn::Asin, 1)),
    ("acos", Builtin::Float(MathFn::Acos, 1)),
    ("atan", Builtin::Float(MathFn::Atan, 1)),
    ("sinh", Builtin::Float(MathFn::Sinh, 1)),
    ("cosh", Builtin::Float(MathFn::Cosh, 1)),
    ("tanh", Builtin::Float(MathFn::Tanh, 1)),
    ("pow", Builtin::Float(MathFn::Pow, 2)),
    ("atan2", Builtin::Float(MathFn::Atan2, 2)),
    ("is_nan", Builtin::Test(MathFn::IsNan)),
    ("is_inf", Builtin::Test(MathFn::IsInf)),
    ("len", Builtin::Array(ArrayFn::Len)),
    ("dot", Builtin::Array(ArrayFn::Dot)),
    ("lags", Builtin::Array(ArrayFn::Lags)),
    ("i8", Builtin::Convert(Type::I8)),
    ("i16", Builtin::Convert(Type::I16)),
    ("i32", Builtin::Convert(Type::I32)),
    ("i64", Builtin::Convert(Type::I64)),
    ("u8", Builtin::Convert(Type::U8)),
    ("u16", Builtin::Convert(Type::U16)),
    ("u32", Builtin::Convert(Type::U32)),
    ("u64", Builtin::Convert(Type::U64)),
    ("f32", Builtin::Convert(Type::F32)),
    ("f64", Builtin::Convert(Type::F64)),
    ("time", Builtin::Convert(Type::Time)),
    ("duration", Builtin::Convert(Type::Duration)),
];

/// The function of this name.
pub(crate) fn find(name: &str) -> Option<Builtin> {
    FUNCTIONS.iter().find(|known| known.0 == name).map(|known| known.1)
}

/// Whether the language has a function of this name.
pub(crate) fn exists(name: &str) -> bool {
    find(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_names_every_function() {
        let reference = include_str!("../../../docs/language.md");
        let missing: Vec<&str> = FUNCTIONS
            .iter()
            .map(|known| known.0)
            .filter(|name| !reference.contains(&format!("`{name}(")))
            .collect();
        assert_eq!(missing, Vec::<&str>::new());
    }
}
