//! Outputs as CSV text.

use std::io::{self, Write};
use std::ops::Range;

use arrow::datatypes::ArrowNativeType;
use rayon::prelude::*;
use tilt_ir::Type;

use crate::column::Column;
use crate::output::Output;
use crate::time::{DurationText, TimeForm, TimeFormat};

/// Rows that are turned into text at a time.
const BLOCK: usize = 1 << 14;

/// Writes an output as CSV: a line of names (`time`, then the fields), then a line per row. φ is
/// empty; a float is the shortest text that reads back to the same bits, else `NaN`, `inf`, `-inf`;
/// times are spelled as `form` says.
///
/// ```
/// use tilt_exec::{Column, Output, TimeForm, Times, TimeUnit, csv::write_csv};
/// use tilt_ir::{Grid, Type};
/// let output = Output {
///     name: "x".to_owned(),
///     times: Times::Regular { grid: Grid::new(1_000_000_000, 0), first: 7, len: 2 },
///     columns: vec![Column::from_values("v", Type::F64, vec![0.1, 1e90])],
/// };
/// let mut text = Vec::new();
/// write_csv(&output, TimeForm::Count(TimeUnit::Second), &mut text).unwrap();
/// assert_eq!(text, b"time,v\n7,0.1\n8,1e90\n");
/// ```
///
/// # Errors
/// What `out` reports.
pub fn write_csv(output: &Output, form: TimeForm, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&header(output))?;
    let format = output.time_format(form);
    let starts: Vec<usize> = (0..output.len()).step_by(BLOCK).collect();
    for batch in starts.chunks(4 * rayon::current_num_threads()) {
        let texts: Vec<Vec<u8>> = batch
            .par_iter()
            .map(|&start| block(output, form, format, start..output.len().min(start + BLOCK)))
            .collect();
        for text in texts {
            out.write_all(&text)?;
        }
    }
    out.flush()
}

fn header(output: &Output) -> Vec<u8> {
    let mut line = b"time".to_vec();
    for column in &output.columns {
        line.push(b',');
        line.extend_from_slice(quoted(column.name()).as_bytes());
    }
    line.push(b'\n');
    line
}

/// A name, in quotes if a reader could misunderstand it.
fn quoted(name: &str) -> String {
    let plain = name.trim() == name && !name.contains([',', '"', '\n', '\r']);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

fn block(output: &Output, form: TimeForm, format: TimeFormat, rows: Range<usize>) -> Vec<u8> {
    let mut text = Vec::with_capacity(rows.len() * 16 * (1 + output.columns.len()));
    for row in rows {
        format.write(output.stamp(row), &mut text);
        for column in &output.columns {
            text.push(b',');
            write_field(column, row, form, &mut text);
        }
        text.push(b'\n');
    }
    text
}

/// Appends the text of one value of a column; nothing if it is φ.
///
/// # Panics
/// If there is no such row.
pub fn write_field(column: &Column, row: usize, form: TimeForm, text: &mut Vec<u8>) {
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
            TimeFormat::for_stamps(form, [stamp]).write(stamp, text);
        }
        Type::Duration => display(DurationText(column.values::<i64>()[row]), text),
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
