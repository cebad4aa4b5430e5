//! From files to columns, from columns to results, and back to files.
//!
//! ```text
//! file ── read ─> Input ── kernels, piece by piece ─> Output ── write ─> file
//! ```
//!
//! - [`Column`], [`Input`] (a [`RegularStream`] or an [`EventStream`], perhaps one for each of its
//!   [`Keys`]), [`Output`]: the data, in the layout that kernels read and write; Arrow arrays go in and out
//!   without copies. Strings are symbols of a [`Dictionary`].
//! - [`read()`] and [`write()`]: files of every [`Format`], with an exact place in every error.
//! - [`run`]: cutting time into pieces, running a kernel over them in parallel, putting the pieces
//!   together. The result does not depend on the number of threads or on the size of the pieces.
//! - [`engine`] and [`ops`]: the same for events and keys, step by step.
//! - [`TimeForm`]: how times are spelled.
//!
//! This crate knows no query language, no compiler and no code generator: a kernel is anything that
//! implements [`run::PieceKernel`].

mod arrange;
mod arrays;
mod arrow_bridge;
mod buffer;
mod column;
mod columnar;
pub mod csv;
pub mod engine;
mod file;
mod files;
mod json;
pub mod ops;
mod output;
mod problem;
pub mod run;
mod stream;
mod symbols;
mod table;
mod time;
mod workers;

pub use arrow_bridge::ArrowMismatch;
pub use buffer::{ALIGNMENT, PADDING};
pub use column::Column;
pub use columnar::read_batches;
pub use file::{read_input, write_atomically, write_standard_output};
pub use files::{
    Duplicates, Format, InputKind, InputSpec, Loaded, ReadOptions, WriteOptions, read, read_bytes, write,
};
pub use output::{Output, Times};
pub use problem::{DataError, Problem};
pub use stream::{EventStream, Input, Keys, MatchedKeys, RegularStream, Stream};
pub use symbols::Dictionary;
pub use table::pretty;
pub use time::{DurationText, Separator, TimeError, TimeForm, TimeFormat, TimeUnit, parse_duration};
