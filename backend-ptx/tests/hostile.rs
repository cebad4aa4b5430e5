//! Text that is broken, cut, huge or mean: an error or the right tree, never a panic.

use std::time::Instant;

use proptest::prelude::*;
use tilt_backend_ptx::analysis::Stats;
use tilt_backend_ptx::{MAX_SCOPES, parse, parse_bytes, print, verify};

const FILES: [&str; 6] = [
    include_str!("data/calls.ptx"),
    include_str!("data/initialisers.ptx"),
    include_str!("data/scopes.ptx"),
    include_str!("data/arithmetic.ptx"),
    include_str!("data/unknown.ptx"),
    include_str!("data/debug.ptx"),
];

/// Reads the text; what reads must print, read again and pass through every analysis.
fn survive(bytes: &[u8]) {
    let Ok(module) = parse_bytes(bytes) else { return };
    let text = print(&module);
    let again = parse(&text).unwrap_or_else(|error| panic!("printed: {error}\n{text}"));
    assert_eq!(again, module, "{text}");
    if let Err(violations) = verify(&module) {
        violations.iter().for_each(|one| drop(one.at(&text)));
    }
    Stats::of(&module);
    common::analyse(&module);
}

mod common;

/// Pieces that mean something to the parser.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        ".entry",
        ".func",
        ".reg",
        ".b32",
        ".pred",
        "%r1",
        "%p",
        "f",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        ",",
        ";",
        ":",
        "@",
        "!",
        "|",
        "+",
        "-",
        "_",
        "0x1F",
        "12",
        "0f3F800000",
        "1.5",
        ".5",
        "\"s\"",
        "mov",
        ".section",
        ".loc",
        ".file",
        ".version",
        "8.0",
        ".target",
        "sm_80",
        ".const",
        ".align",
        ".alias",
        "generic",
        ".unknown",
        "?",
        "=",
        "%",
        "\n",
        "//",
        "/*",
        "*/",
        "#",
        "\0",
        "é",
        "call",
        ".branchtargets",
        ".callprototype",
        "$L",
        ".param",
        "ret",
        ".global",
        ".v4",
    ];
    prop_oneof![8 => prop::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,3}"]
}

proptest! {
    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survive(&bytes);
    }

    #[test]
    fn random_words(words in prop::collection::vec(piece(), 0..60)) {
        survive(words.join(" ").as_bytes());
        survive(format!(".version 8.0 .target sm_80 .entry k() {{ {} }}", words.join(" ")).as_bytes());
    }

    #[test]
    fn cut_anywhere(file in 0..FILES.len(), at in any::<prop::sample::Index>()) {
        let bytes = FILES[file].as_bytes();
        survive(&bytes[..at.index(bytes.len())]);
    }

    #[test]
    fn changed_bytes(file in 0..FILES.len(), edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = FILES[file].as_bytes().to_vec();
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        survive(&bytes);
    }

    #[test]
    fn moved_pieces(file in 0..FILES.len(), other in 0..FILES.len(), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>(), length in 1usize..80) {
        let from = FILES[other].as_bytes();
        let start = b.index(from.len());
        let piece = &from[start..(start + length).min(from.len())];
        let mut bytes = FILES[file].as_bytes().to_vec();
        let at = a.index(bytes.len());
        bytes.splice(at..at, piece.iter().copied());
        survive(&bytes);
    }
}

#[test]
fn deep_nesting() {
    let scopes = |depth: usize| format!(".func f() {{ {} ret; {} }}", "{".repeat(depth), "}".repeat(depth));
    survive(scopes(MAX_SCOPES).as_bytes());
    assert!(parse(&scopes(MAX_SCOPES)).is_ok());
    assert!(parse(&scopes(MAX_SCOPES + 1)).is_err_and(|error| error.message.contains("nested too deep")));
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("-", ""),
        ("!", ""),
        ("(.s64)", ""),
        ("1?", ":1"),
        ("1+(", ")"),
        ("1(", ")"),
    ] {
        for depth in [50, 100_000] {
            let text = format!(".func f() {{ mov.b32 %r, {}1{}; }}", open.repeat(depth), close.repeat(depth));
            survive(text.as_bytes());
            let text = format!(".global .b32 x = {}1{};", open.repeat(depth), close.repeat(depth));
            survive(text.as_bytes());
        }
    }
    survive(format!(".global .b32 x = 1{};", "+1".repeat(100_000)).as_bytes());
    survive(format!(".entry k {}", "(".repeat(100_000)).as_bytes());
}

#[test]
fn ten_megabytes() {
    let mut source = String::from(".version 8.0\n.target sm_80\n.address_size 64\n");
    while source.len() < 10 << 20 {
        let number = source.len();
        source.push_str(&format!(".visible .entry kernel_{number}(.param .u64 p)\n{{\n.reg .b32 %r<999>; .reg .b64 %rd<9>; .reg .pred %p;\n"));
        for at in 0..300 {
            source.push_str(&format!("L{at}:\tld.global.v2.f32 \t{{%r{at}, %r7}}, [%rd1+{at}];\n\tfma.rn.f32 %r{at}, %r{at}, 0f3F800000, %r8;\n\t@%p bra L{at};\n"));
        }
        source.push_str("\tret;\n}\n");
    }
    let start = Instant::now();
    let module = parse(&source).expect("it parses");
    let verified = verify(&module).expect("it passes");
    let text = print(&module);
    assert!(verified.bodies().len() > 200 && text.len() > 9 << 20);
    let seconds = start.elapsed().as_secs();
    assert!(seconds < 60, "reading, checking and printing took {seconds} s without optimisation");
}

#[test]
fn one_huge_array_and_many_parameters() {
    let values = vec!["0x7F"; 500_000].join(",");
    survive(format!(".global .b8 data[500000] = {{{values}}};").as_bytes());
    let parameters: Vec<String> = (0..4000).map(|at| format!(".param .u64 p{at}")).collect();
    let module = parse(&format!(".entry k({}) {{ ret; }}", parameters.join(","))).expect("it parses");
    assert_eq!(module.function("k").expect("a kernel").parameters().len(), 4000);
}
