//! The operations of Loop IR.
//!
//! Arithmetic is on one value, or inside `forv` on one value per row; a value from outside a `forv` is the same for all
//! rows. Operands have one type unless said. Integers wrap; what must not wrap is asked by [`Op::Overflows`] and raised by
//! [`Op::Flag`]. Floats are IEEE 754, nothing is contracted or reassociated.

use super::{Block, Buffer, Scratch, Stream, Value};
use crate::Const;

/// One operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `-a` (integers wrap).
    Neg,
    /// `not a`, of a bool.
    Not,
    /// Conversion to the result's type: integers are cut or extended (by the operand's signedness), bool gives 0 or 1, floats
    /// round to nearest, float to integer goes toward zero; out of range or NaN gives any value (the caller guards), never a trap.
    Cast,
}

/// Two operands of one type, result of the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Numbers.
    Add,
    /// Numbers.
    Sub,
    /// Numbers.
    Mul,
    /// Floats.
    Div,
    /// Integers, rounded down. The divisor is not 0 and the quotient in range (the caller guards).
    FloorDiv,
    /// Integers, of the sign of the divisor. As `FloorDiv`. On floats: the C function `fmod` (sign of the dividend).
    Rem,
    /// Integers; floats by IEEE 754-2019 `minimum`: NaN if one is, `-0.0 < +0.0`.
    Min,
    /// Integers; floats by IEEE 754-2019 `maximum`.
    Max,
    /// Bools, bitwise on integers.
    And,
    /// Bools, bitwise on integers.
    Or,
    /// Bools, bitwise on integers.
    Xor,
}

/// Comparisons; result bool. Floats by IEEE 754: with NaN all but `Ne` are false. Integers by their signedness;
/// bools: false is less than true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are their own names")]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Math functions on floats. `Abs`, `Sqrt`, `Floor`, `Ceil`, `Round` (halves away from zero), `Trunc` are exact
/// instructions; the others call crate `libm`. `Pow` and `Atan2` have two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are their own names")]
pub enum Math {
    Abs,
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
    Pow,
    Atan2,
}

/// Which row of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Addr {
    /// The row of the innermost `for`, `forv` or `reduce`, plus a constant: rows next to each other. Text: `[row-3]`.
    Row(i64),
    /// The row that a value names (per row, or the same for all). Text: `[%7]`.
    At(Value),
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A constant of the result's type.
    Const(Const),
    /// The first row of a stream (i64).
    First(Stream),
    /// One past the last row of a stream (i64); `end = first` if there is none.
    End(Stream),
    /// One operand.
    Unary(Unary, Value),
    /// Two operands.
    Binary(Binary, Value, Value),
    /// Whether `Add`, `Sub` or `Mul` of these integers is out of range of their type (bool).
    Overflows(Binary, Value, Value),
    /// A comparison.
    Compare(Cmp, Value, Value),
    /// A math function.
    Math(Math, Vec<Value>),
    /// `cond ? a : b`; both are computed.
    Select(Value, Value, Value),
    /// The value in a row of a buffer. Where `mask` (a bool) is false the row is not touched and the result is 0.
    Load {
        /// Input or scratch.
        buffer: Buffer,
        /// Which row.
        addr: Addr,
        /// Where to look; everywhere if `None`.
        mask: Option<Value>,
    },
    /// The validity of a row of a nullable buffer (bool); false where `mask` is.
    LoadValid {
        /// Input or scratch, nullable.
        buffer: Buffer,
        /// Which row.
        addr: Addr,
        /// Where to look; everywhere if `None`.
        mask: Option<Value>,
    },
    /// Only directly in a `forv`: what the operand was `by` rows earlier (`1 ≤ by ≤` the loop's warm-up). In the first rows of the warm-up: anything.
    Splice {
        /// A value of the same `forv`, per row.
        value: Value,
        /// Rows.
        by: u32,
    },
    /// Puts a value, and its validity if the buffer is nullable, in a row of an output or of scratch.
    Store {
        /// Output or scratch.
        buffer: Buffer,
        /// Which row. In a `forv` only `Addr::Row(0)`.
        addr: Addr,
        /// What.
        value: Value,
        /// Its validity (bool); `None` means valid.
        valid: Option<Value>,
    },
    /// Raises the kernel's flag where `cond` is true: this piece must be computed again, exactly. (In warm-up rows, too.)
    Flag(Value),
    /// Only at the top level of a kernel: makes room for rows `first..end` of a scratch buffer, before it is used. `end ≤ first`: none.
    Scratch {
        /// Which buffer.
        buffer: Scratch,
        /// The first row (i64).
        first: Value,
        /// One past the last row (i64).
        end: Value,
    },
    /// A loop in order: `row` from `lo` to `hi`, with values carried from row to row. Block parameters: row (i64), then the carried
    /// values; it yields their next values. Results: what they are at the end.
    For {
        /// The first row (i64).
        lo: Value,
        /// One past the last row (i64).
        hi: Value,
        /// The carried values before the first row.
        init: Vec<Value>,
        /// What happens in each row.
        body: Block,
    },
    /// A vector loop: rows `lo..hi` in any order and any number at once. Also computes (but does not store) the `warmup` rows
    /// before `lo`, so that `splice` finds them; loads of input or scratch rows before `lo - warmup` never happen. With `hi ≤ lo` nothing happens, no warm-up either.
    /// Block parameter: row. No yields, no loops inside, no loads from scratch that the same loop stores.
    Forv {
        /// The first row (i64).
        lo: Value,
        /// One past the last row (i64).
        hi: Value,
        /// Rows computed before `lo` without stores.
        warmup: u32,
        /// What happens in each row.
        body: Block,
    },
    /// Rows `lo..hi` reduced with grouping `lanes64`: row `r` belongs to lane `(r - lo) mod 64`. Each lane starts as `init`, then
    /// takes its rows in order by `step`; then lane `l` becomes `combine(lane l, lane l+32)` for `l < 32`, then +16, +8, +4, +2, +1; the results are lane 0.
    /// Not inside `forv`. With `hi ≤ lo` the results are `init` combined with itself in that tree.
    Reduce {
        /// The first row (i64).
        lo: Value,
        /// One past the last row (i64).
        hi: Value,
        /// What each lane starts from, and a lane without rows keeps.
        init: Vec<Value>,
        /// Parameters: row (i64), the step `(row - lo) div 64` (i64, the same for all lanes at once), then the lane's state. Yields the state's next value. Vector code: as in `forv`, without `splice`, stores and loops; `flag` is allowed.
        step: Block,
        /// Parameters: two states, the first one's values, then the second one's. Yields their combination. Only arithmetic and `flag`.
        combine: Block,
    },
}
