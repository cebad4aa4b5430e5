//! Which queries are legal.
//!
//! A pass may take for granted whatever the verifier checks; it shows so by asking for a [`Verified`] query.
//!
//! ```
//! use tilt_ir::tir;
//! let query = tir::parse("\
//! input @x {v: f32} every 1s offset 0s
//!
//! def @d {value: f64} every 1s offset 0s {
//!   %0 = at x.v[t] : f32
//!   %1 = add %0, %0 : f64 loc(1:9)
//!   yield %1
//! }
//! ")?;
//! let errors = tir::verify(&query).unwrap_err();
//! assert_eq!(errors[0].to_string(), "1:9: @d, %1: the result of `add` is f32, not f64");
//! # Ok::<(), tilt_ir::text::TextError>(())
//! ```
//!
//! | file | what is checked |
//! |---|---|
//! | `streams` | grids, names, fields, outputs |
//! | `body` | operands before use, results, captures |
//! | `types` | operand and result types of operations without a window |
//! | `look` | streams, fields, indexes |
//! | `reduce` | windows, groupings, reducers |

mod body;
mod look;
mod reduce;
mod streams;
#[cfg(test)]
mod tests;
mod types;

use std::{fmt, ops::Deref};

use super::{Query, Value};
use crate::Loc;

/// A query that the verifier has accepted. Only [`verify`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Verified<'a>(&'a Query);

impl<'a> Verified<'a> {
    /// The query.
    pub fn query(self) -> &'a Query {
        self.0
    }
}

impl Deref for Verified<'_> {
    type Target = Query;
    fn deref(&self) -> &Query {
        self.0
    }
}

/// What is not legal, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The name of the input, definition or output; empty for the query as a whole.
    pub stream: String,
    /// The instruction of a definition. In a row body: its number there, followed by that of the reduction around it, and so on.
    pub values: Vec<Value>,
    /// What is wrong.
    pub message: String,
    /// Where it comes from in the source.
    pub loc: Loc,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.loc != Loc::NONE {
            write!(f, "{}:{}: ", self.loc.line, self.loc.column)?;
        }
        if !self.stream.is_empty() {
            write!(f, "@{}", crate::text::Name(&self.stream))?;
        }
        for (n, value) in self.values.iter().enumerate() {
            write!(f, "{} {value}", if n == 0 { "," } else { " in" })?;
        }
        if !self.stream.is_empty() {
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for VerifyError {}

/// Checks that a query is legal. The errors are in the order of the query.
pub fn verify(query: &Query) -> Result<Verified<'_>, Vec<VerifyError>> {
    let mut checker = Checker { query, errors: Vec::new() };
    streams::inputs(&mut checker);
    for (def, data) in query.defs.iter() {
        streams::def(&mut checker, def, data);
    }
    streams::outputs(&mut checker);
    match checker.errors {
        errors if errors.is_empty() => Ok(Verified(query)),
        errors => Err(errors),
    }
}

/// Collects errors.
struct Checker<'a> {
    query: &'a Query,
    errors: Vec<VerifyError>,
}

impl Checker<'_> {
    /// An error of a stream as a whole.
    fn error(&mut self, stream: &str, loc: Loc, message: impl Into<String>) {
        self.errors.push(VerifyError {
            stream: stream.to_owned(),
            values: Vec::new(),
            message: message.into(),
            loc,
        });
    }
}
