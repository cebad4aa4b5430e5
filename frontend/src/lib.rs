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
//! | modules | `load` | the syntax trees of what it uses, whose texts come from a [`World`] |
//! | names | `names` | what each name stands for, and an order |
//! | types | `types` | typed trees, and a clock for each definition: when it has rows |
//! | lowering | `lower` | TiLT IR |
//!
//! No stage stops at the first mistake: one run reports all of them, each once, with a place ([`diagnostic`]). The
//! language is described in `docs/language.md`. This crate knows no backend and reads no files.

pub mod ast;
pub mod diagnostic;
mod load;
mod lower;
mod names;
mod parse;
pub mod print;
pub mod span;
pub mod token;
mod types;
mod world;

pub use parse::parse;
pub use world::{StandardLibrary, World};

use diagnostic::{Diagnostic, Severity, Sink};
use tilt_ir::tir::Query;

/// Compiles `source` to TiLT IR; `source_name` (a path, usually) is kept in the query, for messages. It may use the standard
/// library.
///
/// # Errors
/// All errors and warnings of the source, in the order of the text, if at least one is an error; else the query comes
/// with the warnings.
pub fn compile(source_name: &str, source: &str) -> Result<(Query, Vec<Diagnostic>), Vec<Diagnostic>> {
    compile_in(&StandardLibrary, source_name, source)
}

/// Compiles `source` like [`compile`], with the modules of `world`.
///
/// # Errors
/// As [`compile`]. The remarks about a module stand behind those about the program, and carry its text.
pub fn compile_in(
    world: &dyn World,
    source_name: &str,
    source: &str,
) -> Result<(Query, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut sink = Sink::default();
    let program = parse::parse_into(source, &mut sink);
    let modules = load::load(world, program, source.len(), &mut sink);
    let mut scope = names::Scope::new(&modules, &mut sink);
    let order = scope.order(&mut sink);
    let checked = types::check(&scope, &order, source.len(), &mut sink);
    if sink.has_errors() {
        return Err(sink.finish());
    }
    scope.report_unused(&mut sink);
    let query = lower::lower(source_name, &scope, &checked, &lower::Locator::new(source));
    let warnings = sink.finish();
    debug_assert!(warnings.iter().all(|one| one.severity == Severity::Warning));
    Ok((query, warnings))
}
