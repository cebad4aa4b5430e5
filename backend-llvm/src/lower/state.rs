//! What is known while one kernel is lowered.

use super::{
    builder::{Builder, V},
    halves::Halves,
    pattern::Pattern,
    place::Place,
    ring::Ring,
};
use crate::{abi::Arg, error::Error};
use melior::ir::{BlockRef, Type};
use std::collections::{BTreeSet, HashMap};
use tilt_ir::{
    Type as IrType,
    entity::Entity,
    loops::{Kernel, Program, Value},
};

/// What a Loop IR value has become.
#[derive(Clone, Copy)]
pub(crate) enum Slot<'c> {
    /// One value, the same for all rows.
    Uniform(V<'c>),
    /// One value per lane.
    Lanes(V<'c>),
    /// This scalar in lane 0, and a constant more in each further lane: row numbers.
    Steps(V<'c>, i64),
}

/// How the code is built at the moment.
#[derive(Clone, Default)]
pub(crate) struct Mode<'c> {
    /// Lanes of vector code; none in scalar code.
    pub(crate) lanes: Option<u32>,
    /// The row of the innermost loop: of lane 0 in vector code.
    pub(crate) row: Option<V<'c>>,
    /// Whether validity that is not stored was filled before this loop.
    pub(crate) filled: bool,
    /// Whether lane 0's row is a multiple of the lanes.
    pub(crate) aligned: bool,
    /// Which lanes are rows of the loop; all if none.
    pub(crate) active: Option<V<'c>>,
    /// Which lanes are stored; all if none.
    pub(crate) stored: Option<V<'c>>,
    /// Flags raised so far in each lane of this vector loop, where they are collected.
    pub(crate) flag: Option<V<'c>>,
    /// For each spliced value what it was one block ago, two blocks ago, ….
    pub(crate) history: HashMap<Value, Vec<V<'c>>>,
    /// For values spliced from farther back: where their past is in memory.
    pub(crate) rings: HashMap<Value, Ring<'c>>,
}

/// One kernel on its way to MLIR.
pub(crate) struct Lower<'c, 'p> {
    pub(crate) b: Builder<'c>,
    pub(crate) program: &'p Program,
    pub(crate) kernel: &'p Kernel,
    /// The words of the arguments, by meaning.
    pub(crate) args: HashMap<Arg, V<'c>>,
    /// Where inputs, outputs and scratch are; scratch from its `scratch` operation on.
    pub(crate) places: HashMap<tilt_ir::loops::Buffer, Place<'c>>,
    pub(crate) slots: HashMap<Value, Slot<'c>>,
    /// Values of the present vector loop that repeat from block to block.
    pub(crate) patterns: HashMap<Value, Pattern>,
    /// Values of the present vector loop that are two numbers at most in a block.
    pub(crate) halves: HashMap<Value, Halves<'c>>,
    /// Integer constants.
    pub(crate) constants: HashMap<Value, i64>,
    pub(crate) mode: Mode<'c>,
    /// The arena to take scratch memory from.
    pub(crate) arena: V<'c>,
    /// Points to the kernel's flag, an `i32`.
    pub(crate) flag: V<'c>,
    /// The function's first block, and how many operations of the prologue it begins with.
    pub(crate) prologue: (BlockRef<'c, 'c>, usize),
    /// The functions of the runtime that are called.
    pub(crate) called: BTreeSet<String>,
    /// Bits of a vector register.
    pub(crate) vector_bits: u32,
}

impl<'c> Lower<'c, '_> {
    /// The MLIR type of one value.
    pub(crate) fn scalar_type(&self, ty: IrType) -> Type<'c> {
        scalar_type(&self.b, ty)
    }

    /// The Loop IR type of a value.
    pub(crate) fn type_of(&self, value: Value) -> Result<IrType, Error> {
        self.kernel.values.get(value).map(|data| data.ty).ok_or_else(|| unknown(value))
    }

    /// Says what `value` has become.
    pub(crate) fn bind(&mut self, value: Value, slot: Slot<'c>) {
        self.slots.insert(value, slot);
    }

    /// Binds the result of an instruction computed in the current shape.
    pub(crate) fn bind_shaped(&mut self, value: Value, v: V<'c>) {
        use melior::ir::{TypeLike, ValueLike};
        let slot = if v.r#type().is_vector() { Slot::Lanes(v) } else { Slot::Uniform(v) };
        self.bind(value, slot);
    }

    /// What `value` has become.
    pub(crate) fn slot(&self, value: Value) -> Result<Slot<'c>, Error> {
        self.slots.get(&value).copied().ok_or_else(|| unknown(value))
    }

    /// The value as one scalar, if it is the same for all rows.
    pub(crate) fn uniform(&self, value: Value) -> Result<Option<V<'c>>, Error> {
        Ok(match self.slot(value)? {
            Slot::Uniform(v) => Some(v),
            Slot::Lanes(_) | Slot::Steps(..) => None,
        })
    }

    /// The value as a scalar, where there are no lanes.
    pub(crate) fn scalar(&self, value: Value) -> Result<V<'c>, Error> {
        self.uniform(value)?
            .ok_or_else(|| Error::Program(format!("{value} is needed as one value, but has many")))
    }

    /// The value in the current shape: a vector in vector code.
    pub(crate) fn shaped(&mut self, value: Value) -> Result<V<'c>, Error> {
        let lanes = self.mode.lanes;
        match (self.slot(value)?, lanes) {
            (Slot::Uniform(v), _) => self.b.broadcast(v, lanes),
            (Slot::Lanes(v), _) | (Slot::Steps(v, _), None) => Ok(v),
            (Slot::Steps(first, by), Some(lanes)) => self.rising(first, by, lanes),
        }
    }

    /// Operands of one operation: all scalars if all are the same for all rows, otherwise all in the current shape.
    pub(crate) fn operands(&mut self, values: &[Value]) -> Result<Vec<V<'c>>, Error> {
        let scalars: Option<Vec<_>> =
            values.iter().map(|value| self.uniform(*value)).collect::<Result<_, _>>()?;
        match scalars {
            Some(scalars) => Ok(scalars),
            None => values.iter().map(|value| self.shaped(*value)).collect(),
        }
    }

    /// The row of the innermost loop, plus a constant.
    pub(crate) fn row(&mut self, plus: i64) -> Result<V<'c>, Error> {
        let row = self.mode.row.ok_or_else(|| Error::Program("`row` outside of a loop".into()))?;
        self.offset(row, plus)
    }

    /// A scalar plus a constant.
    pub(crate) fn offset(&mut self, value: V<'c>, plus: i64) -> Result<V<'c>, Error> {
        if plus == 0 {
            return Ok(value);
        }
        let plus = self.b.i64(plus)?;
        self.b.same("arith.addi", &[value, plus])
    }

    /// Calls a function of the runtime.
    pub(crate) fn call(&mut self, name: &str, operands: &[V<'c>], result: Type<'c>) -> Result<V<'c>, Error> {
        let callee = ("callee", super::symbol(&self.b, name));
        self.called.insert(name.to_owned());
        self.b.value("func.call", operands, result, &[callee])
    }

    /// Calls a function of the runtime that has no result.
    pub(crate) fn call_for_effect(&mut self, name: &str, operands: &[V<'c>]) -> Result<(), Error> {
        let callee = ("callee", super::symbol(&self.b, name));
        self.called.insert(name.to_owned());
        self.b.effect("func.call", operands, &[callee])
    }

    /// Inserts an operation into the prologue, which runs once per call.
    pub(crate) fn prologue(
        &mut self,
        operation: (&str, &[V<'c>], Type<'c>, &[super::builder::Attr<'c>]),
    ) -> Result<V<'c>, Error> {
        let (block, position) = self.prologue;
        let value = self.b.value_at(block, position, operation)?;
        self.prologue.1 += 1;
        Ok(value)
    }
}

/// The MLIR type of one value of a Loop IR type.
pub(crate) fn scalar_type<'c>(b: &Builder<'c>, ty: IrType) -> Type<'c> {
    match ty {
        IrType::F32 => Type::float32(b.context()),
        IrType::F64 => Type::float64(b.context()),
        IrType::Bool
        | IrType::I8
        | IrType::I16
        | IrType::I32
        | IrType::I64
        | IrType::U8
        | IrType::U16
        | IrType::U32
        | IrType::U64
        | IrType::Time
        | IrType::Duration
        | IrType::Symbol => b.int(ty.bits()),
    }
}

fn unknown(value: Value) -> Error {
    Error::Program(format!("%{} is used before it is defined", value.index()))
}
