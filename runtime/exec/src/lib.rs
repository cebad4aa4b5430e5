//! From files to columns on grids, from columns to results, and back to files.
//!
//! ```text
//! CSV text ── csv::read_csv ─> RegularStream ── Runner::execute(kernel) ─> Output ── csv::write_csv ─> CSV text
//! ```
//!
//! - [`Column`], [`RegularStream`], [`Output`]: the data, in the layout that kernels read and write;
//!   Arrow arrays go in and out without copies.
//! - [`csv`]: reading, with an exact place in every error, and writing.
//! - [`run`]: cutting time into pieces, running a kernel over them in parallel, putting the pieces
//!   together. The result does not depend on the number of threads or on the size of the pieces.
//! - [`TimeForm`]: how times are spelled.
//!
//! This crate knows no query language, no compiler and no code generator: a kernel is anything that
//! implements [`run::PieceKernel`].

mod arrow_bridge;
mod buffer;
mod column;
pub mod csv;
mod file;
mod output;
pub mod run;
mod stream;
mod table;
mod time;

pub use arrow_bridge::ArrowMismatch;
pub use buffer::{ALIGNMENT, PADDING};
pub use column::Column;
pub use file::{read_input, write_atomically, write_standard_output};
pub use output::{Output, Times};
pub use stream::RegularStream;
pub use table::pretty;
pub use time::{DurationText, Separator, TimeError, TimeForm, TimeFormat, TimeUnit, parse_duration};
