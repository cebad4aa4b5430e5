//! Loop IR: one piece of time at a time.
//!
//! A [`Program`] has the *streams* that it reads and one [`Kernel`] for each grid on which something is put out. A kernel
//! computes the rows `lo..hi` of its output grid (a *piece*): nothing crosses pieces, so pieces may run in any order and in
//! parallel. Rows are absolute grid indexes (row `k` of a grid is stamped `offset + k·period`), also in buffers.
//!
//! φ is explicit: a value that may be φ comes with a second, bool value, its *validity*. Where φ can only come from the edges
//! of the data, a vector loop is cut in three ranges — prologue, steady part, epilogue — and only the outer two look at
//! `first`/`end` of a stream. Only φ in the data are bitmaps.
//!
//! Vector loops (`forv`) name no width: each value in them is one value *per row*, all rows are alike, and
//! `splice %v, k` is the value that `%v` had `k` rows earlier. The lowering picks a width; a GPU thread may be one row.
//!
//! ```text
//! kernel @out every 1s offset 0s (%0, %1) {          // %0, %1 : i64 are lo and hi
//!   forv %2 in %0, %1 warmup 1 {
//!     %3 = load in0.0 [row] : f32
//!     %4 = splice %3, 1 : f32
//!     %5 = add %4, %3 : f32
//!     store out0 [row], %5
//!   }
//! }
//! ```
//!
//! A [`Builder`] makes a kernel, [`verify`] checks a program, `Display` and [`Program::parse`] write and read its text, and
//! [`eval`](mod@eval) computes what it means, slowly.

mod builder;
pub mod eval;
mod names;
mod op;
mod operands;
mod parse;
mod print;
mod program;
mod verify;

pub use builder::Builder;
pub use op::{Addr, Binary, Cmp, Math, Op, Unary};
pub use program::{
    Block, Buffer, Column, Inst, Kernel, Output, Program, Scratch, ScratchData, Stream, StreamData, Value,
    ValueData,
};
pub use verify::{Verified, VerifyError, verify};
