//! The TiLT compiler as a library: from the text of a temporal query to results.
//!
//! ```
//! use tilt::{Column, Grid, Query, RegularStream, RunOptions, Type};
//!
//! let query = Query::compile("fast.tilt", "
//!     input stock { price: f64 } every 1s
//!     let fast[t] = mean(stock[t-2s..t].price)
//!     output fast
//! ")?;
//! let price = Column::from_values("price", Type::F64, vec![1.0f64, 3.0, 7.0]);
//! let stock = RegularStream { grid: Grid::new(1_000_000_000, 0), first: 1, len: 3, columns: vec![price] };
//! let result = query.run(&[stock], &RunOptions::default())?;
//! assert_eq!(result.outputs[0].columns[0].values::<f64>(), [1.0, 2.0, 5.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The way of a query: [`tilt_frontend`] makes TiLT IR of text; [`passes`] rewrite it; [`convert`] makes Loop IR of it; the
//! backend machine code; `tilt-exec` runs that over pieces of time. [`Query`] does all of it; [`Query::program`] and the other
//! accessors show what lies between. This crate reads no files.

pub mod convert;
mod events;
mod exact;
mod interpret;
mod kernel;
pub mod passes;
mod pieces;
mod prepared;
mod query;
mod run;
mod schedule;
mod scratch;

pub use prepared::Prepared;
pub use query::{CompileError, Query};
pub use run::{On, Results, RunError, RunOptions, RunStats};
pub use tilt_backend_llvm::{Error as BackendError, Options as BackendOptions, Stage};
pub use tilt_exec::{
    Column, Dictionary, EventStream, Input, Keys, Output, RegularStream, Stream, Times, engine::Schedule,
};
pub use tilt_frontend::diagnostic::Diagnostic;
pub use tilt_ir::{Grid, Type};

/// The parts of which the compiler is made, for tools that look between them.
pub mod parts {
    pub use arrow;
    pub use tilt_exec as exec;
    pub use tilt_frontend as frontend;
    pub use tilt_interp as interp;
    pub use tilt_ir as ir;
}
