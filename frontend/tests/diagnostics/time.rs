//! Diagnostics of time: indexes, windows, grids. Each program is shown with all that is said about it.

use crate::report;
use insta::assert_snapshot;

#[test]
fn time_index() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x[5s].v + x[t*2].v + x[t-x.n].v + x[floor(t-1h, 1d)].v
"#;
    assert_snapshot!(report(source), @r#"
    [time-index] Error: a time index counts from `t`
       ╭─[ q.tilt:2:14 ]
       │
     2 │ output y = x[5s].v + x[t*2].v + x[t-x.n].v + x[floor(t-1h, 1d)].v
       │              ─┬
       │               ╰── does not depend on `t`
       │
       │ Help: a shift back by 5 seconds is `x[t-5s]`, the last 5 seconds are `x[t-5s..t]`
    ───╯
    [time-index] Error: this is no time index
       ╭─[ q.tilt:2:24 ]
       │
     2 │ output y = x[5s].v + x[t*2].v + x[t-x.n].v + x[floor(t-1h, 1d)].v
       │                        ─┬─
       │                         ╰─── not `t`, a constant duration, or a sum of them
       │
       │ Help: time indexes are `t`, `floor(t, 1d)` or `ceil(t, 1d)`, plus or minus a duration: `t-5s`
    ───╯
    [time-index] Error: this is no time index
       ╭─[ q.tilt:2:37 ]
       │
     2 │ output y = x[5s].v + x[t*2].v + x[t-x.n].v + x[floor(t-1h, 1d)].v
       │                                     ─┬─
       │                                      ╰─── not `t`, a constant duration, or a sum of them
       │
       │ Help: time indexes are `t`, `floor(t, 1d)` or `ceil(t, 1d)`, plus or minus a duration: `t-5s`
    ───╯
    [time-index] Error: this is no time index
       ╭─[ q.tilt:2:54 ]
       │
     2 │ output y = x[5s].v + x[t*2].v + x[t-x.n].v + x[floor(t-1h, 1d)].v
       │                                                      ──┬─
       │                                                        ╰─── not `t`, a constant duration, or a sum of them
       │
       │ Help: time indexes are `t`, `floor(t, 1d)` or `ceil(t, 1d)`, plus or minus a duration: `t-5s`
    ───╯
    "#);
}

#[test]
fn not_a_stream() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = (x.v + 1.0)[t-5s] + t[t-5s]
"#;
    assert_snapshot!(report(source), @r#"
    [not-a-stream] Error: only streams can be looked at at another time
       ╭─[ q.tilt:2:13 ]
       │
     2 │ output y = (x.v + 1.0)[t-5s] + t[t-5s]
       │             ────┬────
       │                 ╰────── not a stream
       │
       │ Help: give it a name first: `let y[t] = …`, then `y[t-5s]`
    ───╯
    [not-a-stream] Error: only streams can be looked at at another time
       ╭─[ q.tilt:2:32 ]
       │
     2 │ output y = (x.v + 1.0)[t-5s] + t[t-5s]
       │                                ┬
       │                                ╰── not a stream
       │
       │ Help: give it a name first: `let y[t] = …`, then `y[t-5s]`
    ───╯
    "#);
}

