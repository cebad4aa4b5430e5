//! Buffers, `splice`, `flag`.

use super::scope::{Check, Place, State};
use crate::Type;
use crate::loops::{Addr, Buffer, Op, Scratch, Stream, Value};

/// What is done with a buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Load,
    Store,
}

impl Check<'_> {
    /// Checks one of these operations and gives the types of its results.
    pub(super) fn memory(&mut self, op: &Op) -> Option<Vec<Type>> {
        match op {
            Op::First(stream) | Op::End(stream) => {
                self.stream(*stream);
                Some(vec![Type::I64])
            }
            Op::Load { buffer, addr, mask } => {
                let (ty, _) = self.access(Access::Load, *buffer, *addr)?;
                self.mask(*mask);
                Some(vec![ty])
            }
            Op::LoadValid { buffer, addr, mask } => {
                let (_, nullable) = self.access(Access::Load, *buffer, *addr)?;
                self.mask(*mask);
                if !nullable {
                    self.error(format!("{buffer} is not nullable"));
                }
                Some(vec![Type::Bool])
            }
            Op::Splice { value, by } => self.splice(*value, *by).map(|ty| vec![ty]),
            Op::Store { buffer, addr, value, valid } => {
                self.store(*buffer, *addr, *value, *valid);
                Some(vec![])
            }
            Op::Flag(cond) => {
                self.is(*cond, Type::Bool);
                Some(vec![])
            }
            Op::Scratch { buffer, first, end } => {
                self.is(*first, Type::I64);
                self.is(*end, Type::I64);
                self.make(*buffer);
                Some(vec![])
            }
            Op::Const(_) | Op::Unary(..) | Op::Binary(..) | Op::Overflows(..) => None,
            Op::Compare(..) | Op::Math(..) | Op::Select(..) => None,
            Op::For { .. } | Op::Forv { .. } | Op::Reduce { .. } => None,
        }
    }

    fn stream(&mut self, stream: Stream) {
        if self.program.streams.get(stream).is_none() {
            self.error(format!("there is no stream {stream}"));
        }
    }

    fn store(&mut self, buffer: Buffer, addr: Addr, value: Value, valid: Option<Value>) {
        let Some((ty, nullable)) = self.access(Access::Store, buffer, addr) else {
            return;
        };
        self.is(value, ty);
        self.mask(valid);
        if valid.is_some() && !nullable {
            self.error(format!("{buffer} is not nullable"));
        }
        match self.place() {
            Place::Forv(_) if addr != Addr::Row(0) => {
                self.error("`forv` stores only in its own row");
            }
            Place::Step => self.error("`reduce` stores nothing"),
            Place::Kernel | Place::For | Place::Forv(_) | Place::Combine => {}
        }
    }

    fn splice(&mut self, value: Value, by: u32) -> Option<Type> {
        match self.place() {
            Place::Forv(warmup) if !(1..=warmup).contains(&by) => {
                self.error(format!("`splice` by {by} in a loop with warm-up {warmup}"));
            }
            Place::Forv(_) => {}
            Place::Kernel | Place::For | Place::Step | Place::Combine => {
                self.error("`splice` is only in `forv`");
            }
        }
        if matches!(self.values[value], State::Seen(block) if block != self.open.len()) {
            self.error(format!("{value} is not a value of this `forv`"));
        }
        self.ty(value)
    }

    fn make(&mut self, buffer: Scratch) {
        if self.place() != Place::Kernel {
            self.error("`scratch` is only at the top level of a kernel");
        }
        if self.kernel.scratch.get(buffer).is_none() {
            return self.error(format!("there is no buffer {buffer}"));
        }
        if self.made[buffer] {
            self.error(format!("there is room for {buffer} already"));
        }
        self.made[buffer] = true;
    }

    /// The type of a buffer and whether it is nullable, if it can be reached so.
    fn access(&mut self, access: Access, buffer: Buffer, addr: Addr) -> Option<(Type, bool)> {
        self.addr(addr);
        let found = match buffer {
            Buffer::Input(stream, column) => {
                let stream = self.program.streams.get(stream);
                let column = stream.and_then(|stream| stream.columns.get(column as usize));
                column.map(|column| (column.ty, column.nullable))
            }
            Buffer::Output(index) => {
                let output = self.kernel.outputs.get(index as usize);
                output.map(|output| (output.ty, output.nullable))
            }
            Buffer::Scratch(scratch) => {
                let data = self.kernel.scratch.get(scratch);
                data.map(|data| (data.ty, data.nullable))
            }
        };
        match (buffer, access) {
            _ if found.is_none() => self.error(format!("there is no buffer {buffer}")),
            (Buffer::Input(..), Access::Store) => self.error("inputs are not stored"),
            (Buffer::Output(_), Access::Load) => self.error("outputs are not loaded"),
            (Buffer::Scratch(scratch), _) if !self.made[scratch] => {
                self.error(format!("there is no room for {scratch} yet"));
            }
            _ => {}
        }
        found
    }
    fn addr(&mut self, addr: Addr) {
        match (addr, self.place()) {
            (Addr::At(row), _) => self.is(row, Type::I64),
            (Addr::Row(_), Place::Kernel | Place::Combine) => self.error("there is no row here"),
            (Addr::Row(_), Place::For | Place::Forv(_) | Place::Step) => {}
        }
    }
    fn mask(&mut self, mask: Option<Value>) {
        if let Some(mask) = mask {
            self.is(mask, Type::Bool);
        }
    }
}
