//! Column files: Parquet and Arrow IPC.
//!
//! Only the columns that were asked for are decoded. Their Arrow types convert where nothing is lost:
//!
//! | field | columns |
//! |---|---|
//! | integers | integers of any width; a value out of range is an error with its row |
//! | f32, f64 | floats that are no wider; integers whose values are exact |
//! | bool | Boolean |
//! | time | Timestamp (any unit, with or without zone), Date32, Date64; integers if their unit is said; ISO 8601 strings |
//! | duration | Duration, Time32, Time64 (since midnight); strings like `1m30s` |
//! | symbol | Utf8, LargeUtf8, Utf8View, dictionaries of them |
//! | elements of an array | List, LargeList, FixedSizeList of these, of the array's length in all rows |
//!
//! Decimals are refused: there is no such type here, and which one is meant (a float, a count of cents) is
//! not for a reader to guess.

mod convert;
mod ipc;
mod lists;
mod load;
mod memory;
mod number;
mod parquet;
mod symbol;
mod text;
mod time;
mod to_batch;

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use arrow::array::ArrayRef;
use arrow::compute::concat;
use arrow::datatypes::{DataType, SchemaRef};
use bytes::Bytes;

use crate::column::Column;
use crate::problem::Problem;
use crate::workers;

pub(crate) use ipc::write_ipc;
pub(crate) use load::read;
pub use load::read_batches;
pub(crate) use parquet::write_parquet;

/// Where the bytes are.
pub(crate) enum Source {
    /// In a file; opened anew by every thread that reads it.
    Path(PathBuf),
    Bytes(Bytes),
}

impl Source {
    fn open(&self) -> io::Result<Option<File>> {
        match self {
            Source::Path(path) => File::open(path).map(Some),
            Source::Bytes(_) => Ok(None),
        }
    }
}

/// A file that is open: its schema, and how to decode columns.
trait Table: Sync {
    fn schema(&self) -> SchemaRef;

    /// Whether there are no rows, as far as that is known.
    fn is_empty(&self) -> bool;

    /// The arrays of these columns, in order: one after the other they are the column. `symbols` says which
    /// columns are strings with few different values.
    fn decode(&self, columns: &[usize], symbols: &[bool]) -> Result<Vec<Vec<ArrayRef>>, String>;
}

/// Something wrong in a column, perhaps in one row of it.
struct Mismatch {
    row: Option<usize>,
    problem: Problem,
}

impl From<Problem> for Mismatch {
    fn from(problem: Problem) -> Mismatch {
        Mismatch { row: None, problem }
    }
}

impl Mismatch {
    fn at(row: usize, problem: Problem) -> Mismatch {
        Mismatch { row: Some(row), problem }
    }
}

/// Damaged files can make a decoder panic; that is an error of the file.
fn guarded<R>(job: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
    match catch_unwind(AssertUnwindSafe(job)) {
        Ok(result) => result,
        Err(panic) => Err(match panic.downcast_ref::<String>() {
            Some(message) => message.clone(),
            None => panic.downcast_ref::<&str>().map_or("it is damaged", |message| message).to_owned(),
        }),
    }
}

/// Converts every array of a column and puts the results together. `convert` numbers rows from the
/// beginning of its array.
fn converted(
    arrays: &[ArrayRef],
    empty: DataType,
    convert: impl Fn(&ArrayRef) -> Result<ArrayRef, Mismatch> + Sync + Send,
) -> Result<ArrayRef, Mismatch> {
    let results = workers::map(arrays.iter().collect(), |array: &ArrayRef| convert(array));
    let mut parts = Vec::with_capacity(results.len());
    let mut before = 0;
    for (array, result) in arrays.iter().zip(results) {
        parts.push(result.map_err(|wrong| Mismatch { row: wrong.row.map(|row| before + row), ..wrong })?);
        before += array.len();
    }
    match &parts[..] {
        [] => Ok(arrow::array::new_empty_array(&empty)),
        [one] => Ok(one.clone()),
        many => {
            let many: Vec<&dyn arrow::array::Array> = many.iter().map(AsRef::as_ref).collect();
            let too_long =
                |error: arrow::error::ArrowError| Problem::Unreadable { reason: error.to_string() };
            concat(&many).map_err(|error| too_long(error).into())
        }
    }
}

/// An Arrow array of a type that columns have.
fn named(name: &str, array: &ArrayRef) -> Result<Column, Mismatch> {
    Column::from_arrow(name, array).map_err(|wrong| Problem::Unreadable { reason: wrong.to_string() }.into())
}
