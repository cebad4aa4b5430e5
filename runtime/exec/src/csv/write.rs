//! Outputs as CSV text.

use std::io::{self, Write};
use std::ops::Range;

use tilt_ir::Type;

use super::field::{FieldText, write_field};
use crate::column::Column;
use crate::output::Output;
use crate::time::TimeFormat;
use crate::workers;

/// Rows that are turned into text at a time.
const BLOCK: usize = 1 << 14;

/// Writes an output as CSV: a line of names (`time`, then the columns), then a line per row. φ is
/// empty; a float is the shortest text that reads back to the same bits, else `NaN`, `inf`, `-inf`;
/// times and symbols are spelled as `how` says, symbols in quotes where they need them. In a pool of
/// threads all of them work.
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
pub fn write_csv<'a>(output: &Output, how: impl Into<FieldText<'a>>, out: &mut dyn Write) -> io::Result<()> {
    let how = how.into();
    out.write_all(&header(output))?;
    let format = output.time_format(how.form);
    write_blocks(output.len(), out, |rows| block(output, &how, format, rows))?;
    out.flush()
}

/// Writes the texts of blocks of rows one after the other.
pub(crate) fn write_blocks(
    len: usize,
    out: &mut dyn Write,
    block: impl Fn(Range<usize>) -> Vec<u8> + Sync + Send,
) -> io::Result<()> {
    let starts: Vec<usize> = (0..len).step_by(BLOCK).collect();
    for batch in starts.chunks(4 * workers::threads()) {
        for text in workers::map(batch.to_vec(), |start| block(start..len.min(start + BLOCK))) {
            out.write_all(&text)?;
        }
    }
    Ok(())
}

fn header(output: &Output) -> Vec<u8> {
    let mut line = b"time".to_vec();
    for column in &output.columns {
        line.push(b',');
        write_text(column.name(), &mut line);
    }
    line.push(b'\n');
    line
}

/// Appends a text, in quotes if a reader could misunderstand it.
fn write_text(text: &str, line: &mut Vec<u8>) {
    let plain = !text.is_empty() && text.trim_ascii() == text && !text.contains([',', '"', '\n', '\r']);
    match plain {
        true => line.extend_from_slice(text.as_bytes()),
        false => line.extend_from_slice(format!("\"{}\"", text.replace('"', "\"\"")).as_bytes()),
    }
}

fn block(output: &Output, how: &FieldText<'_>, format: TimeFormat, rows: Range<usize>) -> Vec<u8> {
    let mut text = Vec::with_capacity(rows.len() * 16 * (1 + output.columns.len()));
    for row in rows {
        format.write(output.stamp(row), &mut text);
        for column in &output.columns {
            text.push(b',');
            match symbol(column, row, how) {
                Some(symbol) => write_text(symbol, &mut text),
                None => write_field(column, row, how, &mut text),
            }
        }
        text.push(b'\n');
    }
    text
}

/// The string of a symbol that is not φ.
fn symbol<'a>(column: &Column, row: usize, how: &FieldText<'a>) -> Option<&'a str> {
    match column.ty() == Type::Symbol && column.is_valid(row) {
        true => how.symbols.get(column.values::<u32>()[row]),
        false => None,
    }
}
