//! Diagnostics as text: drawn under the source, or one line each.

use super::{Diagnostic, Severity};
use crate::span::{LineIndex, Span};
use ariadne::{Config, IndexType, Report, ReportKind, Source};

/// Whether drawn diagnostics carry ANSI colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// For a terminal.
    Colour,
    /// For files, pipes and tests.
    Plain,
}

/// Draws `diagnostic` under the lines of `source` it is about. `name` is the name of the source, usually its
/// path. Ends with a line break.
pub fn render(diagnostic: &Diagnostic, name: &str, source: &str, paint: Paint) -> String {
    let kind = match diagnostic.severity {
        Severity::Error => ReportKind::Error,
        Severity::Warning => ReportKind::Warning,
    };
    let config = Config::new().with_color(paint == Paint::Colour).with_index_type(IndexType::Byte);
    let at = |span: Span| (name, span.range());
    let primary = &diagnostic.primary;
    let mut report = Report::build(kind, at(primary.span))
        .with_config(config)
        .with_code(diagnostic.code)
        .with_message(&diagnostic.message)
        .with_label(ariadne::Label::new(at(primary.span)).with_message(&primary.text).with_order(-1));
    for label in &diagnostic.secondary {
        report = report.with_label(ariadne::Label::new(at(label.span)).with_message(&label.text));
    }
    if let Some(help) = &diagnostic.help {
        report = report.with_help(help);
    }
    let mut out = Vec::new();
    match report.finish().write((name, Source::from(source)), &mut out) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        // Writing into memory does not fail; should it, the message still arrives.
        Err(_) => format!("{}: {}\n", one_line(diagnostic, source), diagnostic.message),
    }
}

/// `error: LINE:COL code`, the form that stands in tests. No line break at the end.
pub fn one_line(diagnostic: &Diagnostic, source: &str) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let place = LineIndex::new(source).locate(source, diagnostic.primary.span.start);
    format!("{severity}: {}:{} {}", place.line, place.column, diagnostic.code)
}
