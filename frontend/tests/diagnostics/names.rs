//! Diagnostics of names. Each program is shown with all that is said about it.

use crate::report;
use insta::assert_snapshot;

#[test]
fn unknown_name() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
let fast[t] = x.v
output y = fest + mean + zzzz
"#;
    assert_snapshot!(report(source), @r#"
    [unknown-name] Error: there is no stream `fest`
       ╭─[ q.tilt:3:12 ]
       │
     3 │ output y = fest + mean + zzzz
       │            ──┬─
       │              ╰─── not defined
       │
       │ Help: did you mean `fast`?
    ───╯
    [unknown-name] Error: there is no stream `mean`
       ╭─[ q.tilt:3:19 ]
       │
     3 │ output y = fest + mean + zzzz
       │                   ──┬─
       │                     ╰─── not defined
       │
       │ Help: `mean` is a function: call it as `mean(…)`
    ───╯
    [unknown-name] Error: there is no stream `zzzz`
       ╭─[ q.tilt:3:26 ]
       │
     3 │ output y = fest + mean + zzzz
       │                          ──┬─
       │                            ╰─── not defined
       │
       │ Help: streams come from `input` and `let`
    ───╯
    "#);
}

#[test]
fn unknown_function() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = avg(x[t-5s..t].v) + squrt(x.v) + x(3)
"#;
    assert_snapshot!(report(source), @r#"
    [unknown-function] Error: there is no function `avg`
       ╭─[ q.tilt:2:12 ]
       │
     2 │ output y = avg(x[t-5s..t].v) + squrt(x.v) + x(3)
       │            ─┬─
       │             ╰─── not defined
       │
       │ Help: did you mean `mean`?
    ───╯
    [unknown-function] Error: there is no function `squrt`
       ╭─[ q.tilt:2:32 ]
       │
     2 │ output y = avg(x[t-5s..t].v) + squrt(x.v) + x(3)
       │                                ──┬──
       │                                  ╰──── not defined
       │
       │ Help: did you mean `sqrt`?
    ───╯
    [unknown-function] Error: there is no function `x`
       ╭─[ q.tilt:2:45 ]
       │
     2 │ output y = avg(x[t-5s..t].v) + squrt(x.v) + x(3)
       │                                             ┬
       │                                             ╰── not defined
       │
       │ Help: `x` is a stream: its value at another time is `x[t-5s]`
    ───╯
    "#);
}

#[test]
fn unknown_field() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
let m[t] = x.v
output y = x.w + m.v + x[t-1s].nn
"#;
    assert_snapshot!(report(source), @r#"
    [unknown-field] Error: there is no field `w`
       ╭─[ q.tilt:3:14 ]
       │
     3 │ output y = x.w + m.v + x[t-1s].nn
       │            ┬ ┬
       │            │ ╰── not a field
       │            │
       │            ╰──── this has `v`, `n`
    ───╯
    [unknown-field] Error: there is no field `v`
       ╭─[ q.tilt:3:20 ]
       │
     3 │ output y = x.w + m.v + x[t-1s].nn
       │                  ┬ ┬
       │                  │ ╰── not a field
       │                  │
       │                  ╰──── this is `f64`, a single value without fields
       │
       │ Help: leave the field out
    ───╯
    [unknown-field] Error: there is no field `nn`
       ╭─[ q.tilt:3:32 ]
       │
     3 │ output y = x.w + m.v + x[t-1s].nn
       │                        ───┬─── ─┬
       │                           │     ╰── not a field
       │                           │
       │                           ╰──────── this has `v`, `n`
       │
       │ Help: did you mean `n`?
    ───╯
    "#);
}

