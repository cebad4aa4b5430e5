//! What the compiler has to say about a source text.
//!
//! Every stage reports into a [`Sink`], in one sentence, with a place:
//!
//! ```
//! use tilt_frontend::diagnostic::Sink;
//! use tilt_frontend::span::Span;
//! let mut sink = Sink::default();
//! sink.error("unknown-name", Span::new(4, 7), "there is no `foo`").help("did you mean `for`?");
//! assert!(sink.has_errors());
//! ```
//!
//! [`render`] draws a diagnostic under the text it is about, [`one_line`] gives `error: LINE:COL code`. A diagnostic may be
//! about the text of a module: it then carries that text, and [`Diagnostic::module`] gives it.
//! The codes are listed in [`codes::CODES`] and explained in `docs/language.md`.

pub mod codes;
mod render;
mod texts;

pub use render::{Paint, one_line, render};
pub use texts::ModuleText;
pub(crate) use texts::ModuleTexts;

use crate::span::Span;
use std::sync::Arc;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The query has no meaning; nothing is compiled.
    Error,
    /// The query has a meaning, but perhaps not the one that was wanted.
    Warning,
}

/// A remark at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The name of this kind of diagnostic, one of [`codes::CODES`].
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The place it is about and what is there.
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// Whether it is about text whose structure was guessed; it is then not shown.
    is_guess: bool,
    /// The texts of the modules; `None` if there are none.
    modules: Option<Arc<ModuleTexts>>,
}

impl Diagnostic {
    /// The module whose text it is about; `None` if that is the program itself.
    pub fn module(&self) -> Option<&ModuleText> {
        self.module_at(self.primary.span)
    }

    /// The module that `span`, one of its labels, lies in; `None` for the program itself.
    pub fn module_at(&self, span: Span) -> Option<&ModuleText> {
        self.modules.as_ref()?.at(span)
    }

    /// Says what stands at the primary place.
    pub fn label(&mut self, text: impl Into<String>) -> &mut Self {
        self.primary.text = text.into();
        self
    }

    /// Adds a remark at another place.
    pub fn note(&mut self, span: Span, text: impl Into<String>) -> &mut Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.help = Some(text.into());
        self
    }
}

/// Collects the diagnostics of one source text.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
    /// Parts of the text whose structure is a guess, because a bracket is missing there.
    guessed: Vec<Span>,
    modules: Option<Arc<ModuleTexts>>,
}

impl Sink {
    /// Reports an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.report(Severity::Error, code, span, message.into())
    }

    /// Reports a warning.
    pub fn warning(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.report(Severity::Warning, code, span, message.into())
    }

    /// Whether any error was reported; warnings do not count.
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Says that the structure of this part of the text is a guess, after an error there: what is reported about it from
    /// now on may be no mistake and is left out.
    pub fn guess(&mut self, span: Span) {
        self.guessed.push(span);
    }

    /// Takes over what `other` has about a text whose first byte is byte `start` here.
    pub(crate) fn append(&mut self, other: Sink, start: u32) {
        let moved = |span: Span| Span { start: span.start + start, end: span.end + start };
        self.guessed.extend(other.guessed.into_iter().map(moved));
        self.found.extend(other.found.into_iter().map(|mut diagnostic| {
            diagnostic.primary.span = moved(diagnostic.primary.span);
            for label in &mut diagnostic.secondary {
                label.span = moved(label.span);
            }
            diagnostic
        }));
    }

    /// Says which texts of modules the spans lie in.
    pub(crate) fn set_modules(&mut self, modules: ModuleTexts) {
        self.modules = Some(Arc::new(modules));
    }

    /// Whether both lie in one text, so that there is a span that covers them.
    pub(crate) fn in_one_text(&self, a: Span, b: Span) -> bool {
        let text = |span| self.modules.as_ref().and_then(|modules| modules.at(span)).map(|text| text.start);
        text(a) == text(b)
    }

    /// Everything reported, in the order of the source text; what has one code at one place is one mistake.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        for diagnostic in &mut self.found {
            diagnostic.modules = self.modules.clone();
        }
        self.found.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.primary.span.end));
        // What is about a module is a mistake of the call that led there as well: two calls make two.
        self.found.dedup_by(|one, other| {
            (one.primary.span, one.code) == (other.primary.span, other.code)
                && (one.module().is_none() || one.secondary == other.secondary)
        });
        self.found.retain(|diagnostic| !diagnostic.is_guess);
        self.found
    }

    fn report(
        &mut self,
        severity: Severity,
        code: &'static str,
        span: Span,
        message: String,
    ) -> &mut Diagnostic {
        debug_assert!(
            codes::CODES.iter().any(|known| known.0 == code),
            "`{code}` is not in the table of codes"
        );
        let primary = Label { span, text: String::new() };
        let is_guess = self.guessed.iter().any(|guess| guess.start <= span.start && span.start <= guess.end);
        self.found.push(Diagnostic {
            code,
            severity,
            message,
            primary,
            secondary: Vec::new(),
            help: None,
            is_guess,
            modules: None,
        });
        self.found.last_mut().expect("one was just pushed")
    }
}
