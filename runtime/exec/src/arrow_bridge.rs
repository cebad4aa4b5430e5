//! To and from Arrow arrays.
//!
//! | column | Arrow |
//! |---|---|
//! | bool | Boolean |
//! | i8 … f64 | Int8 … Float64 |
//! | time | Timestamp(ns), with zone "+00:00" if asked for; other units in are converted |
//! | duration | Duration(ns); other units in are converted |

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, BooleanArray, PrimitiveArray, RecordBatch,
    RecordBatchOptions,
};
use arrow::buffer::{NullBuffer, ScalarBuffer};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{
    DataType, DurationNanosecondType, Field, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, Schema, TimeUnit, TimestampNanosecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};

use tilt_ir::Type;

use crate::column::Column;
use crate::output::Output;

/// Why an Arrow array cannot be a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrowMismatch {
    /// The column's name.
    pub column: String,
    /// What is wrong with it.
    pub reason: String,
}

impl std::fmt::Display for ArrowMismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column `{}`: {}", self.column, self.reason)
    }
}

impl std::error::Error for ArrowMismatch {}

impl Column {
    /// Takes an Arrow array as a column. Numbers, timestamps and durations in nanoseconds share
    /// their values with the array; the rest is converted.
    ///
    /// # Errors
    /// If the array's type has no counterpart, or a time is outside 64-bit nanoseconds.
    pub fn from_arrow(name: &str, array: &ArrayRef) -> Result<Column, ArrowMismatch> {
        let mismatch = |reason: String| ArrowMismatch { column: name.to_owned(), reason };
        let strict = CastOptions { safe: false, ..CastOptions::default() };
        let convert = |target: DataType| {
            cast_with_options(array, &target, &strict).map_err(|error| mismatch(error.to_string()))
        };
        Ok(match array.data_type() {
            DataType::Boolean => {
                let bits = array.as_boolean();
                Column::bools(name, bits.values().clone(), bits.nulls().cloned())
            }
            DataType::Int8 => primitive::<Int8Type>(name, Type::I8, array.as_primitive()),
            DataType::Int16 => primitive::<Int16Type>(name, Type::I16, array.as_primitive()),
            DataType::Int32 => primitive::<Int32Type>(name, Type::I32, array.as_primitive()),
            DataType::Int64 => primitive::<Int64Type>(name, Type::I64, array.as_primitive()),
            DataType::UInt8 => primitive::<UInt8Type>(name, Type::U8, array.as_primitive()),
            DataType::UInt16 => primitive::<UInt16Type>(name, Type::U16, array.as_primitive()),
            DataType::UInt32 => primitive::<UInt32Type>(name, Type::U32, array.as_primitive()),
            DataType::UInt64 => primitive::<UInt64Type>(name, Type::U64, array.as_primitive()),
            DataType::Float32 => primitive::<Float32Type>(name, Type::F32, array.as_primitive()),
            DataType::Float64 => primitive::<Float64Type>(name, Type::F64, array.as_primitive()),
            DataType::Timestamp(TimeUnit::Nanosecond, _) => {
                primitive::<TimestampNanosecondType>(name, Type::Time, array.as_primitive())
            }
            DataType::Timestamp(_, zone) => {
                let array = convert(DataType::Timestamp(TimeUnit::Nanosecond, zone.clone()))?;
                primitive::<TimestampNanosecondType>(name, Type::Time, array.as_primitive())
            }
            DataType::Date32 | DataType::Date64 => {
                let array = convert(DataType::Timestamp(TimeUnit::Nanosecond, None))?;
                primitive::<TimestampNanosecondType>(name, Type::Time, array.as_primitive())
            }
            DataType::Duration(_) => {
                let array = convert(DataType::Duration(TimeUnit::Nanosecond))?;
                primitive::<DurationNanosecondType>(name, Type::Duration, array.as_primitive())
            }
            other => {
                return Err(mismatch(format!("a column cannot have the Arrow type {other}")));
            }
        })
    }

    /// The column as an Arrow array that shares its values. Times get the zone
    /// "+00:00" if `zoned`.
    pub fn to_arrow(&self, zoned: bool) -> ArrayRef {
        match self.ty() {
            Type::Bool => Arc::new(BooleanArray::new(self.bits(), self.nulls())),
            Type::I8 => self.shared::<Int8Type>(),
            Type::I16 => self.shared::<Int16Type>(),
            Type::I32 => self.shared::<Int32Type>(),
            Type::I64 => self.shared::<Int64Type>(),
            Type::U8 => self.shared::<UInt8Type>(),
            Type::U16 => self.shared::<UInt16Type>(),
            Type::U32 => self.shared::<UInt32Type>(),
            Type::U64 => self.shared::<UInt64Type>(),
            Type::Symbol => self.shared::<UInt32Type>(),
            Type::F32 => self.shared::<Float32Type>(),
            Type::F64 => self.shared::<Float64Type>(),
            Type::Time => stamps_to_arrow(self.scalars(), self.nulls(), zoned),
            Type::Duration => self.shared::<DurationNanosecondType>(),
        }
    }

