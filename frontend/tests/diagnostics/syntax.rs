//! Diagnostics of the grammar. Each program is shown with all that is said about it.

use crate::report;
use insta::assert_snapshot;

#[test]
fn syntax() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
let a[t] = x.v + * 2.0
let b[t] = x.v x.n
let c = x.v
output a b
"#;
    assert_snapshot!(report(source), @r#"
    [syntax] Error: expected an expression, found `*`
       ╭─[ q.tilt:2:18 ]
       │
     2 │ let a[t] = x.v + * 2.0
       │                  ┬
       │                  ╰── expected an expression
    ───╯
    [syntax] Error: expected an operator or the next item, found `x`
       ╭─[ q.tilt:3:16 ]
       │
     3 │ let b[t] = x.v x.n
       │                ┬
       │                ╰── expected an operator or the next item
    ───╯
    [syntax] Error: expected `[`, found `=`
       ╭─[ q.tilt:4:7 ]
       │
     4 │ let c = x.v
       │       ┬
       │       ╰── expected `[`
    ───╯
    [syntax] Error: expected `[`, `,`, `=` or the next item, found `b`
       ╭─[ q.tilt:5:10 ]
       │
     5 │ output a b
       │          ┬
       │          ╰── expected `[`, `,`, `=` or the next item
    ───╯
    "#);
}

