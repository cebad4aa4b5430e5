//! Loop IR to machine code, by way of MLIR and LLVM.

mod codegen;
mod error;
mod jit;
mod passes;
pub mod runtime;
mod session;
mod target;

pub use error::Error;
pub use runtime::arena::Arena;
pub use target::{MAX_LANES, Target};

#[cfg(test)]
mod tests;
