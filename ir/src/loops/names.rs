//! The spelling of operations in the text.

use super::{Binary, Cmp, Math, Unary};

/// `name`, `from_name` and `ALL` of a set of operations.
macro_rules! names {
    ($($ty:ident { $($op:ident => $name:literal,)* })*) => {$(
        impl $ty {
            /// All of them.
            pub const ALL: &[$ty] = &[$($ty::$op),*];

            /// The spelling in the text.
            pub fn name(self) -> &'static str {
                match self {
                    $($ty::$op => $name,)*
                }
            }
            /// The one that is spelled so.
            pub fn from_name(name: &str) -> Option<$ty> {
                $ty::ALL.iter().copied().find(|op| op.name() == name)
            }
        }
    )*};
}

names! {
    Unary {
        Neg => "neg",
        Not => "not",
        Cast => "cast",
    }
    Binary {
        Add => "add",
        Sub => "sub",
        Mul => "mul",
        Div => "div",
        FloorDiv => "floor_div",
        Rem => "rem",
        Min => "min",
        Max => "max",
        And => "and",
        Or => "or",
        Xor => "xor",
    }
    Cmp {
        Eq => "eq",
        Ne => "ne",
        Lt => "lt",
        Le => "le",
        Gt => "gt",
        Ge => "ge",
    }
    Math {
        Abs => "abs",
        Sqrt => "sqrt",
        Floor => "floor",
        Ceil => "ceil",
        Round => "round",
        Trunc => "trunc",
        Exp => "exp",
        Ln => "ln",
        Log2 => "log2",
        Log10 => "log10",
        Sin => "sin",
        Cos => "cos",
        Tan => "tan",
        Asin => "asin",
        Acos => "acos",
        Atan => "atan",
        Sinh => "sinh",
        Cosh => "cosh",
        Tanh => "tanh",
        Pow => "pow",
        Atan2 => "atan2",
    }
}

impl Math {
    /// How many operands it has.
    pub fn arity(self) -> usize {
        if matches!(self, Math::Pow | Math::Atan2) { 2 } else { 1 }
    }
}
