//! What a kernel computes, row by row: the obvious, slow meaning of Loop IR, to test what makes it and what runs it.
//!
//! ```
//! use tilt_ir::{Const, loops::{Program, eval::{Inputs, Rows, eval}, verify}};
//! let program = Program::parse(r#"program "diff.tilt"
//! stream in0 @x every 1s offset 0s {v: f64}
//! kernel @diff every 1s offset 0s (%0, %1) {
//!   out0: f64 = @diff.v
//!   forv %2 in %0, %1 warmup 1 {
//!     %3 = load in0.0 [row] : f64
//!     %4 = splice %3, 1 : f64
//!     %5 = sub %3, %4 : f64
//!     store out0 [row], %5
//!   }
//! }"#)?;
//! let v = [1.0, 4.0, 9.0].map(|v| Some(Const::f64(v)));
//! let inputs = Inputs { streams: vec![Rows { first: 10, columns: vec![v.to_vec()] }] };
//! let outputs = eval(verify(&program).unwrap(), 0, 11, 13, &inputs).unwrap();
//! assert_eq!(outputs.columns, [[Some(Const::f64(3.0)), Some(Const::f64(5.0))]]);
//! // row 10 needs row 9, which is not there
//! let error = eval(verify(&program).unwrap(), 0, 10, 13, &inputs).unwrap_err();
//! assert_eq!(error.to_string(), "row 9: in0.0 has no row 9, only 10..13");
//! # Ok::<(), tilt_ir::text::TextError>(())
//! ```
//!
//! Everything is checked: rows that are not there, scratch that was not stored, rows of the output that nobody stored.
//! Where Loop IR says *anything* (the value beneath a φ, what a `splice` finds before the warm-up, a conversion out of
//! range) the evaluator has *no* value: what is computed from it has none either, unless it does not matter (`and` with
//! false, the side that `select` does not take), and it is an error if an address, a mask, a bound, a flag or an output
//! depends on it. Only in warm-up rows a flag without a value is not raised.

mod arithmetic;
mod machine;
mod math;
mod memory;

use super::{Inst, Kernel, Value, Verified};
use crate::{Const, Loc};
use std::fmt;

/// The result of an instruction that only computes from values (arithmetic, comparison, choice), given those of its operands; `None`
/// if it does anything else, or needs a value that is not known.
pub fn computed(kernel: &Kernel, inst: &Inst, value: impl Fn(Value) -> Option<Const>) -> Option<Const> {
    arithmetic::inst(kernel, inst, value).ok().flatten()
}

/// The rows of a stream from `first` on; for each column a value in every row, `None` for φ.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Rows {
    /// The grid index of the first row.
    pub first: i64,
    /// The columns, in the order of the stream's declaration, all of one length.
    pub columns: Vec<Vec<Option<Const>>>,
}

/// What a kernel reads: the streams of its program, in their order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Inputs {
    /// The streams.
    pub streams: Vec<Rows>,
}

/// What a kernel puts out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// Rows `lo..hi` of each output column, in the order of the kernel's declaration; `None` for φ. Every NaN is the same one.
    pub columns: Vec<Vec<Option<Const>>>,
    /// Whether the flag was raised.
    pub flag: bool,
}

/// Why a kernel cannot be evaluated: it, or its input, is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// The place in the source of the instruction, if known.
    pub loc: Loc,
    /// The row of the innermost loop.
    pub row: Option<i64>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.row {
            write!(f, "row {row}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for EvalError {}

/// Computes the rows `lo..hi` of kernel number `kernel`.
pub fn eval(
    program: Verified<'_>,
    kernel: usize,
    lo: i64,
    hi: i64,
    inputs: &Inputs,
) -> Result<Outputs, EvalError> {
    let error = |message| EvalError { loc: Loc::NONE, row: None, message };
    let program = program.program();
    let Some(kernel) = program.kernels.get(kernel) else {
        return Err(error(format!("there is no kernel {kernel}")));
    };
    memory::check(program, inputs).map_err(error)?;
    let memory = memory::Memory::new(kernel, lo, hi, inputs).map_err(error)?;
    let mut machine = machine::Machine::new(kernel, memory);
    machine.run(lo, hi)?;
    let (memory, flag) = machine.finish();
    let columns = memory.outputs().map_err(error)?;
    Ok(Outputs { columns, flag })
}

/// A value, or none where it may be anything.
type Cell = Option<Const>;
