//! Errors in data, in words.

use std::fmt;

use tilt_ir::{Grid, Type};

use super::{DataError, Problem};
use crate::time::{DurationText, TimeForm, TimeFormat};

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(row) = self.row {
            write!(f, ": row {row}")?;
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
            Problem::Unreadable { reason } => f.write_str(reason),
            Problem::Broken { format, reason } => write!(f, "this is no readable {format} file: {reason}"),
            Problem::Empty => f.write_str("the file is empty; a line with column names is expected"),
            Problem::Encoding => f.write_str("the column names are not UTF-8"),
            Problem::NoColumn { field, asked: None, columns } => write!(
                f,
                "no column for field `{field}`; the columns are {}: say {field}=COLUMN",
                list(columns)
            ),
            Problem::NoColumn { field, asked: Some(asked), columns } => write!(
                f,
                "no column `{asked}`, which was asked for field `{field}`; the columns are {}",
                list(columns)
            ),
            Problem::Ambiguous { field: Some(field), columns } => {
                write!(f, "{} all match field `{field}`: say {field}=COLUMN", list(columns))
            }
            Problem::Ambiguous { field: None, columns } => {
                write!(f, "{} could all be the time: say time=COLUMN", list(columns))
            }
            Problem::NoField { field, fields } => {
                write!(f, "there is no field `{field}`; the fields are {}", list(fields))
            }
            Problem::NoTime { asked: Some(asked), columns } => {
                write!(f, "no time column `{asked}`; the columns are {}", list(columns))
            }
            Problem::NoTime { asked: None, columns } => write!(
                f,
                "none of the columns {} is a time by its name or its first value: say time=COLUMN",
                list(columns)
            ),
            Problem::NoUnit { value } => write!(
                f,
                "the time `{}` is a number: say what it counts, unit=s (or ns, us, ms, m, h, d)",
                short(value)
            ),
            Problem::Width { found, expected } => {
                write!(f, "{found} values, but the first line names {expected} columns")
            }
            Problem::AfterQuote => f.write_str("there is text behind a closing quote"),
            Problem::Unclosed => f.write_str("a quote is opened here and never closed"),
            Problem::Json { reason } => f.write_str(reason),
            Problem::Type { found, ty, reason: None } => {
                write!(f, "the column is {found}, the field {ty}: it does not convert without loss")
            }
            Problem::Type { found, ty, reason: Some(reason) } => {
                write!(f, "the column is {found}, the field {ty}: {reason}")
            }
            Problem::Inexact { value, ty } => {
                write!(f, "`{}` has no exact counterpart in {ty}", short(value))
            }
            Problem::Length { found, expected } => {
                write!(f, "a list of {found} for an array of {expected}")
            }
            Problem::NullKey => f.write_str("the key is empty"),
            Problem::TooMany { rows } => {
                write!(f, "{rows} rows are more than can be sorted or grouped by key in one file")
            }
            Problem::Value { value, ty, range: true } => {
                write!(f, "`{}` is out of the range of {ty}", short(value))
            }
            Problem::Value { value, ty, range: false } => {
                write!(f, "`{}` is not {} ({ty})", short(value), kind(*ty))
            }
            Problem::Time { value, error } => write!(f, "`{}` {error}", short(value)),
            Problem::NoStamp => f.write_str("the time is empty"),
            Problem::OffGrid { stamp, grid, form } => {
                write!(f, "the time {} is not on the grid {}", text(*form, *stamp), every(*grid))?;
                let below = grid.row_at(*stamp);
                match (grid.stamp(below), below.checked_add(1).and_then(|next| grid.stamp(next))) {
                    (Some(before), Some(after)) => write!(
                        f,
                        "; the points beside it are {} and {}",
                        text(*form, before),
                        text(*form, after)
                    ),
                    _ => Ok(()),
                }
            }
            Problem::Doubled { key, stamp, form } => write!(
                f,
                "{}a second row for the time {}; `duplicates=last` keeps the last",
                of_key(key),
                text(*form, *stamp)
            ),
            Problem::Unsorted { key: None, previous, stamp, form } => write!(
                f,
                "the time {} comes after {} in the row before it; `sort` allows any order",
                text(*form, *stamp),
                text(*form, *previous)
            ),
            Problem::Unsorted { key, previous, stamp, form } => write!(
                f,
                "{}the time {} comes after {} in the key's row before it; `sort` allows any order",
                of_key(key),
                text(*form, *stamp),
                text(*form, *previous)
            ),
            Problem::Sparse { rows, dense, extent, grid, form } => write!(
                f,
                "{rows} rows from {} to {} would be {dense} rows {}: is the period right?",
                text(*form, extent.0),
                text(*form, extent.1),
                every(*grid)
            ),
        }
    }
}

/// A value, cut if it is long.
fn short(value: &str) -> std::borrow::Cow<'_, str> {
    const MOST: usize = 100;
    match value.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &value[..end]).into(),
        None => value.into(),
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
        Type::Symbol => "UTF-8 text",
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

fn of_key(key: &Option<String>) -> String {
    key.as_ref().map_or_else(String::new, |key| format!("key {key}: "))
}

fn text(form: TimeForm, stamp: i64) -> String {
    TimeFormat::text(form, stamp)
}

fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
