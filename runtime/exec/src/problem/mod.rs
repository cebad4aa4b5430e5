//! What can be wrong with a file of data, and where.

use tilt_ir::{Grid, Type};

use crate::files::Format;
use crate::time::{TimeError, TimeForm};

mod message;

/// Something wrong in a file: `prices.csv:7: column `Close`: `abc` is not a number (f64)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// The file's name.
    pub file: String,
    /// The line in a text file, from 1.
    pub line: Option<u64>,
    /// The row in a file that has no lines (Parquet, Arrow IPC), from 1.
    pub row: Option<u64>,
    /// The column's name in the header.
    pub column: Option<String>,
    /// What is wrong.
    pub problem: Box<Problem>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The system does not let us read it.
    Unreadable {
        /// What the system says.
        reason: String,
    },
    /// Not of its format, or damaged.
    Broken {
        /// The format.
        format: Format,
        /// What its reader says.
        reason: String,
    },
    /// No header line.
    Empty,
    /// The header is not UTF-8.
    Encoding,
    /// No column for a field.
    NoColumn {
        /// The field.
        field: String,
        /// The column that was asked for, if one was.
        asked: Option<String>,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// Several columns for a field, or for the time if `field` is `None`.
    Ambiguous {
        /// The field.
        field: Option<String>,
        /// The candidates.
        columns: Vec<String>,
    },
    /// A column was given for a field that does not exist.
    NoField {
        /// What was given.
        field: String,
        /// The fields that there are.
        fields: Vec<String>,
    },
    /// The named time column does not exist, or (`asked` is `None`) none was found.
    NoTime {
        /// The name that was given.
        asked: Option<String>,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// Times are numbers and no unit was given.
    NoUnit {
        /// The first such time.
        value: String,
    },
    /// A row with too few or too many values.
    Width {
        /// Values in the row.
        found: usize,
        /// Names in the header.
        expected: usize,
    },
    /// Text behind a closing quote: `"1"5`.
    AfterQuote,
    /// A quote that is open at the end of the file.
    Unclosed,
    /// An object of JSON that is none, or not a flat one.
    Json {
        /// What is wrong.
        reason: String,
    },
    /// The column of a file has a type that is not the field's and does not convert to it without loss.
    Type {
        /// The column's type in the words of Arrow.
        found: String,
        /// The field's type.
        ty: Type,
        /// Why, if it is not plain.
        reason: Option<&'static str>,
    },
    /// A number that the field's type has only nearly.
    Inexact {
        /// The number.
        value: String,
        /// The field's type.
        ty: Type,
    },
    /// A list that has not as many elements as the array that it is read as.
    Length {
        /// Its elements.
        found: usize,
        /// Those of the array.
        expected: usize,
    },
    /// A row whose key is φ.
    NullKey,
    /// More rows than can be sorted or grouped by key.
    TooMany {
        /// Rows in the file.
        rows: usize,
    },
    /// A value that is not of the column's type.
    Value {
        /// The value.
        value: String,
        /// The type.
        ty: Type,
        /// Spelled as a number should be, but too large or too small for the type.
        range: bool,
    },
    /// A stamp that is no time.
    Time {
        /// The stamp's text.
        value: String,
        /// Why.
        error: TimeError,
    },
    /// A row without a stamp.
    NoStamp,
    /// A stamp off the stream's grid.
    OffGrid {
        /// The stamp.
        stamp: i64,
        /// The grid.
        grid: Grid,
        /// How the file spells times.
        form: TimeForm,
    },
    /// Two rows with one stamp.
    Doubled {
        /// The row's key, if it has one.
        key: Option<String>,
        /// The stamp.
        stamp: i64,
        /// How the file spells times.
        form: TimeForm,
    },
    /// A row that is earlier than the one before it, of the same key if there are keys.
    Unsorted {
        /// The row's key, if it has one.
        key: Option<String>,
        /// The stamp of the row before.
        previous: i64,
        /// The row's stamp.
        stamp: i64,
        /// How the file spells times.
        form: TimeForm,
    },
    /// So few rows over so much time that the grid would be almost all φ.
    Sparse {
        /// The rows in the file.
        rows: usize,
        /// The rows of the grid.
        dense: i128,
        /// The first and the last stamp.
        extent: (i64, i64),
        /// The grid.
        grid: Grid,
        /// How the file spells times.
        form: TimeForm,
    },
}

impl std::error::Error for DataError {}
