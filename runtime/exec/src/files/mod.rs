//! Files of every format, in and out.
//!
//! ```
//! use tilt_exec::{Column, Dictionary, Format, InputKind, InputSpec, Output, ReadOptions, Stream, TimeForm};
//! use tilt_exec::{Separator, Times, WriteOptions, read_bytes, write};
//! use tilt_ir::Type;
//!
//! let mut symbols = Dictionary::default();
//! let spec = InputSpec { kind: InputKind::Events, keys: &[("ticker", Type::Symbol)], fields: &[("price", Type::F64)] };
//! let text = b"time,ticker,price,venue\n2024-01-01,MSFT,9,x\n2024-01-01,AAPL,1.5,y\n2024-01-02,AAPL,2.5,x\n";
//! let loaded = read_bytes("trades.csv", text.to_vec(), &spec, &ReadOptions::default(), &mut symbols).unwrap();
//! let input = loaded.input;
//! assert_eq!(input.keys.as_ref().unwrap().offsets, [0, 2, 3]); // AAPL, MSFT
//!
//! let Stream::Events(apple) = input.part(0) else { unreachable!() };
//! let output = Output {
//!     name: "apple".to_owned(),
//!     times: Times::Events { stamps: apple.stamps },
//!     columns: apple.columns,
//! };
//! let how = WriteOptions::new(loaded.form.unwrap(), &symbols);
//! let mut text = Vec::new();
//! write(&output, Format::Csv, &how, &mut text).unwrap();
//! assert_eq!(text, b"time,price\n2024-01-01,1.5\n2024-01-02,2.5\n");
//! let mut parquet = Vec::new();
//! write(&output, Format::Parquet, &how, &mut parquet).unwrap();
//! let spec = InputSpec::unkeyed(InputKind::Events, &[("price", Type::F64)]);
//! let again = read_bytes("apple.parquet", parquet, &spec, &ReadOptions::default(), &mut symbols).unwrap();
//! assert_eq!(again.input.stream.columns()[0].values::<f64>(), [1.5, 2.5]);
//! ```

mod columns;
mod format;
mod options;
mod spec;
mod write;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

pub(crate) use columns::{Columns, Guess, find};
pub use format::Format;
pub use options::{Duplicates, ReadOptions};
pub use spec::{InputKind, InputSpec};
pub use write::{WriteOptions, write};

use crate::columnar::{self, Source};
use crate::file::read_input;
use crate::problem::{DataError, Problem};
use crate::stream::Input;
use crate::symbols::Dictionary;
use crate::time::TimeForm;
use crate::{csv, json, workers};

/// What was read from a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The rows, with a column for each field, in the order asked for.
    pub input: Input,
    /// How the file spells its times; `None` if it has no rows.
    pub form: Option<TimeForm>,
}

/// Reads an input from a file; from standard input if the path is `-`. The format is the one that the
/// options, the file's extension or its first bytes say, in this order. New symbols are added to
/// `symbols`.
///
/// # Errors
/// The first thing that is wrong, with its place. Then `symbols` may have symbols that nobody uses.
pub fn read(
    path: &Path,
    spec: &InputSpec<'_>,
    options: &ReadOptions,
    symbols: &mut Dictionary,
) -> Result<Loaded, DataError> {
    let is_standard_input = path.as_os_str() == "-";
    let name = match is_standard_input {
        true => "<standard input>".to_owned(),
        false => path.display().to_string(),
    };
    let unreadable = |error: io::Error| whole_file(&name, Problem::Unreadable { reason: error.to_string() });
    if !is_standard_input && path.is_file() {
        let mut file = File::open(path).map_err(unreadable)?;
        let mut start = [0; 8];
        let read = file.read(&mut start).map_err(unreadable)?;
        let format = options.format.or_else(|| Format::of_path(path));
        match format.unwrap_or_else(|| Format::of_bytes(&start[..read])) {
            Format::Csv | Format::Json => {}
            binary @ (Format::Parquet | Format::Arrow | Format::ArrowStream) => {
                return workers::with_threads(options.threads, || {
                    columnar::read(&name, Source::Path(path.to_owned()), binary, spec, options, symbols)
                });
            }
        }
    }
    let bytes = read_input(path).map_err(unreadable)?;
    let format = options.format.or_else(|| Format::of_path(path));
    read_bytes(&name, bytes, spec, &ReadOptions { format, ..options.clone() }, symbols)
}

/// Reads an input from the contents of a file. `name` is for messages; the format is the one that the
/// options or the first bytes say.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(
    name: &str,
    bytes: Vec<u8>,
    spec: &InputSpec<'_>,
    options: &ReadOptions,
    symbols: &mut Dictionary,
) -> Result<Loaded, DataError> {
    let format = options.format.unwrap_or_else(|| Format::of_bytes(&bytes));
    workers::with_threads(csv::threads(&bytes, options), || match format {
        Format::Csv => csv::read_text(name, &bytes, spec, options, symbols),
        Format::Json => json::read_text(name, &bytes, spec, options, symbols),
        Format::Parquet | Format::Arrow | Format::ArrowStream => {
            columnar::read(name, Source::Bytes(bytes.into()), format, spec, options, symbols)
        }
    })
}

/// An error about a file as a whole.
pub(crate) fn whole_file(name: &str, problem: Problem) -> DataError {
    DataError { file: name.to_owned(), line: None, row: None, column: None, problem: Box::new(problem) }
}
