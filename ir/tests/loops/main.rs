//! Loop IR: builder, text, verifier, evaluator.

mod builder;
mod eval;
mod properties;
mod random;
mod text;
mod verify;

use tilt_ir::loops::{Program, VerifyError};

/// Reads a program.
fn parse(text: &str) -> Program {
    Program::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A program of one kernel with one stream `in0` (`v: f64, n: i64 nullable, b: bool`), outputs `out0: f64 nullable`,
/// `out1: i64` and scratch `tmp0: f64 nullable`, `tmp1: i64`.
fn kernel(body: &str) -> String {
    format!(
        "program \"q.tilt\"\n\
         stream in0 @x every 1s offset 0s {{v: f64, n: i64 nullable, b: bool}}\n\
         kernel @k every 1s offset 0s (%0, %1) {{\n\
         out0: f64 nullable = @o.f\n\
         out1: i64 = @o.i\n\
         tmp0: f64 nullable\n\
         tmp1: i64\n\
         {body}\n}}\n"
    )
}

/// What the verifier says.
fn errors(program: &Program) -> Vec<String> {
    let errors = match tilt_ir::loops::verify(program) {
        Ok(_) => vec![],
        Err(errors) => errors,
    };
    errors.iter().map(VerifyError::to_string).collect()
}
