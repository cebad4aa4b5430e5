//! Columns: named, typed values in the layout that kernels read.
//!
//! Numbers lie one after the other, [`Type::bits`] bits each; symbols are their ids in the run's
//! [`Dictionary`](crate::Dictionary); bools are a bitmap, least significant bit first. A second bitmap
//! says which rows are there, and exists only if something is missing. A whole column's bitmaps start
//! at bit 0, those of a [slice](Column::slice) at any bit. At least [`PADDING`](crate::PADDING) bytes
//! may be read behind a bitmap. Arrow arrays are taken without a copy of their numbers, and slices
//! share everything.
//!
//! ```
//! use std::sync::Arc;
//! use arrow::array::{ArrayRef, Float64Array};
//! use tilt_exec::Column;
//! use tilt_ir::Type;
//! let prices: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.5), None]));
//! let column = Column::from_arrow("price", &prices).unwrap();
//! assert_eq!(column.ty(), Type::F64);
//! assert_eq!(column.values::<f64>()[0], 1.5);
//! assert!(!column.is_valid(1));
//! let rest = column.slice(1..2);
//! assert_eq!((rest.len(), rest.validity_bit()), (1, 1));
//! ```

mod bits;
mod keep;
mod move_rows;

use std::ops::Range;
use std::sync::Arc;

use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer, ScalarBuffer};
use arrow::datatypes::ArrowNativeType;
use tilt_ir::{Const, Type};

use crate::buffer::PageBuffer;
use bits::Bits;
pub(crate) use bits::bitmap_bytes;
pub(crate) use keep::Kept;

/// Values of one type, some of which may be φ.
#[derive(Clone, Debug)]
pub struct Column {
    name: Arc<str>,
    ty: Type,
    len: usize,
    values: Values,
    validity: Option<Bits>,
}

#[derive(Clone, Debug)]
enum Values {
    /// From row 0 on.
    Numbers(Buffer),
    Bools(Bits),
}

impl Column {
    /// A column of numbers over finished buffers. `values` holds at least `len` values, aligned to
    /// their width; `validity`, if given, is as long. A validity without any φ is dropped; one that
    /// does not start at bit 0 or has no padding is copied.
    ///
    /// # Panics
    /// If the type is bool, or lengths or alignment are not as said: they come from the program, not
    /// from data.
    pub fn numbers(
        name: impl Into<Arc<str>>,
        ty: Type,
        len: usize,
        values: Buffer,
        validity: Option<NullBuffer>,
    ) -> Column {
        assert_ne!(ty, Type::Bool, "bools are not numbers");
        let width = ty.bits() as usize / 8;
        assert!(values.len() / width >= len, "a column of {len} rows has too few bytes");
        let values = match len {
            0 => PageBuffer::zeroed(0).into_arrow(), // nothing may lie anywhere; this is aligned
            _ => values.slice_with_length(0, len * width),
        };
        assert!(values.as_ptr().addr().is_multiple_of(width), "a column is not aligned");
        let values = Values::Numbers(values);
        Column { name: name.into(), ty, len, values, validity: checked(validity, len) }
    }

    /// A column of bools. Bitmaps that do not start at bit 0 or have no padding are copied.
    ///
    /// # Panics
    /// If `validity` has another length.
    pub fn bools(name: impl Into<Arc<str>>, values: BooleanBuffer, validity: Option<NullBuffer>) -> Column {
        let len = values.len();
        let values = Values::Bools(Bits::normal(values));
        Column { name: name.into(), ty: Type::Bool, len, values, validity: checked(validity, len) }
    }

