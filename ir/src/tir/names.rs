//! The spelling of each operation in the textual form: one list, read by the printer and by the parser.

use super::{BinaryOp, CmpOp, MathFn, Reducer, UnaryOp};

macro_rules! names {
    ($type:ident: $($variant:ident $text:literal),+ $(,)?) => {
        impl $type {
            /// All of them, in declaration order.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// The spelling in the textual form.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $text),+
                }
            }
            /// The one of this name.
            pub fn from_name(name: &str) -> Option<$type> {
                $type::ALL.iter().copied().find(|op| op.name() == name)
            }
        }
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

names!(UnaryOp: Neg "neg", Not "not", Cast "cast");
names!(BinaryOp:
    Add "add", Sub "sub", Mul "mul", Div "div", FloorDiv "floordiv", Mod "mod",
    Min "min", Max "max", And "and", Or "or",
);
names!(CmpOp: Eq "eq", Ne "ne", Lt "lt", Le "le", Gt "gt", Ge "ge");
names!(MathFn:
    Abs "abs", Sign "sign", Sqrt "sqrt", Floor "floor", Ceil "ceil", Round "round", Trunc "trunc",
    Exp "exp", Ln "ln", Log2 "log2", Log10 "log10", Sin "sin", Cos "cos", Tan "tan",
    Asin "asin", Acos "acos", Atan "atan", Sinh "sinh", Cosh "cosh", Tanh "tanh",
    Pow "pow", Atan2 "atan2", IsNan "is_nan", IsInf "is_inf",
);

/// What a math function takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// A float, an integer or a duration; gives the same type.
    Number,
    /// A float; gives the same type.
    Float,
    /// Two floats of one type; gives the same type.
    FloatPair,
    /// A float; gives a bool.
    FloatTest,
}

impl MathFn {
    /// What it takes and gives.
    pub fn signature(self) -> Signature {
        match self {
            MathFn::Abs | MathFn::Sign => Signature::Number,
            MathFn::Sqrt
            | MathFn::Floor
            | MathFn::Ceil
            | MathFn::Round
            | MathFn::Trunc
            | MathFn::Exp
            | MathFn::Ln
            | MathFn::Log2
            | MathFn::Log10
            | MathFn::Sin
            | MathFn::Cos
            | MathFn::Tan
            | MathFn::Asin
            | MathFn::Acos
            | MathFn::Atan
            | MathFn::Sinh
            | MathFn::Cosh
            | MathFn::Tanh => Signature::Float,
            MathFn::Pow | MathFn::Atan2 => Signature::FloatPair,
            MathFn::IsNan | MathFn::IsInf => Signature::FloatTest,
        }
    }

    /// How many operands it has.
    pub fn arity(self) -> usize {
        match self.signature() {
            Signature::Number | Signature::Float | Signature::FloatTest => 1,
            Signature::FloatPair => 2,
        }
    }
}

impl Reducer {
    /// The spelling, without the degrees of freedom.
    pub fn name(self) -> &'static str {
        match self {
            Reducer::Count => "count",
            Reducer::Sum => "sum",
            Reducer::Mean => "mean",
            Reducer::Min => "min",
            Reducer::Max => "max",
            Reducer::First => "first",
            Reducer::Last => "last",
            Reducer::Var { .. } => "var",
            Reducer::Std { .. } => "std",
            Reducer::Skew => "skew",
            Reducer::Kurtosis => "kurtosis",
            Reducer::ArgMin => "argmin",
            Reducer::ArgMax => "argmax",
            Reducer::CountDistinct => "count_distinct",
            Reducer::Mode => "mode",
            Reducer::Quantile { .. } => "quantile",
            Reducer::WeightedMean => "wmean",
            Reducer::Cov { .. } => "cov",
            Reducer::Corr => "corr",
            Reducer::Integral => "integral",
            Reducer::DurationMean => "duration_mean",
        }
    }
}
