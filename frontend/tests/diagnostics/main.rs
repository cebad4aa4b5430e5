//! Every diagnostic, as it is drawn, and that each is there once.

mod events;
mod items;
mod keys;
mod names;
mod recursion;
mod robust;
mod syntax;
mod time;
mod tokens;
mod types;
mod values;

use tilt_frontend::compile;
use tilt_frontend::diagnostic::{Diagnostic, Paint, one_line, render};

/// All that is said about a program, warnings too.
pub(crate) fn diagnostics(source: &str) -> Vec<Diagnostic> {
    match compile("q.tilt", source) {
        Ok((_, warnings)) => warnings,
        Err(all) => all,
    }
}

/// The diagnostics drawn under `source`; the line break it begins with is not part of it.
pub(crate) fn report(source: &str) -> String {
    let source = source.trim();
    let drawn =
        diagnostics(source).iter().map(|one| render(one, "q.tilt", source, Paint::Plain)).collect::<String>();
    drawn.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The diagnostics in their short form.
pub(crate) fn lines(source: &str) -> Vec<String> {
    diagnostics(source).iter().map(|one| one_line(one, source)).collect()
}
