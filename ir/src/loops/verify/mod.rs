//! The verifier: whether a program is one.
//!
//! ```
//! use tilt_ir::loops::{Program, verify};
//! let text = r#"program "" kernel @k every 1s offset 0s (%0, %1) {
//!   forv %2 in %0, %3 warmup 0 {}
//!   %3 = add %0, %1 : i32
//! }"#;
//! let program = Program::parse(text)?;
//! let errors = verify(&program).unwrap_err();
//! assert_eq!(
//!     errors[0].to_string(),
//!     "kernel @k: %3 is used before it is defined: `forv %2 in %0, %3 warmup 0 {`"
//! );
//! # Ok::<(), tilt_ir::text::TextError>(())
//! ```
//!
//! Beyond types, scopes and the rules at each operation: a `forv` must not load from scratch that it stores, because
//! its rows have no order.

mod loops;
mod memory;
mod program;
mod scope;
mod types;

use super::Program;
use crate::Loc;
use std::{fmt, ops::Deref};

/// A program that the verifier found right. Only [`verify`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Verified<'a>(&'a Program);

impl<'a> Verified<'a> {
    /// The program.
    pub fn program(self) -> &'a Program {
        self.0
    }
}

impl Deref for Verified<'_> {
    type Target = Program;
    fn deref(&self) -> &Program {
        self.0
    }
}

/// What is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The kernel in which; `None` for streams and for what concerns several kernels.
    pub kernel: Option<String>,
    /// The instruction's place in the source, if it is known.
    pub loc: Loc,
    /// What is wrong.
    pub message: String,
    /// The first line of the instruction's text; empty where it is not about one.
    pub inst: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(kernel) = &self.kernel {
            write!(f, "kernel @{}: ", crate::text::Name(kernel))?;
        }
        f.write_str(&self.message)?;
        if !self.inst.is_empty() {
            write!(f, ": `{}`", self.inst)?;
        }
        Ok(())
    }
}

impl std::error::Error for VerifyError {}

/// Whether `program` is right; if not, all that is wrong with it.
pub fn verify(program: &Program) -> Result<Verified<'_>, Vec<VerifyError>> {
    let mut errors = program::declarations(program);
    for kernel in &program.kernels {
        errors.extend(scope::kernel(program, kernel));
    }
    match errors.is_empty() {
        true => Ok(Verified(program)),
        false => Err(errors),
    }
}
