//! `store` and `scratch`.

use super::{
    builder::{Attr, V},
    place::Values,
    state::Lower,
    vectors::IntCmp,
};
use crate::{error::Error, runtime};
use tilt_ir::{
    Type as IrType,
    loops::{Addr, Block, Buffer, Op, Scratch, Value},
};

/// Scratch buffers begin at a multiple of this many rows, so that bitmaps are stored in whole bytes by vector loops.
const ROW_ALIGN: i64 = 64;

impl<'c> Lower<'c, '_> {
    /// Stores a value and, where the buffer has one, its validity.
    pub(crate) fn store(
        &mut self,
        buffer: Buffer,
        addr: Addr,
        value: Value,
        valid: Option<Value>,
    ) -> Result<(), Error> {
        let place = self.place(buffer)?;
        let v = self.shaped(value)?;
        let valid = match (place.valid, valid) {
            (None, _) => None,
            (Some(map), Some(valid)) => Some((map, self.shaped(valid)?)),
            // filled before the loop
            (Some(_), None) if self.mode.filled && addr == Addr::Row(0) => None,
            (Some(map), None) => {
                let yes = self.b.int_constant(1, 1)?;
                Some((map, self.b.broadcast(yes, self.mode.lanes)?))
            }
        };
        match self.mode.lanes {
            None => {
                let row = self.scalar_row(addr)?;
                match place.values {
                    Values::Bits(map) => self.store_bit(map, row, v)?,
                    Values::Numbers(base) => {
                        let address = self.element(base, row, self.scalar_type(place.ty))?;
                        self.store_at(address, v, i64::from(place.ty.bits() / 8))?;
                    }
                }
                valid.map_or(Ok(()), |(map, valid)| self.store_bit(map, row, valid))
            }
            Some(_) => {
                if addr != Addr::Row(0) {
                    return Err(Error::Program("a vector loop stores into its own row only".into()));
                }
                let (row, mask) = (self.row(0)?, self.mode.stored);
                match place.values {
                    Values::Bits(map) => self.store_bits(map, row, v, mask)?,
                    Values::Numbers(base) => self.store_block(base, row, place.ty, v, mask)?,
                }
                valid.map_or(Ok(()), |(map, valid)| self.store_bits(map, row, valid, mask))
            }
        }
    }

    /// The rows `lo..hi` of the loop `body` are valid in all buffers in whose own row it stores no validity.
    pub(crate) fn fill_validity(&mut self, body: &Block, lo: V<'c>, hi: V<'c>) -> Result<(), Error> {
        for inst in &body.insts {
            let Op::Store { buffer, addr: Addr::Row(0), valid: None, .. } = &inst.op else { continue };
            let Some(map) = self.place(*buffer)?.valid else { continue };
            let from = self.b.same("arith.addi", &[lo, map.shift])?;
            let to = self.b.same("arith.addi", &[hi, map.shift])?;
            self.call_for_effect(runtime::bits::FILL, &[map.pointer, from, to])?;
        }
        Ok(())
    }

    fn scalar_row(&mut self, addr: Addr) -> Result<V<'c>, Error> {
        match addr {
            Addr::Row(plus) => self.row(plus),
            Addr::At(value) => self.scalar(value),
        }
    }

    fn store_block(
        &mut self,
        base: V<'c>,
        row: V<'c>,
        ty: IrType,
        value: V<'c>,
        mask: Option<V<'c>>,
    ) -> Result<(), Error> {
        let address = self.element(base, row, self.scalar_type(ty))?;
        let align = i64::from(ty.bits() / 8);
        match mask {
            None => self.store_at(address, value, align),
            Some(mask) => {
                let align: Attr<'c> = ("alignment", self.b.int_attribute(32, align));
                self.b.effect("llvm.intr.masked.store", &[value, address, mask], &[align])
            }
        }
    }

    /// Plain store of a scalar or vector.
    pub(crate) fn store_at(&mut self, address: V<'c>, value: V<'c>, align: i64) -> Result<(), Error> {
        let align: Attr<'c> = ("alignment", self.b.int_attribute(64, align));
        self.b.effect("llvm.store", &[value, address], &[align])
    }

    /// Makes room for rows `first..end` of a scratch buffer.
    pub(crate) fn scratch(&mut self, buffer: Scratch, first: Value, end: Value) -> Result<(), Error> {
        let (ty, nullable) = self
            .kernel
            .scratch
            .get(buffer)
            .map(|data| (data.ty, data.nullable))
            .ok_or_else(|| Error::Program(format!("there is no {buffer}")))?;
        let (first, end) = (self.scalar(first)?, self.scalar(end)?);
        let aligned = self.b.floor_to(first, ROW_ALIGN)?;
        let rows = self.b.same("arith.subi", &[end, aligned])?;
        let values = self.take_rows(rows, ty)?;
        let valid = match nullable {
            true => Some(self.take_rows(rows, IrType::Bool)?),
            false => None,
        };
        let place = self.place_rows(ty, aligned, Some(end), values, valid)?;
        self.places.insert(Buffer::Scratch(buffer), place);
        Ok(())
    }

    /// Scratch memory for so many values (if negative: for none), with a margin for loads of whole words.
    fn take_rows(&mut self, rows: V<'c>, ty: IrType) -> Result<V<'c>, Error> {
        let zero = self.b.i64(0)?;
        let some = self.b.compare(IntCmp::Sgt, rows, zero)?;
        let rows = self.b.select(some, rows, zero)?;
        let (shift, margin) = match ty.bits() {
            1 => (-3, 64 + crate::abi::BITMAP_PADDING),
            bits => (i64::from((bits / 8).trailing_zeros()), 64),
        };
        let distance = self.b.i64(shift.abs())?;
        let operation = if shift < 0 { "arith.shrui" } else { "arith.shli" };
        let bytes = self.b.same(operation, &[rows, distance])?;
        let bytes = self.offset(bytes, i64::try_from(margin).unwrap_or(i64::MAX))?;
        let ty = self.pointer_type();
        self.call(runtime::arena::SCRATCH, &[self.arena, bytes], ty)
    }
}
