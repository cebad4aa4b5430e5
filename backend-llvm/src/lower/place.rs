//! Where columns are in memory.
//!
//! Rows are absolute, pointers are to some first row. To keep that difference out of the loops, a [`Place`] holds the
//! pointer *as if row 0 existed*: the address of row `r` is `base + r·size`, one register and one index.

use super::{
    builder::{Attr, V},
    state::Lower,
};
use crate::{abi::Arg, error::Error};
use melior::{
    dialect::llvm::r#type::pointer,
    ir::{
        Type,
        attribute::{DenseI32ArrayAttribute, TypeAttribute},
    },
};
use tilt_ir::{
    Type as IrType,
    loops::{Buffer, Stream},
};

/// A column: its values, and its validity if it is nullable.
#[derive(Clone, Copy)]
pub(crate) struct Place<'c> {
    pub(crate) ty: IrType,
    pub(crate) values: Values<'c>,
    pub(crate) valid: Option<Bitmap<'c>>,
}

/// Values are numbers side by side, or bits.
#[derive(Clone, Copy)]
pub(crate) enum Values<'c> {
    /// The address that row 0 would have.
    Numbers(V<'c>),
    /// Bools.
    Bits(Bitmap<'c>),
}

/// A bitmap. Row `r` is bit `r + shift`, counted from the pointer.
#[derive(Clone, Copy)]
pub(crate) struct Bitmap<'c> {
    pub(crate) pointer: V<'c>,
    pub(crate) shift: V<'c>,
    /// The last bit that belongs to a row: loads of some rows stay at or below it.
    pub(crate) last: V<'c>,
}

/// An index that `llvm.getelementptr` takes from an operand.
const DYNAMIC: i32 = i32::MIN;

impl<'c> Lower<'c, '_> {
    /// `!llvm.ptr`.
    pub(crate) fn pointer_type(&self) -> Type<'c> {
        pointer(self.b.context(), 0)
    }

    /// `base + index·size`; with a vector of indexes a vector of pointers.
    pub(crate) fn element(&mut self, base: V<'c>, index: V<'c>, element: Type<'c>) -> Result<V<'c>, Error> {
        let indexes = DenseI32ArrayAttribute::new(self.b.context(), &[DYNAMIC]).into();
        let attributes: [Attr<'c>; 2] =
            [("rawConstantIndices", indexes), ("elem_type", TypeAttribute::new(element).into())];
        let ty = self.b.shaped_like(self.pointer_type(), index);
        self.b.value("llvm.getelementptr", &[base, index], ty, &attributes)
    }

    /// Where all inputs and outputs are, from the arguments.
    pub(crate) fn place_arguments(&mut self) -> Result<(), Error> {
        for (stream, data) in self.program.streams.iter() {
            for (column, number) in data.columns.iter().zip(0..) {
                let place = self.place_column(stream, number, column.ty, column.nullable)?;
                self.places.insert(Buffer::Input(stream, number), place);
            }
        }
        let first = self.arg(Arg::OutputFirst)?;
        for (output, number) in self.kernel.outputs.iter().zip(0..) {
            let values = self.arg(Arg::Output(number))?;
            let valid = match output.nullable {
                true => Some(self.arg(Arg::OutputValidity(number))?),
                false => None,
            };
            let place = self.place_rows(output.ty, first, None, values, valid)?;
            self.places.insert(Buffer::Output(number), place);
        }
        Ok(())
    }

    fn place_column(
        &mut self,
        stream: Stream,
        number: u32,
        ty: IrType,
        nullable: bool,
    ) -> Result<Place<'c>, Error> {
        let first = self.arg(Arg::First(stream))?;
        let end = self.arg(Arg::End(stream))?;
        let pointer = self.arg(Arg::Values(stream, number))?;
        let values = match ty {
            IrType::Bool => {
                let bit = self.arg(Arg::ValuesBit(stream, number))?;
                Values::Bits(self.bitmap(pointer, bit, first, end)?)
            }
            _ => Values::Numbers(self.based(pointer, first, ty)?),
        };
        let valid = match nullable {
            true => {
                let pointer = self.arg(Arg::Validity(stream, number))?;
                let bit = self.arg(Arg::ValidityBit(stream, number))?;
                Some(self.bitmap(pointer, bit, first, end)?)
            }
            false => None,
        };
        Ok(Place { ty, values, valid })
    }

    /// A place whose pointers point to row `first`, a multiple of 64. `end` is one past its last row, if that is known.
    pub(crate) fn place_rows(
        &mut self,
        ty: IrType,
        first: V<'c>,
        end: Option<V<'c>>,
        values: V<'c>,
        valid: Option<V<'c>>,
    ) -> Result<Place<'c>, Error> {
        let zero = self.b.i64(0)?;
        let end = end.unwrap_or(first);
        let values = match ty {
            IrType::Bool => Values::Bits(self.bitmap(values, zero, first, end)?),
            _ => Values::Numbers(self.based(values, first, ty)?),
        };
        let valid = match valid {
            Some(pointer) => Some(self.bitmap(pointer, zero, first, end)?),
            None => None,
        };
        Ok(Place { ty, values, valid })
    }

    /// The address that row 0 has if `pointer` is that of row `first`.
    fn based(&mut self, pointer: V<'c>, first: V<'c>, ty: IrType) -> Result<V<'c>, Error> {
        let zero = self.b.i64(0)?;
        let back = self.b.same("arith.subi", &[zero, first])?;
        let element = self.scalar_type(ty);
        self.element(pointer, back, element)
    }

    /// The bitmap whose bit number `bit` is row `first`.
    fn bitmap(&mut self, pointer: V<'c>, bit: V<'c>, first: V<'c>, end: V<'c>) -> Result<Bitmap<'c>, Error> {
        let shift = self.b.same("arith.subi", &[bit, first])?;
        let past = self.b.same("arith.addi", &[end, shift])?;
        let last = self.offset(past, -1)?;
        Ok(Bitmap { pointer, shift, last })
    }

    /// The word of an argument.
    pub(crate) fn arg(&self, arg: Arg) -> Result<V<'c>, Error> {
        self.args.get(&arg).copied().ok_or_else(|| Error::Program(format!("there is no argument {arg:?}")))
    }

    /// The place of a buffer.
    pub(crate) fn place(&self, buffer: Buffer) -> Result<Place<'c>, Error> {
        self.places
            .get(&buffer)
            .copied()
            .ok_or_else(|| Error::Program(format!("{buffer:?} has no room (yet)")))
    }
}
