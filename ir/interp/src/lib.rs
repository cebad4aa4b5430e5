//! The meaning of TiLT IR: an interpreter written to be read, not to be fast. Every faster path must give the same bits.
//!
//! `let d[t] = x + 1` on the rows 1, φ, 127 of an `i8`:
//!
//! ```
//! use tilt_interp::{Columns, Interp};
//! use tilt_ir::{Const::Int, entity::Entity, tir};
//!
//! let query = tir::parse("\
//! input @x {v: i8} every 1s offset 0s
//!
//! def @d {value: i8} every 1s offset 0s {
//!   %0 = at x.v[t] : i8
//!   %1 = const 1 : i8
//!   %2 = add %0, %1 : i8 loc(1:14)
//!   yield %2
//! }
//! ")?;
//! let query = tir::verify(&query).expect("a legal query");
//! let data = Columns::new().input(0, vec![vec![Some(Int(1)), None, Some(Int(127))]]);
//!
//! let mut interp = Interp::new(query, &data);
//! let d = tir::Def::new(0);
//! assert_eq!(interp.row(d, 0), Ok(vec![Some(Int(2))]));
//! assert_eq!(interp.row(d, 1), Ok(vec![None]));
//! let failure = interp.row(d, 2).unwrap_err();
//! assert_eq!((failure.name.as_str(), failure.time, failure.loc.column), ("d", 2_000_000_000, 14));
//! # Ok::<(), tilt_ir::text::TextError>(())
//! ```
//!
//! | module | question |
//! |---|---|
//! | [`scalar`] | what does an operation give, of values? |
//! | [`reduce`] | what does a reducer give, of rows in groups? |
//! | [`Interp`] | which values and rows are they, at a time? |
//!
//! It sees the streams of one key, or those that have none ([`Rows`]).
//!
//! This crate knows no text, no files and no compiler.

mod eval;
mod failure;
pub mod float;
mod memo;
pub mod reduce;
mod rows;
pub mod scalar;
mod support;

pub use eval::{Interp, OutputRows};
pub use failure::Failure;
pub use rows::{Columns, Rows};
pub use scalar::OutOfRange;
