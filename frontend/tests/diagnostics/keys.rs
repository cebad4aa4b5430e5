//! Diagnostics of keys and symbols.

use crate::report;
use insta::assert_snapshot;

#[test]
fn key_mismatch() {
    let source = r#"
input a { v: f64 } by symbol
input b { v: f64 } by symbol, venue
input c { v: f64 } by symbol: i64
output a, b, c
"#;
    assert_snapshot!(report(source), @r#"
    [key-mismatch] Error: `b` and `a` have different keys
       ╭─[ q.tilt:2:23 ]
       │
     2 │ input b { v: f64 } by symbol, venue
       │                       ──────┬──────
       │                             ╰──────── keyed by symbol: symbol, venue: symbol
       │
       ├─[ q.tilt:2:23 ]
       │
     1 │ input a { v: f64 } by symbol
       │                       ───┬──
       │                          ╰──── keyed by symbol: symbol
       │
       │ Help: streams are matched by key, so that all keyed inputs have the same: names, types and order
    ───╯
    [key-mismatch] Error: `c` and `a` have different keys
       ╭─[ q.tilt:3:23 ]
       │
     3 │ input c { v: f64 } by symbol: i64
       │                       ───┬──
       │                          ╰──── keyed by symbol: i64
       │
       ├─[ q.tilt:3:23 ]
       │
     1 │ input a { v: f64 } by symbol
       │                       ───┬──
       │                          ╰──── keyed by symbol: symbol
       │
       │ Help: streams are matched by key, so that all keyed inputs have the same: names, types and order
    ───╯
    "#);
}

#[test]
fn key_name() {
    let source = r#"
input a { symbol: symbol, v: f64 } by symbol
input b { v: f64 } by symbol
output symbol = b.v
output c = { symbol: b.symbol, v: b.v }
"#;
    assert_snapshot!(report(source), @r#"
    [key-name] Error: `symbol` is a key already
       ╭─[ q.tilt:1:11 ]
       │
     1 │ input a { symbol: symbol, v: f64 } by symbol
       │           ───┬──                      ───┬──
       │              ╰──────────────────────────────── a field of the same name
       │                                          │
       │                                          ╰──── the key
       │
       │ Help: leave the field out: the key is read as `a.symbol`
    ───╯
    [key-name] Error: a column is called `symbol`, like a key
       ╭─[ q.tilt:3:8 ]
       │
     3 │ output symbol = b.v
       │        ───┬──
       │           ╰──── keyed outputs have a column for each key by themselves
       │
       │ Help: leave it out, or give it another name
    ───╯
    [key-name] Error: a column is called `symbol`, like a key
       ╭─[ q.tilt:4:14 ]
       │
     4 │ output c = { symbol: b.symbol, v: b.v }
       │              ───┬──
       │                 ╰──── keyed outputs have a column for each key by themselves
       │
       │ Help: leave it out, or give it another name
    ───╯
    "#);
}

#[test]
fn types_of_keys() {
    let source = r#"
input a { v: f64 } by shop: f64
input b { v: f64 } by shop: int
input c { v: f64 } by n: i64, n
output a, b, c
"#;
    assert_snapshot!(report(source), @r#"
    [type-mismatch] Error: a key is a symbol or an integer
       ╭─[ q.tilt:1:29 ]
       │
     1 │ input a { v: f64 } by shop: f64
       │                             ─┬─
       │                              ╰─── this is `f64`
       │
       │ Help: leave the type out for symbols, or write `i64`
    ───╯
    [unknown-type] Error: there is no type `int`
       ╭─[ q.tilt:2:29 ]
       │
     2 │ input b { v: f64 } by shop: int
       │                             ─┬─
       │                              ╰─── not a type
       │
       │ Help: write `i64`, or another of i8 … i64, u8 … u64
    ───╯
    [duplicate-name] Error: `n` is defined twice
       ╭─[ q.tilt:3:31 ]
       │
     3 │ input c { v: f64 } by n: i64, n
       │                       ┬       ┬
       │                       │       ╰── here again
       │                       │
       │                       ╰────────── first defined here
    ───╯
    "#);
}

#[test]
fn symbols_have_no_order() {
    let source = r#"
input x { s: symbol, n: i64 } hold
output a = x.s < "AAPL"
output b = x.s == x.n
output c = x.s + "A"
output d = max(x.s, "A")
output e = -x.s
output f = i64(x.s)
output g[t on x] = min(x[last 5].s) == "a"
output h = x.symbol
"#;
    assert_snapshot!(report(source), @r#"
    [type-mismatch] Error: `<` does not take `symbol` and `symbol`
       ╭─[ q.tilt:2:12 ]
       │
     2 │ output a = x.s < "AAPL"
       │            ──────┬─────
       │                  ╰─────── `symbol` on the left, `symbol` on the right
       │
       │ Help: symbols are compared with `==` and `!=`, with each other and with literals such as "AAPL"
    ───╯
    [type-mismatch] Error: `==` does not take `symbol` and `i64`
       ╭─[ q.tilt:3:12 ]
       │
     3 │ output b = x.s == x.n
       │            ─────┬────
       │                 ╰────── `symbol` on the left, `i64` on the right
       │
       │ Help: symbols are compared with `==` and `!=`, with each other and with literals such as "AAPL"
    ───╯
    [type-mismatch] Error: `+` does not take `symbol` and `symbol`
       ╭─[ q.tilt:4:12 ]
       │
     4 │ output c = x.s + "A"
       │            ────┬────
       │                ╰────── `symbol` on the left, `symbol` on the right
       │
       │ Help: symbols are compared with `==` and `!=`, with each other and with literals such as "AAPL"
    ───╯
    [type-mismatch] Error: `max` needs something with an order
       ╭─[ q.tilt:5:16 ]
       │
     5 │ output d = max(x.s, "A")
       │                ─┬─
       │                 ╰─── this is `symbol`
    ───╯
    [type-mismatch] Error: `symbol` has no negative
       ╭─[ q.tilt:6:12 ]
       │
     6 │ output e = -x.s
       │            ──┬─
       │              ╰─── `-` of `symbol`
    ───╯
    [type-mismatch] Error: a `symbol` cannot be converted to `i64`
       ╭─[ q.tilt:7:12 ]
       │
     7 │ output f = i64(x.s)
       │            ────┬───
       │                ╰───── `symbol` to `i64`
       │
       │ Help: numbers convert to numbers, and `i64` to and from `time` and `duration` (nanoseconds)
    ───╯
    [type-mismatch] Error: `min` needs something with an order
       ╭─[ q.tilt:8:24 ]
       │
     8 │ output g[t on x] = min(x[last 5].s) == "a"
       │                        ─────┬─────
       │                             ╰─────── this is `symbol`
    ───╯
    [unknown-field] Error: there is no field `symbol`
       ╭─[ q.tilt:9:14 ]
       │
     9 │ output h = x.symbol
       │            ┬ ───┬──
       │            │    ╰──── not a field
       │            │
       │            ╰───────── this has `s`, `n`
    ───╯
    "#);
}
