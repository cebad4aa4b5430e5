//! Outputs as files.

use std::io::{self, Write};

use super::format::Format;
use crate::csv::{FieldText, write_csv};
use crate::output::Output;
use crate::symbols::Dictionary;
use crate::time::TimeForm;
use crate::{columnar, json, workers};

/// How outputs are written.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions<'a> {
    /// How the data spell their times: text is spelled so; in Parquet and Arrow a count stays a whole
    /// number, all else is a timestamp in nanoseconds.
    pub form: TimeForm,
    /// The symbols of the run.
    pub symbols: &'a Dictionary,
    /// How many threads work; 0 means as many as there are processors.
    pub threads: usize,
}

impl<'a> WriteOptions<'a> {
    /// With as many threads as there are processors.
    pub fn new(form: TimeForm, symbols: &'a Dictionary) -> WriteOptions<'a> {
        WriteOptions { form, symbols, threads: 0 }
    }
}

/// So few values are written by one thread.
const FEW: usize = 1 << 16;

/// Writes an output. The columns are `time`, then those of the output.
///
/// # Errors
/// What `out` reports.
pub fn write(
    output: &Output,
    format: Format,
    options: &WriteOptions<'_>,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let WriteOptions { form, symbols, threads } = *options;
    let values = output.len().saturating_mul(output.columns.len() + 1);
    workers::with_threads(if values < FEW { 1 } else { threads }, || match format {
        Format::Csv => write_csv(output, FieldText { form, symbols }, out),
        Format::Json => json::write_json(output, &FieldText { form, symbols }, out),
        Format::Parquet => columnar::write_parquet(output, form, symbols, out),
        Format::Arrow => columnar::write_ipc(output, form, symbols, out, false),
        Format::ArrowStream => columnar::write_ipc(output, form, symbols, out, true),
    })
}