#[test]
fn unknown_type() {
    let source = r#"
input x { a: float, b: f46, c: string, d: foo } every 1s
output x
"#;
    assert_snapshot!(report(source), @r#"
    [unknown-type] Error: there is no type `float`
       ╭─[ q.tilt:1:14 ]
       │
     1 │ input x { a: float, b: f46, c: string, d: foo } every 1s
       │              ──┬──
       │                ╰──── not a type
       │
       │ Help: write `f64` or `f32`
    ───╯
    [unknown-type] Error: there is no type `f46`
       ╭─[ q.tilt:1:24 ]
       │
     1 │ input x { a: float, b: f46, c: string, d: foo } every 1s
       │                        ─┬─
       │                         ╰─── not a type
       │
       │ Help: did you mean `f64`?
    ───╯
    [unknown-type] Error: there is no type `string`
       ╭─[ q.tilt:1:32 ]
       │
     1 │ input x { a: float, b: f46, c: string, d: foo } every 1s
       │                                ───┬──
       │                                   ╰──── not a type
       │
       │ Help: write `symbol`
    ───╯
    [unknown-type] Error: there is no type `foo`
       ╭─[ q.tilt:1:43 ]
       │
     1 │ input x { a: float, b: f46, c: string, d: foo } every 1s
       │                                           ─┬─
       │                                            ╰─── not a type
       │
       │ Help: types are bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, time, duration, symbol
    ───╯
    "#);
}

#[test]
fn unknown_argument() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
fn f(a) = a
output y = mean(x[t-5s..t].v, mincount = 5) + std(x[t-5s..t].v, dof = 0) + sqrt(x.v, base = 2) + f(a = x.v)
"#;
    assert_snapshot!(report(source), @r#"
    [unknown-argument] Error: `mean` has no argument called `mincount`
       ╭─[ q.tilt:3:31 ]
       │
     3 │ output y = mean(x[t-5s..t].v, mincount = 5) + std(x[t-5s..t].v, dof = 0) + sqrt(x.v, base = 2) + f(a = x.v)
       │                               ────┬───
       │                                   ╰───── not known
       │
       │ Help: did you mean `min_count`?
    ───╯
    [unknown-argument] Error: `std` has no argument called `dof`
       ╭─[ q.tilt:3:65 ]
       │
     3 │ output y = mean(x[t-5s..t].v, mincount = 5) + std(x[t-5s..t].v, dof = 0) + sqrt(x.v, base = 2) + f(a = x.v)
       │                                                                 ─┬─
       │                                                                  ╰─── not known
       │
       │ Help: did you mean `ddof`?
    ───╯
    [unknown-argument] Error: `sqrt` has no argument called `base`
       ╭─[ q.tilt:3:86 ]
       │
     3 │ output y = mean(x[t-5s..t].v, mincount = 5) + std(x[t-5s..t].v, dof = 0) + sqrt(x.v, base = 2) + f(a = x.v)
       │                                                                                      ──┬─
       │                                                                                        ╰─── not known
       │
       │ Help: give its arguments without names
    ───╯
    [unknown-argument] Error: `f` has no argument called `a`
       ╭─[ q.tilt:3:100 ]
       │
     3 │ output y = mean(x[t-5s..t].v, mincount = 5) + std(x[t-5s..t].v, dof = 0) + sqrt(x.v, base = 2) + f(a = x.v)
       │                                                                                                    ┬
       │                                                                                                    ╰── not known
       │
       │ Help: give its arguments without names
    ───╯
    "#);
}

#[test]
fn duplicate_name() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
let x[t] = 1.0
let a[t] = { b: x.v, b: x.n }
output y = mean(x[t-5s..t].v, min_count = 1, min_count = 2)
"#;
    assert_snapshot!(report(source), @r#"
    [duplicate-name] Error: `x` is defined twice
       ╭─[ q.tilt:2:5 ]
       │
     2 │ let x[t] = 1.0
       │     ┬
       │     ╰── here again
       │
       ├─[ q.tilt:2:5 ]
       │
     1 │ input x { v: f64, n: i64 } every 1s
       │       ┬
       │       ╰── first defined here
    ───╯
    [no-grid] Error: nothing here says how often there is a row
       ╭─[ q.tilt:2:5 ]
       │
     2 │ let x[t] = 1.0
       │     ┬
       │     ╰── names no stream
       │
       │ Help: say it: `let x[t every 1s] = …`
    ───╯
    [duplicate-name] Error: `b` is defined twice
       ╭─[ q.tilt:3:22 ]
       │
     3 │ let a[t] = { b: x.v, b: x.n }
       │              ┬       ┬
       │              │       ╰── here again
       │              │
       │              ╰────────── first defined here
    ───╯
    [duplicate-name] Error: `min_count` is given twice
       ╭─[ q.tilt:4:46 ]
       │
     4 │ output y = mean(x[t-5s..t].v, min_count = 1, min_count = 2)
       │                                              ────┬────
       │                                                  ╰────── here again
    ───╯
    "#);
}

#[test]
fn duplicate_output() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x.v
output y = x.n
"#;
    assert_snapshot!(report(source), @r#"
    [duplicate-output] Error: there are two outputs called `y`
       ╭─[ q.tilt:3:8 ]
       │
     3 │ output y = x.n
       │        ┬
       │        ╰── here again
       │
       ├─[ q.tilt:3:8 ]
       │
     2 │ output y = x.v
       │        ┬
       │        ╰── the first one
    ───╯
    "#);
}

#[test]
fn reserved_name() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
let t[t] = x.v
fn mean(a) = a
output x
"#;
    assert_snapshot!(report(source), @r#"
    [reserved-name] Error: `t` is the time
       ╭─[ q.tilt:2:5 ]
       │
     2 │ let t[t] = x.v
       │     ┬
       │     ╰── already has a meaning
       │
       │ Help: give it another name
    ───╯
    [reserved-name] Error: `mean` is a function of the language
       ╭─[ q.tilt:3:4 ]
       │
     3 │ fn mean(a) = a
       │    ──┬─
       │      ╰─── already has a meaning
       │
       │ Help: give it another name
    ───╯
    "#);
}

#[test]
fn an_unreadable_item_hides_no_error_of_others() {
    let source = r#"
input a { v: f64 } every 2s
input b { v: f64 } every 3s
let e[t] = a.v + b.v
let j[t every 1s offset x] = a.v
output e
"#;
    let (_, diagnostics) = tilt_frontend::parse(source);
    assert_eq!(diagnostics.len(), 1);
    let diagnostics = tilt_frontend::compile("q.tilt", source).unwrap_err();
    let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, ["grid-mismatch", "syntax"]);
}