#[test]
fn syntax_errors_in_every_item() {
    let source = r#"
input x v: f64 every 1s
let = 3
output
let b[t] = mean(, )
fn f( = 3
output y = if x.v then 1
"#;
    assert_snapshot!(report(source), @r#"
    [syntax] Error: expected `{`, found `v`
       ╭─[ q.tilt:1:9 ]
       │
     1 │ input x v: f64 every 1s
       │         ┬
       │         ╰── expected `{`
    ───╯
    [syntax] Error: expected a name, found `=`
       ╭─[ q.tilt:2:5 ]
       │
     2 │ let = 3
       │     ┬
       │     ╰── expected a name
    ───╯
    [syntax] Error: expected a name, found `let`
       ╭─[ q.tilt:4:1 ]
       │
     4 │ let b[t] = mean(, )
       │ ─┬─
       │  ╰─── expected a name
    ───╯
    [syntax] Error: expected an expression or `)`, found `,`
       ╭─[ q.tilt:4:17 ]
       │
     4 │ let b[t] = mean(, )
       │                 ┬
       │                 ╰── expected an expression or `)`
    ───╯
    [unclosed-bracket] Error: this `(` is never closed
       ╭─[ q.tilt:5:5 ]
       │
     5 │ fn f( = 3
       │     ┬    │
       │     ╰────── opened here
       │          │
       │          ╰─ `)` is missing here at the latest
    ───╯
    [syntax] Error: expected `else`, found the end of the text
       ╭─[ q.tilt:6:24 ]
       │
     6 │ output y = if x.v then 1
       │                        ┬
       │                        ╰── ends here
    ───╯
    "#);
}

#[test]
fn if_inside_an_expression() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = 1.0 + if x.v > 0.0 then 1.0 else 2.0
"#;
    assert_snapshot!(report(source), @r#"
    [syntax] Error: expected an expression, found `if`
       ╭─[ q.tilt:2:18 ]
       │
     2 │ output y = 1.0 + if x.v > 0.0 then 1.0 else 2.0
       │                  ─┬
       │                   ╰── expected an expression
       │
       │ Help: put brackets around an `if` inside an expression
    ───╯
    "#);
}

#[test]
fn second_where() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x.v where x.v > 0.0 where x.n > 0
"#;
    assert_snapshot!(report(source), @r#"
    [syntax] Error: expected the next item, found `where`
       ╭─[ q.tilt:2:32 ]
       │
     2 │ output y = x.v where x.v > 0.0 where x.n > 0
       │                                ──┬──
       │                                  ╰──── expected the next item
       │
       │ Help: join several conditions with `and`; a second `where` needs brackets
    ───╯
    "#);
}

#[test]
fn unclosed_bracket() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
let a[t] = mean(x[t-5s..t.v
let b[t] = x.v +
output a, b
"#;
    assert_snapshot!(report(source), @r#"
    [unclosed-bracket] Error: this `(` is never closed
       ╭─[ q.tilt:2:16 ]
       │
     2 │ let a[t] = mean(x[t-5s..t.v
       │                ┬           │
       │                ╰───────────── opened here
       │                            │
       │                            ╰─ `)` is missing here at the latest
    ───╯
    [unclosed-bracket] Error: this `[` is never closed
       ╭─[ q.tilt:2:18 ]
       │
     2 │ let a[t] = mean(x[t-5s..t.v
       │                  ┬         │
       │                  ╰─────────── opened here
       │                            │
       │                            ╰─ `]` is missing here at the latest
    ───╯
    [syntax] Error: expected an expression, found `output`
       ╭─[ q.tilt:4:1 ]
       │
     4 │ output a, b
       │ ───┬──
       │    ╰──── expected an expression
       │
       │ Help: something is missing at the end of the item before
    ───╯
    "#);
}

#[test]
fn unmatched_bracket() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = mean(x[t-5s..t).v)
output z = x.v)
"#;
    assert_snapshot!(report(source), @r#"
    [unmatched-bracket] Error: `)` cannot close `[`
       ╭─[ q.tilt:2:26 ]
       │
     2 │ output y = mean(x[t-5s..t).v)
       │                  ┬       ┬
       │                  │       ╰── `]` is needed
       │                  │
       │                  ╰────────── opened here
       │
       │ Help: a window x[a..b] always has the rows stamped after a and up to b
    ───╯
    [unmatched-bracket] Error: nothing is open that `)` would close
       ╭─[ q.tilt:3:15 ]
       │
     3 │ output z = x.v)
       │               ┬
       │               ╰── closes nothing
       │
       │ Help: leave it out
    ───╯
    "#);
}

#[test]
fn chained_comparison() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = 0.0 < x.v < 1.0 < 2.0
"#;
    assert_snapshot!(report(source), @r#"
    [chained-comparison] Error: comparisons do not chain
       ╭─[ q.tilt:2:22 ]
       │
     2 │ output y = 0.0 < x.v < 1.0 < 2.0
       │            ────┬──── ┬
       │                │     ╰── the result of a comparison is compared again
       │                │
       │                ╰──────── this is already true or false
       │
       │ Help: write `a < b and b < c`, or put brackets around the first one
    ───╯
    "#);
}

#[test]
fn period_not_duration() {
    let source = r#"
input x { v: f64 } every 5
let y[t every 1m offset 2.5] = x.v
output y
"#;
    assert_snapshot!(report(source), @r#"
    [period-not-duration] Error: a period or offset is a duration
       ╭─[ q.tilt:1:26 ]
       │
     1 │ input x { v: f64 } every 5
       │                          ┬
       │                          ╰── not a duration
       │
       │ Help: give it a unit: 5s, 250ms, 1h30m (units: w d h m s ms us ns)
    ───╯
    [period-not-duration] Error: a period or offset is a duration
       ╭─[ q.tilt:2:25 ]
       │
     2 │ let y[t every 1m offset 2.5] = x.v
       │                         ─┬─
       │                          ╰─── not a duration
       │
       │ Help: give it a unit: 5s, 250ms, 1h30m (units: w d h m s ms us ns)
    ───╯
    "#);
}

#[test]
fn rows_counted_back() {
    let source = r#"
input x { v: f64 }
let a[t on x] = x[first 5].v
let b[t on x] = x[prev 1.5].v + x[last].v + mean(x[last 5s].v) + x[prev 0].v + mean(x[last 2*x.v].v)
let c[t on x | ] = x.v
let d[t on] = x.v
let e[t on x] init = x.v
output a, b, c, d, e
"#;
    assert_snapshot!(report(source), @r#"
    [syntax] Error: expected `prev` or `last`, found `first`
       ╭─[ q.tilt:2:19 ]
       │
     2 │ let a[t on x] = x[first 5].v
       │                   ──┬──
       │                     ╰──── expected `prev` or `last`
       │
       │ Help: `x[prev 2]` is the row 2 before, `x[last 20]` the window of the last 20 rows
    ───╯
    [not-constant] Error: a constant number of rows, or a duration, is needed
       ╭─[ q.tilt:3:24 ]
       │
     3 │ let b[t on x] = x[prev 1.5].v + x[last].v + mean(x[last 5s].v) + x[prev 0].v + mean(x[last 2*x.v].v)
       │                        ─┬─
       │                         ╰─── not one
       │
       │ Help: rows as in `x[prev 2]`, `x[last 20]`; time as in `x[prev 2s]`, `x[last 20s]`
    ───╯
    [time-index] Error: `prev` stands alone in the brackets, `last` before a number
       ╭─[ q.tilt:3:35 ]
       │
     3 │ let b[t on x] = x[prev 1.5].v + x[last].v + mean(x[last 5s].v) + x[prev 0].v + mean(x[last 2*x.v].v)
       │                                   ──┬─
       │                                     ╰─── counts rows, not a time
       │
       │ Help: the row 2 before is `x[prev 2]`, the window of the last 20 rows `x[last 20]`
    ───╯
    [not-constant] Error: rows are counted from 1 on
       ╭─[ q.tilt:3:73 ]
       │
     3 │ let b[t on x] = x[prev 1.5].v + x[last].v + mean(x[last 5s].v) + x[prev 0].v + mean(x[last 2*x.v].v)
       │                                                                         ┬
       │                                                                         ╰── less than one
       │
       │ Help: rows as in `x[prev 2]`, `x[last 20]`; time as in `x[prev 2s]`, `x[last 20s]`
    ───╯
    [time-index] Error: this is no time index
       ╭─[ q.tilt:3:87 ]
       │
     3 │ let b[t on x] = x[prev 1.5].v + x[last].v + mean(x[last 5s].v) + x[prev 0].v + mean(x[last 2*x.v].v)
       │                                                                                       ─────┬────
       │                                                                                            ╰────── not `t`, a constant duration, or a sum of them
       │
       │ Help: time indexes are `t`, `floor(t, 1d)` or `ceil(t, 1d)`, plus or minus a duration: `t-5s`
    ───╯
    [syntax] Error: expected an operator or `]`, found `.`
       ╭─[ q.tilt:3:95 ]
       │
     3 │ let b[t on x] = x[prev 1.5].v + x[last].v + mean(x[last 5s].v) + x[prev 0].v + mean(x[last 2*x.v].v)
       │                                                                                               ┬
       │                                                                                               ╰── expected an operator or `]`
    ───╯
    [syntax] Error: expected a name, found `]`
       ╭─[ q.tilt:4:16 ]
       │
     4 │ let c[t on x | ] = x.v
       │                ┬
       │                ╰── expected a name
    ───╯
    [syntax] Error: expected a name, found `]`
       ╭─[ q.tilt:5:11 ]
       │
     5 │ let d[t on] = x.v
       │           ┬
       │           ╰── expected a name
    ───╯
    [syntax] Error: expected an expression, found `=`
       ╭─[ q.tilt:6:20 ]
       │
     6 │ let e[t on x] init = x.v
       │                    ┬
       │                    ╰── expected an expression
    ───╯
    "#);
}

#[test]
fn inputs() {
    let source = r#"
input a { v: f64 } by
input b { v: f64 } hold for 5
input c { v: f64 } from start
input d { v: f64 } by x: i64 by y
input e { v: f64 } every 1s hold
output z = 1.0
"#;
    assert_snapshot!(report(source), @r#"
    [syntax] Error: expected a name, found `input`
       ╭─[ q.tilt:2:1 ]
       │
     2 │ input b { v: f64 } hold for 5
       │ ──┬──
       │   ╰──── expected a name
    ───╯
    [period-not-duration] Error: a period or offset is a duration
       ╭─[ q.tilt:2:29 ]
       │
     2 │ input b { v: f64 } hold for 5
       │                             ┬
       │                             ╰── not a duration
       │
       │ Help: give it a unit: 5s, 250ms, 1h30m (units: w d h m s ms us ns)
    ───╯
    [syntax] Error: expected `to`, found `input`
       ╭─[ q.tilt:4:1 ]
       │
     4 │ input d { v: f64 } by x: i64 by y
       │ ──┬──
       │   ╰──── expected `to`
    ───╯
    [syntax] Error: expected `,`, `every`, `hold`, `from` or the next item, found `by`
       ╭─[ q.tilt:4:30 ]
       │
     4 │ input d { v: f64 } by x: i64 by y
       │                              ─┬
       │                               ╰── expected `,`, `every`, `hold`, `from` or the next item
    ───╯
    [syntax] Error: expected `by` or the next item, found `hold`
       ╭─[ q.tilt:5:29 ]
       │
     5 │ input e { v: f64 } every 1s hold
       │                             ──┬─
       │                               ╰─── expected `by` or the next item
    ───╯
    [no-grid] Error: nothing here says how often there is a row
       ╭─[ q.tilt:6:8 ]
       │
     6 │ output z = 1.0
       │        ┬
       │        ╰── names no stream
       │
       │ Help: say it: `let z[t every 1s] = …`
    ───╯
    "#);
}

#[test]
fn time_variable() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
let y[u] = x.v
output y
"#;
    assert_snapshot!(report(source), @r#"
    [time-variable] Error: the time of a definition is called `t`, not `u`
       ╭─[ q.tilt:2:7 ]
       │
     2 │ let y[u] = x.v
       │       ┬
       │       ╰── call it `t`
    ───╯
    "#);
}

#[test]
fn nesting_too_deep() {
    let source = format!(
        "input x {{ v: f64 }} every 1s\noutput y = {}x.v{}\noutput z = x.nn",
        "(".repeat(129),
        ")".repeat(129)
    );
    let lines: Vec<String> = crate::lines(&source);
    assert_eq!(lines, ["error: 2:140 nesting-too-deep", "error: 3:14 unknown-field"]);
}
