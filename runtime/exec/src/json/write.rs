//! Writing JSON lines.

use std::io::{self, Write};
use std::ops::Range;

use tilt_ir::Type;

use crate::arrays;
use crate::column::Column;
use crate::csv::{FieldText, write_blocks, write_field};
use crate::output::Output;
use crate::time::{TimeForm, TimeFormat};

pub(crate) fn write_json(output: &Output, how: &FieldText<'_>, out: &mut dyn Write) -> io::Result<()> {
    let format = output.time_format(how.form);
    let frames = frames(output);
    write_blocks(output.len(), out, |rows| block(output, &frames, how, format, rows))?;
    out.flush()
}

/// What stands before and behind a value.
struct Frame {
    before: Vec<u8>,
    after: &'static [u8],
}

/// `,"name":` before each value, `,"name":[` and `]` around the elements of an array.
fn frames(output: &Output) -> Vec<Frame> {
    let mut frames = Vec::new();
    for group in arrays::groups(output.columns.iter().map(Column::name)) {
        for column in group.columns.clone() {
            let mut frame = Frame { before: vec![b','], after: b"" };
            if column == group.columns.start {
                quote(group.name, &mut frame.before);
                frame.before.extend_from_slice(if group.is_array { b":[" } else { b":" });
            }
            if group.is_array && column + 1 == group.columns.end {
                frame.after = b"]";
            }
            frames.push(frame);
        }
    }
    frames
}

fn block(
    output: &Output,
    frames: &[Frame],
    how: &FieldText<'_>,
    format: TimeFormat,
    rows: Range<usize>,
) -> Vec<u8> {
    let mark: &[u8] = if is_number(how.form) { b"" } else { b"\"" };
    let mut text = Vec::with_capacity(rows.len() * 24 * (1 + frames.len()));
    for row in rows {
        text.extend_from_slice(b"{\"time\":");
        text.extend_from_slice(mark);
        format.write(output.stamp(row), &mut text);
        text.extend_from_slice(mark);
        for (column, frame) in output.columns.iter().zip(frames) {
            text.extend_from_slice(&frame.before);
            value(column, row, how, &mut text);
            text.extend_from_slice(frame.after);
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
