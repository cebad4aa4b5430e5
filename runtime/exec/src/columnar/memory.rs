//! Arrow batches that are in memory already.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{Schema, SchemaRef};

use super::Table;

pub(super) struct MemoryTable<'a> {
    schema: SchemaRef,
    batches: &'a [RecordBatch],
}

impl<'a> MemoryTable<'a> {
    /// Batches whose columns have the same names and types.
    pub(super) fn of(batches: &'a [RecordBatch]) -> Result<MemoryTable<'a>, String> {
        let schema = batches.first().map_or_else(|| Arc::new(Schema::empty()), RecordBatch::schema);
        let columns = |batch: &RecordBatch| -> Vec<_> {
            let schema = batch.schema();
            schema.fields().iter().map(|field| (field.name().clone(), field.data_type().clone())).collect()
        };
        match batches.iter().all(|batch| columns(batch) == columns(&batches[0])) {
            true => Ok(MemoryTable { schema, batches }),
            false => Err("the batches have different columns".to_owned()),
        }
    }
}

impl Table for MemoryTable<'_> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn is_empty(&self) -> bool {
        self.batches.iter().all(|batch| batch.num_rows() == 0)
    }

    fn decode(&self, columns: &[usize], _symbols: &[bool]) -> Result<Vec<Vec<ArrayRef>>, String> {
        let column =
            |column: &usize| self.batches.iter().map(|batch| batch.column(*column).clone()).collect();
        Ok(columns.iter().map(column).collect())
    }
}
