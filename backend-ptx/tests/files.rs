//! Hand-written PTX in `data/`, each file for a group of constructs: it reads, the verifier lets it pass, and printing it and
//! reading that again gives the same tree.

use std::path::PathBuf;

use tilt_backend_ptx::ast::{Item, Opcode, Statement};
use tilt_backend_ptx::{parse, parse_bytes, print, verify};

fn files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let entries =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("readable").path());
    let mut all: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "ptx")).collect();
    all.sort();
    all
}

fn read(name: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR")))
        .expect("the file is there")
}

#[test]
fn printing_and_reading_gives_the_same_tree() {
    let files = files();
    assert!(files.len() >= 12, "{files:?}");
    for path in files {
        let source = std::fs::read(&path).expect("readable");
        let module = parse_bytes(&source).unwrap_or_else(|error| panic!("{}:{error}", path.display()));
        let text = print(&module);
        let again = parse(&text).unwrap_or_else(|error| panic!("{} printed:{error}\n{text}", path.display()));
        assert_eq!(again, module, "{}", path.display());
        assert_eq!(print(&again), text, "{}", path.display());
    }
}

#[test]
fn the_verifier_lets_them_pass() {
    for path in files() {
        let source = std::fs::read_to_string(&path).expect("readable");
        let module = parse(&source).expect("it parses");
        if let Err(violations) = verify(&module) {
            let all: Vec<String> = violations.iter().map(|one| one.at(&source)).collect();
            panic!("{}:\n{}", path.display(), all.join("\n"));
        }
    }
}

/// The tokens of a text whose comments are gone: what must survive, whatever the layout.
fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || "{}()[],;".contains(c))
        .filter(|word| !word.is_empty())
        .collect()
}

#[test]
fn every_word_survives() {
    for name in ["control.ptx", "triton.ptx", "arithmetic.ptx"] {
        let source = read(name);
        let bare: Vec<&str> = source.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
        let bare = bare.join("\n").replace(" + 0 ]", "+0]").replace(" + 16 ]", "+16]").replace('!', "! ");
        let bare = bare
            .replace("@", "@ ")
            .replace('|', " | ")
            .replace("0xffffffff", "0xFFFFFFFF")
            .replace("-%", "- %");
        let printed = print(&parse(&source).expect("it parses"));
        let printed = printed.replace('!', "! ").replace('@', "@ ").replace('|', " | ").replace("-%", "- %");
        assert_eq!(words(&bare), words(&printed), "{name}");
    }
}

#[test]
fn what_is_unknown_is_kept() {
    let module = parse(&read("unknown.ptx")).expect("it parses");
    let unknown: Vec<&str> = module
        .items
        .iter()
        .filter_map(|item| if let Item::Unknown(text) = &item.node { Some(text.as_str()) } else { None })
        .collect();
    assert_eq!(unknown, [".hologram .layers 3 shape = {1, 2};", ".policy on, strict"]);
    let body = module.function("future").and_then(|function| function.body.as_ref()).expect("a body");
    let opcodes: Vec<&str> = body
        .iter()
        .filter_map(|one| match &one.node {
            Statement::Instruction(instruction) => Some(instruction.opcode.spelling()),
            Statement::Unknown(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let expected = [".hint \"fast\", 3", ".deadline { 5, 6 };", "levitate", "levitate", "warble", "ret"];
    assert_eq!(opcodes, expected);
    assert_eq!(Opcode::from_spelling("levitate").spelling(), "levitate");
}

#[test]
fn zero_bytes_at_the_end_are_accepted() {
    let mut source = read("control.ptx").into_bytes();
    let module = parse_bytes(&source).expect("it parses");
    source.extend([0, 0, 0]);
    assert_eq!(parse_bytes(&source).expect("it parses"), module);
    source.push(b'x');
    assert!(parse_bytes(&source).is_err());
}
