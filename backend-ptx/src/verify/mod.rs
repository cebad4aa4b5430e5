//! The verifier: whether a module that could be read also makes sense.
//!
//! Every name stands for something and nothing is declared twice in one scope; guards are predicates; branches go to labels
//! and calls to functions; registers have a type; directives stand where they may. What types an instruction takes is left
//! to `ptxas`. Rewriters and interpreters take a [`Verified`] module, which only [`verify`] makes.
//!
//! ```
//! let source = ".version 8.0\n.target sm_80\n.entry k() {\n\tbra end;\n}";
//! let module = tilt_backend_ptx::parse(source).unwrap();
//! let violations = tilt_backend_ptx::verify(&module).unwrap_err();
//! assert_eq!(violations[0].at(source), "4:2: nothing here is named `end` [unknown-name]");
//! ```

mod body;
mod module;

use std::fmt;

use crate::analysis::{Body, Symbols};
use crate::ast::Module;
use crate::span::{Place, Span};

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// A short name for this kind of mistake.
    pub code: &'static str,
    /// Where.
    pub span: Span,
    /// What.
    pub message: String,
}

impl Violation {
    fn new(code: &'static str, span: Span, message: impl Into<String>) -> Violation {
        Violation { code, span, message: message.into() }
    }

    /// The violation with line and column of the text that the module was read from.
    pub fn at(&self, source: &str) -> String {
        match self.span == Span::NONE {
            true => self.to_string(),
            false => format!("{}: {self}", Place::of(source, self.span.start)),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for Violation {}

/// A module that the verifier let pass, with its names resolved.
#[derive(Debug)]
pub struct Verified<'a> {
    symbols: Symbols<'a>,
    bodies: Vec<Body<'a>>,
}

impl<'a> Verified<'a> {
    /// The module.
    pub fn module(&self) -> &'a Module {
        self.symbols.module
    }

    /// Its names.
    pub fn symbols(&self) -> &Symbols<'a> {
        &self.symbols
    }

    /// The functions that have a body, resolved, in the order of the text.
    pub fn bodies(&self) -> &[Body<'a>] {
        &self.bodies
    }

    /// The body of the function of that name.
    pub fn body(&self, name: &str) -> Option<&Body<'a>> {
        self.bodies.iter().find(|body| *body.function.name.node == *name)
    }
}

/// Checks a module.
///
/// # Errors
///
/// Everything that is wrong, in the order of the text within each function.
pub fn verify(module: &Module) -> Result<Verified<'_>, Vec<Violation>> {
    let symbols = Symbols::of(module);
    let mut violations = Vec::new();
    module::check(module, &mut violations);
    let defined = module.functions().filter(|function| function.body.is_some());
    let bodies: Vec<Body<'_>> = defined.map(|function| Body::resolve(&symbols, function)).collect();
    bodies.iter().for_each(|one| body::check(one, &mut violations));
    match violations.is_empty() {
        true => Ok(Verified { symbols, bodies }),
        false => Err(violations),
    }
}
