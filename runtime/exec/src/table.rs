//! Outputs as tables for people.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::util::pretty::pretty_format_batches;

use crate::csv::{FieldText, write_field};
use crate::output::Output;

/// A table of at most `rows` rows of an output: the first and the last ones with a row of dots
/// between them, and a last line that says how many there are in all. Values are spelled as `how` says.
///
/// ```
/// use tilt_exec::{Column, Output, TimeForm, TimeUnit, Times, pretty};
/// use tilt_ir::{Grid, Type};
/// let output = Output {
///     name: "x".to_owned(),
///     times: Times::Regular { grid: Grid::new(1_000_000_000, 0), first: 0, len: 100 },
///     columns: vec![Column::from_values("v", Type::I64, (0..100i64).collect())],
/// };
/// assert_eq!(pretty(&output, TimeForm::Count(TimeUnit::Second), 4), "\
/// +------+----+
/// | time | v  |
/// +------+----+
/// | 0    | 0  |
/// | 1    | 1  |
/// | …    | …  |
/// | 98   | 98 |
/// | 99   | 99 |
/// +------+----+
/// 100 rows");
/// ```
pub fn pretty<'a>(output: &Output, how: impl Into<FieldText<'a>>, rows: usize) -> String {
    let how = how.into();
    let len = output.len();
    let (head, tail) = match len > rows.max(1) {
        true => (rows.div_ceil(2), rows / 2),
        false => (len, 0),
    };
    let cut = head + tail < len;
    let shown = |text: &dyn Fn(usize) -> String| -> ArrayRef {
        let first = (0..head).map(text);
        let dots = cut.then(|| "…".to_owned());
        let last = (len - tail..len).map(text);
        Arc::new(first.chain(dots).chain(last).map(Some).collect::<StringArray>())
    };
    let format = output.time_format(how.form);
    let stamp = |row| text(|out| format.write(output.stamp(row), out));
    let mut columns = vec![("time", shown(&stamp))];
    for column in &output.columns {
        columns.push((column.name(), shown(&|row| text(|out| write_field(column, row, &how, out)))));
    }
    let (fields, arrays): (Vec<_>, Vec<_>) =
        columns.into_iter().map(|(name, array)| (Field::new(name, DataType::Utf8, true), array)).unzip();
    let table = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
        .and_then(|batch| pretty_format_batches(&[batch]).map(|table| table.to_string()));
    let unit = if len == 1 { "row" } else { "rows" };
    match table {
        Ok(table) => format!("{table}\n{len} {unit}"),
        Err(error) => unreachable!("equally long columns of text are a table: {error}"),
    }
}

fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
