//! Regular streams: columns whose rows lie on a grid.

use arrow::array::RecordBatch;
use tilt_ir::Grid;

use crate::arrow_bridge::ArrowMismatch;
use crate::column::Column;

/// Consecutive rows of a regular stream. Column entry i belongs to row `first + i` of the grid.
#[derive(Clone, Debug)]
pub struct RegularStream {
    /// Where the rows lie in time.
    pub grid: Grid,
    /// The grid's number of the first row.
    pub first: i64,
    /// The number of rows.
    pub len: usize,
    /// The fields, each `len` long.
    pub columns: Vec<Column>,
}

impl RegularStream {
    /// A stream of the columns of an Arrow batch, without copying numbers; see
    /// [`Column::from_arrow`].
    ///
    /// # Errors
    /// If a column of the batch has a type that streams do not have.
    pub fn from_record_batch(
        grid: Grid,
        first: i64,
        batch: &RecordBatch,
    ) -> Result<RegularStream, ArrowMismatch> {
        let schema = batch.schema_ref();
        let columns = schema
            .fields()
            .iter()
            .zip(batch.columns())
            .map(|(field, array)| Column::from_arrow(field.name(), array))
            .collect::<Result<_, _>>()?;
        Ok(RegularStream { grid, first, len: batch.num_rows(), columns })
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name() == name)
    }

    /// The stamps of the first and the last row; `None` without rows, or if they lie outside the
    /// 64-bit range of times.
    pub fn extent(&self) -> Option<(i64, i64)> {
        let last = i64::try_from(self.len.checked_sub(1)?).ok()?;
        Some((self.grid.stamp(self.first)?, self.grid.stamp(self.first.checked_add(last)?)?))
    }
}
