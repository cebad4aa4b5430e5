//! Comments that announce diagnostics.
//!
//! ```text
//! let y[t] = x.w
//! // error: 1:14 unknown-field
//! ```

use std::collections::BTreeMap;

use tilt::{Diagnostic, parts::frontend::diagnostic::one_line};

/// What was announced and not found, and what was found and not announced.
pub(super) fn differences(text: &str, found: &[Diagnostic]) -> Vec<String> {
    let mut balance: BTreeMap<String, i32> = BTreeMap::new();
    for line in announced(text) {
        *balance.entry(line.to_owned()).or_default() += 1;
    }
    for diagnostic in found {
        *balance.entry(one_line(diagnostic, text)).or_default() -= 1;
    }
    let differences = balance.into_iter().filter_map(|(line, count)| match count {
        0 => None,
        1.. => Some(format!("announced, but not found: {line}")),
        ..0 => Some(format!("found, but not announced: {line}")),
    });
    differences.collect()
}

/// The announcements in comments.
fn announced(text: &str) -> impl Iterator<Item = &str> {
    let comments = text.lines().filter_map(|line| line.trim().strip_prefix("//"));
    comments.map(str::trim).filter(|comment| {
        let place = comment.strip_prefix("error: ").or_else(|| comment.strip_prefix("warning: "));
        place.is_some_and(|place| place.starts_with(|first: char| first.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(text: &str) -> Vec<String> {
        let found = match tilt::parts::frontend::compile("q.tilt", text) {
            Ok((_, warnings)) => warnings,
            Err(diagnostics) => diagnostics,
        };
        differences(text, &found)
    }

    #[test]
    fn announced_and_found_cancel() {
        let text = "input x { v: f64 } every 1s\noutput y = x.w\n";
        assert_eq!(compare(text), ["found, but not announced: error: 2:14 unknown-field"]);
        assert!(compare(&format!("{text}// error: 2:14 unknown-field")).is_empty());
    }

    #[test]
    fn each_announcement_counts_once() {
        let text =
            "input x { v: f64 } every 1s\noutput y = x.v\n// error: 2:14 unknown-field\n// error: in words";
        assert_eq!(compare(text), ["announced, but not found: error: 2:14 unknown-field"]);
    }
}
