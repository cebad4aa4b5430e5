//! A column of a file as a column of a field's type.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use tilt_ir::Type;

use super::{Mismatch, converted, named, number, symbol, text, time};
use crate::column::Column;
use crate::files::ReadOptions;
use crate::problem::Problem;
use crate::symbols::Dictionary;

/// The column that these arrays are, one after the other.
pub(super) fn column(
    name: &str,
    ty: Type,
    arrays: &[ArrayRef],
    options: &ReadOptions,
    symbols: &mut Dictionary,
) -> Result<Column, Mismatch> {
    if ty == Type::Symbol {
        return symbol::column(name, arrays, symbols);
    }
    let target = arrow_type(ty);
    let array = converted(arrays, target.clone(), |array| {
        let array = &unpacked(array)?;
        match array.data_type() {
            same if *same == target => Ok(array.clone()),
            DataType::Null => Ok(new_null_array(&target, array.len())),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => text::values(array, ty),
            from if from.is_integer() || from.is_floating() => match ty {
                Type::Time => time::values(array, options),
                _ => number::values(array, ty, &target),
            },
            DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 if ty == Type::Time => {
                time::values(array, options)
            }
            DataType::Duration(_) | DataType::Time32(_) | DataType::Time64(_) if ty == Type::Duration => {
                time::durations(array)
            }
            from => Err(refused(from, ty)),
        }
    })?;
    named(name, &array)
}

/// Arrow's name for our type.
fn arrow_type(ty: Type) -> DataType {
    use arrow::datatypes::TimeUnit::Nanosecond;
    match ty {
        Type::Bool => DataType::Boolean,
        Type::I8 => DataType::Int8,
        Type::I16 => DataType::Int16,
        Type::I32 => DataType::Int32,
        Type::I64 => DataType::Int64,
        Type::U8 => DataType::UInt8,
        Type::U16 => DataType::UInt16,
        Type::U32 | Type::Symbol => DataType::UInt32,
        Type::U64 => DataType::UInt64,
        Type::F32 => DataType::Float32,
        Type::F64 => DataType::Float64,
        Type::Time => DataType::Timestamp(Nanosecond, None),
        Type::Duration => DataType::Duration(Nanosecond),
    }
}

/// The array without a dictionary or runs.
pub(super) fn unpacked(array: &ArrayRef) -> Result<ArrayRef, Mismatch> {
    let values = match array.data_type() {
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        DataType::RunEndEncoded(_, values) => values.data_type().clone(),
        _ => return Ok(Arc::clone(array)),
    };
    cast(array, &values).map_err(|error| Problem::Unreadable { reason: error.to_string() }.into())
}

/// The error for a type that does not convert.
pub(super) fn refused(from: &DataType, ty: Type) -> Mismatch {
    let reason = match from {
        DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..) => {
            Some("decimals are not read; write the column as float64, or as a whole number of its last digit")
        }
        DataType::Interval(_) => Some("calendar intervals have no fixed length"),
        from if from.is_nested() => Some("nested columns are not read"),
        _ => None,
    };
    Problem::Type { found: from.to_string(), ty, reason }.into()
}
