//! Diagnostics of items and how they use each other. Each program is shown with all that is said about it.

use crate::report;
use insta::assert_snapshot;

#[test]
fn cyclic_definition() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
let a[t] = b + 1.0
let b[t] = a[t-1s]
let c[t] = c[t-1s] + x.v
let d[t] = a + x.v
output a, c, d
"#;
    assert_snapshot!(report(source), @r#"
    [cyclic-definition] Error: `a` depends on itself
       ╭─[ q.tilt:3:12 ]
       │
     3 │ let b[t] = a[t-1s]
       │            ┬
       │            ╰── the circle is `a` → `b` → `a`
       │
       ├─[ q.tilt:3:12 ]
       │
     2 │ let a[t] = b + 1.0
       │            ┬
       │            ╰── and this is part of the circle
       │
       │ Help: a definition may look at its own past, but not at one that looks at it
    ───╯
    [cyclic-definition] Error: `c` depends on itself
       ╭─[ q.tilt:4:12 ]
       │
     4 │ let c[t] = c[t-1s] + x.v
       │            ┬
       │            ╰── used in its own definition
       │
       │ Help: only its past can be looked at, with a value from before the first row: `let n[t] init 0 = n[t-1s] + 1`
    ───╯
    "#);
}

#[test]
fn recursive_function() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
fn f(a) = g(a) + 1.0
fn g(a) = f(a)
output y = f(x.v)
"#;
    assert_snapshot!(report(source), @r#"
    [recursive-function] Error: the function `f` calls itself
       ╭─[ q.tilt:3:11 ]
       │
     3 │ fn g(a) = f(a)
       │           ┬
       │           ╰── the circle is `f` → `g` → `f`
       │
       ├─[ q.tilt:3:11 ]
       │
     2 │ fn f(a) = g(a) + 1.0
       │           ┬
       │           ╰── and this is part of the circle
       │
       │ Help: a function stands for its body wherever it is called, so that it cannot call itself
    ───╯
    "#);
}

#[test]
fn unused_name() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
fn f(a) = a
let y[t] = x.v
output x
"#;
    assert_snapshot!(report(source), @r#"
    [unused-name] Warning: nothing uses `f`
       ╭─[ q.tilt:2:4 ]
       │
     2 │ fn f(a) = a
       │    ┬
       │    ╰── neither put out nor used by anything
    ───╯
    [unused-name] Warning: nothing uses `y`
       ╭─[ q.tilt:3:5 ]
       │
     3 │ let y[t] = x.v
       │     ┬
       │     ╰── neither put out nor used by anything
    ───╯
    "#);
}

#[test]
fn no_output() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
let y[t] = x.v
"#;
    assert_snapshot!(report(source), @r#"
    [no-output] Error: nothing is put out
       ╭─[ q.tilt:2:1 ]
       │
     2 │ let y[t] = x.v
       │ ───────┬──────
       │        ╰──────── an output is missing behind this
       │
       │ Help: end with `output name`, or `output name = …`
    ───╯
    "#);
}
