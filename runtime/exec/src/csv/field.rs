//! Single values as text.

use std::io::Write;
use std::sync::LazyLock;

use arrow::datatypes::ArrowNativeType;
use tilt_ir::Type;

use crate::column::Column;
use crate::symbols::Dictionary;
use crate::time::{DurationText, TimeForm, TimeFormat};

static NO_SYMBOLS: LazyLock<Dictionary> = LazyLock::new(Dictionary::default);

/// What it takes to write a value as text.
#[derive(Clone, Copy, Debug)]
pub struct FieldText<'a> {
    /// How times are spelled.
    pub form: TimeForm,
    /// The symbols by their ids.
    pub symbols: &'a Dictionary,
}

impl From<TimeForm> for FieldText<'static> {
    /// For columns without symbols; a symbol is written as its number, `#7`.
    fn from(form: TimeForm) -> FieldText<'static> {
        FieldText { form, symbols: &NO_SYMBOLS }
    }
}

/// Appends the text of one value of a column; nothing if it is φ.
///
/// # Panics
/// If there is no such row.
pub fn write_field(column: &Column, row: usize, how: &FieldText<'_>, text: &mut Vec<u8>) {
    if !column.is_valid(row) {
        return;
    }
    match column.ty() {
        Type::Bool => {
            text.extend_from_slice(if column.is_true(row) { b"true" } else { b"false" });
        }
        Type::I8 => display(column.values::<i8>()[row], text),
        Type::I16 => display(column.values::<i16>()[row], text),
        Type::I32 => display(column.values::<i32>()[row], text),
        Type::I64 => display(column.values::<i64>()[row], text),
        Type::U8 => display(column.values::<u8>()[row], text),
        Type::U16 => display(column.values::<u16>()[row], text),
        Type::U32 => display(column.values::<u32>()[row], text),
        Type::U64 => display(column.values::<u64>()[row], text),
        Type::F32 => float(column.values::<f32>()[row], text),
        Type::F64 => float(column.values::<f64>()[row], text),
        Type::Time => {
            let stamp = column.values::<i64>()[row];
            TimeFormat::for_stamps(how.form, [stamp]).write(stamp, text);
        }
        Type::Duration => display(DurationText(column.values::<i64>()[row]), text),
        Type::Symbol => match how.symbols.get(column.values::<u32>()[row]) {
            Some(symbol) => text.extend_from_slice(symbol.as_bytes()),
            None => display(format_args!("#{}", column.values::<u32>()[row]), text),
        },
    }
}

fn display(value: impl std::fmt::Display, text: &mut Vec<u8>) {
    match write!(text, "{value}") {
        Ok(()) => {}
        Err(error) => unreachable!("memory takes every byte: {error}"),
    }
}

fn float<F: ryu::Float + ArrowNativeType>(value: F, text: &mut Vec<u8>) {
    let mut digits = ryu::Buffer::new();
    text.extend_from_slice(digits.format(value).as_bytes());
}
