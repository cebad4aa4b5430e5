//! Buffers: loads, stores, scratch, the flag.

use super::Builder;
use crate::loops::{Addr, Buffer, Op, Scratch, ScratchData, Stream, Value};
use crate::{Const, Type};

impl Builder<'_> {
    /// The type of the values in a buffer.
    ///
    /// # Panics
    /// If there is no such buffer.
    pub fn buffer_type(&self, buffer: Buffer) -> Type {
        match buffer {
            Buffer::Input(stream, column) => self.streams[stream].columns[column as usize].ty,
            Buffer::Output(index) => self.kernel.outputs[index as usize].ty,
            Buffer::Scratch(scratch) => self.kernel.scratch[scratch].ty,
        }
    }
    /// Whether a buffer has validity.
    ///
    /// # Panics
    /// If there is no such buffer.
    pub fn is_nullable(&self, buffer: Buffer) -> bool {
        match buffer {
            Buffer::Input(stream, column) => self.streams[stream].columns[column as usize].nullable,
            Buffer::Output(index) => self.kernel.outputs[index as usize].nullable,
            Buffer::Scratch(scratch) => self.kernel.scratch[scratch].nullable,
        }
    }

    /// The first row of a stream.
    pub fn first(&mut self, stream: Stream) -> Value {
        self.pure(Op::First(stream), Type::I64)
    }
    /// One past the last row of a stream.
    pub fn end(&mut self, stream: Stream) -> Value {
        self.pure(Op::End(stream), Type::I64)
    }

    /// The value in a row of a buffer; 0 where `mask` is false. A row named by the innermost loop's row plus a constant becomes
    /// [`Addr::Row`].
    pub fn load(&mut self, buffer: Buffer, addr: Addr, mask: Option<Value>) -> Value {
        let ty = self.buffer_type(buffer);
        let addr = self.near(addr);
        match self.mask(mask) {
            Some(mask) => self.pure(Op::Load { buffer, addr, mask }, ty),
            None => self.zero(ty),
        }
    }
    /// The validity of a row of a nullable buffer; false where `mask` is.
    pub fn load_valid(&mut self, buffer: Buffer, addr: Addr, mask: Option<Value>) -> Value {
        let addr = self.near(addr);
        match self.mask(mask) {
            Some(mask) => self.pure(Op::LoadValid { buffer, addr, mask }, Type::Bool),
            None => self.bool(false),
        }
    }
    /// Puts a value, and its validity, in a row of a buffer.
    pub fn store(&mut self, buffer: Buffer, addr: Addr, value: Value, valid: Option<Value>) {
        let addr = self.near(addr);
        let valid = valid.filter(|v| self.const_of(*v) != Some(Const::Bool(true)));
        self.stores += 1;
        self.effect(Op::Store { buffer, addr, value, valid });
    }
    /// What `value` was `by` rows earlier. A value that is the same for all rows stays itself, as does any value for `by = 0`.
    pub fn splice(&mut self, value: Value, by: u32) -> Value {
        if by == 0 || !self.defined_here(value) {
            return value;
        }
        self.pure(Op::Splice { value, by }, self.ty(value))
    }
    /// Raises the flag where `cond` is true.
    pub fn flag(&mut self, cond: Value) {
        if self.const_of(cond) != Some(Const::Bool(false)) {
            self.effect(Op::Flag(cond));
        }
    }
    /// A new scratch buffer with room for rows `first..end`.
    ///
    /// # Panics
    /// Inside a loop.
    pub fn scratch(&mut self, ty: Type, nullable: bool, first: Value, end: Value) -> Scratch {
        assert_eq!(self.depth(), 0, "scratch is made at the top level");
        let buffer = self.kernel.scratch.push(ScratchData { ty, nullable });
        self.effect(Op::Scratch { buffer, first, end });
        buffer
    }

    /// `None` if the mask is false everywhere.
    fn mask(&self, mask: Option<Value>) -> Option<Option<Value>> {
        match mask.and_then(|v| self.const_of(v)) {
            Some(Const::Bool(false)) => None,
            Some(Const::Bool(true)) => Some(None),
            _ => Some(mask),
        }
    }
    fn near(&self, addr: Addr) -> Addr {
        let (Addr::At(value), Some(row)) = (addr, self.row()) else {
            return addr;
        };
        let distance = match self.known[value] {
            super::Known::Plus(base, distance) if base == row => i64::try_from(distance).ok(),
            _ => (value == row).then_some(0),
        };
        distance.map_or(addr, Addr::Row)
    }
}
