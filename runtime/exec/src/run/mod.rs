//! Running a kernel over time, in pieces.
//!
//! The rows of an output grid are cut in pieces that start at multiples of 64 rows. Pieces need no
//! word of each other: each looks at whatever rows of the inputs it wants and writes its own part of
//! the shared output buffers, values and bitmaps alike, because 64 rows are a whole word of a bitmap.
//!
//! ```
//! use tilt_exec::run::{ColumnLayout, Layout, OutputLayout, OutputView, Piece, PieceStatus, RunOptions, Runner};
//! use tilt_exec::{Column, RegularStream};
//! use tilt_ir::{Grid, Type};
//!
//! // y = x + 1 on the rows of x
//! let grid = Grid::new(1_000_000_000, 0);
//! let x = RegularStream { grid, first: 10, len: 3, columns: vec![Column::from_values("v", Type::I64, vec![1i64, 2, 3])] };
//! let kernel = |piece: Piece, inputs: &[RegularStream], outputs: &mut [OutputView<'_>]| {
//!     let x = &inputs[0];
//!     let y = outputs[0].columns[0].numbers::<i64>();
//!     for row in piece.lo..piece.hi {
//!         let known = row >= x.first && row < x.first + x.len as i64;
//!         y[(row - piece.lo) as usize] = if known { x.columns[0].values::<i64>()[(row - x.first) as usize] + 1 } else { 0 };
//!     }
//!     Ok(PieceStatus::Done)
//! };
//! let layout = Layout {
//!     grid,
//!     outputs: vec![OutputLayout {
//!         name: "y".to_owned(),
//!         columns: vec![ColumnLayout { name: "y".to_owned(), ty: Type::I64, nullable: false }],
//!         filtered: false,
//!     }],
//! };
//! let runner = Runner::new(2).unwrap();
//! let outputs = runner.execute(&kernel, None, &[x], &layout, 10..13, &RunOptions::default()).unwrap();
//! assert_eq!(outputs[0].columns[0].values::<i64>(), [2, 3, 4]);
//! ```

mod buffers;
mod domain;
mod each;
mod error;
mod finish;
mod kernel;
mod runner;

pub use buffers::{ColumnView, OutputBuffers, OutputView};
pub use domain::Domain;
pub use each::{Grown, Room};
pub use error::{RunError, TooLarge};
pub use kernel::{ColumnLayout, Layout, OutputLayout, Piece, PieceKernel, PieceStatus};
pub use runner::{RunOptions, RunStats, Runner};
