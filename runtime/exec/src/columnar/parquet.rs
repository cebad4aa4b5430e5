//! Parquet files.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;

use super::to_batch::Batches;
use super::{Source, Table, guarded};
use crate::output::Output;
use crate::symbols::Dictionary;
use crate::time::TimeForm;
use crate::workers;

/// Rows of a row group that is written: what a reader decodes at a time.
const GROUP: usize = 1 << 20;

pub(super) struct ParquetTable {
    source: Source,
    metadata: ArrowReaderMetadata,
}

pub(super) fn open(source: Source) -> Result<ParquetTable, String> {
    let options = ArrowReaderOptions::new();
    let metadata = match (source.open().map_err(text)?, &source) {
        (Some(file), _) => ArrowReaderMetadata::load(&file, options),
        (None, Source::Bytes(bytes)) => ArrowReaderMetadata::load(bytes, options),
        (None, Source::Path(_)) => ArrowReaderMetadata::load(&Bytes::new(), options),
    };
    Ok(ParquetTable { source, metadata: metadata.map_err(text)? })
}

impl Table for ParquetTable {
    fn schema(&self) -> SchemaRef {
        self.metadata.schema().clone()
    }

    fn is_empty(&self) -> bool {
        self.metadata.metadata().file_metadata().num_rows() == 0
    }

    fn decode(&self, columns: &[usize], symbols: &[bool]) -> Result<Vec<Vec<ArrayRef>>, String> {
        let metadata = self.with_dictionaries(columns, symbols);
        let groups = self.metadata.metadata().num_row_groups();
        let tasks = columns.iter().flat_map(|column| (0..groups).map(|group| (*column, group))).collect();
        let decoded = workers::map(tasks, |(column, group)| {
            guarded(|| match self.source.open().map_err(text)? {
                Some(file) => decode(file, metadata.clone(), column, group),
                None => match &self.source {
                    Source::Bytes(bytes) => decode(bytes.clone(), metadata.clone(), column, group),
                    Source::Path(_) => Ok(vec![]),
                },
            })
        });
        let mut decoded = decoded.into_iter();
        columns
            .iter()
            .map(|_| -> Result<Vec<ArrayRef>, String> {
                let groups: Vec<Vec<ArrayRef>> = decoded.by_ref().take(groups).collect::<Result<_, _>>()?;
                Ok(groups.into_iter().flatten().collect())
            })
            .collect()
    }
}

impl ParquetTable {
    /// Strings that become symbols are read as dictionaries, as which they are mostly stored.
    fn with_dictionaries(&self, columns: &[usize], symbols: &[bool]) -> ArrowReaderMetadata {
        let schema = self.metadata.schema();
        let is_symbol = |number: usize| {
            let mut asked = columns.iter().zip(symbols).filter(|(column, _)| **column == number).peekable();
            asked.peek().is_some() && asked.all(|(_, symbol)| *symbol)
        };
        let fields = schema.fields().iter().enumerate().map(|(number, field)| match field.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View if is_symbol(number) => {
                let ty = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
                Arc::new(Field::new(field.name(), ty, field.is_nullable()))
            }
            _ => field.clone(),
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let options = ArrowReaderOptions::new().with_schema(schema);
        let hinted = ArrowReaderMetadata::try_new(self.metadata.metadata().clone(), options);
        hinted.unwrap_or_else(|_| self.metadata.clone())
    }
}

fn decode<R: ChunkReader + 'static>(
    reader: R,
    metadata: ArrowReaderMetadata,
    column: usize,
    group: usize,
) -> Result<Vec<ArrayRef>, String> {
    let mask = ProjectionMask::roots(metadata.parquet_schema(), [column]);
    let rows = metadata.metadata().row_group(group).num_rows();
    let batch = usize::try_from(rows).unwrap_or(0).clamp(1, GROUP);
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(reader, metadata)
        .with_projection(mask)
        .with_row_groups(vec![group])
        .with_batch_size(batch)
        .build()
        .map_err(text)?;
    reader.map(|batch| batch.map(|batch| batch.column(0).clone()).map_err(text)).collect()
}

/// Writes an output as a Parquet file, compressed by Zstandard.
pub(crate) fn write_parquet(
    output: &Output,
    form: TimeForm,
    symbols: &Dictionary,
    out: &mut dyn Write,
) -> io::Result<()> {
    let batches = Batches::new(output, form, symbols);
    let level = ZstdLevel::try_new(1).map_err(io_error)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(GROUP))
        .build();
    let written = Drained::default();
    let mut writer =
        ArrowWriter::try_new(written.clone(), batches.schema(), Some(properties)).map_err(io_error)?;
    for batch in batches.of_rows(GROUP) {
        writer.write(&batch?).map_err(io_error)?;
        out.write_all(&written.take())?;
    }
    writer.close().map_err(io_error)?;
    out.write_all(&written.take())?;
    out.flush()
}

/// What a writer has written and nobody has taken yet.
#[derive(Clone, Default)]
struct Drained(Arc<Mutex<Vec<u8>>>);

impl Drained {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Drained {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn io_error(error: ParquetError) -> io::Error {
    io::Error::other(error.to_string())
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
