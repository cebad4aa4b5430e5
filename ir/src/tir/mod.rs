//! TiLT IR: a query as functions of time.
//!
//! A [`Query`] has *inputs* (streams of rows on a [`Grid`](crate::Grid)), *definitions* (streams computed from others)
//! and *outputs*. A definition's [`Body`] says its value at one time, `t`: a list of operations in SSA form. The body of
//! `let d[t] = mean(x[t-20s..t].v) - x[t-1s].v` reads, in the textual form,
//!
//! ```text
//! def @d {value: f64} every 1s offset 0s {
//!   %0 = reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
//!     %0 = at x.v[t] : f64
//!     yield %0
//!   } : f64
//!   %1 = at x.v[t-1s] : f64
//!   %2 = sub %0, %1 : f64
//!   yield %2
//! }
//! ```
//!
//! Every definition is a function of *all* time; the domain of a run clips what is put out, not what is looked at. Every
//! value may be φ; unless an op says otherwise it is φ as soon as one of its operands is. `tilt-interp` is the meaning.

#[cfg(any(test, feature = "arbitrary"))]
pub mod arbitrary;
mod body;
mod clock;
mod grouping;
mod index;
mod names;
mod op;
mod parse;
mod print;
mod query;
mod reduce;
mod verify;

pub use body::{Body, Inst, Value};
pub use clock::{Clock, Hold, Stamps};
pub use grouping::OVERLAP;
pub use index::{Base, Index, When};
pub use names::Signature;
pub use op::{BinaryOp, CmpOp, MathFn, Op, Source, UnaryOp};
pub use parse::parse;
pub use query::{Def, DefData, Field, Input, InputData, Output, Query};
pub use reduce::{Frame, Grouping, Reduce, Reducer, Window};
pub use verify::{Verified, VerifyError, verify};
