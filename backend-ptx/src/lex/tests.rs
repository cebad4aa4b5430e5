use super::{Kind, tokens};

fn check(source: &str, expected: &[(Kind, &str)]) {
    let found: Vec<_> = tokens(source).iter().map(|token| (token.kind, token.span.text(source))).collect();
    assert_eq!(&found[..found.len() - 1], expected, "{source:?}");
    assert_eq!(found[found.len() - 1].0, Kind::End);
}

#[test]
fn words_after_dots() {
    use Kind::{Decimal, Dotted, Ident};
    check(
        "cp.L2::128B.1d .a::b::c",
        &[(Ident, "cp"), (Dotted, ".L2::128B"), (Dotted, ".1d"), (Dotted, ".a::b::c")],
    );
    check(".5 .5e-3 .16x64b", &[(Decimal, ".5"), (Decimal, ".5e-3"), (Dotted, ".16x64b")]);
}

#[test]
fn numbers() {
    use Kind::{Bad, Decimal, Dotted, F32, F64, Integer};
    check(
        "0x1Fu 017 0b1U 1e5 1. 8.4",
        &[
            (Integer, "0x1Fu"),
            (Integer, "017"),
            (Integer, "0b1U"),
            (Decimal, "1e5"),
            (Decimal, "1."),
            (Decimal, "8.4"),
        ],
    );
    check("0f3F800000 0d3FF0000000000000", &[(F32, "0f3F800000"), (F64, "0d3FF0000000000000")]);
    check(
        "0f3F8 0x 12ab 4.b8",
        &[(Bad, "0f3F8"), (Bad, "0x"), (Bad, "12ab"), (Integer, "4"), (Dotted, ".b8")],
    );
}

#[test]
fn blanks_and_zero_bytes() {
    check(
        "a/* { */b// }\n# 1 \"x\" \r\n@@DWARF .byte 1\n\0\0",
        &[(Kind::Ident, "a"), (Kind::Ident, "b"), (Kind::Line, "# 1 \"x\""), (Kind::Line, "@@DWARF .byte 1")],
    );
    check("\0a", &[(Kind::Bad, "\0"), (Kind::Ident, "a")]);
    check("\u{FEFF}a", &[(Kind::Ident, "a")]);
    check("a /* b", &[(Kind::Ident, "a"), (Kind::Bad, "/*")]);
    check("é\"x\\\"", &[(Kind::Bad, "é"), (Kind::Text, "\"x\\\"")]);
}
