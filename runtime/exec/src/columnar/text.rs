//! Strings that are times or durations.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, DurationNanosecondArray, TimestampNanosecondArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use tilt_ir::Type;

use super::Mismatch;
use super::convert::refused;
use crate::problem::Problem;
use crate::time::{TimeError, TimeForm, parse_duration};

pub(super) fn values(array: &ArrayRef, ty: Type) -> Result<ArrayRef, Mismatch> {
    match ty {
        Type::Time => Ok(Arc::new(TimestampNanosecondArray::from(each(array, ty, time)?))),
        Type::Duration => {
            let span = |text: &str| parse_duration(text).ok_or(false);
            Ok(Arc::new(DurationNanosecondArray::from(each(array, ty, span)?)))
        }
        _ => Err(refused(array.data_type(), ty)),
    }
}

/// Whether the text is a time, but out of range, is in the error.
fn time(text: &str) -> Result<i64, bool> {
    let form = TimeForm::detect(text.as_bytes()).ok_or(false)?;
    form.parse(text.as_bytes()).map_err(|error| error == TimeError::Range)
}

fn each(
    array: &ArrayRef,
    ty: Type,
    parse: impl Fn(&str) -> Result<i64, bool>,
) -> Result<Vec<Option<i64>>, Mismatch> {
    let strings = strings(array)?;
    let parsed = strings.as_string::<i64>().iter().enumerate().map(|(row, text)| {
        let Some(text) = text else { return Ok(None) };
        parse(text.trim())
            .map(Some)
            .map_err(|range| Mismatch::at(row, Problem::Value { value: text.to_owned(), ty, range }))
    });
    parsed.collect()
}

/// Strings of any layout as those with large offsets.
pub(super) fn strings(array: &ArrayRef) -> Result<ArrayRef, Mismatch> {
    cast(array, &DataType::LargeUtf8)
        .map_err(|error| Problem::Unreadable { reason: error.to_string() }.into())
}
