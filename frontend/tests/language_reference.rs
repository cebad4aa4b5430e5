//! The language reference is true: its examples compile, its list of diagnostics is complete, its examples look the way
//! the formatter prints them.

use std::collections::BTreeSet;
use tilt_frontend::ast::ItemKind;
use tilt_frontend::diagnostic::codes::CODES;
use tilt_frontend::diagnostic::{Paint, render};
use tilt_frontend::{compile, parse, print};
use tilt_ir::tir;

const REFERENCE: &str = include_str!("../../docs/language.md");

/// The programs in the reference.
fn examples() -> Vec<&'static str> {
    let fences = REFERENCE.split("```tilt\n").skip(1);
    fences.filter_map(|rest| rest.split_once("```").map(|(example, _)| example)).collect()
}

#[test]
fn examples_compile_without_a_warning() {
    assert!(examples().len() >= 7);
    for source in examples() {
        let draw = |all: Vec<_>| {
            let drawn = all.iter().map(|one| render(one, "language.md", source, Paint::Plain));
            drawn.collect::<String>()
        };
        let (query, warnings) =
            compile("language.md", source).unwrap_or_else(|errors| panic!("{}", draw(errors)));
        assert!(warnings.is_empty(), "{}", draw(warnings));
        assert!(tir::verify(&query).is_ok(), "{query}");
    }
}

#[test]
fn printed_examples_mean_the_same() {
    for source in examples() {
        let (program, _) = parse(source);
        assert_eq!(parse(&print::print(&program)).0, program);
    }
}

/// The heads of the functions that a part of the reference has in the first column of its table: `sma(s, n)`.
fn tabled(part: &str) -> BTreeSet<String> {
    let cells = part.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(String::from).collect()
}

#[test]
fn every_function_of_the_standard_library_is_in_its_table_and_no_other() {
    let (_, library) = REFERENCE.split_once("## Modules and the standard library").expect("the section");
    for module in tilt_std::modules() {
        let title = format!("\n### `{}`\n", module.path);
        let part =
            library.split_once(&title).map_or("", |(_, rest)| rest.split("\n#").next().unwrap_or(rest));
        let (program, _) = parse(module.source);
        let heads = program.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Fn(function) => {
                let params: Vec<&str> = function.params.iter().map(|param| &*param.node).collect();
                Some(format!("{}({})", function.name.node, params.join(", ")))
            }
            _ => None,
        });
        assert_eq!(tabled(part), heads.collect::<BTreeSet<_>>(), "{}", module.path);
    }
}

#[test]
fn every_code_is_explained_and_no_other() {
    let (_, table) = REFERENCE.split_once("## Diagnostics").expect("the section");
    let explained: BTreeSet<&str> =
        table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let known: BTreeSet<&str> = CODES.iter().map(|code| code.0).collect();
    assert_eq!(explained, known);
}
