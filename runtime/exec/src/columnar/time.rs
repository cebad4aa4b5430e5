//! Stamps, times and durations.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, DurationNanosecondArray, TimestampNanosecondArray};
use arrow::buffer::ScalarBuffer;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type, TimeUnit as ArrowUnit, TimestampNanosecondType};
use tilt_ir::Type;

use super::convert::{refused, unpacked};
use super::number::shown;
use super::text::strings;
use super::{Mismatch, converted};
use crate::csv::form_of;
use crate::files::ReadOptions;
use crate::problem::Problem;
use crate::time::{Separator, TimeError, TimeForm};

const NANOSECONDS: DataType = DataType::Timestamp(ArrowUnit::Nanosecond, None);

/// The stamps in these arrays. `form` becomes how they are spelled; `open` is what null means, if it
/// is allowed.
pub(super) fn stamps(
    arrays: &[ArrayRef],
    options: &ReadOptions,
    form: &mut Option<TimeForm>,
    open: Option<i64>,
) -> Result<ScalarBuffer<i64>, Mismatch> {
    if let Some(first) = arrays.iter().find(|array| !array.is_empty()) {
        let first = form_of_column(&unpacked(first)?, options)?;
        form.get_or_insert(first);
    }
    let spelled = form.unwrap_or(TimeForm::Date);
    let whole = converted(arrays, NANOSECONDS, |array| {
        let array = unpacked(array)?;
        match array.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => parsed(&array, spelled),
            _ => values(&array, options),
        }
    })?;
    let times = whole.as_primitive::<TimestampNanosecondType>();
    match open {
        _ if times.null_count() == 0 => Ok(times.values().clone()),
        Some(open) => Ok(times.iter().map(|time| time.unwrap_or(open)).collect()),
        None => {
            let row = (0..times.len()).find(|row| times.is_null(*row));
            Err(Mismatch { row, problem: Problem::NoStamp })
        }
    }
}

fn form_of_column(array: &ArrayRef, options: &ReadOptions) -> Result<TimeForm, Mismatch> {
    match array.data_type() {
        DataType::Timestamp(_, Some(_)) => Ok(TimeForm::Zoned(Separator::T)),
        DataType::Timestamp(_, None) => Ok(TimeForm::Civil(Separator::T)),
        DataType::Date32 | DataType::Date64 => Ok(TimeForm::Date),
        ty if ty.is_integer() => match options.unit {
            Some(unit) => Ok(TimeForm::Count(unit)),
            None => Err(Mismatch::at(0, Problem::NoUnit { value: shown(array, 0) })),
        },
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            let row = (0..array.len()).find(|row| array.is_valid(*row));
            let text = row.map(|row| shown(array, row)).unwrap_or_default();
            form_of(text.trim().as_bytes(), options).map_err(|problem| Mismatch { row, problem })
        }
        DataType::Null => Ok(TimeForm::Date),
        from => Err(refused(from, Type::Time)),
    }
}

/// Strings in this form.
fn parsed(array: &ArrayRef, form: TimeForm) -> Result<ArrayRef, Mismatch> {
    let strings = strings(array)?;
    let times = strings.as_string::<i64>().iter().enumerate().map(|(row, text)| {
        let Some(text) = text else { return Ok(None) };
        form.parse(text.trim().as_bytes())
            .map(Some)
            .map_err(|error| Mismatch::at(row, Problem::Time { value: text.to_owned(), error }))
    });
    let times: Vec<Option<i64>> = times.collect::<Result<_, Mismatch>>()?;
    Ok(Arc::new(TimestampNanosecondArray::from(times)))
}

/// Times of any Arrow type as nanoseconds, without a zone: what has one is an instant already.
pub(super) fn values(array: &ArrayRef, options: &ReadOptions) -> Result<ArrayRef, Mismatch> {
    let from = array.data_type();
    let (length, array) = match from {
        DataType::Null => return Ok(arrow::array::new_null_array(&NANOSECONDS, array.len())),
        DataType::Timestamp(unit, _) => (length(*unit), counts(array)?),
        DataType::Date32 => (86_400_000_000_000, counts(&counted(array, &DataType::Int32)?)?),
        DataType::Date64 => (1_000_000, counts(array)?),
        from if from.is_integer() => match options.unit {
            Some(unit) => (unit.nanoseconds(), integers(array)?),
            None if array.is_empty() => (1, integers(array)?),
            None => return Err(Mismatch::at(0, Problem::NoUnit { value: shown(array, 0) })),
        },
        from => return Err(refused(from, Type::Time)),
    };
    let error = |value: i64| Problem::Time { value: value.to_string(), error: TimeError::Range };
    scaled(&array, length, error)
        .map(|(times, nulls)| -> ArrayRef { Arc::new(TimestampNanosecondArray::new(times, nulls)) })
}

/// Durations and times of the day as nanoseconds.
pub(super) fn durations(array: &ArrayRef) -> Result<ArrayRef, Mismatch> {
    let (length, array) = match array.data_type() {
        DataType::Duration(unit) | DataType::Time64(unit) => (length(*unit), counts(array)?),
        DataType::Time32(unit) => (length(*unit), counts(&counted(array, &DataType::Int32)?)?),
        from => return Err(refused(from, Type::Duration)),
    };
    let error = |value: i64| Problem::Value { value: value.to_string(), ty: Type::Duration, range: true };
    scaled(&array, length, error)
        .map(|(spans, nulls)| -> ArrayRef { Arc::new(DurationNanosecondArray::new(spans, nulls)) })
}

type Scaled = (ScalarBuffer<i64>, Option<arrow::buffer::NullBuffer>);

/// Counts times their unit.
fn scaled(array: &ArrayRef, length: i64, error: impl Fn(i64) -> Problem) -> Result<Scaled, Mismatch> {
    let counts = array.as_primitive::<Int64Type>();
    let nulls = counts.nulls().cloned();
    if length == 1 {
        return Ok((counts.values().clone(), nulls));
    }
    let scaled = counts.values().iter().enumerate().map(|(row, count)| match count.checked_mul(length) {
        Some(time) => Ok(time),
        None if counts.is_null(row) => Ok(0),
        None => Err(Mismatch::at(row, error(*count))),
    });
    Ok((scaled.collect::<Result<Vec<i64>, Mismatch>>()?.into(), nulls))
}

fn length(unit: ArrowUnit) -> i64 {
    match unit {
        ArrowUnit::Second => 1_000_000_000,
        ArrowUnit::Millisecond => 1_000_000,
        ArrowUnit::Microsecond => 1_000,
        ArrowUnit::Nanosecond => 1,
    }
}

/// The numbers of an array of times.
fn counts(array: &ArrayRef) -> Result<ArrayRef, Mismatch> {
    counted(array, &DataType::Int64)
}

fn counted(array: &ArrayRef, ty: &DataType) -> Result<ArrayRef, Mismatch> {
    cast(array, ty).map_err(|error| Problem::Unreadable { reason: error.to_string() }.into())
}

/// Integers of any type in 64 bits.
fn integers(array: &ArrayRef) -> Result<ArrayRef, Mismatch> {
    let wide = counted(array, &DataType::Int64)?;
    let lost = |row: &usize| wide.is_null(*row) && array.is_valid(*row);
    match (wide.null_count() > array.null_count()).then(|| (0..array.len()).find(lost)).flatten() {
        Some(row) => {
            let problem = Problem::Time { value: shown(array, row), error: TimeError::Range };
            Err(Mismatch::at(row, problem))
        }
        None => Ok(wide),
    }
}
