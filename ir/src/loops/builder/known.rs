//! What the builder remembers: operations that it has seen, and what it knows of values.

use crate::loops::{Addr, Binary, Buffer, Op, Unary, Value};
use crate::{Const, Type};
use std::hash::{Hash, Hasher};

/// An operation without effect, as something to look up.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Key {
    op: Op,
    ty: Type,
    /// For loads from scratch: how many stores to scratch there were before.
    stores: u32,
}

impl Key {
    pub(super) fn new(op: Op, ty: Type, stores: u32) -> Key {
        let stores = if reads_scratch(&op) { stores } else { 0 };
        Key { op, ty, stores }
    }
    pub(super) fn op(&self) -> &Op {
        &self.op
    }
    /// Whether the same operation in a block around this one may be something else: rows are those of the innermost loop,
    /// and scratch that is read before a loop may be stored in it.
    pub(super) fn only_here(&self) -> bool {
        if let Op::Load { addr, .. } | Op::LoadValid { addr, .. } = &self.op {
            return matches!(addr, Addr::Row(_)) || reads_scratch(&self.op);
        }
        matches!(self.op, Op::Splice { .. })
    }
}

fn reads_scratch(op: &Op) -> bool {
    matches!(
        op,
        Op::Load { buffer: Buffer::Scratch(_), .. } | Op::LoadValid { buffer: Buffer::Scratch(_), .. }
    )
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.op).hash(state);
        self.ty.hash(state);
        self.op.operands().hash(state);
        // the operands tell most others apart
        if let Op::Const(constant) = &self.op {
            constant.hash(state);
        }
        if let Op::Load { buffer, addr, .. } | Op::LoadValid { buffer, addr, .. } = &self.op {
            (buffer, addr).hash(state);
        }
        if let Op::Splice { by, .. } = &self.op {
            by.hash(state);
        }
    }
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing.
    Nothing,
    /// It is this constant.
    Const(Const),
    /// It is this value plus a constant (integers, wrapping).
    Plus(Value, i128),
    /// It is `not` this value.
    Not(Value),
}

impl Known {
    /// What an operation says of its result.
    pub(super) fn of(op: &Op, constant: impl Fn(Value) -> Option<Const>) -> Known {
        if let Op::Const(value) = op {
            return Known::Const(*value);
        }
        if let Op::Unary(Unary::Not, a) = op {
            return Known::Not(*a);
        }
        if let Op::Binary(Binary::Add, a, b) = op
            && let Some(Const::Int(i)) = constant(*b)
        {
            return Known::Plus(*a, i);
        }
        Known::Nothing
    }
    pub(super) fn constant(self) -> Option<Const> {
        match self {
            Known::Const(constant) => Some(constant),
            Known::Nothing | Known::Plus(..) | Known::Not(_) => None,
        }
    }
}
