//! Errors of the parser, findings of the verifier, the call graph, the numbers.

use tilt_backend_ptx::analysis::{Body, CallGraph, Stats, Symbols};
use tilt_backend_ptx::{parse, verify};

#[test]
fn errors_name_the_place_and_the_token() {
    let cases = [
        ("mov", "1:1: expected a directive such as `.entry`, found `mov`"),
        (".version eight", "1:10: expected a version such as `8.4`, found `eight`"),
        (".entry k() { ret }", "1:18: expected an operand or `;`, found `}`"),
        (".entry k()\n{\n\tadd.s32 %r1, %r2 %r3;\n}", "3:19: expected `,` or `;`, found `%r3`"),
        (".entry k() {", "1:13: expected `}`, found the end of the text"),
        (".func f ret;", "1:9: expected the body of the function or `;`, found `ret`"),
        (".global x;", "1:9: expected a type, found `x`"),
        (".global .shared .b32 x;", "1:9: a variable has one state space, found `.shared`"),
        (".global .b32 x = 089;", "1:18: an octal number has no digits 8 and 9, found `089`"),
        (".global .b32 x = 0f3F;", "1:18: expected a value, found `0f3F`"),
        ("/* é", "1:1: expected a directive such as `.entry`, found `/*`"),
        ("é", "1:1: expected a directive such as `.entry`, found `é`"),
        (".entry k() { @%p { } }", "1:18: expected an instruction, found `{`"),
        (".section .debug_str { x", "1:24: expected `}`, found the end of the text"),
        (".novel (", "1:9: this directive does not end, found the end of the text"),
    ];
    for (source, expected) in cases {
        let error = parse(source).expect_err(source);
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.span.text(source), error.token);
    }
}

fn findings(source: &str) -> Vec<String> {
    let source = format!(".version 8.0\n.target sm_80\n{source}");
    let module = parse(&source).expect("it parses");
    let violations = verify(&module).err().unwrap_or_default();
    violations.iter().map(|one| one.at(&source)).collect()
}

#[test]
fn the_verifier_finds() {
    let cases = [
        (".func f() { bra out; { out: ret; } }", "3:13: nothing here is named `out` [unknown-name]"),
        (
            ".func f() { .reg .b32 %r<3>; mov.b32 %r3, 0; }",
            "3:30: nothing here is named `%r3` [unknown-name]",
        ),
        (".func f() { .reg .b32 %r; @%r ret; }", "3:27: `%r` is no predicate register [not-a-predicate]"),
        (
            ".func f() { .reg .b32 a; .reg .f32 a; }",
            "3:26: `a` is declared twice in one scope [repeated-name]",
        ),
        (".func f() { a: a: ret; }", "3:16: `a` is declared twice in one scope [repeated-name]"),
        (".global .b32 x; .func x() { ret; }", "3:23: `x` is declared twice [repeated-name]"),
        (".func f() .maxntid 3 { ret; }", "3:1: `.maxntid` does not belong to `.func` [misplaced-directive]"),
        (
            ".entry f() .noreturn { ret; }",
            "3:1: `.noreturn` does not belong to `.entry` [misplaced-directive]",
        ),
        (
            ".func f(.shared .b32 x) { ret; }",
            "3:9: a parameter cannot live in `.shared` [misplaced-variable]",
        ),
        (".global .b64 x = y;", "3:1: nothing here is named `y` [unknown-name]"),
        (".alias f, g;", "3:1: `f` is an alias of `g`, which is no function [unknown-name]"),
        (".func f() { bra f; }", "3:13: this does not branch to a label of this function [bad-target]"),
        (
            ".func f() { .reg .b32 r; call r; }",
            "3:26: a call names a function, or a register followed by its prototype or its possible targets [bad-call]",
        ),
        (".func f() { T: .branchtargets f; ret; }", "3:7: `f` is no label here [bad-target]"),
    ];
    for (source, expected) in cases {
        assert_eq!(findings(source), [expected]);
    }
    let module = parse(".target sm_80 .version 8.0").expect("it parses");
    assert_eq!(verify(&module).expect_err("out of order")[0].code, "misplaced-directive");
}

#[test]
fn old_modules_declare_registers_outside_functions() {
    assert_eq!(findings(".reg .b32 %r<3>; .func f() { mov.b32 %r2, 0; }"), [""; 0]);
}

#[test]
fn who_calls_whom() {
    let source = format!(
        ".version 8.0 .target sm_80 {}",
        ".extern .func ext; .func ext2; .alias ext2, leaf;
         .func leaf() { ret; }
         .func pointed() { call leaf; ret; }
         .func listed() { ret; }
         .global .u64 table[1] = {pointed};
         .func even() { call odd; } .func odd() { call even; }
         .entry one() { call ext2; call ext; ret; }
         .entry two() { .reg .b64 %r; P: .callprototype () _ (); call %r, P; ret; }
         .entry three() { .reg .b64 %r; T: .calltargets listed; call %r, T; ret; }"
    );
    let module = parse(&source).expect("it parses");
    let verified = verify(&module).expect("it passes");
    let graph = CallGraph::of(verified.symbols(), verified.bodies());
    let reach = |name: &str| graph.reachable(name).iter().map(|name| name.to_string()).collect::<Vec<_>>();
    assert_eq!(reach("one"), ["ext", "leaf", "one"]);
    assert_eq!(reach("two"), ["leaf", "pointed", "two"]);
    assert_eq!(reach("three"), ["listed", "three"]);
    assert!(graph.is_recursive("even") && graph.is_recursive("odd") && !graph.is_recursive("pointed"));
    assert!(
        graph.nodes["two"].indirect
            && graph.nodes["pointed"].address_taken
            && !graph.nodes["leaf"].address_taken
    );
    assert!(!graph.nodes["ext"].defined);
}

#[test]
fn numbers() {
    let module = parse(include_str!("data/control.ptx")).expect("it parses");
    let stats = Stats::of(&module);
    let [kernel] = &stats.functions[..] else { panic!("one kernel") };
    assert_eq!((kernel.barriers, kernel.atomics, kernel.unknown), (4, 3, 0));
    assert_eq!(kernel.forms["bar.red.and.pred"], 1);
    let module = parse(include_str!("data/initialisers.ptx")).expect("it parses");
    let stats = Stats::of(&module);
    assert_eq!((stats.shared_bytes, stats.dynamic_shared, stats.functions[0].local_bytes), (64, true, 32));
    let symbols = Symbols::of(&module);
    let body = Body::resolve(&symbols, module.function("uses").expect("a kernel"));
    assert_eq!(body.instructions.len(), 10);
}
