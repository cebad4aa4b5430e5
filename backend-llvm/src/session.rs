//! One MLIR context, with the dialects this backend speaks, and what MLIR has complained about.
//!
//! MLIR reports errors through callbacks, and a panic in such a callback would abort the process: the handler here only
//! writes into a list, and [`Session::error`] turns that list into an [`Error`].

use crate::error::Error;
use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
    dialect::DialectRegistry,
    utility::{register_all_dialects, register_all_llvm_translations},
};
use std::{cell::RefCell, fmt::Write, rc::Rc};

/// The dialects that lowered Loop IR consists of, from the loops at the top to LLVM at the bottom.
const DIALECTS: [&str; 7] = ["func", "scf", "cf", "arith", "math", "vector", "llvm"];

/// An MLIR context that collects its diagnostics.
pub(crate) struct Session {
    context: Context,
    diagnostics: Rc<RefCell<Vec<String>>>,
}

impl Session {
    /// A fresh context. It is single-threaded: one module is compiled at a time in it, and modules are small.
    pub(crate) fn new() -> Session {
        let registry = DialectRegistry::new();
        register_all_dialects(&registry);
        let context = Context::new_with_registry(&registry, false);
        for dialect in DIALECTS {
            context.get_or_load_dialect(dialect);
        }
        register_all_llvm_translations(&context);

        let diagnostics = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&diagnostics);
        context.attach_diagnostic_handler(move |diagnostic| {
            if matches!(diagnostic.severity(), DiagnosticSeverity::Error)
                && let Ok(mut list) = sink.try_borrow_mut()
            {
                list.push(describe(&diagnostic));
            }
            true
        });
        Session { context, diagnostics }
    }

    /// The context, to build operations in.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// What MLIR has complained about since the last call, as the failure of `step`.
    pub(crate) fn error(&self, step: &'static str) -> Error {
        Error::Mlir { step, diagnostics: self.diagnostics.take() }
    }
}

/// `file:line:column: message`, and the notes below it.
fn describe(diagnostic: &Diagnostic) -> String {
    let mut text = String::new();
    // Writing into a string fails only if MLIR's text is not UTF-8; then what came so far must do.
    let _ = write!(text, "{}: {diagnostic}", diagnostic.location());
    for index in 0..diagnostic.note_count() {
        if let Ok(note) = diagnostic.note(index) {
            let _ = write!(text, "\n    note: {note}");
        }
    }
    text
}