    fn shared<T: ArrowPrimitiveType>(&self) -> ArrayRef {
        Arc::new(PrimitiveArray::<T>::new(self.scalars(), self.nulls()))
    }
}

impl Output {
    /// The output as a record batch: a column `time`, then the fields. Times get the zone "+00:00"
    /// if `zoned`.
    pub fn to_record_batch(&self, zoned: bool) -> RecordBatch {
        let stamps = stamps_to_arrow(self.stamps().collect(), None, zoned);
        let columns = self.columns.iter().map(|column| (column.name(), column.to_arrow(zoned)));
        let (fields, arrays): (Vec<_>, Vec<_>) = std::iter::once(("time", stamps))
            .chain(columns)
            .map(|(name, array)| (Field::new(name, array.data_type().clone(), true), array))
            .unzip();
        let options = RecordBatchOptions::new().with_row_count(Some(self.len()));
        match RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options) {
            Ok(batch) => batch,
            Err(error) => unreachable!("the columns of an output are equally long: {error}"),
        }
    }
}

fn primitive<T: ArrowPrimitiveType>(name: &str, ty: Type, array: &PrimitiveArray<T>) -> Column {
    Column::numbers(name, ty, array.len(), array.values().inner().clone(), array.nulls().cloned())
}

fn stamps_to_arrow(stamps: ScalarBuffer<i64>, nulls: Option<NullBuffer>, zoned: bool) -> ArrayRef {
    let array = PrimitiveArray::<TimestampNanosecondType>::new(stamps, nulls);
    Arc::new(if zoned { array.with_timezone("+00:00") } else { array })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Float32Array, Int64Array, TimestampMillisecondArray};

    #[test]
    fn numbers_are_shared_not_copied() {
        let array: ArrayRef = Arc::new(Float32Array::from(vec![1.0f32, 2.0, 3.0]));
        let sliced = array.slice(1, 2);
        let column = Column::from_arrow("v", &sliced).unwrap();
        assert_eq!(column.values::<f32>(), [2.0, 3.0]);
        let values = array.as_primitive::<Float32Type>().values();
        assert_eq!(column.bytes().as_ptr().addr(), values.as_ptr().addr() + 4);
    }

    #[test]
    fn bitmaps_of_slices_are_moved_to_bit_zero_and_padded() {
        let array: ArrayRef = Arc::new(Int64Array::from_iter((0..100).map(|i| (i % 3 != 0).then_some(i))));
        let column = Column::from_arrow("v", &array.slice(5, 90)).unwrap();
        let valid: Vec<bool> = (0..90).map(|row| column.is_valid(row)).collect();
        assert_eq!(valid, (5..95).map(|i| i % 3 != 0).collect::<Vec<_>>());
        assert_eq!(column.null_count(), 30);
        assert_eq!(&*column.to_arrow(false), &*array.slice(5, 90));
    }

    #[test]
    fn every_type_goes_there_and_back() {
        let types = [
            DataType::Boolean,
            DataType::Int8,
            DataType::UInt16,
            DataType::Int32,
            DataType::UInt64,
            DataType::Float64,
            DataType::Duration(TimeUnit::Nanosecond),
            DataType::Timestamp(TimeUnit::Nanosecond, None),
        ];
        let source: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None, Some(0)]));
        for target in types {
            let array = arrow::compute::cast(&source, &target).unwrap();
            let column = Column::from_arrow("v", &array).unwrap();
            assert_eq!(&*column.to_arrow(false), &*array, "{target}");
        }
    }

    #[test]
    fn other_units_are_converted_and_overflow_is_an_error() {
        let array: ArrayRef = Arc::new(TimestampMillisecondArray::from(vec![-1, 2]));
        let column = Column::from_arrow("at", &array).unwrap();
        assert_eq!(column.values::<i64>(), [-1_000_000, 2_000_000]);
        let array: ArrayRef = Arc::new(TimestampMillisecondArray::from(vec![i64::MAX]));
        assert!(Column::from_arrow("at", &array).is_err());
    }

    #[test]
    fn text_is_no_column() {
        let array: ArrayRef = Arc::new(arrow::array::StringArray::from(vec!["a"]));
        let error = Column::from_arrow("name", &array).unwrap_err();
        assert_eq!(error.to_string(), "column `name`: a column cannot have the Arrow type Utf8");
    }
}
