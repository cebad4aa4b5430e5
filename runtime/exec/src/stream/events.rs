//! Events: rows with stamps of their own.

use std::ops::Range;

use arrow::buffer::ScalarBuffer;

use crate::column::Column;

/// Rows at any times, ordered by (stamp, arrival): rows with equal stamps stand as they came.
///
/// ```
/// use tilt_exec::{Column, EventStream};
/// use tilt_ir::Type;
/// let price = Column::from_values("price", Type::F64, vec![1.5, 1.25, 2.0]);
/// let trades = EventStream { stamps: vec![10, 10, 25].into(), until: None, columns: vec![price] };
/// assert_eq!(trades.slice(1..3).extent(), Some((10, 25)));
/// ```
#[derive(Clone, Debug)]
pub struct EventStream {
    /// The stamp of each row, in nanoseconds.
    pub stamps: ScalarBuffer<i64>,
    /// Of an interval input (`from a to b`): for each row the time from which on it holds no more.
    pub until: Option<ScalarBuffer<i64>>,
    /// The fields, each as long as `stamps`.
    pub columns: Vec<Column>,
}

impl EventStream {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.stamps.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.stamps.is_empty()
    }

    /// The first and the last stamp; `None` without rows.
    pub fn extent(&self) -> Option<(i64, i64)> {
        Some((*self.stamps.first()?, *self.stamps.last()?))
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name() == name)
    }

    /// These rows, shared.
    ///
    /// # Panics
    /// If there are no such rows.
    pub fn slice(&self, rows: Range<usize>) -> EventStream {
        let cut = |times: &ScalarBuffer<i64>| times.slice(rows.start, rows.len());
        EventStream {
            stamps: cut(&self.stamps),
            until: self.until.as_ref().map(cut),
            columns: self.columns.iter().map(|column| column.slice(rows.clone())).collect(),
        }
    }
}
