//! Diagnostics as text: drawn under the source, or one line each.

use super::{Diagnostic, Severity};
use crate::span::{LineIndex, Span};
use ariadne::{Config, IndexType, Report, ReportKind};

/// Whether drawn diagnostics carry ANSI colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// For a terminal.
    Colour,
    /// For files, pipes and tests.
    Plain,
}

/// Draws `diagnostic` under the lines of `source` it is about. `name` is the name of the source, usually its
/// path; what is about a module is drawn under the text of that. Ends with a line break.
pub fn render(diagnostic: &Diagnostic, name: &str, source: &str, paint: Paint) -> String {
    let kind = match diagnostic.severity {
        Severity::Error => ReportKind::Error,
        Severity::Warning => ReportKind::Warning,
    };
    let config = Config::new().with_color(paint == Paint::Colour).with_index_type(IndexType::Byte);
    let at = |span: Span| match diagnostic.module_at(span) {
        Some(module) => (module.name.clone(), module.local(span).range()),
        None => (name.to_owned(), span.range()),
    };
    let spans = diagnostic.secondary.iter().map(|label| label.span).chain([diagnostic.primary.span]);
    let modules = spans.filter_map(|span| diagnostic.module_at(span));
    let texts = modules.map(|module| (module.name.clone(), module.text.as_str()));
    let texts: Vec<(String, &str)> = texts.chain([(name.to_owned(), source)]).collect();
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
    match report.finish().write(ariadne::sources(texts), &mut out) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        // Writing into memory does not fail; should it, the message still arrives.
        Err(_) => format!("{}: {}\n", one_line(diagnostic, source), diagnostic.message),
    }
}

/// `error: LINE:COL code`, the form that stands in tests; `error: std/finance.tilt:LINE:COL code` for what is about a module.
/// No line break at the end.
pub fn one_line(diagnostic: &Diagnostic, source: &str) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let span = diagnostic.primary.span;
    let (file, text, start) = match diagnostic.module() {
        Some(module) => (format!("{}:", module.name), &*module.text, module.local(span).start),
        None => (String::new(), source, span.start),
    };
    let place = LineIndex::new(text).locate(text, start);
    format!("{severity}: {file}{}:{} {}", place.line, place.column, diagnostic.code)
}
