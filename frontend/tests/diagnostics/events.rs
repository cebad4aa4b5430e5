//! Diagnostics of rows: which stream has them, and what counts them.

use crate::report;
use insta::assert_snapshot;

#[test]
fn row_clock() {
    let source = r#"
input l { v: f64 }
input r { v: f64 } hold
input g { v: f64 } every 1s
let a[t on l] = l.v - r[prev].v + g[prev].v
let b[t on l | r] = l[prev].v
let c[t every 2s] = g[prev].v + l[prev].v
fn change(s) = s - s[prev]
let d[t on l] = change(r.v)
output a, b, c, d
"#;
    assert_snapshot!(report(source), @r#"
    [row-clock] Error: the rows of `r` are not those of this definition
       ╭─[ q.tilt:4:23 ]
       │
     4 │ let a[t on l] = l.v - r[prev].v + g[prev].v
       │                       ────┬────
       │                           ╰────── `prev` counts the rows of the definition
       │
       │ Help: the last but one row of `r` is `first(r[last 2].v)`; its value at another time is `r[t-5s]`
    ───╯
    [row-clock] Error: the rows of `g` are not those of this definition
       ╭─[ q.tilt:4:35 ]
       │
     4 │ let a[t on l] = l.v - r[prev].v + g[prev].v
       │                                   ────┬────
       │                                       ╰────── `prev` counts the rows of the definition
       │
       │ Help: the last but one row of `g` is `first(g[last 2].v)`; its value at another time is `g[t-5s]`
    ───╯
    [row-clock] Error: `l` is one of several streams whose rows these are
       ╭─[ q.tilt:5:21 ]
       │
     5 │ let b[t on l | r] = l[prev].v
       │                     ────┬────
       │                         ╰────── the row before may be one of another stream
       │
       │ Help: the last but one row of `l` is `first(l[last 2].v)`; the row before of any of them is the `prev` of a definition on them all
    ───╯
    [row-clock] Error: the rows of `g` are not those of this definition
       ╭─[ q.tilt:6:21 ]
       │
     6 │ let c[t every 2s] = g[prev].v + l[prev].v
       │                     ────┬────
       │                         ╰────── `prev` counts the rows of the definition
       │
       │ Help: the last but one row of `g` is `first(g[last 2].v)`; its value at another time is `g[t-5s]`
    ───╯
    [row-clock] Error: the rows of `l` are not those of this definition
       ╭─[ q.tilt:6:33 ]
       │
     6 │ let c[t every 2s] = g[prev].v + l[prev].v
       │                                 ────┬────
       │                                     ╰────── `prev` counts the rows of the definition
       │
       │ Help: the last but one row of `l` is `first(l[last 2].v)`; its value at another time is `l[t-5s]`
    ───╯
    [row-clock] Error: the rows of `r` are not those of this definition
       ╭─[ q.tilt:8:24 ]
       │
     8 │ let d[t on l] = change(r.v)
       │                        ─┬─
       │                         ╰─── `prev` counts the rows of the definition
       │
       │ Help: the last but one row of `r` is `first(r[last 2].v)`; its value at another time is `r[t-5s]`
    ───╯
    "#);
}

#[test]
fn union_clock() {
    let source = r#"
input l { v: f64 }
input r { v: f64 } hold
input g { v: f64 } every 1s
let a[t on l | g] = l.v
let b[t on l | r] = l.v
let c[t on b | l] = b
let d[t on l | nothing] = l.v
output a, b, c, d
"#;
    assert_snapshot!(report(source), @r#"
    [union-clock] Error: only the rows of events are taken together
       ╭─[ q.tilt:4:16 ]
       │
     4 │ let a[t on l | g] = l.v
       │                ┬
       │                ╰── this one has rows on a grid
       │
       │ Help: for several grids say which one: `[t every 1s]`; the value of a regular stream is known on any clock
    ───╯
    [union-clock] Error: the rows of `l` are among these twice
       ╭─[ q.tilt:6:16 ]
       │
     6 │ let c[t on b | l] = b
       │            ┬   ┬
       │            │   ╰── here again
       │            │
       │            ╰────── here already
       │
       │ Help: name each stream once
    ───╯
    [unknown-name] Error: there is no stream `nothing`
       ╭─[ q.tilt:7:16 ]
       │
     7 │ let d[t on l | nothing] = l.v
       │                ───┬───
       │                   ╰───── not defined
       │
       │ Help: streams come from `input` and `let`
    ───╯
    "#);
}

#[test]
fn clock_mismatch() {
    let source = r#"
input l { v: f64 }
input r { v: f64 }
output y = l.v + r.v
output z[t on l | r] = l.v ?? r.v
"#;
    assert_snapshot!(report(source), @r#"
    [clock-mismatch] Error: the rows of `y` could be those of several streams
       ╭─[ q.tilt:3:18 ]
       │
     3 │ output y = l.v + r.v
       │            ┬     ┬
       │            │     ╰── rows of its own
       │            │
       │            ╰──────── and this has others
       │
       │ Help: say which are meant: `output y[t on x] = …`, or `output y[t on l | r] = …` for both
    ───╯
    "#);
}

#[test]
fn continuous_rows() {
    let source = r#"
input q { v: f64 } hold
let m[t] = q.v * 2
let a[t every 1m] = mean(m[t-1m..t]) + count(m[last 5]) + integral(q[last 3].v)
let b[t on m] = q.v
let c[t] = q.v - q[prev].v
let d[t] init 0.0 = d[prev] + q.v
output a, b, c, d
"#;
    assert_snapshot!(report(source), @r#"
    [continuous-rows] Error: `m` is continuous: it has no rows to count
       ╭─[ q.tilt:3:26 ]
       │
     3 │ let a[t every 1m] = mean(m[t-1m..t]) + count(m[last 5]) + integral(q[last 3].v)
       │                          ─────┬────
       │                               ╰────── a function of time
       │
       │ Help: give it rows: `let m[t on x] = …` or `let m[t every 1s] = …`; `integral` and `duration_mean` weigh it by time
    ───╯
    [continuous-rows] Error: `m` is continuous: it has no rows to count
       ╭─[ q.tilt:3:46 ]
       │
     3 │ let a[t every 1m] = mean(m[t-1m..t]) + count(m[last 5]) + integral(q[last 3].v)
       │                                              ────┬────
       │                                                  ╰────── a function of time
       │
       │ Help: give it rows: `let m[t on x] = …` or `let m[t every 1s] = …`; `integral` and `duration_mean` weigh it by time
    ───╯
    [continuous-rows] Error: `integral` is over a time, not over rows
       ╭─[ q.tilt:3:68 ]
       │
     3 │ let a[t every 1m] = mean(m[t-1m..t]) + count(m[last 5]) + integral(q[last 3].v)
       │                                                                    ────┬────
       │                                                                        ╰────── counts rows
       │
       │ Help: say how long: `integral(x[t-1h..t].v)`
    ───╯
    [continuous-rows] Error: `m` is continuous: it has no rows
       ╭─[ q.tilt:4:12 ]
       │
     4 │ let b[t on m] = q.v
       │            ┬
       │            ╰── a function of time
       │
       │ Help: name the stream whose rows are meant, or give `m` rows: `let m[t every 1s] = …`
    ───╯
    [continuous-rows] Error: `prev` counts rows, and a continuous definition has none
       ╭─[ q.tilt:5:18 ]
       │
     5 │ let c[t] = q.v - q[prev].v
       │                  ────┬────
       │                      ╰────── the row before which?
       │
       │ Help: give the definition rows: `[t on q]`
    ───╯
    [continuous-rows] Error: `d` is continuous: no row comes before another
       ╭─[ q.tilt:6:5 ]
       │
     6 │ let d[t] init 0.0 = d[prev] + q.v
       │     ┬
       │     ╰── has an `init`
       │
       │ Help: give the definition rows: `[t on x]`, one for each of x, or `[t every 1s]`
    ───╯
    "#);
}

#[test]
fn continuous_time() {
    let source = r#"
input q { v: f64, at: time } hold
let age[t] = t - q.at
let m[t] = duration_mean(q[t-1h..t].v)
let day[t] = floor(t, 1d) - q.at
output age, m, day
output hourly = integral(q[floor(t, 1h)-1h..floor(t, 1h)].v)
"#;
    assert_snapshot!(report(source), @r#"
    [continuous-time] Error: `t` changes at every instant, and so would this definition
       ╭─[ q.tilt:2:14 ]
       │
     2 │ let age[t] = t - q.at
       │              ┬
       │              ╰── in a continuous definition
       │
       │ Help: give the definition rows: `[t on x]`, one for each of x, or `[t every 1s]`
    ───╯
    [continuous-time] Error: this changes at every instant, and so would the definition
       ╭─[ q.tilt:3:12 ]
       │
     3 │ let m[t] = duration_mean(q[t-1h..t].v)
       │            ─────────────┬─────────────
       │                         ╰─────────────── weighs by time in a continuous definition
       │
       │ Help: give the definition rows: `[t on x]`, one for each of x, or `[t every 1s]`
    ───╯
    "#);
}

#[test]
fn point_weight() {
    let source = r#"
input x { v: f64 }
input q { v: f64 } hold
let y[t on q] = q.v + 1
output a[t every 1h] = { i: integral(x[t-1h..t].v), d: duration_mean(y[t-1h..t], min_count = 3) }
"#;
    assert_snapshot!(report(source), @r#"
    [point-weight] Error: `integral` weighs values by the time they hold
       ╭─[ q.tilt:4:38 ]
       │
     4 │ output a[t every 1h] = { i: integral(x[t-1h..t].v), d: duration_mean(y[t-1h..t], min_count = 3) }
       │                                      ─────┬────
       │                                           ╰────── the rows of `x` are points: they hold for no time
       │
       │ Help: let them hold: `input … hold`; or `sum` and `mean` count rows of `x`
    ───╯
    [point-weight] Error: `duration_mean` weighs values by the time they hold
       ╭─[ q.tilt:4:70 ]
       │
     4 │ output a[t every 1h] = { i: integral(x[t-1h..t].v), d: duration_mean(y[t-1h..t], min_count = 3) }
       │                                                                      ─────┬────
       │                                                                           ╰────── the rows of `y` are points: they hold for no time
       │
       │ Help: let them hold: `input … hold`; or `sum` and `mean` count rows of `y`
    ───╯
    [unknown-argument] Error: `duration_mean` has no argument called `min_count`
       ╭─[ q.tilt:4:82 ]
       │
     4 │ output a[t every 1h] = { i: integral(x[t-1h..t].v), d: duration_mean(y[t-1h..t], min_count = 3) }
       │                                                                                  ────┬────
       │                                                                                      ╰────── not known
       │
       │ Help: give its arguments without names
    ───╯
    "#);
}

#[test]
fn period_of_hold() {
    let source = r#"
input a { v: f64 } hold for 0s
input b { v: f64 } from start to start
output a, b
"#;
    assert_snapshot!(report(source), @r#"
    [period-not-positive] Error: a period is longer than nothing
       ╭─[ q.tilt:1:29 ]
       │
     1 │ input a { v: f64 } hold for 0s
       │                             ─┬
       │                              ╰── zero or negative
    ───╯
    [duplicate-name] Error: `start` is defined twice
       ╭─[ q.tilt:2:34 ]
       │
     2 │ input b { v: f64 } from start to start
       │                         ──┬──    ──┬──
       │                           │        ╰──── here again
       │                           │
       │                           ╰───────────── first defined here
    ───╯
    "#);
}

#[test]
fn more_rows_than_time_has() {
    let source = r#"
input g { v: f64 } every 1d
output y = g[prev 1_000_000].v + sum(g[last 1_000_000].v)
"#;
    assert_snapshot!(report(source), @r#"
    [literal-out-of-range] Error: so many rows are further back than 64 bits of nanoseconds
       ╭─[ q.tilt:2:12 ]
       │
     2 │ output y = g[prev 1_000_000].v + sum(g[last 1_000_000].v)
       │            ─────────┬─────────
       │                     ╰─────────── too many
    ───╯
    [literal-out-of-range] Error: so many rows are further back than 64 bits of nanoseconds
       ╭─[ q.tilt:2:34 ]
       │
     2 │ output y = g[prev 1_000_000].v + sum(g[last 1_000_000].v)
       │                                  ────────────┬───────────
       │                                              ╰───────────── too many
    ───╯
    "#);
}

#[test]
fn arguments_of_reducers() {
    let source = r#"
input x { v: f64, n: i64, s: symbol, b: bool }
output y[t every 1h] = {
    a: quantile(x[t-1h..t].v),
    b: quantile(x[t-1h..t].v, 1.5),
    c: quantile(x[t-1h..t].v, x.v),
    d: wmean(x[t-1h..t].v),
    e: corr(x[t-1h..t].v, x[t-2h..t].v),
    f: median(x[t-1h..t].s),
    g: argmax(x[t-1h..t].b),
    h: cov(x[t-1h..t].v, x[t-1h..t].b, ddof = -1),
    i: skew(x.v),
    j: mode(x[t-1h..t]),
}
"#;
    assert_snapshot!(report(source), @r#"
    [wrong-argument-count] Error: `quantile` takes one window and a fraction, not 1 argument
       ╭─[ q.tilt:3:8 ]
       │
     3 │     a: quantile(x[t-1h..t].v),
       │        ───────────┬──────────
       │                   ╰──────────── 1 given
       │
       │ Help: as in `quantile(x[t-1h..t].v, 0.9)`
    ───╯
    [not-constant] Error: a quantile is a constant between 0 and 1
       ╭─[ q.tilt:4:31 ]
       │
     4 │     b: quantile(x[t-1h..t].v, 1.5),
       │                               ─┬─
       │                                ╰─── not one
       │
       │ Help: 0 is the least, 0.5 the median, 1 the greatest
    ───╯
    [not-constant] Error: a quantile is a constant between 0 and 1
       ╭─[ q.tilt:5:31 ]
       │
     5 │     c: quantile(x[t-1h..t].v, x.v),
       │                               ─┬─
       │                                ╰─── not one
       │
       │ Help: 0 is the least, 0.5 the median, 1 the greatest
    ───╯
    [wrong-argument-count] Error: `wmean` takes two expressions of one window, not 1 argument
       ╭─[ q.tilt:6:8 ]
       │
     6 │     d: wmean(x[t-1h..t].v),
       │        ─────────┬─────────
       │                 ╰─────────── 1 given
       │
       │ Help: values and their weights: `wmean(x[t-1h..t].price, x[t-1h..t].size)`
    ───╯
    [window-mismatch] Error: all windows of a reducer must have the same window
       ╭─[ q.tilt:7:27 ]
       │
     7 │     e: corr(x[t-1h..t].v, x[t-2h..t].v),
       │             ─────┬────    ─────┬────
       │                  │             ╰────── this differs
       │                  │
       │                  ╰──────────────────── from this
       │
       │ Help: reduce them one by one, or put the parts into a `let` first
    ───╯
    [type-mismatch] Error: `median` needs numbers
       ╭─[ q.tilt:8:15 ]
       │
     8 │     f: median(x[t-1h..t].s),
       │               ──────┬─────
       │                     ╰─────── this is `symbol`
    ───╯
    [type-mismatch] Error: `argmax` needs something with an order
       ╭─[ q.tilt:9:15 ]
       │
     9 │     g: argmax(x[t-1h..t].b),
       │               ──────┬─────
       │                     ╰─────── this is `bool`
       │
       │ Help: make it a number: `if b then 1 else 0`
    ───╯
    [type-mismatch] Error: `cov` needs numbers
        ╭─[ q.tilt:10:26 ]
        │
     10 │     h: cov(x[t-1h..t].v, x[t-1h..t].b, ddof = -1),
        │                          ──────┬─────
        │                                ╰─────── this is `bool`
        │
        │ Help: make it a number: `if b then 1 else 0`
    ────╯
    [not-constant] Error: a constant whole number is needed, 0 or more
        ╭─[ q.tilt:10:47 ]
        │
     10 │     h: cov(x[t-1h..t].v, x[t-1h..t].b, ddof = -1),
        │                                               ─┬
        │                                                ╰── not one
    ────╯
    [reducer-without-window] Error: `skew` needs a window
        ╭─[ q.tilt:11:13 ]
        │
     11 │     i: skew(x.v),
        │             ─┬─
        │              ╰─── one value at a time, nothing to reduce
        │
        │ Help: the last 5 seconds are `skew(x[t-5s..t].v)`
    ────╯
    [struct-value] Error: a single value is needed here, not a row of fields
        ╭─[ q.tilt:12:13 ]
        │
     12 │     j: mode(x[t-1h..t]),
        │             ─────┬────
        │                  ╰────── this has the fields `v`, `n`, `s`, `b`
        │
        │ Help: choose a field: `.v`
    ────╯
    "#);
}
