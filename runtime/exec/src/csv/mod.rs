//! CSV files as streams, and outputs as CSV files.
//!
//! The first line names the columns. Fields find theirs by name without regard to case, or are told
//! (`price=Close`); columns that nobody asked for are not parsed. An empty value is φ (of a symbol:
//! `""` is the empty string); what does not parse is an error that names file, line, column and value.
//! Every row of a regular stream must lie on its grid; rows that the file lacks are φ.
//!
//! ```
//! use tilt_exec::csv::{CsvOptions, read_csv};
//! use tilt_ir::{Grid, Type};
//! let text = b"time,Price\n2024-01-01T00:00:00Z,1.5\n2024-01-01T00:00:02Z,2.5\n";
//! let every_second = Grid::new(1_000_000_000, 0);
//! let read = read_csv("p.csv", text, every_second, &[("price", Type::F64)], &CsvOptions::default());
//! let stream = read.unwrap().stream;
//! assert_eq!(stream.len, 3);
//! assert!(!stream.columns[0].is_valid(1)); // 00:00:01 is missing
//! ```

mod cut;
mod field;
mod plan;
mod quoted;
mod read;
mod records;
mod rows;
mod sink;
mod value;
mod write;

pub use crate::files::{Duplicates, ReadOptions as CsvOptions};
pub use crate::problem::{DataError, Problem};
pub use field::{FieldText, write_field};
pub(crate) use plan::{Failure, Plan, form_of};
pub use read::{CsvStream, read_csv};
pub(crate) use read::{located, no_rows, read_text, threads};
pub(crate) use sink::{Sink, Sinks};
pub(crate) use value::Misfit;
pub(crate) use write::write_blocks;
pub use write::write_csv;
