//! Modules: `use`, and functions that stand in other texts.

mod arguments;
mod circles;
mod meaning;
mod mistakes;

use std::borrow::Cow;
use tilt_frontend::diagnostic::{Diagnostic, Paint, render};
use tilt_frontend::{StandardLibrary, World, compile_in};
use tilt_ir::tir;

/// The standard library and these modules: paths and texts.
struct Memory<'m>(&'m [(&'m str, &'m str)]);

impl World for Memory<'_> {
    fn module(&self, path: &str) -> Option<Cow<'_, str>> {
        let found = self.0.iter().find(|module| module.0 == path).map(|module| module.1.into());
        found.or_else(|| StandardLibrary.module(path))
    }

    fn paths(&self) -> Vec<String> {
        let mine = self.0.iter().map(|module| module.0.into());
        mine.chain(StandardLibrary.paths()).collect()
    }
}

/// All that is said about a program, warnings too, and its IR if it has a meaning.
fn compiled(modules: &[(&str, &str)], source: &str) -> (Option<tir::Query>, Vec<Diagnostic>) {
    match compile_in(&Memory(modules), "q.tilt", source) {
        Ok((query, warnings)) => (Some(query), warnings),
        Err(all) => (None, all),
    }
}

/// What is said, drawn.
fn report(modules: &[(&str, &str)], source: &str) -> String {
    let source = source.trim();
    let (_, all) = compiled(modules, source);
    let drawn: String = all.iter().map(|one| render(one, "q.tilt", source, Paint::Plain)).collect();
    drawn.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The IR of a correct program about which nothing is said.
fn ir(modules: &[(&str, &str)], source: &str) -> String {
    let source = source.trim();
    let (query, said) = compiled(modules, source);
    assert_eq!(said, [], "{}", report(modules, source));
    let query = query.expect("without errors there is a query");
    if let Err(errors) = tir::verify(&query) {
        panic!("{errors:?}\n{query}");
    }
    assert_eq!(tir::parse(&query.to_string()).as_ref(), Ok(&query));
    query.to_string()
}