#[test]
fn period_not_positive() {
    let source = r#"
input x { v: f64 } every 0s
let y[t every -5s] = x.v
output z = x[floor(t, 0s)].v
output y
"#;
    assert_snapshot!(report(source), @r#"
    [period-not-positive] Error: a period is longer than nothing
       ╭─[ q.tilt:1:26 ]
       │
     1 │ input x { v: f64 } every 0s
       │                          ─┬
       │                           ╰── zero or negative
    ───╯
    [period-not-positive] Error: a period is longer than nothing
       ╭─[ q.tilt:2:15 ]
       │
     2 │ let y[t every -5s] = x.v
       │               ─┬─
       │                ╰─── zero or negative
    ───╯
    [period-not-positive] Error: a period is longer than nothing
       ╭─[ q.tilt:3:23 ]
       │
     3 │ output z = x[floor(t, 0s)].v
       │                       ─┬
       │                        ╰── zero or negative
    ───╯
    "#);
}

#[test]
fn window_outside_reducer() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x[t-5s..t].v + sqrt(x[t-5s..t].v)
"#;
    assert_snapshot!(report(source), @r#"
    [window-outside-reducer] Error: a window is no value
       ╭─[ q.tilt:2:12 ]
       │
     2 │ output y = x[t-5s..t].v + sqrt(x[t-5s..t].v)
       │            ─────┬────
       │                 ╰────── many rows
       │
       │ Help: reduce it: `mean(x[t-5s..t].v)`; one value at another time is `x[t-5s]`
    ───╯
    [window-outside-reducer] Error: a window is no value
       ╭─[ q.tilt:2:32 ]
       │
     2 │ output y = x[t-5s..t].v + sqrt(x[t-5s..t].v)
       │                                ─────┬────
       │                                     ╰────── many rows
       │
       │ Help: reduce it: `mean(x[t-5s..t].v)`; one value at another time is `x[t-5s]`
    ───╯
    "#);
}

#[test]
fn reducer_without_window() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = mean(x.v) + max(x.v) + sum(1)
"#;
    assert_snapshot!(report(source), @r#"
    [reducer-without-window] Error: `mean` needs a window
       ╭─[ q.tilt:2:17 ]
       │
     2 │ output y = mean(x.v) + max(x.v) + sum(1)
       │                 ─┬─
       │                  ╰─── one value at a time, nothing to reduce
       │
       │ Help: the last 5 seconds are `mean(x[t-5s..t].v)`
    ───╯
    [reducer-without-window] Error: `max` needs a window
       ╭─[ q.tilt:2:28 ]
       │
     2 │ output y = mean(x.v) + max(x.v) + sum(1)
       │                            ─┬─
       │                             ╰─── one value at a time, nothing to reduce
       │
       │ Help: the last 5 seconds are `max(x[t-5s..t].v)`; of two values: `max(a, b)`
    ───╯
    [reducer-without-window] Error: `sum` needs a window
       ╭─[ q.tilt:2:39 ]
       │
     2 │ output y = mean(x.v) + max(x.v) + sum(1)
       │                                       ┬
       │                                       ╰── one value at a time, nothing to reduce
       │
       │ Help: the last 5 seconds are `sum(x[t-5s..t].v)`
    ───╯
    "#);
}

#[test]
fn window_mismatch() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
input z { v: f64 } every 2s
output y = mean(x[t-5s..t].v * x[t-6s..t].v) + mean(x[t-4s..t].v - z[t-4s..t].v)
"#;
    assert_snapshot!(report(source), @r#"
    [window-mismatch] Error: all windows of a reducer must have the same window
       ╭─[ q.tilt:3:32 ]
       │
     3 │ output y = mean(x[t-5s..t].v * x[t-6s..t].v) + mean(x[t-4s..t].v - z[t-4s..t].v)
       │                 ─────┬────     ─────┬────
       │                      │              ╰────── this differs
       │                      │
       │                      ╰───────────────────── from this
       │
       │ Help: reduce them one by one, or put the parts into a `let` first
    ───╯
    [window-mismatch] Error: all windows of a reducer must have the same rows
       ╭─[ q.tilt:3:68 ]
       │
     3 │ output y = mean(x[t-5s..t].v * x[t-6s..t].v) + mean(x[t-4s..t].v - z[t-4s..t].v)
       │                                                     ─────┬────     ─────┬────
       │                                                          │              ╰────── this differs
       │                                                          │
       │                                                          ╰───────────────────── from this
       │
       │ Help: reduce them one by one, or put the parts into a `let` first
    ───╯
    "#);
}

#[test]
fn empty_window() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = mean(x[t..t-5s].v)
"#;
    assert_snapshot!(report(source), @r#"
    [empty-window] Error: this window never has a row
       ╭─[ q.tilt:2:17 ]
       │
     2 │ output y = mean(x[t..t-5s].v)
       │                 ─────┬────
       │                      ╰────── ends where it begins, or before
       │
       │ Help: a window x[a..b] has the rows after a and up to b: the last 5 seconds are `x[t-5s..t]`
    ───╯
    "#);
}

#[test]
fn no_grid() {
    let source = r#"
let y[t] = 1.0
output y
output z = t
"#;
    assert_snapshot!(report(source), @r#"
    [no-grid] Error: nothing here says how often there is a row
       ╭─[ q.tilt:1:5 ]
       │
     1 │ let y[t] = 1.0
       │     ┬
       │     ╰── names no stream
       │
       │ Help: say it: `let y[t every 1s] = …`
    ───╯
    [no-grid] Error: nothing here says how often there is a row
       ╭─[ q.tilt:3:8 ]
       │
     3 │ output z = t
       │        ┬
       │        ╰── names no stream
       │
       │ Help: say it: `let z[t every 1s] = …`
    ───╯
    "#);
}

#[test]
fn grid_mismatch() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
input q { v: f64 } every 2500ms
output y = x.v + q.v
"#;
    assert_snapshot!(report(source), @r#"
    [grid-mismatch] Error: the period of `q` is no multiple of that of `x`
       ╭─[ q.tilt:3:18 ]
       │
     3 │ output y = x.v + q.v
       │            ┬     ┬
       │            │     ╰── every 2s500ms
       │            │
       │            ╰──────── every 1s
       │
       │ Help: say which rows are wanted: `let y[t every 500ms] = …`
    ───╯
    "#);
}

#[test]
fn offset_mismatch() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
input q { v: f64 } every 1s offset 200ms
output y = x.v + q.v
"#;
    assert_snapshot!(report(source), @r#"
    [offset-mismatch] Error: `q` and `x` are on different offsets
       ╭─[ q.tilt:3:18 ]
       │
     3 │ output y = x.v + q.v
       │            ┬     ┬
       │            │     ╰── every 1s offset 200ms
       │            │
       │            ╰──────── every 1s
       │
       │ Help: say which rows are wanted: `let y[t every 1s] = …`
    ───╯
    "#);
}
