//! From the columns of a table to the streams of an input.

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{DataType, Fields};
use tilt_ir::Type;

use super::lists::Opened;
use super::memory::MemoryTable;
use super::{Mismatch, Source, Table, convert, guarded, ipc, parquet, time};
use crate::arrange::{Misplaced, Rows, Rules, arrange};
use crate::files::{Columns, Format, Guess, InputSpec, Loaded, ReadOptions, find, whole_file};
use crate::problem::{DataError, Problem};
use crate::symbols::Dictionary;
use crate::time::TimeForm;
use crate::workers;

pub(crate) fn read(
    file: &str,
    source: Source,
    format: Format,
    spec: &InputSpec<'_>,
    options: &ReadOptions,
    symbols: &mut Dictionary,
) -> Result<Loaded, DataError> {
    let table = guarded(|| -> Result<Box<dyn Table>, String> {
        Ok(match format {
            Format::Parquet => Box::new(parquet::open(source)?),
            Format::Arrow | Format::ArrowStream => Box::new(ipc::open(source)?),
            Format::Csv | Format::Json => unreachable!("{format} is text"),
        })
    });
    let table = table.map_err(|reason| whole_file(file, Problem::Broken { format, reason }))?;
    read_table(file, table.as_ref(), format, spec, options, symbols)
}

/// Takes Arrow batches, one after the other, as the data of an input, with the same conversions and checks
/// as for files. `name` is for messages. New symbols are added to `symbols`.
///
/// ```
/// use std::sync::Arc;
/// use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
/// use tilt_exec::{Dictionary, InputKind, InputSpec, ReadOptions, read_batches};
/// use tilt_ir::Type;
/// let time: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 2]));
/// let ticker: ArrayRef = Arc::new(StringArray::from(vec!["MSFT", "AAPL", "MSFT"]));
/// let batch = RecordBatch::try_from_iter([("time", time), ("ticker", ticker)]).unwrap();
/// let spec = InputSpec { kind: InputKind::Events, keys: &[("ticker", Type::Symbol)], fields: &[] };
/// let mut options = ReadOptions::default();
/// options.set("unit=s").unwrap();
/// let loaded = read_batches("trades", &[batch], &spec, &options, &mut Dictionary::default()).unwrap();
/// assert_eq!(loaded.input.keys.unwrap().offsets, [0, 1, 3]);
/// ```
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read_batches(
    name: &str,
    batches: &[RecordBatch],
    spec: &InputSpec<'_>,
    options: &ReadOptions,
    symbols: &mut Dictionary,
) -> Result<Loaded, DataError> {
    let format = Format::Arrow;
    let table = MemoryTable::of(batches);
    let table = table.map_err(|reason| whole_file(name, Problem::Broken { format, reason }))?;
    workers::with_threads(options.threads, || read_table(name, &table, format, spec, options, symbols))
}

fn read_table(
    file: &str,
    table: &dyn Table,
    format: Format,
    spec: &InputSpec<'_>,
    options: &ReadOptions,
    symbols: &mut Dictionary,
) -> Result<Loaded, DataError> {
    let broken = |reason: String| whole_file(file, Problem::Broken { format, reason });
    let fields = table.schema().fields().clone();
    let opened = Opened::new(&fields, spec);
    let names = &opened.names;
    let guess = || guess(&fields, &opened, table.is_empty());
    let found = find(names, spec, options, guess).map_err(|problem| whole_file(file, problem))?;
    let Some(found) = found else {
        return arrange(no_rows(spec), spec, &Rules::new(options, TimeForm::Date, symbols))
            .map(|input| Loaded { input, form: None })
            .map_err(|misplaced| whole_file(file, misplaced.problem));
    };
    let Columns { time, until, values } = &found;
    let wanted: Vec<usize> = [*time].into_iter().chain(*until).chain(values.iter().copied()).collect();
    let first_value = wanted.len() - values.len();
    let is_symbol: Vec<bool> =
        (0..first_value).map(|_| false).chain(spec.columns().map(|(_, ty)| ty == Type::Symbol)).collect();
    let decoded = decode(table, &opened, &wanted, &is_symbol).map_err(broken)?;
    let place = |place: usize, mismatch: Mismatch| DataError {
        file: file.to_owned(),
        line: None,
        row: mismatch.row.map(|row| row as u64 + 1),
        column: Some(names[wanted[place]].clone()),
        problem: Box::new(mismatch.problem),
    };
    let mut form = None;
    let stamps = time::stamps(&decoded[0], options, &mut form, None).map_err(|wrong| place(0, wrong))?;
    let until = match until {
        Some(_) => Some(
            time::stamps(&decoded[1], options, &mut form, Some(i64::MAX)).map_err(|wrong| place(1, wrong))?,
        ),
        None => None,
    };
    let mut columns = Vec::with_capacity(values.len());
    for (number, (name, ty)) in spec.columns().enumerate() {
        let place_of = first_value + number;
        let file_column = opened.column(wanted[place_of]);
        let asked = values.iter().filter(|value| opened.column(**value) == file_column).count();
        let arrays = opened.values(wanted[place_of], &decoded[place_of], asked);
        let column = arrays.and_then(|arrays| convert::column(name, ty, &arrays, options, symbols));
        columns.push(column.map_err(|wrong| place(first_value + number, wrong))?);
    }
    let form = form.filter(|_| !stamps.is_empty());
    let rules = Rules::new(options, form.unwrap_or(TimeForm::Date), symbols);
    let input = arrange(Rows { stamps, until, columns }, spec, &rules);
    let input = input.map_err(|Misplaced { row, key, problem }| DataError {
        file: file.to_owned(),
        line: None,
        row: row.map(|row| row as u64 + 1),
        column: key.and_then(|key| names.get(values[key]).cloned()),
        problem: Box::new(problem),
    })?;
    Ok(Loaded { input, form })
}

/// The arrays of the columns that these names are in; each column is decoded once.
fn decode(
    table: &dyn Table,
    opened: &Opened,
    wanted: &[usize],
    is_symbol: &[bool],
) -> Result<Vec<Vec<ArrayRef>>, String> {
    let mut columns: Vec<usize> = wanted.iter().map(|name| opened.column(*name)).collect();
    columns.sort_unstable();
    columns.dedup();
    let symbols: Vec<bool> = columns
        .iter()
        .map(|column| {
            let mut asked = wanted.iter().zip(is_symbol).filter(|(name, _)| opened.column(**name) == *column);
            asked.all(|(_, is_symbol)| *is_symbol)
        })
        .collect();
    let decoded = guarded(|| table.decode(&columns, &symbols))?;
    let place = |name: &usize| columns.binary_search(&opened.column(*name)).unwrap_or_default();
    Ok(wanted.iter().map(|name| decoded[place(name)].clone()).collect())
}

/// The first column of times.
fn guess(fields: &Fields, opened: &Opened, is_empty: bool) -> Guess {
    let is_time = |ty: &DataType| matches!(ty, DataType::Timestamp(..) | DataType::Date32 | DataType::Date64);
    let mut names = 0..opened.names.len();
    match names.find(|name| is_time(fields[opened.column(*name)].data_type())) {
        Some(column) => Guess::Column(column),
        None if is_empty => Guess::NoRows,
        None => Guess::None,
    }
}

fn no_rows(spec: &InputSpec<'_>) -> Rows {
    crate::csv::no_rows(spec).finish(spec.columns().map(|(name, _)| name))
}
