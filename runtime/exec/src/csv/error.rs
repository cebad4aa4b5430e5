//! What can be wrong with a file of data, and where.

use std::fmt;

use tilt_ir::{Grid, Type};

use crate::time::{DurationText, TimeError, TimeForm, TimeFormat};

/// Something wrong in a file: `prices.csv:7: column `Close`: `abc` is not a number (f64)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// The file's name.
    pub file: String,
    /// The line in the file, from 1.
    pub line: Option<u64>,
    /// The column's name in the header.
    pub column: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
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
        /// The stamp.
        stamp: i64,
        /// How the file spells times.
        form: TimeForm,
    },
    /// A row that is earlier than the one before it.
    Unsorted {
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

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(column) = &self.column {
            write!(f, ": column `{column}`")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Empty => {
                f.write_str("the file is empty; a line with column names is expected")
            }
            Problem::Encoding => f.write_str("the column names are not UTF-8"),
            Problem::NoColumn {
                field,
                asked: None,
                columns,
            } => write!(
                f,
                "no column for field `{field}`; the columns are {}: say {field}=COLUMN",
                list(columns)
            ),
            Problem::NoColumn {
                field,
                asked: Some(asked),
                columns,
            } => write!(
                f,
                "no column `{asked}`, which was asked for field `{field}`; the columns are {}",
                list(columns)
            ),
            Problem::Ambiguous {
                field: Some(field),
                columns,
            } => {
                write!(
                    f,
                    "{} all match field `{field}`: say {field}=COLUMN",
                    list(columns)
                )
            }
            Problem::Ambiguous {
                field: None,
                columns,
            } => {
                write!(
                    f,
                    "{} could all be the time: say time=COLUMN",
                    list(columns)
                )
            }
            Problem::NoField { field, fields } => {
                write!(
                    f,
                    "there is no field `{field}`; the fields are {}",
                    list(fields)
                )
            }
            Problem::NoTime {
                asked: Some(asked),
                columns,
            } => {
                write!(
                    f,
                    "no time column `{asked}`; the columns are {}",
                    list(columns)
                )
            }
            Problem::NoTime {
                asked: None,
                columns,
            } => write!(
                f,
                "none of the columns {} is a time by its name or its first value: say time=COLUMN",
                list(columns)
            ),
            Problem::NoUnit { value } => write!(
                f,
                "the time `{value}` is a number: say what it counts, unit=s (or ns, us, ms, m, h, d)"
            ),
            Problem::Width { found, expected } => {
                write!(
                    f,
                    "{found} values, but the first line names {expected} columns"
                )
            }
            Problem::Value {
                value,
                ty,
                range: true,
            } => {
                write!(f, "`{value}` is out of the range of {ty}")
            }
            Problem::Value {
                value,
                ty,
                range: false,
            } => {
                write!(f, "`{value}` is not {} ({ty})", kind(*ty))
            }
            Problem::Time { value, error } => write!(f, "`{value}` {error}"),
            Problem::NoStamp => f.write_str("the time is empty"),
            Problem::OffGrid { stamp, grid, form } => {
                write!(
                    f,
                    "the time {} is not on the grid {}",
                    text(*form, *stamp),
                    every(*grid)
                )?;
                let below = grid.row_at(*stamp);
                match (
                    grid.stamp(below),
                    below.checked_add(1).and_then(|next| grid.stamp(next)),
                ) {
                    (Some(before), Some(after)) => write!(
                        f,
                        "; the points beside it are {} and {}",
                        text(*form, before),
                        text(*form, after)
                    ),
                    _ => Ok(()),
                }
            }
            Problem::Doubled { stamp, form } => write!(
                f,
                "a second row for the time {}; `duplicates=last` keeps the last",
                text(*form, *stamp)
            ),
            Problem::Unsorted {
                previous,
                stamp,
                form,
            } => write!(
                f,
                "the time {} comes after {} in the row before it; `sort` allows any order",
                text(*form, *stamp),
                text(*form, *previous)
            ),
            Problem::Sparse {
                rows,
                dense,
                extent,
                grid,
                form,
            } => write!(
                f,
                "{rows} rows from {} to {} would be {dense} rows {}: is the period right?",
                text(*form, extent.0),
                text(*form, extent.1),
                every(*grid)
            ),
        }
    }
}

/// What a value of the type is called.
fn kind(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "true or false",
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => "a whole number",
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => "a whole number that is not negative",
        Type::F32 | Type::F64 => "a number",
        Type::Time => "a date or time",
        Type::Duration => "a span of time like 1m30s",
    }
}

/// The grid as the query language spells it.
fn every(grid: Grid) -> String {
    let offset = match grid.offset {
        0 => String::new(),
        offset => format!(" offset {}", DurationText(offset)),
    };
    format!("every {}{offset}", DurationText(grid.period))
}

fn text(form: TimeForm, stamp: i64) -> String {
    TimeFormat::text(form, stamp)
}

fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