    /// A column of numbers, without φ.
    ///
    /// # Panics
    /// If `T` has another width than the type.
    pub fn from_values<T: ArrowNativeType>(name: impl Into<Arc<str>>, ty: Type, values: Vec<T>) -> Column {
        assert_eq!(size_of::<T>() * 8, ty.bits() as usize, "the values are not of type {ty}");
        Column::numbers(name, ty, values.len(), Buffer::from_vec(values), None)
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type of the values.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What a kernel reads: the numbers in native order, or the bitmap of the bools, whose first row is
    /// at [`Column::values_bit`]. Where a row is φ its value is unspecified.
    pub fn bytes(&self) -> &[u8] {
        match &self.values {
            Values::Numbers(values) => values,
            Values::Bools(bits) => bits.bytes(),
        }
    }

    /// The bit of [`Column::bytes`] that is row 0 of a bool column; 0 for numbers and whole columns.
    pub fn values_bit(&self) -> usize {
        match &self.values {
            Values::Numbers(_) => 0,
            Values::Bools(bits) => bits.start(),
        }
    }

    /// The values as numbers; those of φ rows are unspecified.
    ///
    /// # Panics
    /// If `T` has another width than the column's type.
    pub fn values<T: ArrowNativeType>(&self) -> &[T] {
        assert_eq!(size_of::<T>() * 8, self.ty.bits() as usize, "the values are {}", self.ty);
        self.numbers_buffer().typed_data()
    }

    /// The value of a row of a bool column; unspecified if it is φ.
    ///
    /// # Panics
    /// If the column is not of bools or has no such row.
    pub fn is_true(&self, row: usize) -> bool {
        match &self.values {
            Values::Bools(bits) if row < self.len => bits.get(row),
            Values::Bools(_) | Values::Numbers(_) => panic!("row {row} of {} {}", self.len, self.ty),
        }
    }

    /// The bitmap of the rows that are not φ, padded, whose first row is at [`Column::validity_bit`]; if
    /// there is none, no row is φ.
    pub fn validity(&self) -> Option<&[u8]> {
        self.validity.as_ref().map(Bits::bytes)
    }

    /// The bit of [`Column::validity`] that is row 0; 0 for whole columns.
    pub fn validity_bit(&self) -> usize {
        self.validity.as_ref().map_or(0, Bits::start)
    }

    /// Whether the row is not φ.
    pub fn is_valid(&self, row: usize) -> bool {
        self.validity.as_ref().is_none_or(|bits| bits.get(row))
    }

    /// The value in a row, whatever its type; `None` is φ.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn get(&self, row: usize) -> Option<Const> {
        if !self.is_valid(row) {
            return None;
        }
        Some(match self.ty {
            Type::Bool => Const::Bool(self.is_true(row)),
            Type::I8 => Const::Int(self.values::<i8>()[row].into()),
            Type::I16 => Const::Int(self.values::<i16>()[row].into()),
            Type::I32 => Const::Int(self.values::<i32>()[row].into()),
            Type::I64 | Type::Time | Type::Duration => Const::Int(self.values::<i64>()[row].into()),
            Type::U8 => Const::Int(self.values::<u8>()[row].into()),
            Type::U16 => Const::Int(self.values::<u16>()[row].into()),
            Type::U32 => Const::Int(self.values::<u32>()[row].into()),
            Type::U64 => Const::Int(self.values::<u64>()[row].into()),
            Type::Symbol => Const::Int(self.values::<u32>()[row].into()),
            Type::F32 => Const::f32(self.values::<f32>()[row]),
            Type::F64 => Const::f64(self.values::<f64>()[row]),
        })
    }

    /// The number of φ rows; they are counted.
    pub fn null_count(&self) -> usize {
        self.nulls().map_or(0, |nulls| nulls.null_count())
    }

    /// The same column with a validity bitmap, all ones if it had none: for kernels that were
    /// compiled for φ.
    pub fn with_validity(mut self) -> Column {
        if self.validity.is_none() {
            self.validity = Some(Bits::ones(self.len));
        }
        self
    }

    /// These rows, shared with the column. A validity bitmap stays, also if none of the rows is φ.
    ///
    /// # Panics
    /// If there are no such rows.
    pub fn slice(&self, rows: Range<usize>) -> Column {
        assert!(rows.start <= rows.end && rows.end <= self.len, "rows {rows:?} of {}", self.len);
        let values = match &self.values {
            Values::Numbers(values) => {
                let width = self.ty.bits() as usize / 8;
                Values::Numbers(values.slice_with_length(rows.start * width, rows.len() * width))
            }
            Values::Bools(bits) => Values::Bools(bits.starting_at(rows.start)),
        };
        let validity = self.validity.as_ref().map(|bits| bits.starting_at(rows.start));
        Column { name: self.name.clone(), ty: self.ty, len: rows.len(), values, validity }
    }

    /// The same column under another name.
    pub fn renamed(self, name: impl Into<Arc<str>>) -> Column {
        Column { name: name.into(), ..self }
    }

    /// The values as numbers, shared.
    ///
    /// # Panics
    /// If the column is of bools.
    pub fn scalars<T: ArrowNativeType>(&self) -> ScalarBuffer<T> {
        ScalarBuffer::new(self.numbers_buffer().clone(), 0, self.len)
    }

    pub(crate) fn bits(&self) -> BooleanBuffer {
        match &self.values {
            Values::Bools(bits) => bits.boolean(self.len),
            Values::Numbers(_) => panic!("a column of {} is no bitmap", self.ty),
        }
    }

    pub(crate) fn nulls(&self) -> Option<NullBuffer> {
        self.validity.as_ref().map(|bits| bits.nulls(self.len))
    }

    fn numbers_buffer(&self) -> &Buffer {
        match &self.values {
            Values::Numbers(values) => values,
            Values::Bools(_) => panic!("bools are no numbers"),
        }
    }
}

fn checked(validity: Option<NullBuffer>, len: usize) -> Option<Bits> {
    let validity = validity.filter(|bits| bits.null_count() > 0)?;
    assert_eq!(validity.len(), len, "a validity bitmap has another length than its column");
    Some(Bits::normal(validity.into_inner()))
}
