//! Loop IR to machine code, by way of MLIR and LLVM.
//!
//! ```
//! use tilt_backend_llvm::{Arena, Options, Stage, compile, emit};
//! use tilt_ir::loops::Program;
//!
//! let program = Program::parse(r#"program "double.tilt"
//! stream in0 @s every 1s offset 0s {v: f64}
//! kernel @double every 1s offset 0s (%0, %1) {
//!   out0: f64 = @double.v
//!   forv %2 in %0, %1 warmup 0 {
//!     %3 = load in0.0 [row] : f64
//!     %4 = add %3, %3 : f64
//!     store out0 [row], %4
//!   }
//! }"#)?;
//! let compiled = compile(&program, &Options::default())?;
//!
//! // the words of `abi::arguments`: the stream's rows 0..3 and its column; the output, which begins with row 0
//! let (input, mut output) = ([1.0, 2.5, -4.0], [0.0; 3]);
//! let args = [0, 3, input.as_ptr() as u64, 0, output.as_mut_ptr() as u64];
//! // SAFETY: these are the arguments that the kernel has, and both arrays hold rows 0..3.
//! let flagged = unsafe { compiled.kernels[0].run(0, 3, &args, &mut Arena::new()) };
//! assert_eq!((flagged, output), (false, [2.0, 5.0, -8.0]));
//!
//! // every stage on the way can be looked at
//! let mlir = String::from_utf8(emit(&program, Stage::Mlir, &Options::default())?)?;
//! assert!(mlir.contains("arith.addf"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The way down, one module for each step:
//!
//! ```text
//! Loop IR ── lower ─> MLIR: scf, arith, math, vector, func, llvm ── passes ─> MLIR: llvm only
//!         ── codegen ─> LLVM IR ─ O3 ─> object file ── jit ─> functions in this process, with the `runtime` in reach
//! ```
//!
//! Only the first step is this crate's own: it chooses the width of vectors ([`Target`]), cuts loops into blocks, and turns
//! "so many rows earlier" into shuffles of registers. Everything below is upstream's. How kernels are called is written in
//! [`abi`].
//!
//! This crate knows no queries, no columns and no files.

pub mod abi;
mod codegen;
mod compile;
mod error;
mod jit;
mod lower;
mod passes;
mod runtime;
mod session;
mod target;

pub use compile::{Compiled, JitKernel, Options, Stage, compile, emit};
pub use error::Error;
pub use runtime::arena::Arena;
pub use target::{MAX_LANES, Target};

#[cfg(test)]
mod tests;
