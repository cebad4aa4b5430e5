//! The operations of TiLT IR.

use super::{Def, Index, Input, Reduce, Value, When};
use crate::Const;

/// A stream that a body can look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// An input of the query.
    Input(Input),
    /// A definition of the query.
    Def(Def),
}

/// Operations with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-a` of a number or duration; out of range is an error.
    Neg,
    /// `not a`.
    Not,
    /// Conversion to the type of the result. Integer to integer and float to integer (toward zero): out of range or NaN is an
    /// error. To float: round to nearest even. Between `i64`, time and duration: the nanoseconds.
    Cast,
}

/// Operations with two operands of one type (but for time and duration, see each) and a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Numbers; duration + duration; time + duration → time. Out of range is an error for all but floats.
    Add,
    /// Numbers; duration − duration; time − duration → time; time − time → duration.
    Sub,
    /// Numbers; duration × i64 → duration.
    Mul,
    /// Floats, by IEEE 754; integers of one type and duration / duration → `f64` (both rounded to `f64`, then divided), φ if the divisor is 0.
    Div,
    /// Quotient rounded down: integers and duration // duration → i64 (φ if the divisor is 0, out of range is an error), floats (floor of the IEEE quotient).
    FloorDiv,
    /// `a - b·floor(a/b)`, of the sign of `b`: integers, durations (φ if `b` is 0), floats (by `fmod`, then `+ b` if the sign differs from that of `b`).
    Mod,
    /// The smaller one; floats: NaN if one is, `-0.0 < +0.0`.
    Min,
    /// The greater one; floats: NaN if one is, `-0.0 < +0.0`.
    Max,
    /// Bools.
    And,
    /// Bools.
    Or,
}

/// Comparisons of two operands of one type (bool, number, time, duration), floats by IEEE 754. Result: bool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are their own names")]
pub enum CmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Math functions on floats (`Abs` and `Sign` also on integers and durations). One operand unless said.
/// `Sqrt`, `Abs`, `Floor`, `Ceil`, `Round` (halves away from zero), `Trunc` are exact; the others are those of crate `libm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are their own names")]
pub enum MathFn {
    Abs,
    /// −1, 0 or 1 of the operand's type; NaN and ±0.0 stay themselves.
    Sign,
    Sqrt,
    Floor,
    Ceil,
    Round,
    Trunc,
    Exp,
    Ln,
    Log2,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    /// Two operands: base, exponent.
    Pow,
    /// Two operands: y, x.
    Atan2,
    /// Float to bool.
    IsNan,
    /// Float to bool.
    IsInf,
}

/// An operation. Unless said otherwise the result is φ if an operand is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant of the instruction's type.
    Const(Const),
    /// φ, of the instruction's type.
    Null,
    /// The time that the index names (type `time`).
    Time(Index),
    /// In the row body of a reduction: capture number k.
    Param(u32),
    /// The value of a field of a stream at a time: φ where there is no row.
    At {
        /// The stream.
        source: Source,
        /// The field, counted from 0.
        field: u32,
        /// When.
        when: When,
    },
    /// The value of key number k (only in keyed definitions; never φ).
    Key(u32),
    /// One operand.
    Unary(UnaryOp, Value),
    /// Two operands.
    Binary(BinaryOp, Value, Value),
    /// A comparison.
    Compare(CmpOp, Value, Value),
    /// A math function with its operands.
    Math(MathFn, Vec<Value>),
    /// `if cond then a else b`: φ if `cond` is; else the chosen one, φ or not. Errors of the other one do not matter.
    Select {
        /// A bool.
        cond: Value,
        /// The value if true.
        then: Value,
        /// The value if false.
        otherwise: Value,
    },
    /// `a ?? b`: `a` unless it is φ, else `b`.
    Coalesce(Value, Value),
    /// Whether the operand is φ (never φ itself).
    IsNull(Value),
    /// A reduction over a window. What it captures is evaluated only if a row looks at it.
    Reduce(Box<Reduce>),
}

impl Op {
    /// The operands, in order (of a reduction: its captures).
    pub fn operands(&self) -> Vec<Value> {
        match self {
            Op::Const(_) | Op::Null | Op::Time(_) | Op::Param(_) | Op::At { .. } | Op::Key(_) => vec![],
            Op::Unary(_, a) | Op::IsNull(a) => vec![*a],
            Op::Binary(_, a, b) | Op::Compare(_, a, b) | Op::Coalesce(a, b) => vec![*a, *b],
            Op::Math(_, operands) => operands.clone(),
            Op::Select { cond, then, otherwise } => vec![*cond, *then, *otherwise],
            Op::Reduce(reduce) => reduce.captures.clone(),
        }
    }

    /// Replaces each operand by `f` of it, in the order of [`Op::operands`].
    pub fn map_operands(&mut self, mut f: impl FnMut(Value) -> Value) {
        match self {
            Op::Const(_) | Op::Null | Op::Time(_) | Op::Param(_) | Op::At { .. } | Op::Key(_) => {}
            Op::Unary(_, a) | Op::IsNull(a) => *a = f(*a),
            Op::Binary(_, a, b) | Op::Compare(_, a, b) | Op::Coalesce(a, b) => {
                *a = f(*a);
                *b = f(*b);
            }
            Op::Math(_, operands) => operands.iter_mut().for_each(|v| *v = f(*v)),
            Op::Select { cond, then, otherwise } => {
                *cond = f(*cond);
                *then = f(*then);
                *otherwise = f(*otherwise);
            }
            Op::Reduce(reduce) => reduce.captures.iter_mut().for_each(|v| *v = f(*v)),
        }
    }
}
