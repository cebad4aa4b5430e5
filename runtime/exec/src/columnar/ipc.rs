//! Arrow IPC: files and streams.

use std::io::{self, BufReader, Cursor, Read, Seek, Write};

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ipc::reader::{FileReader, StreamReader};
use arrow::ipc::writer::{FileWriter, StreamWriter};

use super::to_batch::Batches;
use super::{Source, Table};
use crate::output::Output;
use crate::symbols::Dictionary;
use crate::time::TimeForm;

/// Rows of a batch that is written.
const BATCH: usize = 1 << 20;

/// What files begin with, and streams do not.
const MAGIC: &[u8] = b"ARROW1";

pub(super) struct IpcTable {
    source: Source,
    is_file: bool,
    schema: SchemaRef,
}

trait Bytes: Read + Seek {}
impl<T: Read + Seek> Bytes for T {}

pub(super) fn open(source: Source) -> Result<IpcTable, String> {
    let mut start = [0; MAGIC.len()];
    let is_file = reader(&source)?.read_exact(&mut start).is_ok() && start == MAGIC;
    let schema = match is_file {
        true => FileReader::try_new(reader(&source)?, None).map_err(text)?.schema(),
        false => StreamReader::try_new(reader(&source)?, None).map_err(text)?.schema(),
    };
    Ok(IpcTable { source, is_file, schema })
}

fn reader(source: &Source) -> Result<Box<dyn Bytes + '_>, String> {
    Ok(match (source.open().map_err(|error| error.to_string())?, source) {
        (Some(file), _) => Box::new(BufReader::with_capacity(1 << 16, file)),
        (None, Source::Bytes(bytes)) => Box::new(Cursor::new(bytes.as_ref())),
        (None, Source::Path(_)) => Box::new(Cursor::new(&[][..])),
    })
}

impl Table for IpcTable {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn is_empty(&self) -> bool {
        false // only reading tells
    }

    fn decode(&self, columns: &[usize], _symbols: &[bool]) -> Result<Vec<Vec<ArrayRef>>, String> {
        let mut projection = columns.to_vec();
        projection.sort_unstable();
        projection.dedup();
        let reader = reader(&self.source)?;
        let batches: Vec<RecordBatch> = match self.is_file {
            true => {
                FileReader::try_new(reader, Some(projection.clone())).map_err(text)?.collect::<Result<_, _>>()
            }
            false => StreamReader::try_new(reader, Some(projection.clone()))
                .map_err(text)?
                .collect::<Result<_, _>>(),
        }
        .map_err(text)?;
        let column = |wanted: &usize| {
            let place = projection.binary_search(wanted).unwrap_or_default();
            batches.iter().map(|batch| batch.column(place).clone()).collect()
        };
        Ok(columns.iter().map(column).collect())
    }
}

/// Writes an output as an Arrow IPC file or stream.
pub(crate) fn write_ipc(
    output: &Output,
    form: TimeForm,
    symbols: &Dictionary,
    out: &mut dyn Write,
    is_stream: bool,
) -> io::Result<()> {
    let batches = Batches::new(output, form, symbols);
    let schema = batches.schema();
    if is_stream {
        let mut writer = StreamWriter::try_new(&mut *out, &schema).map_err(io_error)?;
        for batch in batches.of_rows(BATCH) {
            writer.write(&batch?).map_err(io_error)?;
        }
        writer.finish().map_err(io_error)?;
    } else {
        let mut writer = FileWriter::try_new(&mut *out, &schema).map_err(io_error)?;
        for batch in batches.of_rows(BATCH) {
            writer.write(&batch?).map_err(io_error)?;
        }
        writer.finish().map_err(io_error)?;
    }
    out.flush()
}

fn io_error(error: ArrowError) -> io::Error {
    io::Error::other(error.to_string())
}

fn text(error: ArrowError) -> String {
    error.to_string()
}
