//! Diagnostics of definitions that look at their own past.

use crate::report;
use insta::assert_snapshot;

#[test]
fn self_look() {
    let source = r#"
input x { v: f64 }
input g { v: f64 } every 1s
let a[t] init 0.0 = a + g.v
let b[t] init 0.0 = b[t+1s] + b[floor(t, 1d)] + b[t] + g.v
let c[t on x] init 0.0 = c[t-1s] + x.v
let d[t on x] init 0.0 = mean(d[last 5]) + x.v
fn twice(s) = s[prev] * 2
let e[t on x] init 0.0 = twice(e) + twice(e + 1.0) + x.v
let f[t on f] init 0.0 = x.v
output a, b, c, d, e, f
"#;
    assert_snapshot!(report(source), @r#"
    [self-look] Error: `a` looks at itself where it may not
       ╭─[ q.tilt:3:21 ]
       │
     3 │ let a[t] init 0.0 = a + g.v
       │                     ┬
       │                     ╰── neither the row before nor one at a constant distance
       │
       │ Help: its past is `a[prev]`, `a[prev 2]` or, on a grid, `a[t-5s]`, and no windows, nor arguments that become definitions of their own
    ───╯
    [self-look] Error: `b` looks at itself where it may not
       ╭─[ q.tilt:4:21 ]
       │
     4 │ let b[t] init 0.0 = b[t+1s] + b[floor(t, 1d)] + b[t] + g.v
       │                     ───┬───
       │                        ╰───── neither the row before nor one at a constant distance
       │
       │ Help: its past is `b[prev]`, `b[prev 2]` or, on a grid, `b[t-5s]`, and no windows, nor arguments that become definitions of their own
    ───╯
    [self-look] Error: `b` looks at itself where it may not
       ╭─[ q.tilt:4:31 ]
       │
     4 │ let b[t] init 0.0 = b[t+1s] + b[floor(t, 1d)] + b[t] + g.v
       │                               ───────┬───────
       │                                      ╰───────── neither the row before nor one at a constant distance
       │
       │ Help: its past is `b[prev]`, `b[prev 2]` or, on a grid, `b[t-5s]`, and no windows, nor arguments that become definitions of their own
    ───╯
    [self-look] Error: `b` looks at itself where it may not
       ╭─[ q.tilt:4:49 ]
       │
     4 │ let b[t] init 0.0 = b[t+1s] + b[floor(t, 1d)] + b[t] + g.v
       │                                                 ──┬─
       │                                                   ╰─── neither the row before nor one at a constant distance
       │
       │ Help: its past is `b[prev]`, `b[prev 2]` or, on a grid, `b[t-5s]`, and no windows, nor arguments that become definitions of their own
    ───╯
    [self-look] Error: `c` has rows at any times: its past is counted in rows
       ╭─[ q.tilt:5:26 ]
       │
     5 │ let c[t on x] init 0.0 = c[t-1s] + x.v
       │                          ───┬───
       │                             ╰───── a time
       │
       │ Help: the row before is `c[prev]`, that before it `c[prev 2]`
    ───╯
    [self-look] Error: `d` looks at itself where it may not
       ╭─[ q.tilt:6:31 ]
       │
     6 │ let d[t on x] init 0.0 = mean(d[last 5]) + x.v
       │                               ────┬────
       │                                   ╰────── neither the row before nor one at a constant distance
       │
       │ Help: its past is `d[prev]`, `d[prev 2]` or, on a grid, `d[t-5s]`, and no windows, nor arguments that become definitions of their own
    ───╯
    [self-look] Error: `e` looks at itself where it may not
       ╭─[ q.tilt:8:43 ]
       │
     8 │ let e[t on x] init 0.0 = twice(e) + twice(e + 1.0) + x.v
       │                                     ──────┬┬──────
       │                                           ╰───────── neither the row before nor one at a constant distance
       │                                            │
       │                                            ╰──────── in this call
       │
       │ Help: its past is `e[prev]`, `e[prev 2]` or, on a grid, `e[t-5s]`, and no windows, nor arguments that become definitions of their own
    ───╯
    [self-look] Error: `f` looks at itself where it may not
       ╭─[ q.tilt:9:12 ]
       │
     9 │ let f[t on f] init 0.0 = x.v
       │            ┬
       │            ╰── neither the row before nor one at a constant distance
       │
       │ Help: its past is `f[prev]`, `f[prev 2]` or, on a grid, `f[t-5s]`, and no windows, nor arguments that become definitions of their own
    ───╯
    "#);
}

#[test]
fn without_init() {
    let source = r#"
input x { v: f64 }
let a[t on x] = a[prev] + x.v
let b[t on x] init 0.0 = c[prev] + x.v
let c[t on x] init 0.0 = b[prev] + x.v
fn f(s) = f[prev] + s
let d[t on x] = f(x.v)
output a, b, c, d
"#;
    assert_snapshot!(report(source), @r#"
    [cyclic-definition] Error: `a` depends on itself
       ╭─[ q.tilt:2:17 ]
       │
     2 │ let a[t on x] = a[prev] + x.v
       │                 ┬
       │                 ╰── used in its own definition
       │
       │ Help: only its past can be looked at, with a value from before the first row: `let n[t] init 0 = n[t-1s] + 1`
    ───╯
    [cyclic-definition] Error: `b` depends on itself
       ╭─[ q.tilt:4:26 ]
       │
     4 │ let c[t on x] init 0.0 = b[prev] + x.v
       │                          ┬
       │                          ╰── the circle is `b` → `c` → `b`
       │
       ├─[ q.tilt:4:26 ]
       │
     3 │ let b[t on x] init 0.0 = c[prev] + x.v
       │                          ┬
       │                          ╰── and this is part of the circle
       │
       │ Help: a definition may look at its own past, but not at one that looks at it
    ───╯
    [unknown-name] Error: there is no stream `f`
       ╭─[ q.tilt:5:11 ]
       │
     5 │ fn f(s) = f[prev] + s
       │           ┬
       │           ╰── not defined
     6 │ let d[t on x] = f(x.v)
       │                 ───┬──
       │                    ╰──── in this call
       │
       │ Help: to look at its own past a function has an `init`, the value before the first row: `fn f(…) init 0.0 = …`
    ───╯
    "#);
}

#[test]
fn init_is_a_constant() {
    let source = r#"
input x { v: f64, n: i64 }
let a[t on x] init x.v = a[prev] + x.v
let b[t on x] init t = b[prev] + 1s
let c[t on x] init 0.5 = c[prev] + x.n
let d[t on x] init { a: 0.0 } = { b: d[prev].a + x.v }
let e[t on x] init 0.0 = { v: x.v }
let f[t on x] init null = f[prev]
let g[t on x] init i32(0) = if g[prev] > 5 then x.n else 0
let h[t on x] init sqrt(2.0) = h[prev] + x.v
let i[t on x] init 300 = i8(x.n) + i[prev]
output a, b, c, d, e, f, g, h, i
"#;
    assert_snapshot!(report(source), @r#"
    [not-constant] Error: `init` is the value before the first row: a constant
       ╭─[ q.tilt:2:20 ]
       │
     2 │ let a[t on x] init x.v = a[prev] + x.v
       │                    ─┬─
       │                     ╰─── depends on the data or the time
       │
       │ Help: as in `init 0.0`, `init null`, `init { sum: 0.0, n: 0 }`
    ───╯
    [not-constant] Error: `init` is the value before the first row: a constant
       ╭─[ q.tilt:3:20 ]
       │
     3 │ let b[t on x] init t = b[prev] + 1s
       │                    ┬
       │                    ╰── depends on the data or the time
       │
       │ Help: as in `init 0.0`, `init null`, `init { sum: 0.0, n: 0 }`
    ───╯
    [type-mismatch] Error: `+` does not take a float literal and `i64`
       ╭─[ q.tilt:4:26 ]
       │
     4 │ let c[t on x] init 0.5 = c[prev] + x.n
       │                          ──────┬──────
       │                                ╰──────── a float literal on the left, `i64` on the right
       │
       │ Help: convert the `i64` first: `f64(x)`
    ───╯
    [type-mismatch] Error: `init` has other fields than the definition
       ╭─[ q.tilt:5:20 ]
       │
     5 │ let d[t on x] init { a: 0.0 } = { b: d[prev].a + x.v }
       │                    ─────┬────
       │                         ╰────── these differ
       │
       │ Help: give each field a value: `init { sum: 0.0, n: null }`
    ───╯
    [type-mismatch] Error: `init` has other fields than the definition
       ╭─[ q.tilt:6:20 ]
       │
     6 │ let e[t on x] init 0.0 = { v: x.v }
       │                    ─┬─
       │                     ╰─── these differ
       │
       │ Help: give each field a value: `init { sum: 0.0, n: null }`
    ───╯
    [null-type] Error: it cannot be told what type this past value has
       ╭─[ q.tilt:7:27 ]
       │
     7 │ let f[t on x] init null = f[prev]
       │                           ───┬───
       │                              ╰───── of what type?
       │
       │ Help: give `init` a value with a type: `init 0.0`, `init i64(0)`
    ───╯
    [type-mismatch] Error: this definition is `i64`, but here its past is taken for `i32`
       ╭─[ q.tilt:8:32 ]
       │
     8 │ let g[t on x] init i32(0) = if g[prev] > 5 then x.n else 0
       │                                ───┬───
       │                                   ╰───── `i64`
       │
       │ Help: give `init` the type that is meant: `init i64(0)`
    ───╯
    [not-constant] Error: the value of this `init` is not known before the run
       ╭─[ q.tilt:9:20 ]
       │
     9 │ let h[t on x] init sqrt(2.0) = h[prev] + x.v
       │                    ────┬────
       │                        ╰────── not a plain constant
       │
       │ Help: write the number itself
    ───╯
    [literal-out-of-range] Error: `300` is out of the range of `i8`
        ╭─[ q.tilt:10:20 ]
        │
     10 │ let i[t on x] init 300 = i8(x.n) + i[prev]
        │                    ─┬─
        │                     ╰─── `i8` is needed here
        │
        │ Help: `i8` reaches from -128 to 127; convert the other side to a wider type
    ────╯
    "#);
}

#[test]
fn functions_with_init() {
    let source = r#"
input x { v: f64 }
input q { v: f64 } hold
fn total(s) init 0.0 = total[prev] + s
fn count() init 0 = count[prev] + 1
fn loop(s) init 0.0 = loop(s) + s
let a[t] = total(q.v) + total(1.0) + f64(count())
let b[t on x] = total(x.v) + total(x.v * 2) + f64(count()) + loop(x.v)
let c[t every 1s] = total(x.v - q.v)
let d[t on x] = total(x.s)
output a, b, c, d
"#;
    assert_snapshot!(report(source), @r#"
    [reserved-name] Error: `count` is a function of the language
       ╭─[ q.tilt:4:4 ]
       │
     4 │ fn count() init 0 = count[prev] + 1
       │    ──┬──
       │      ╰──── already has a meaning
       │
       │ Help: give it another name
    ───╯
    [recursive-function] Error: the function `loop` calls itself
       ╭─[ q.tilt:5:23 ]
       │
     5 │ fn loop(s) init 0.0 = loop(s) + s
       │                       ──┬─
       │                         ╰─── used in its own definition
       │
       │ Help: a function stands for its body wherever it is called, so that it cannot call itself
    ───╯
    [no-grid] Error: nothing here says how often there is a row
       ╭─[ q.tilt:6:25 ]
       │
     6 │ let a[t] = total(q.v) + total(1.0) + f64(count())
       │                         ─────┬────
       │                              ╰────── names no stream
       │                              │
       │                              ╰────── in this call
       │
       │ Help: give it a stream, or the definition that it stands in rows: `[t every 1s]`
    ───╯
    [wrong-argument-count] Error: `count` takes one window, not 0 arguments
       ╭─[ q.tilt:6:42 ]
       │
     6 │ let a[t] = total(q.v) + total(1.0) + f64(count())
       │                                          ───┬───
       │                                             ╰───── 0 given
       │
       │ Help: options are given by name: `mean(x[t-5s..t].v, min_count = 5)`
    ───╯
    [wrong-argument-count] Error: `count` takes one window, not 0 arguments
       ╭─[ q.tilt:7:51 ]
       │
     7 │ let b[t on x] = total(x.v) + total(x.v * 2) + f64(count()) + loop(x.v)
       │                                                   ───┬───
       │                                                      ╰───── 0 given
       │
       │ Help: options are given by name: `mean(x[t-5s..t].v, min_count = 5)`
    ───╯
    [continuous-rows] Error: `total` is continuous: no row comes before another
       ╭─[ q.tilt:8:21 ]
       │
     8 │ let c[t every 1s] = total(x.v - q.v)
       │                     ──┬─────┬───────
       │                       ╰─────────────── has an `init`
       │                             │
       │                             ╰───────── in this call
       │
       │ Help: give the definition rows: `[t on x]`, one for each of x, or `[t every 1s]`
    ───╯
    [unknown-field] Error: there is no field `s`
       ╭─[ q.tilt:9:25 ]
       │
     9 │ let d[t on x] = total(x.s)
       │                 ─────┬┬─┬─
       │                      ││ ╰─── not a field
       │                      ││
       │                      ╰────── in this call
       │                       │
       │                       ╰───── this has `v`
    ───╯
    "#);
}
