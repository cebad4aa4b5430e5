//! Numbers as numbers of another type, if nothing is lost.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type, UInt64Type};
use arrow::util::display::array_value_to_string;
use tilt_ir::Type;

use super::Mismatch;
use super::convert::refused;
use crate::problem::Problem;

pub(super) fn values(array: &ArrayRef, ty: Type, target: &DataType) -> Result<ArrayRef, Mismatch> {
    let from = array.data_type();
    let width = from.primitive_width().unwrap_or(16);
    if from.is_integer() && ty.is_integer() {
        return in_range(array, ty, target);
    }
    if from.is_integer() && ty.is_float() {
        if let Some(row) = first_inexact(array, ty) {
            return Err(Mismatch::at(row, Problem::Inexact { value: shown(array, row), ty }));
        }
        return convert(array, target);
    }
    if from.is_floating() && ty.is_float() && width * 8 <= ty.bits() as usize {
        return convert(array, target);
    }
    Err(refused(from, ty))
}

fn convert(array: &ArrayRef, target: &DataType) -> Result<ArrayRef, Mismatch> {
    cast(array, target).map_err(|error| Problem::Unreadable { reason: error.to_string() }.into())
}

/// A cast makes what is out of range null.
fn in_range(array: &ArrayRef, ty: Type, target: &DataType) -> Result<ArrayRef, Mismatch> {
    let result = convert(array, target)?;
    if result.null_count() > array.null_count() {
        let lost = |row: &usize| result.is_null(*row) && !array.is_null(*row);
        if let Some(row) = (0..array.len()).find(lost) {
            return Err(Mismatch::at(row, Problem::Value { value: shown(array, row), ty, range: true }));
        }
    }
    Ok(result)
}

/// The first whole number that the float type does not have.
fn first_inexact(array: &ArrayRef, ty: Type) -> Option<usize> {
    let digits = if ty == Type::F32 { 24 } else { 53 };
    let bits = 8 * array.data_type().primitive_width().unwrap_or(8);
    if bits <= digits {
        return None;
    }
    let exact = |magnitude: u64| {
        let used = 64 - magnitude.leading_zeros() - magnitude.trailing_zeros().min(63);
        magnitude == 0 || used as usize <= digits
    };
    let wide = match array.data_type() {
        DataType::UInt64 => {
            let numbers = array.as_primitive::<UInt64Type>();
            return (0..array.len()).find(|row| array.is_valid(*row) && !exact(numbers.value(*row)));
        }
        _ => cast(array, &DataType::Int64).ok()?,
    };
    let numbers = wide.as_primitive::<Int64Type>();
    (0..array.len()).find(|row| array.is_valid(*row) && !exact(numbers.value(*row).unsigned_abs()))
}

/// A value of an array, for a message.
pub(super) fn shown(array: &ArrayRef, row: usize) -> String {
    array_value_to_string(array, row).unwrap_or_default()
}
