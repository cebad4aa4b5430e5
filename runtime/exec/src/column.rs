//! Columns: named, typed values in the layout that kernels read.
//!
//! Numbers lie one after the other, [`Type::bits`] bits each; bools are a bitmap, least significant
//! bit first, from bit 0 on. A second bitmap says which rows are there, and exists only if something
//! is missing. At least [`PADDING`] bytes may be read behind a bitmap. Arrow arrays are taken
//! without a copy of their numbers.
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
//! ```

use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer, ScalarBuffer};
use arrow::datatypes::ArrowNativeType;
use tilt_ir::{Const, Type};

use crate::buffer::{PADDING, PageBuffer};

/// Values of one type, some of which may be φ.
#[derive(Clone, Debug)]
pub struct Column {
    name: String,
    ty: Type,
    len: usize,
    values: Buffer,
    validity: Option<NullBuffer>,
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
        name: impl Into<String>,
        ty: Type,
        len: usize,
        values: Buffer,
        validity: Option<NullBuffer>,
    ) -> Column {
        assert_ne!(ty, Type::Bool, "bools are not numbers");
        let width = ty.bits() as usize / 8;
        assert!(values.len() / width >= len, "a column of {len} rows has too few bytes");
        assert!(values.as_ptr().addr().is_multiple_of(width), "a column is not aligned");
        let values = values.slice_with_length(0, len * width);
        Column { name: name.into(), ty, len, values, validity: checked(validity, len) }
    }

    /// A column of bools. Bitmaps that do not start at bit 0 or have no padding are copied.
    ///
    /// # Panics
    /// If `validity` has another length.
    pub fn bools(name: impl Into<String>, values: BooleanBuffer, validity: Option<NullBuffer>) -> Column {
        let len = values.len();
        let values = normal(values).into_inner();
        Column { name: name.into(), ty: Type::Bool, len, values, validity: checked(validity, len) }
    }

    /// A column of numbers, without φ.
    ///
    /// # Panics
    /// If `T` has another width than the type.
    pub fn from_values<T: ArrowNativeType>(name: impl Into<String>, ty: Type, values: Vec<T>) -> Column {
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

    /// What a kernel reads: the numbers in native order, or the bitmap of the bools. Where a row is
    /// φ its value is unspecified.
    pub fn bytes(&self) -> &[u8] {
        &self.values
    }

    /// The values as numbers; those of φ rows are unspecified.
    ///
    /// # Panics
    /// If `T` has another width than the column's type.
    pub fn values<T: ArrowNativeType>(&self) -> &[T] {
        assert_eq!(size_of::<T>() * 8, self.ty.bits() as usize, "the values are {}", self.ty);
        self.values.typed_data()
    }

    /// The value of a row of a bool column; unspecified if it is φ.
    ///
    /// # Panics
    /// If the column is not of bools or has no such row.
    pub fn is_true(&self, row: usize) -> bool {
        assert!(self.ty == Type::Bool && row < self.len, "row {row} of {} {}", self.len, self.ty);
        self.values[row / 8] >> (row % 8) & 1 == 1
    }

    /// The bitmap of the rows that are not φ, from bit 0 on and padded; `None` if no row is φ.
    pub fn validity(&self) -> Option<&[u8]> {
        self.validity.as_ref().map(|bits| bits.buffer().as_slice())
    }

    /// Whether the row is not φ.
    pub fn is_valid(&self, row: usize) -> bool {
        self.validity.as_ref().is_none_or(|bits| bits.is_valid(row))
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
            Type::F32 => Const::f32(self.values::<f32>()[row]),
            Type::F64 => Const::f64(self.values::<f64>()[row]),
        })
    }

    /// The number of φ rows.
    pub fn null_count(&self) -> usize {
        self.validity.as_ref().map_or(0, NullBuffer::null_count)
    }

    /// The same column with a validity bitmap, all ones if it had none: for kernels that were
    /// compiled for φ.
    pub fn with_validity(mut self) -> Column {
        if self.validity.is_none() {
            let mut ones = PageBuffer::zeroed(bitmap_bytes(self.len));
            ones.bytes_mut()[..self.len.div_ceil(8)].fill(0xff);
            let bits = BooleanBuffer::new(ones.into_arrow(), 0, self.len);
            self.validity = Some(NullBuffer::new(bits));
        }
        self
    }

    /// The same column under another name.
    pub fn renamed(self, name: impl Into<String>) -> Column {
        Column { name: name.into(), ..self }
    }

    pub(crate) fn scalars<T: ArrowNativeType>(&self) -> ScalarBuffer<T> {
        ScalarBuffer::new(self.values.clone(), 0, self.len)
    }

    pub(crate) fn bits(&self) -> BooleanBuffer {
        BooleanBuffer::new(self.values.clone(), 0, self.len)
    }

    pub(crate) fn nulls(&self) -> Option<NullBuffer> {
        self.validity.clone()
    }
}

/// The size of a padded bitmap for `len` rows.
pub(crate) fn bitmap_bytes(len: usize) -> usize {
    len.div_ceil(64) * 8 + PADDING
}

fn checked(validity: Option<NullBuffer>, len: usize) -> Option<NullBuffer> {
    let validity = validity.filter(|bits| bits.null_count() > 0)?;
    assert_eq!(validity.len(), len, "a validity bitmap has another length than its column");
    Some(NullBuffer::new(normal(validity.into_inner())))
}

/// Bits from bit 0 on, padded.
fn normal(bits: BooleanBuffer) -> BooleanBuffer {
    let len = bits.len();
    if bits.offset() == 0 && bits.inner().len() >= bitmap_bytes(len) {
        return bits;
    }
    let used = len.div_ceil(8);
    let mut buffer = PageBuffer::zeroed(bitmap_bytes(len));
    buffer.bytes_mut()[..used].copy_from_slice(&bits.sliced()[..used]);
    BooleanBuffer::new(buffer.into_arrow(), 0, len)
}
