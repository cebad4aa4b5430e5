//! Strings as symbols.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, UInt32Array, new_null_array};
use arrow::datatypes::{DataType, UInt32Type};
use tilt_ir::Type;

use super::convert::{refused, unpacked};
use super::text::strings;
use super::{Mismatch, converted};
use crate::column::Column;
use crate::problem::Problem;
use crate::symbols::Dictionary;

/// The ids of the strings in these arrays. New strings get theirs in order, so on one thread.
pub(super) fn column(name: &str, arrays: &[ArrayRef], symbols: &mut Dictionary) -> Result<Column, Mismatch> {
    let mut parts = Vec::with_capacity(arrays.len());
    for array in arrays {
        parts.push(ids(array, symbols)?);
    }
    let whole = converted(&parts, DataType::UInt32, |part| Ok(part.clone()))?;
    let whole = whole.as_primitive::<UInt32Type>();
    let (values, nulls) = (whole.values().inner().clone(), whole.nulls().cloned());
    Ok(Column::numbers(name, Type::Symbol, whole.len(), values, nulls))
}

fn ids(array: &ArrayRef, symbols: &mut Dictionary) -> Result<ArrayRef, Mismatch> {
    match array.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => plain(array, symbols),
        DataType::Dictionary(_, values)
            if values.is_string() && !array.as_any_dictionary().values().is_empty() =>
        {
            dictionary(array, symbols)
        }
        DataType::Null => Ok(new_null_array(&DataType::UInt32, array.len())),
        DataType::Dictionary(..) | DataType::RunEndEncoded(..) => ids(&unpacked(array)?, symbols),
        from => Err(refused(from, Type::Symbol)),
    }
}

fn plain(array: &ArrayRef, symbols: &mut Dictionary) -> Result<ArrayRef, Mismatch> {
    let strings = strings(array)?;
    let ids = strings.as_string::<i64>().iter().map(|text| text.map(|text| id(text, symbols)).transpose());
    Ok(Arc::new(ids.collect::<Result<UInt32Array, Mismatch>>()?))
}

/// Each string of the dictionary that some row has is looked up once.
fn dictionary(array: &ArrayRef, symbols: &mut Dictionary) -> Result<ArrayRef, Mismatch> {
    let packed = array.as_any_dictionary();
    let values = strings(packed.values())?;
    let values = values.as_string::<i64>();
    let mut known: Vec<Option<u32>> = vec![None; values.len()];
    let numbers = packed.normalized_keys();
    let ids = numbers.into_iter().enumerate().map(|(row, number)| {
        if packed.keys().is_null(row) || values.is_null(number) {
            return Ok(None);
        }
        if known[number].is_none() {
            known[number] = Some(id(values.value(number), symbols)?);
        }
        Ok(known[number])
    });
    Ok(Arc::new(ids.collect::<Result<UInt32Array, Mismatch>>()?))
}

fn id(text: &str, symbols: &mut Dictionary) -> Result<u32, Mismatch> {
    let range = || Problem::Value { value: text.to_owned(), ty: Type::Symbol, range: true };
    symbols.intern(text).ok_or_else(|| range().into())
}
