//! Results: columns with the times of their rows.

use arrow::buffer::ScalarBuffer;
use tilt_ir::Grid;

use crate::column::Column;
use crate::time::{TimeForm, TimeFormat};

/// The rows of one output of a query.
#[derive(Clone, Debug)]
pub struct Output {
    /// The output's name in the query.
    pub name: String,
    /// When the rows are.
    pub times: Times,
    /// Of a keyed output first the keys, a column each; then the fields.
    pub columns: Vec<Column>,
}

/// The stamps of an output's rows.
#[derive(Clone, Debug)]
pub enum Times {
    /// Every grid point from row `first` on.
    Regular {
        /// The grid.
        grid: Grid,
        /// The grid's number of the first row.
        first: i64,
        /// How many rows.
        len: usize,
    },
    /// One stamp per row, in ascending order: what is left of a grid after `where`.
    Listed {
        /// The grid that the stamps lie on.
        grid: Grid,
        /// The stamps.
        stamps: ScalarBuffer<i64>,
    },
    /// One stamp per row, in ascending order, perhaps the same one more than once: rows of events, or of
    /// several keys.
    Events {
        /// The stamps.
        stamps: ScalarBuffer<i64>,
    },
}

impl Output {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.times {
            Times::Regular { len, .. } => *len,
            Times::Listed { stamps, .. } | Times::Events { stamps } => stamps.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The grid of the rows, if they are known to lie on one.
    pub fn grid(&self) -> Option<Grid> {
        match &self.times {
            Times::Regular { grid, .. } | Times::Listed { grid, .. } => Some(*grid),
            Times::Events { .. } => None,
        }
    }

    /// The stamp of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn stamp(&self, row: usize) -> i64 {
        match &self.times {
            Times::Regular { grid, first, len } => {
                assert!(row < *len, "row {row} of an output with {len} rows");
                // The first and last stamps were checked when the output was made.
                grid.offset.wrapping_add(grid.period.wrapping_mul(first + row as i64))
            }
            Times::Listed { stamps, .. } | Times::Events { stamps } => stamps[row],
        }
    }

    /// The stamps of all rows.
    pub fn stamps(&self) -> impl Iterator<Item = i64> + '_ {
        (0..self.len()).map(|row| self.stamp(row))
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name() == name)
    }

    /// How this output's stamps are written, given the form of the data.
    pub fn time_format(&self, form: TimeForm) -> TimeFormat {
        match &self.times {
            Times::Regular { grid, .. } | Times::Listed { grid, .. } => TimeFormat::for_grid(form, *grid),
            Times::Events { stamps } => TimeFormat::for_stamps(form, stamps.iter().copied()),
        }
    }
}
