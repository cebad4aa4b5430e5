//! The front end of TiLT: from the text of a temporal query to TiLT IR.

pub mod ast;
pub mod diagnostic;
mod parse;
pub mod print;
pub mod span;
pub mod token;

pub use parse::parse;
