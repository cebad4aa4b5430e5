//! Diagnostics of values, rows of fields and arguments. Each program is shown with all that is said about it.

use crate::report;
use insta::assert_snapshot;

#[test]
fn null_type() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = { a: x.v, b: null }
"#;
    assert_snapshot!(report(source), @r#"
    [null-type] Error: it cannot be told what type this `null` has
       ╭─[ q.tilt:2:25 ]
       │
     2 │ output y = { a: x.v, b: null }
       │                         ──┬─
       │                           ╰─── a missing value, but of what type?
       │
       │ Help: put it where the type is clear, as in `x.v where false`
    ───╯
    "#);
}

#[test]
fn compare_with_null() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x.v == null
"#;
    assert_snapshot!(report(source), @r#"
    [compare-with-null] Error: a comparison with `null` is never true
       ╭─[ q.tilt:2:12 ]
       │
     2 │ output y = x.v == null
       │            ─────┬───┬─
       │                 ╰─────── always null
       │                     │
       │                     ╰─── this is missing, whatever it is compared with
       │
       │ Help: write `x is null` or `x is not null`
    ───╯
    "#);
}

#[test]
fn struct_value() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x + 1.0
output z = mean(x[t-5s..t])
output w = { a: x }
"#;
    assert_snapshot!(report(source), @r#"
    [struct-value] Error: a single value is needed here, not a row of fields
       ╭─[ q.tilt:2:12 ]
       │
     2 │ output y = x + 1.0
       │            ┬
       │            ╰── this has the fields `v`, `n`
       │
       │ Help: choose a field: `.v`
    ───╯
    [struct-value] Error: a single value is needed here, not a row of fields
       ╭─[ q.tilt:3:17 ]
       │
     3 │ output z = mean(x[t-5s..t])
       │                 ─────┬────
       │                      ╰────── this has the fields `v`, `n`
       │
       │ Help: choose a field: `.v`
    ───╯
    [struct-value] Error: the field `a` cannot be a row of fields itself
       ╭─[ q.tilt:4:17 ]
       │
     4 │ output w = { a: x }
       │                 ┬
       │                 ╰── this has fields
       │
       │ Help: name the fields one by one
    ───╯
    "#);
}

