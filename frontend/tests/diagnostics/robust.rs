//! Whatever the text, there is an answer: no panic, no overflow of the stack, every mistake in one run.

use crate::{diagnostics, lines};
use std::collections::HashSet;
use tilt_frontend::diagnostic::codes::CODES;
use tilt_frontend::diagnostic::{Paint, render};

const INPUT: &str = "input x { v: f64, n: i64 } every 1s\n";

#[test]
fn a_hundred_thousand_open_brackets() {
    for bracket in ["(", "[", "{", "f(", "x[", "-(", "x["] {
        let source = format!("{INPUT}output y = {}", bracket.repeat(100_000));
        let found = lines(&source);
        assert!(found.iter().any(|line| line.ends_with("nesting-too-deep")), "{bracket}: {found:?}");
        assert!(found.len() < 5, "{bracket}: {found:?}");
    }
}

#[test]
fn a_hundred_thousand_operators() {
    for (open, atom) in [
        ("-", "x.v"),
        ("not ", "true"),
        ("x.v + ", "1.0"),
        ("x.v ?? ", "1.0"),
        ("if true then 1.0 else ", "x.v"),
    ] {
        let source = format!("{INPUT}output y = {}{atom}\noutput z = x.w", open.repeat(100_000));
        let found = lines(&source);
        let codes: Vec<&str> = found.iter().filter_map(|line| line.split(' ').nth(2)).collect();
        assert_eq!(codes, ["nesting-too-deep", "unknown-field"], "{open}");
    }
    for close in [".v", "[t-1s]"] {
        let source = format!("{INPUT}output y = x{}", close.repeat(100_000));
        assert!(!lines(&source).is_empty(), "{close}");
    }
}

#[test]
fn the_deepest_expressions_allowed_compile() {
    for (open, atom, close) in [
        ("-", "x.v", ""),
        ("1.0 + ", "x.v", ""),
        ("", "x.v", " + 1.0"),
        ("x.v ?? ", "1.0", ""),
        ("if x.v > 0.0 then x.v else ", "1.0", ""),
        ("max(0.0, ", "x.v", ")"),
        ("clamp(", "x.v", ", 0.0, 1.0)"),
    ] {
        let depth = if close == ")" || close.starts_with(',') { 120 } else { 390 };
        let source = format!("{INPUT}output y = {}{atom}{}", open.repeat(depth), close.repeat(depth));
        assert_eq!(lines(&source), Vec::<String>::new(), "{open}…{close}");
    }
}

#[test]
fn functions_that_grow_without_bound_are_an_error() {
    let mut source = format!("{INPUT}fn g0(a) = a + a\n");
    for n in 1..40 {
        source.push_str(&format!("fn g{n}(a) = g{}(g{}(a))\n", n - 1, n - 1));
    }
    source.push_str("output y = g39(x.v)\n");
    let codes: Vec<&str> = diagnostics(&source).iter().map(|one| one.code).collect();
    assert_eq!(codes, ["nesting-too-deep"]);
}

#[test]
fn long_chains_of_definitions_compile() {
    let mut source = format!("{INPUT}let d0[t] = x.v\n");
    for n in (1..20_000).rev() {
        source.push_str(&format!("let d{n}[t] = d{} + 1.0\n", n - 1));
    }
    source.push_str("output y = d19999\n");
    assert_eq!(lines(&source), Vec::<String>::new());
}

#[test]
fn all_errors_of_a_file_in_one_run() {
    let source = "input x { v: f64, n: itn64 } every 0s
let a[t] = x.v + $
let b[t] = mean(y[t-5s..t].v)
let c[t] = (x.v
let d[t every 1s] = 1 + true
output a, b, c, d, e
output f = x[t-5s].v where
";
    let expected = [
        "error: 1:22 unknown-type",
        "error: 1:36 period-not-positive",
        "error: 2:18 unexpected-character",
        "error: 3:17 unknown-name",
        "error: 4:12 unclosed-bracket",
        "error: 5:21 type-mismatch",
        "error: 6:20 unknown-name",
        "error: 7:26 syntax",
    ];
    assert_eq!(lines(source), expected);
}

#[test]
fn places_count_characters_and_lines() {
    assert_eq!(
        lines("// größe\r\n\r\ninput größe { v: f64 } every 1s // ü\noutput y = größe.w"),
        ["error: 4:18 unknown-field"]
    );
}

#[test]
fn colour_can_be_switched() {
    let source = "output y = 1";
    let found = diagnostics(source);
    assert!(render(&found[0], "q", source, Paint::Colour).contains('\u{1b}'));
    assert!(!render(&found[0], "q", source, Paint::Plain).contains('\u{1b}'));
}

#[test]
fn every_code_of_the_table_has_a_test() {
    let tests = [
        include_str!("tokens.rs"),
        include_str!("syntax.rs"),
        include_str!("names.rs"),
        include_str!("types.rs"),
        include_str!("items.rs"),
        include_str!("values.rs"),
        include_str!("time.rs"),
        include_str!("events.rs"),
        include_str!("keys.rs"),
        include_str!("recursion.rs"),
        include_str!("../modules/mistakes.rs"),
        include_str!("../modules/circles.rs"),
    ];
    let text = tests.concat();
    let tested: HashSet<&str> =
        CODES.iter().map(|code| code.0).filter(|code| text.contains(&format!("[{code}]"))).collect();
    let missing: Vec<&str> = CODES.iter().map(|code| code.0).filter(|code| !tested.contains(code)).collect();
    // One needs a text of 4 GiB, the other's brackets would not fit a page; it is tested above.
    assert_eq!(missing, ["source-too-large", "nesting-too-deep"]);
}
