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
//! [`render`] draws a diagnostic under the text it is about, [`one_line`] gives `error: LINE:COL code`.
//! The codes are listed in [`codes::CODES`] and explained in `docs/language.md`.

pub mod codes;
mod render;

pub use render::{Paint, one_line, render};

use crate::span::Span;

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
}

impl Diagnostic {
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

    /// Everything reported, in the order of the source text; what has one code at one place is one mistake.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.primary.span.end));
        self.found.dedup_by_key(|diagnostic| (diagnostic.primary.span, diagnostic.code));
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
        });
        self.found.last_mut().expect("one was just pushed")
    }
}