#[test]
fn no_element() {
    let source = r#"
input x { a: [f64; 3], v: f64 } every 1s
output y = x.a[3] + x.a[-1]
output z = x.v[0]
"#;
    assert_snapshot!(report(source), @r#"
    [no-element] Error: there is no element 3
       ╭─[ q.tilt:2:16 ]
       │
     2 │ output y = x.a[3] + x.a[-1]
       │                ┬
       │                ╰── elements are counted from 0 to 2
    ───╯
    [no-element] Error: there is no element -1
       ╭─[ q.tilt:2:25 ]
       │
     2 │ output y = x.a[3] + x.a[-1]
       │                         ─┬
       │                          ╰── elements are counted from 0 to 2
    ───╯
    [time-index] Error: a time index counts from `t`
       ╭─[ q.tilt:3:16 ]
       │
     3 │ output z = x.v[0]
       │                ┬
       │                ╰── does not depend on `t`
       │
       │ Help: a shift back by 5 seconds is `x[t-5s]`, the row before is `x[prev]`; elements have arrays only
    ───╯
    "#);
}

#[test]
fn empty_struct() {
    let source = r#"
input x { } every 1s
input y { v: f64 } every 1s
output z = {}
output w = y.v
"#;
    assert_snapshot!(report(source), @r#"
    [empty-struct] Error: the input `x` has no fields
       ╭─[ q.tilt:1:7 ]
       │
     1 │ input x { } every 1s
       │       ┬
       │       ╰── nothing to read
    ───╯
    [empty-struct] Error: a row needs at least one field
       ╭─[ q.tilt:3:12 ]
       │
     3 │ output z = {}
       │            ─┬
       │             ╰── nothing in it
    ───╯
    "#);
}

#[test]
fn wrong_argument_count() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
fn f(a, b) = a
output y = f(x.v) + sqrt() + clamp(x.v, 0.0) + sum(x[t-5s..t].v, 3)
"#;
    assert_snapshot!(report(source), @r#"
    [wrong-argument-count] Error: `f` takes 2 arguments, not 1
       ╭─[ q.tilt:3:12 ]
       │
     3 │ output y = f(x.v) + sqrt() + clamp(x.v, 0.0) + sum(x[t-5s..t].v, 3)
       │            ───┬──
       │               ╰──── 1 given
    ───╯
    [wrong-argument-count] Error: `sqrt` takes 1 argument, not 0
       ╭─[ q.tilt:3:21 ]
       │
     3 │ output y = f(x.v) + sqrt() + clamp(x.v, 0.0) + sum(x[t-5s..t].v, 3)
       │                     ───┬──
       │                        ╰──── 0 given
    ───╯
    [wrong-argument-count] Error: `clamp` takes 3 arguments, not 2
       ╭─[ q.tilt:3:30 ]
       │
     3 │ output y = f(x.v) + sqrt() + clamp(x.v, 0.0) + sum(x[t-5s..t].v, 3)
       │                              ───────┬───────
       │                                     ╰───────── 2 given
    ───╯
    [wrong-argument-count] Error: `sum` takes one window, not 2 arguments
       ╭─[ q.tilt:3:48 ]
       │
     3 │ output y = f(x.v) + sqrt() + clamp(x.v, 0.0) + sum(x[t-5s..t].v, 3)
       │                                                ──────────┬─────────
       │                                                          ╰─────────── 2 given
       │
       │ Help: options are given by name: `mean(x[t-5s..t].v, min_count = 5)`
    ───╯
    "#);
}

#[test]
fn not_constant() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = mean(x[t-5s..t].v, min_count = x.n) + std(x[t-5s..t].v, ddof = -1)
output z = floor(t, x.n)
"#;
    assert_snapshot!(report(source), @r#"
    [not-constant] Error: a constant whole number is needed, 0 or more
       ╭─[ q.tilt:2:43 ]
       │
     2 │ output y = mean(x[t-5s..t].v, min_count = x.n) + std(x[t-5s..t].v, ddof = -1)
       │                                           ─┬─
       │                                            ╰─── not one
    ───╯
    [not-constant] Error: a constant whole number is needed, 0 or more
       ╭─[ q.tilt:2:75 ]
       │
     2 │ output y = mean(x[t-5s..t].v, min_count = x.n) + std(x[t-5s..t].v, ddof = -1)
       │                                                                           ─┬
       │                                                                            ╰── not one
    ───╯
    [not-constant] Error: the period must be a constant duration
       ╭─[ q.tilt:3:21 ]
       │
     3 │ output z = floor(t, x.n)
       │                     ─┬─
       │                      ╰─── not one
       │
       │ Help: as in `floor(t, 1d)`
    ───╯
    "#);
}

#[test]
fn mistakes_in_a_function_point_to_its_calls() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
fn half(a) = a div true
output y = half(x.n) + half(x.n)
"#;
    assert_snapshot!(report(source), @r#"
    [type-mismatch] Error: `div` does not take `i64` and `bool`
       ╭─[ q.tilt:2:14 ]
       │
     2 │ fn half(a) = a div true
       │              ─────┬────
       │                   ╰────── `i64` on the left, `bool` on the right
     3 │ output y = half(x.n) + half(x.n)
       │            ────┬─┬──
       │                ╰────── in this call
       │                  │
       │                  ╰──── this is `i64`
       │
       │ Help: make it a number: `if b then 1 else 0`
    ───╯
    "#);
}

#[test]
fn one_mistake_is_reported_once() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
let a[t] = x.w
let b[t] = mean(a[t-5s..t]) + zzzz
let c[t] = if a > b then sqrt(b) else a.foo
output a, b, c
"#;
    assert_snapshot!(report(source), @r#"
    [unknown-field] Error: there is no field `w`
       ╭─[ q.tilt:2:14 ]
       │
     2 │ let a[t] = x.w
       │            ┬ ┬
       │            │ ╰── not a field
       │            │
       │            ╰──── this has `v`, `n`
    ───╯
    [unknown-name] Error: there is no stream `zzzz`
       ╭─[ q.tilt:3:31 ]
       │
     3 │ let b[t] = mean(a[t-5s..t]) + zzzz
       │                               ──┬─
       │                                 ╰─── not defined
       │
       │ Help: streams come from `input` and `let`
    ───╯
    "#);
}
