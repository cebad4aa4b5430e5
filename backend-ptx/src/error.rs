//! What the parser says when a text is not PTX.

use std::fmt;

use crate::span::{Place, Span};

/// The first thing that kept a text from being read, with its place and the token found there.
///
/// ```
/// let error = tilt_backend_ptx::parse(".version 8.0\n.target sm_80 .entry").unwrap_err();
/// assert_eq!(error.to_string(), "2:21: expected a name, found the end of the text");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Line and column.
    pub place: Place,
    /// The bytes of the token.
    pub span: Span,
    /// The token as it is written; empty at the end of the text.
    pub token: String,
    /// What was expected or wrong, as a phrase that stands before ", found …".
    pub message: String,
}

impl ParseError {
    /// An error at `span` of `source`.
    pub(crate) fn new(source: &str, span: Span, message: impl Into<String>) -> ParseError {
        let token: String = span.text(source).chars().take(60).collect();
        ParseError { place: Place::of(source, span.start), span, token, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { place, token, message, .. } = self;
        match token.is_empty() {
            true => write!(f, "{place}: {message}, found the end of the text"),
            false => write!(f, "{place}: {message}, found `{}`", token.escape_debug()),
        }
    }
}

impl std::error::Error for ParseError {}
