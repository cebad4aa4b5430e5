//! Outputs as record batches of files.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, DictionaryArray, FixedSizeListArray, Int32Array, Int64Array, RecordBatch,
    RecordBatchOptions, StringArray, TimestampNanosecondArray,
};
use arrow::compute::interleave;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use tilt_ir::Type;

use crate::arrays::{self, Group};
use crate::column::Column;
use crate::output::Output;
use crate::symbols::Dictionary;
use crate::time::{TimeForm, TimeUnit};

impl Output {
    /// The output as Arrow, as its files have it: a column `time` (a timestamp, or a whole number if the
    /// data count units), then the columns, symbols as dictionaries of strings.
    ///
    /// # Errors
    /// If Arrow cannot hold it: more than 2³¹ different symbols.
    pub fn to_arrow_batch(&self, form: TimeForm, symbols: &Dictionary) -> io::Result<RecordBatch> {
        let batches = Batches::new(self, form, symbols);
        let whole = batches.of_rows(self.len().max(1)).next();
        whole.unwrap_or_else(|| Ok(RecordBatch::new_empty(batches.schema())))
    }
}

/// An output in pieces of some rows.
pub(super) struct Batches<'a> {
    output: &'a Output,
    columns: Vec<Field>,
    /// The length of what the stamps count; `None` if they are timestamps.
    unit: Option<TimeUnit>,
    zoned: bool,
    /// For each column of symbols its strings, and the number there of each id that it has.
    strings: Vec<Option<Strings>>,
}

struct Strings {
    values: ArrayRef,
    numbers: Vec<i32>,
}

impl<'a> Batches<'a> {
    pub(super) fn new(output: &'a Output, form: TimeForm, symbols: &Dictionary) -> Batches<'a> {
        let zoned = matches!(form, TimeForm::Zoned(_));
        let unit = match form {
            TimeForm::Count(unit) => Some(whole_unit(output, unit)),
            TimeForm::Date | TimeForm::Civil(_) | TimeForm::Zoned(_) => None,
        };
        let strings = output.columns.iter().map(|column| strings(column, symbols)).collect();
        let mut batches = Batches { output, columns: vec![], unit, zoned, strings };
        let ty = batches.stamps(0..0).data_type().clone();
        let unit = unit.map(|unit| HashMap::from([("unit".to_owned(), unit.name().to_owned())]));
        batches.columns.push(Field::new("time", ty, false).with_metadata(unit.unwrap_or_default()));
        for group in arrays::groups(output.columns.iter().map(Column::name)) {
            let ty = batches.array(&group, 0..0).data_type().clone();
            batches.columns.push(Field::new(group.name, ty, true));
        }
        batches
    }

    pub(super) fn schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.columns.clone()))
    }

    /// Batches of so many rows, the last one of fewer.
    pub(super) fn of_rows(&self, rows: usize) -> impl Iterator<Item = io::Result<RecordBatch>> {
        let schema = self.schema();
        let len = self.output.len();
        (0..len).step_by(rows).map(move |start| {
            let range = start..len.min(start + rows);
            let stamps = self.stamps(range.clone());
            let groups = arrays::groups(self.output.columns.iter().map(Column::name));
            let columns = groups.iter().map(|group| self.array(group, range.clone()));
            let arrays = std::iter::once(stamps).chain(columns).collect();
            let options = RecordBatchOptions::new().with_row_count(Some(range.len()));
            RecordBatch::try_new_with_options(schema.clone(), arrays, &options)
                .map_err(|error| io::Error::other(error.to_string()))
        })
    }

    fn stamps(&self, rows: std::ops::Range<usize>) -> ArrayRef {
        let stamps = rows.map(|row| self.output.stamp(row));
        if let Some(unit) = self.unit {
            return Arc::new(Int64Array::from_iter_values(stamps.map(|stamp| stamp / unit.nanoseconds())));
        }
        let stamps = TimestampNanosecondArray::from_iter_values(stamps);
        Arc::new(if self.zoned { stamps.with_timezone("UTC") } else { stamps })
    }

    /// A column, or an array as lists of that length.
    fn array(&self, group: &Group<'_>, rows: std::ops::Range<usize>) -> ArrayRef {
        if !group.is_array {
            return self.column(group.columns.start, rows);
        }
        let columns: Vec<ArrayRef> =
            group.columns.clone().map(|number| self.column(number, rows.clone())).collect();
        let parts: Vec<&dyn Array> = columns.iter().map(AsRef::as_ref).collect();
        let places: Vec<(usize, usize)> =
            (0..rows.len()).flat_map(|row| (0..columns.len()).map(move |column| (column, row))).collect();
        let values = match interleave(&parts, &places) {
            Ok(values) => values,
            Err(error) => unreachable!("the elements of an array have one type: {error}"),
        };
        let element = Arc::new(Field::new_list_field(values.data_type().clone(), true));
        Arc::new(FixedSizeListArray::new(element, columns.len() as i32, values, None))
    }

    fn column(&self, number: usize, rows: std::ops::Range<usize>) -> ArrayRef {
        let column = self.output.columns[number].slice(rows);
        let Some(strings) = &self.strings[number] else { return column.to_arrow(self.zoned) };
        let number = |(row, id): (usize, &u32)| column.is_valid(row).then(|| strings.numbers[*id as usize]);
        let keys: Int32Array = column.values::<u32>().iter().enumerate().map(number).collect();
        Arc::new(DictionaryArray::new(keys, strings.values.clone()))
    }
}

/// The coarsest unit, this one or a finer one, of which all stamps are whole numbers.
fn whole_unit(output: &Output, unit: TimeUnit) -> TimeUnit {
    let mut finer = TimeUnit::ALL.into_iter().skip_while(|other| *other != unit);
    let is_whole = |unit: &TimeUnit| output.stamps().all(|stamp| stamp % unit.nanoseconds() == 0);
    finer.find(is_whole).unwrap_or(TimeUnit::Nanosecond)
}

/// The strings of the symbols that a column has; none if it is not of symbols.
fn strings(column: &Column, symbols: &Dictionary) -> Option<Strings> {
    if column.ty() != Type::Symbol {
        return None;
    }
    let most = column.values::<u32>().iter().max().map_or(0, |id| *id as usize + 1);
    let mut numbers = vec![-1; most];
    let mut used: Vec<String> = Vec::new();
    for (row, id) in column.values::<u32>().iter().enumerate() {
        let number = &mut numbers[*id as usize];
        if *number < 0 && column.is_valid(row) {
            *number = used.len() as i32;
            used.push(symbols.get(*id).map_or_else(|| format!("#{id}"), str::to_owned));
        }
    }
    let values: ArrayRef = Arc::new(StringArray::from(used));
    debug_assert_eq!(values.data_type(), &DataType::Utf8);
    Some(Strings { values, numbers })
}
