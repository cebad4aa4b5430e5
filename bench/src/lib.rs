//! The applications beside hand-written loops.
//!
//! Each application is a TiLT query ([`App::text`]) and a loop in Rust that a patient programmer would write for just this
//! query ([`hand`]): regular time costs nothing, windows overlap in registers, validity is a bitmap, and absent where nothing
//! can be missing. Both read the same columns, write into memory that is there already, and give the same bits: the grouping
//! of every sum is part of the language, and the loops keep to it. [`App::check`] compares them before anything is timed.
//!
//! ```
//! let app = &tilt_bench::apps()[0];
//! let data = app.data(1_000);
//! app.check(&app.query().unwrap(), &data).unwrap(); // the query and the loop agree on every bit
//! ```
//!
//! `cargo bench -p tilt-bench` measures (`make bench`); docs/performance.md says what the figures mean.

mod app;
mod data;
pub mod events;
pub mod hand;
mod memory;
mod query;
mod report;

pub use app::{App, Data, apps};
pub use query::TiltLoop;
pub use report::{Row, table};
