//! What an operation reads.

use super::{Addr, Op, Value};

impl Op {
    /// The values that this operation itself reads, in order: of a loop its bounds and first values, not what its
    /// blocks read.
    ///
    /// ```
    /// use tilt_ir::{entity::Entity, loops::{Addr, Buffer, Op, Stream, Value}};
    /// let [a, b] = [0, 1].map(Value::new);
    /// let buffer = Buffer::Input(Stream::new(0), 0);
    /// let load = Op::Load { buffer, addr: Addr::At(a), mask: Some(b) };
    /// assert_eq!(load.operands(), [a, b]);
    /// ```
    pub fn operands(&self) -> Vec<Value> {
        match self {
            Op::Const(_) | Op::First(_) | Op::End(_) => vec![],
            Op::Unary(_, a) | Op::Flag(a) | Op::Splice { value: a, by: _ } => vec![*a],
            Op::Binary(_, a, b) | Op::Overflows(_, a, b) | Op::Compare(_, a, b) => vec![*a, *b],
            Op::Math(_, operands) => operands.clone(),
            Op::Select(cond, a, b) => vec![*cond, *a, *b],
            Op::Load { addr, mask, .. } | Op::LoadValid { addr, mask, .. } => {
                addr.value().into_iter().chain(*mask).collect()
            }
            Op::Store { addr, value, valid, .. } => {
                let address = addr.value().into_iter();
                address.chain([*value]).chain(*valid).collect()
            }
            Op::Scratch { first, end, .. } => vec![*first, *end],
            Op::Forv { lo, hi, .. } => vec![*lo, *hi],
            Op::For { lo, hi, init, .. } | Op::Reduce { lo, hi, init, .. } => {
                [*lo, *hi].into_iter().chain(init.iter().copied()).collect()
            }
        }
    }
}

impl Addr {
    /// The value that names the row, if one does.
    pub fn value(self) -> Option<Value> {
        match self {
            Addr::Row(_) => None,
            Addr::At(row) => Some(row),
        }
    }
}
