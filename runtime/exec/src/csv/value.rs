//! The text of a value, read into its type.

use std::str::FromStr;

use arrow::buffer::MutableBuffer;
use arrow::datatypes::ArrowNativeType;
use tilt_ir::Type;

use crate::time::{TimeError, TimeForm, parse_duration, short_integer};

/// Why a text is no value of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    Spelling,
    Range,
}

/// Reads a value that is not empty and appends it. Bools are appended as a byte, 0 or 1. Symbols are read
/// elsewhere, because they need a dictionary.
pub(super) fn push(ty: Type, form: TimeForm, text: &[u8], out: &mut MutableBuffer) -> Result<(), Misfit> {
    match ty {
        Type::Bool => out.push(truth(text)?),
        Type::I8 => out.push(whole::<i8>(text)?),
        Type::I16 => out.push(whole::<i16>(text)?),
        Type::I32 => out.push(whole::<i32>(text)?),
        Type::I64 => out.push(whole::<i64>(text)?),
        Type::U8 => out.push(whole::<u8>(text)?),
        Type::U16 => out.push(whole::<u16>(text)?),
        Type::U32 => out.push(whole::<u32>(text)?),
        Type::U64 => out.push(whole::<u64>(text)?),
        Type::Symbol => return Err(Misfit::Spelling),
        Type::F32 => out.push(float::<f32>(text, f32::is_infinite)?),
        Type::F64 => out.push(float::<f64>(text, f64::is_infinite)?),
        Type::Time => out.push(time(form, text)?),
        Type::Duration => out.push(parse_duration(utf8(text)?).ok_or(Misfit::Spelling)?),
    }
    Ok(())
}

fn utf8(text: &[u8]) -> Result<&str, Misfit> {
    std::str::from_utf8(text).map_err(|_| Misfit::Spelling)
}

fn truth(text: &[u8]) -> Result<u8, Misfit> {
    match text {
        b"1" => Ok(1),
        b"0" => Ok(0),
        _ if text.eq_ignore_ascii_case(b"true") => Ok(1),
        _ if text.eq_ignore_ascii_case(b"false") => Ok(0),
        _ => Err(Misfit::Spelling),
    }
}

fn whole<T: FromStr + ArrowNativeType + TryFrom<i64>>(text: &[u8]) -> Result<T, Misfit> {
    if let Some(number) = short_integer(text) {
        return T::try_from(number).map_err(|_| Misfit::Range);
    }
    let text = utf8(text)?;
    text.parse().map_err(|_| {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let numeric = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if numeric { Misfit::Range } else { Misfit::Spelling }
    })
}

/// `inf` is a value; a finite number that only rounds to it is out of range.
fn float<T: FromStr + Copy>(text: &[u8], is_infinite: fn(T) -> bool) -> Result<T, Misfit> {
    let text = utf8(text)?;
    let number = text.parse::<T>().map_err(|_| Misfit::Spelling)?;
    if is_infinite(number) && text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Err(Misfit::Range);
    }
    Ok(number)
}

/// A time inside a row: in the form of the file's stamps, or any ISO 8601 form.
fn time(stamps: TimeForm, text: &[u8]) -> Result<i64, Misfit> {
    let form = TimeForm::detect(text).unwrap_or(stamps);
    form.parse(text).map_err(|error| match error {
        TimeError::Range => Misfit::Range,
        TimeError::Form(_) | TimeError::Zone(_) | TimeError::Fine | TimeError::LeapSecond => Misfit::Spelling,
    })
}
