//! Loop IR to machine code, by way of MLIR and LLVM.

pub mod abi;
mod codegen;
mod compile;
mod error;
mod jit;
mod lower;
mod passes;
pub mod runtime;
mod session;
mod target;

pub use compile::{Compiled, JitKernel, Options, Stage, compile, emit};
pub use error::Error;
pub use runtime::arena::Arena;
pub use target::{MAX_LANES, Target};

#[cfg(test)]
mod tests;
