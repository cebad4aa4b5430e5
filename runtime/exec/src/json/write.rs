//! Writing JSON lines.

use std::io::{self, Write};
use std::ops::Range;

use tilt_ir::Type;

use crate::column::Column;
use crate::csv::{FieldText, write_blocks, write_field};
use crate::output::Output;
use crate::time::{TimeForm, TimeFormat};

pub(crate) fn write_json(output: &Output, how: &FieldText<'_>, out: &mut dyn Write) -> io::Result<()> {
    let format = output.time_format(how.form);
    let names: Vec<Vec<u8>> = output.columns.iter().map(|column| name(column.name())).collect();
    write_blocks(output.len(), out, |rows| block(output, &names, how, format, rows))?;
    out.flush()
}

/// `,"name":`
fn name(name: &str) -> Vec<u8> {
    let mut text = vec![b','];
    quote(name, &mut text);
    text.push(b':');
    text
}

fn block(
    output: &Output,
    names: &[Vec<u8>],
    how: &FieldText<'_>,
    format: TimeFormat,
    rows: Range<usize>,
) -> Vec<u8> {
    let mark: &[u8] = if is_number(how.form) { b"" } else { b"\"" };
    let mut text = Vec::with_capacity(rows.len() * 24 * (1 + names.len()));
    for row in rows {
        text.extend_from_slice(b"{\"time\":");
        text.extend_from_slice(mark);
        format.write(output.stamp(row), &mut text);
        text.extend_from_slice(mark);
        for (column, name) in output.columns.iter().zip(names) {
            text.extend_from_slice(name);
            value(column, row, how, &mut text);
        }
        text.extend_from_slice(b"}\n");
    }
    text
}

fn is_number(form: TimeForm) -> bool {
    match form {
        TimeForm::Count(_) => true,
        TimeForm::Date | TimeForm::Civil(_) | TimeForm::Zoned(_) => false,
    }
}

fn value(column: &Column, row: usize, how: &FieldText<'_>, text: &mut Vec<u8>) {
    if !column.is_valid(row) {
        text.extend_from_slice(b"null");
        return;
    }
    let is_bare = match column.ty() {
        Type::Symbol | Type::Duration => false,
        Type::Time => is_number(how.form),
        Type::F32 => column.values::<f32>()[row].is_finite(),
        Type::F64 => column.values::<f64>()[row].is_finite(),
        Type::Bool
        | Type::I8
        | Type::I16
        | Type::I32
        | Type::I64
        | Type::U8
        | Type::U16
        | Type::U32
        | Type::U64 => true,
    };
    if is_bare {
        return write_field(column, row, how, text);
    }
    let mut field = Vec::new();
    write_field(column, row, how, &mut field);
    quote(&String::from_utf8_lossy(&field), text);
}

/// A string of JSON.
fn quote(string: &str, text: &mut Vec<u8>) {
    text.push(b'"');
    for byte in string.bytes() {
        match byte {
            b'"' | b'\\' => text.extend_from_slice(&[b'\\', byte]),
            b'\n' => text.extend_from_slice(b"\\n"),
            b'\r' => text.extend_from_slice(b"\\r"),
            b'\t' => text.extend_from_slice(b"\\t"),
            0..0x20 => text.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => text.push(byte),
        }
    }
    text.push(b'"');
}
