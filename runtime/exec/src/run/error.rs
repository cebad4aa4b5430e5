//! Errors that the data provoke in a query.

use std::fmt;
use std::ops::Range;

use tilt_ir::Grid;

use crate::time::{DurationText, Separator, TimeForm, TimeFormat};

/// An error at one time of one definition: a value out of the range of its type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunError {
    /// When, in nanoseconds.
    pub time: i64,
    /// The definition's place in the query: of errors at one time, the first is reported.
    pub order: u32,
    /// The definition's name in the query.
    pub definition: String,
    /// What is wrong.
    pub message: String,
}

impl RunError {
    /// The message with the time in a given form.
    pub fn in_form(&self, form: TimeForm) -> String {
        let time = TimeFormat::text(form, self.time);
        format!("`{}` at {time}: {}", self.definition, self.message)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_form(TimeForm::Zoned(Separator::T)))
    }
}

impl std::error::Error for RunError {}

/// A run whose outputs do not fit in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The grid of the outputs.
    pub grid: Grid,
    /// The rows that were asked for.
    pub rows: Range<i64>,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = i128::from(self.rows.end) - i128::from(self.rows.start);
        let period = DurationText(self.grid.period);
        write!(f, "{rows} rows (every {period}) do not fit in memory")
    }
}

impl std::error::Error for TooLarge {}
