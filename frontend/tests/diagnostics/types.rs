//! Diagnostics of types. Each program is shown with all that is said about it.

use crate::report;
use insta::assert_snapshot;

#[test]
fn type_mismatch_of_operators() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output a = x.v + x.n
output b = x.n and true
output c = not x.v
output d = t + t
output e = (t - floor(t, 1d)) * 0.5
output f = (x.v > 0.0) + 1
output g = x.v > true
output h = -t
"#;
    assert_snapshot!(report(source), @r#"
    [type-mismatch] Error: `+` does not take `f64` and `i64`
       ╭─[ q.tilt:2:12 ]
       │
     2 │ output a = x.v + x.n
       │            ────┬────
       │                ╰────── `f64` on the left, `i64` on the right
       │
       │ Help: convert the `i64` first: `f64(x)`
    ───╯
    [type-mismatch] Error: `and` needs a `bool`
       ╭─[ q.tilt:3:12 ]
       │
     3 │ output b = x.n and true
       │            ─┬─
       │             ╰─── this is `i64`
       │
       │ Help: compare it with something: `x != 0`
    ───╯
    [type-mismatch] Error: `not` needs a `bool`
       ╭─[ q.tilt:4:16 ]
       │
     4 │ output c = not x.v
       │                ─┬─
       │                 ╰─── this is `f64`
       │
       │ Help: compare it with something: `x != 0`
    ───╯
    [type-mismatch] Error: `+` does not take `time` and `time`
       ╭─[ q.tilt:5:12 ]
       │
     5 │ output d = t + t
       │            ──┬──
       │              ╰──── `time` on the left, `time` on the right
       │
       │ Help: time - time, time ± duration, duration ± duration, duration * integer and duration / duration are known
    ───╯
    [type-mismatch] Error: `*` does not take `duration` and a float literal
       ╭─[ q.tilt:6:12 ]
       │
     6 │ output e = (t - floor(t, 1d)) * 0.5
       │            ────────────┬───────────
       │                        ╰───────────── `duration` on the left, a float literal on the right
       │
       │ Help: convert the duration to a number first: `d / 1s` is its seconds
    ───╯
    [type-mismatch] Error: `+` does not take `bool` and an integer literal
       ╭─[ q.tilt:7:12 ]
       │
     7 │ output f = (x.v > 0.0) + 1
       │            ───────┬───────
       │                   ╰───────── `bool` on the left, an integer literal on the right
       │
       │ Help: make it a number: `if b then 1 else 0`
    ───╯
    [type-mismatch] Error: `>` does not take `f64` and `bool`
       ╭─[ q.tilt:8:12 ]
       │
     8 │ output g = x.v > true
       │            ─────┬────
       │                 ╰────── `f64` on the left, `bool` on the right
       │
       │ Help: bools are compared with `==` and `!=` only
    ───╯
    [type-mismatch] Error: `time` has no negative
       ╭─[ q.tilt:9:12 ]
       │
     9 │ output h = -t
       │            ─┬
       │             ╰── `-` of `time`
    ───╯
    "#);
}

#[test]
fn type_mismatch_of_functions() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output a = sqrt(x.n)
output b = mean(x[t-5s..t].v > 0.0)
output c = max(x.v, x.n)
output d = i64(x.v > 0.0)
output e = floor(x.v, 1s)
output f = abs(t)
"#;
    assert_snapshot!(report(source), @r#"
    [type-mismatch] Error: `sqrt` needs a float
       ╭─[ q.tilt:2:17 ]
       │
     2 │ output a = sqrt(x.n)
       │                 ─┬─
       │                  ╰─── this is `i64`
       │
       │ Help: convert it first: `f64(x)`
    ───╯
    [type-mismatch] Error: `mean` needs numbers
       ╭─[ q.tilt:3:17 ]
       │
     3 │ output b = mean(x[t-5s..t].v > 0.0)
       │                 ─────────┬────────
       │                          ╰────────── this is `bool`
       │
       │ Help: make it a number: `if b then 1 else 0`
    ───╯
    [type-mismatch] Error: `max` does not take `f64` and `i64`
       ╭─[ q.tilt:4:12 ]
       │
     4 │ output c = max(x.v, x.n)
       │            ──────┬──────
       │                  ╰──────── `f64` and `i64`
       │
       │ Help: convert one of them, as in `f64(x)`
    ───╯
    [type-mismatch] Error: a `bool` cannot be converted to `i64`
       ╭─[ q.tilt:5:12 ]
       │
     5 │ output d = i64(x.v > 0.0)
       │            ───────┬──────
       │                   ╰──────── `bool` to `i64`
       │
       │ Help: write `if b then 1 else 0`
    ───╯
    [type-mismatch] Error: only a `time` is rounded to a period
       ╭─[ q.tilt:6:18 ]
       │
     6 │ output e = floor(x.v, 1s)
       │                  ─┬─
       │                   ╰─── this is `f64`
    ───╯
    [type-mismatch] Error: `abs` needs a number
       ╭─[ q.tilt:7:16 ]
       │
     7 │ output f = abs(t)
       │                ┬
       │                ╰── this is `time`
    ───╯
    "#);
}

#[test]
fn type_mismatch_of_branches() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output a = if x.v > 0.0 then x.v else x.n
output b = x.n ?? 0.5
output c = if x.v then 1 else 2
output d = if x.n > 0 then x else { v: 1.0 }
output e = x.v where x.n
"#;
    assert_snapshot!(report(source), @r#"
    [type-mismatch] Error: `if` needs both sides to have one type
       ╭─[ q.tilt:2:12 ]
       │
     2 │ output a = if x.v > 0.0 then x.v else x.n
       │            ───────────────┬──────────────
       │                           ╰──────────────── `f64` or `i64`
       │
       │ Help: convert one of them, as in `f64(x)`
    ───╯
    [type-mismatch] Error: `??` needs both sides to have one type
       ╭─[ q.tilt:3:12 ]
       │
     3 │ output b = x.n ?? 0.5
       │            ─────┬────
       │                 ╰────── `i64` or a float literal
       │
       │ Help: convert one of them, as in `f64(x)`
    ───╯
    [type-mismatch] Error: `if` needs a `bool`
       ╭─[ q.tilt:4:15 ]
       │
     4 │ output c = if x.v then 1 else 2
       │               ─┬─
       │                ╰─── this is `f64`
       │
       │ Help: compare it with something: `x != 0`
    ───╯
    [type-mismatch] Error: `if` needs both sides to have the same fields
       ╭─[ q.tilt:5:12 ]
       │
     5 │ output d = if x.n > 0 then x else { v: 1.0 }
       │            ────────────────┬────────────────
       │                            ╰────────────────── the fields `v`, `n` or the fields `v`
    ───╯
    [type-mismatch] Error: `where` needs a `bool`
       ╭─[ q.tilt:6:22 ]
       │
     6 │ output e = x.v where x.n
       │                      ─┬─
       │                       ╰─── this is `i64`
       │
       │ Help: compare it with something: `x != 0`
    ───╯
    "#);
}
