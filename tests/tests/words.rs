//! No leftovers and no absolute paths in the files of the repository.

use std::fs;

use tilt_tests::{files, root};

/// Each word in two halves, so that this file does not contain it.
const UNWANTED: &[(&str, &str, &str)] = &[
    ("TO", "DO", "finish it, or describe what is missing where a reader looks for it"),
    ("FIX", "ME", "fix it"),
    ("to", "do!(", "unfinished code must not compile"),
    ("unimpl", "emented!(", "unfinished code must not compile"),
    ("db", "g!(", "debugging output"),
    ("/ro", "ot/", "a path of one particular machine"),
    ("/wo", "rk/", "a path of one particular machine"),
    ("/ho", "me/", "a path of one particular machine"),
    ("<<<<", "<<<", "an unresolved merge"),
];

/// One line for each unwanted word in `text`.
fn unwanted(place: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for (left, right, reason) in UNWANTED {
            let word = format!("{left}{right}");
            if line.contains(&word) {
                found.push(format!("{place}:{}: `{word}`: {reason}", number + 1));
            }
        }
    }
    found
}

#[test]
fn no_unwanted_words() {
    let mut found = Vec::new();
    for file in files() {
        let content = fs::read(root().join(&file)).expect("a file that git lists can be read");
        if let Ok(text) = std::str::from_utf8(&content) {
            found.extend(unwanted(&file.display().to_string(), text));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn unwanted_words_are_found_with_their_place() {
    let text = format!("fine\n    to{}\n", "do!()");
    assert_eq!(unwanted("a.rs", &text).len(), 1);
    assert!(unwanted("a.rs", &text)[0].starts_with("a.rs:2: "));
}
