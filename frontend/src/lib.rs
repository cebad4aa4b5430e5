//! The front end of TiLT: from the text of a temporal query to TiLT IR.
//!
//! ```
//! let source = "
//! input stock { price: f64 } every 1s
//! let fast[t] = mean(stock[t-20s..t].price)
//! let slow[t] = mean(stock[t-50s..t].price)
//! output cross = (fast - slow) where fast > slow
//! ";
//! let (query, warnings) = tilt_frontend::compile("cross.tilt", source).expect("a correct program");
//! assert!(warnings.is_empty());
//! assert_eq!(query.defs.rows().iter().map(|def| &*def.name).collect::<Vec<_>>(), ["fast", "slow", "cross"]);
//! ```
//!
//! | stage | module | gives |
//! |---|---|---|
//! | tokens | [`token`] | words, brackets balanced |
//! | grammar | `parse` | the syntax tree, [`ast`] |
//! | names | `names` | what each name stands for, and an order |
//! | types | `types` | typed trees, and a grid for each definition |
//! | lowering | `lower` | TiLT IR |
//!
//! No stage stops at the first mistake: one run reports all of them, each once, with a place ([`diagnostic`]). The
//! language is described in `docs/language.md`. This crate knows no backend and reads no files.

pub mod ast;
pub mod diagnostic;
mod lower;
mod names;
mod parse;
pub mod print;
pub mod span;
pub mod token;
mod types;

pub use parse::parse;

use diagnostic::{Diagnostic, Severity, Sink};
use tilt_ir::tir::Query;

/// Compiles `source` to TiLT IR; `source_name` (a path, usually) is kept in the query, for messages.
///
/// # Errors
/// All errors and warnings of the source, in the order of the text, if at least one is an error; else the query comes
/// with the warnings.
pub fn compile(source_name: &str, source: &str) -> Result<(Query, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut sink = Sink::default();
    let program = parse::parse_into(source, &mut sink);
    let mut scope = names::Scope::new(&program, &mut sink);
    let order = scope.order(&program, &mut sink);
    let checked = types::check(&scope, &order, &program, &mut sink);
    if sink.has_errors() {
        return Err(sink.finish());
    }
    scope.report_unused(&program, &mut sink);
    let query = lower::lower(source_name, &scope, &checked, &lower::Locator::new(source));
    let warnings = sink.finish();
    debug_assert!(warnings.iter().all(|one| one.severity == Severity::Warning));
    Ok((query, warnings))
}
