//! Between columns and what operators read and make.

use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use tilt_ir::Type;

use super::{Bitmap, Bits, Data, Made, Numbers, Values};
use crate::column::Column;

impl<'a> Values<'a> {
    /// The values of a column.
    pub fn of(column: &'a Column) -> Values<'a> {
        let data = match column.ty() {
            Type::Bool => Data::Bool(Bits::new(column.bytes(), column.values_bit(), column.len())),
            Type::I8 => Data::I8(column.values()),
            Type::I16 => Data::I16(column.values()),
            Type::I32 => Data::I32(column.values()),
            Type::I64 | Type::Time | Type::Duration => Data::I64(column.values()),
            Type::U8 => Data::U8(column.values()),
            Type::U16 => Data::U16(column.values()),
            Type::U32 | Type::Symbol => Data::U32(column.values()),
            Type::U64 => Data::U64(column.values()),
            Type::F32 => Data::F32(column.values()),
            Type::F64 => Data::F64(column.values()),
        };
        let valid = column.validity().map(|bytes| Bits::new(bytes, column.validity_bit(), column.len()));
        Values { data, valid }
    }
}

fn boolean(bits: Bitmap) -> BooleanBuffer {
    let len = bits.len();
    BooleanBuffer::new(Buffer::from_vec(bits.into_words()), 0, len)
}

impl Made {
    /// As a column of type `ty`.
    ///
    /// # Panics
    /// If the values are of another width than the type.
    pub fn into_column(self, name: &str, ty: Type) -> Column {
        let valid = self.valid.map(|valid| NullBuffer::new(boolean(valid)));
        macro_rules! numbers {
            ($values:ident) => {{
                let len = $values.len();
                assert_eq!(
                    size_of_val($values.as_slice()) * 8,
                    len * ty.bits() as usize,
                    "the values are not of type {ty}"
                );
                Column::numbers(name, ty, len, Buffer::from_vec($values), valid)
            }};
        }
        match self.data {
            Numbers::Bool(bits) => Column::bools(name, boolean(bits), valid),
            Numbers::I8(values) => numbers!(values),
            Numbers::I16(values) => numbers!(values),
            Numbers::I32(values) => numbers!(values),
            Numbers::I64(values) => numbers!(values),
            Numbers::U8(values) => numbers!(values),
            Numbers::U16(values) => numbers!(values),
            Numbers::U32(values) => numbers!(values),
            Numbers::U64(values) => numbers!(values),
            Numbers::F32(values) => numbers!(values),
            Numbers::F64(values) => numbers!(values),
        }
    }
}
