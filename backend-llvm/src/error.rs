//! What can go wrong between Loop IR and machine code.

use std::fmt;

/// A failure of the backend.
///
/// None of these is the query author's mistake: a well-formed Loop IR program compiles. They are reported as values, not
/// panics, because LLVM and MLIR run inside the caller's process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The Loop IR program uses something this backend cannot lower, or is not well formed.
    Program(String),
    /// MLIR refused the module. One entry per diagnostic, `file:line:column: message`.
    Mlir {
        /// What was being done: `verify`, `lower`, `translate`.
        step: &'static str,
        /// The diagnostics, in the order MLIR gave them.
        diagnostics: Vec<String>,
    },
    /// LLVM refused the module, or could not make code for it.
    Llvm(String),
    /// There is no code generator for the target asked for.
    Target(String),
    /// The finished code could not be linked into the process.
    Jit(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Program(message) => write!(f, "Loop IR cannot be lowered: {message}"),
            Error::Mlir { step, diagnostics } => {
                write!(f, "MLIR failed to {step} the module")?;
                diagnostics.iter().try_for_each(|line| write!(f, "\n  {line}"))
            }
            Error::Llvm(message) => write!(f, "LLVM failed: {message}"),
            Error::Target(message) => write!(f, "no such target: {message}"),
            Error::Jit(message) => write!(f, "the code could not be linked: {message}"),
        }
    }
}

impl std::error::Error for Error {}
