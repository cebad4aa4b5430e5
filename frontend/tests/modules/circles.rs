//! What is said about circles of modules, and about a `use` that is not complete.

use crate::{compiled, report};
use insta::assert_snapshot;
use tilt_frontend::diagnostic::one_line;

#[test]
fn circles() {
    let modules = [
        ("a", "use b::g\nfn f(x) = g(x)"),
        ("b", "use c\nfn g(x) = c::h(x)"),
        ("c", "use b\nfn h(x) = x + b::g(x)"),
        ("me", "use me::f\nfn f(x) = x"),
    ];
    let source = "
use a::f
use me
input x { v: f64 } every 1s
output y = f(x.v) + me::f(x.v)
";
    assert_snapshot!(report(&modules, source), @r#"
    [cyclic-use] Error: the module `me` uses itself
       ╭─[ me.tilt:1:5 ]
       │
     1 │ use me::f
       │     ──┬──
       │       ╰──── this is the same module
       │
       │ Help: leave it out: its functions are known in it
    ───╯
    [cyclic-use] Error: the module `b` uses itself
       ╭─[ c.tilt:1:5 ]
       │
     1 │ use b
       │     ┬
       │     ╰── the circle is `b` → `c` → `b`
       │
       ├─[ b.tilt:1:5 ]
       │
     1 │ use c
       │     ┬
       │     ╰── and this is part of the circle
       │
       │ Help: put what they share into a module of its own
    ───╯
    "#);
}

#[test]
fn a_function_that_calls_itself_in_a_module() {
    let source = "use m::f\ninput x { v: f64 } every 1s\noutput y = f(x.v)";
    assert_snapshot!(report(&[("m", "fn f(x) = g(x)\nfn g(x) = f(x)")], source), @r#"
    [recursive-function] Error: the function `f` calls itself
       ╭─[ m.tilt:2:11 ]
       │
     2 │ fn g(x) = f(x)
       │           ┬
       │           ╰── the circle is `f` → `g` → `f`
       │
       ├─[ m.tilt:2:11 ]
       │
     1 │ fn f(x) = g(x)
       │           ┬
       │           ╰── and this is part of the circle
       │
       │ Help: a function stands for its body wherever it is called, so that it cannot call itself
    ───╯
    "#);
}

#[test]
fn half_written_uses() {
    for (source, expected) in [
        ("use", vec!["error: 2:1 syntax"]),
        ("use std::", vec!["error: 2:1 syntax"]),
        ("use std::stats::{rms", vec!["error: 1:17 unclosed-bracket"]),
        ("use std.stats", vec!["error: 1:8 syntax"]),
        ("use 5s", vec!["error: 1:5 syntax"]),
    ] {
        let whole = format!("{source}\ninput x {{ v: f64 }} every 1s\noutput y = x.v");
        let (_, said) = compiled(&[], &whole);
        let lines: Vec<_> = said.iter().map(|one| one_line(one, &whole)).collect();
        assert_eq!(lines, expected, "{source}");
    }
    let source = "input x { v: f64 } every 1s\noutput y = stats::rms + 1.0\noutput z = stats::(x.v)";
    assert_snapshot!(report(&[], source), @r#"
    [syntax] Error: modules have functions, and this is no call
       ╭─[ q.tilt:2:12 ]
       │
     2 │ output y = stats::rms + 1.0
       │            ─────┬────
       │                 ╰────── expected `(` behind this
       │
       │ Help: call it: `rms(…)`
    ───╯
    [syntax] Error: expected a name, found `(`
       ╭─[ q.tilt:3:19 ]
       │
     3 │ output z = stats::(x.v)
       │                   ┬
       │                   ╰── which function of the module?
    ───╯
    "#);
}
