//! Bodies: operations in SSA form that say a value at one time.

use super::Op;
use crate::{Loc, Type, entity::Table};

crate::entity!(
    /// The result of an instruction of a [`Body`].
    pub struct Value => "%"
);

/// An instruction: an operation, the type of its result, and where in the source it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// The type of its result.
    pub ty: Type,
    /// Where it comes from.
    pub loc: Loc,
}

/// A list of instructions, each using only earlier ones, and the values that it gives.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Body {
    /// The instructions, in order.
    pub insts: Table<Value, Inst>,
    /// What the body gives.
    pub results: Vec<Value>,
}

impl Body {
    /// Appends an instruction and gives its value.
    pub fn push(&mut self, op: Op, ty: Type, loc: Loc) -> Value {
        self.insts.push(Inst { op, ty, loc })
    }
    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.insts[value].ty
    }
}
