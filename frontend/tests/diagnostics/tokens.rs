//! Diagnostics of tokens. Each program is shown with all that is said about it.

use crate::report;
use insta::assert_snapshot;

#[test]
fn unexpected_character() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x.v # 1.0
"#;
    assert_snapshot!(report(source), @r#"
    [unexpected-character] Error: `#` begins no token
       ╭─[ q.tilt:2:16 ]
       │
     2 │ output y = x.v # 1.0
       │                ┬
       │                ╰── this character has no meaning here
    ───╯
    "#);
}

#[test]
fn neighbouring_bad_characters_are_one_mistake() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x.v + §§§
"#;
    assert_snapshot!(report(source), @r#"
    [unexpected-character] Error: `§` begins no token
       ╭─[ q.tilt:2:18 ]
       │
     2 │ output y = x.v + §§§
       │                  ┬
       │                  ╰── this character has no meaning here
    ───╯
    "#);
}

#[test]
fn foreign_operator() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x.v > 0.0 && x.v < 1.0 || !(x.n <> 3);
"#;
    assert_snapshot!(report(source), @r#"
    [foreign-operator] Error: `&&` is not an operator of this language
       ╭─[ q.tilt:2:22 ]
       │
     2 │ output y = x.v > 0.0 && x.v < 1.0 || !(x.n <> 3);
       │                      ─┬
       │                       ╰── not known here
       │
       │ Help: write `and`
    ───╯
    [foreign-operator] Error: `||` is not an operator of this language
       ╭─[ q.tilt:2:35 ]
       │
     2 │ output y = x.v > 0.0 && x.v < 1.0 || !(x.n <> 3);
       │                                   ─┬
       │                                    ╰── not known here
       │
       │ Help: write `or`
    ───╯
    [foreign-operator] Error: `!` is not an operator of this language
       ╭─[ q.tilt:2:38 ]
       │
     2 │ output y = x.v > 0.0 && x.v < 1.0 || !(x.n <> 3);
       │                                      ┬
       │                                      ╰── not known here
       │
       │ Help: write `not`
    ───╯
    [foreign-operator] Error: `<>` is not an operator of this language
       ╭─[ q.tilt:2:44 ]
       │
     2 │ output y = x.v > 0.0 && x.v < 1.0 || !(x.n <> 3);
       │                                            ─┬
       │                                             ╰── not known here
       │
       │ Help: write `!=`
    ───╯
    [foreign-operator] Error: `;` is not an operator of this language
       ╭─[ q.tilt:2:49 ]
       │
     2 │ output y = x.v > 0.0 && x.v < 1.0 || !(x.n <> 3);
       │                                                 ┬
       │                                                 ╰── not known here
       │
       │ Help: leave it out: an item ends where the next begins
    ───╯
    "#);
}

#[test]
fn malformed_symbol() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x.v + "abc
output z = x.n == "a\x" or x.n == "ab\"
output w = "a" | "b"
"#;
    assert_snapshot!(report(source), @r#"
    [malformed-symbol] Error: this symbol does not end on its line
       ╭─[ q.tilt:2:18 ]
       │
     2 │ output y = x.v + "abc
       │                  ──┬─
       │                    ╰─── not a symbol
       │
       │ Help: symbols look like "AAPL"; `\"` is a quote in one, `\\` a backslash, `\n` a line break, `\t` a tab
    ───╯
    [malformed-symbol] Error: a symbol has an escape that is not known
       ╭─[ q.tilt:3:19 ]
       │
     3 │ output z = x.n == "a\x" or x.n == "ab\"
       │                   ──┬──
       │                     ╰──── not a symbol
       │
       │ Help: symbols look like "AAPL"; `\"` is a quote in one, `\\` a backslash, `\n` a line break, `\t` a tab
    ───╯
    [malformed-symbol] Error: this symbol does not end on its line
       ╭─[ q.tilt:3:35 ]
       │
     3 │ output z = x.n == "a\x" or x.n == "ab\"
       │                                   ──┬──
       │                                     ╰──── not a symbol
       │
       │ Help: symbols look like "AAPL"; `\"` is a quote in one, `\\` a backslash, `\n` a line break, `\t` a tab
    ───╯
    [no-grid] Error: nothing here says how often there is a row
       ╭─[ q.tilt:4:8 ]
       │
     4 │ output w = "a" | "b"
       │        ┬
       │        ╰── names no stream
       │
       │ Help: say it: `let w[t every 1s] = …`
    ───╯
    [type-mismatch] Error: `or` needs a `bool`
       ╭─[ q.tilt:4:12 ]
       │
     4 │ output w = "a" | "b"
       │            ─┬─
       │             ╰─── this is `symbol`
       │
       │ Help: compare it with something: `x != 0`
    ───╯
    [foreign-operator] Error: `|` is not an operator of this language
       ╭─[ q.tilt:4:16 ]
       │
     4 │ output w = "a" | "b"
       │                ┬
       │                ╰── not known here
       │
       │ Help: write `or`
    ───╯
    [type-mismatch] Error: `or` needs a `bool`
       ╭─[ q.tilt:4:18 ]
       │
     4 │ output w = "a" | "b"
       │                  ─┬─
       │                   ╰─── this is `symbol`
       │
       │ Help: compare it with something: `x != 0`
    ───╯
    "#);
}

#[test]
fn block_comment() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
/* not closed
output y = x.v
"#;
    assert_snapshot!(report(source), @r#"
    [block-comment] Error: there are no block comments
       ╭─[ q.tilt:2:1 ]
       │
     2 │ /* not closed
       │ ─┬
       │  ╰── everything up to the next `*/` is skipped
       │
       │ Help: begin each line of the comment with `//`
    ───╯
    "#);
}

#[test]
fn malformed_number() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x.v + 12abc + 1.2.3
output z = x[t-5sec].v
output w = t - @2024-02-30
"#;
    assert_snapshot!(report(source), @r#"
    [malformed-number] Error: `12abc` is neither a number nor a duration
       ╭─[ q.tilt:2:18 ]
       │
     2 │ output y = x.v + 12abc + 1.2.3
       │                  ──┬──
       │                    ╰──── not a literal
       │
       │ Help: numbers look like 42, 1_000, 0xff, 1.5, 1e-9; durations like 5s, 1h30m, 250ms (units: w d h m s ms us ns)
    ───╯
    [malformed-number] Error: `1.2.3` is neither a number nor a duration
       ╭─[ q.tilt:2:26 ]
       │
     2 │ output y = x.v + 12abc + 1.2.3
       │                          ──┬──
       │                            ╰──── not a literal
       │
       │ Help: numbers look like 42, 1_000, 0xff, 1.5, 1e-9; durations like 5s, 1h30m, 250ms (units: w d h m s ms us ns)
    ───╯
    [malformed-number] Error: `5sec` is neither a number nor a duration
       ╭─[ q.tilt:3:16 ]
       │
     3 │ output z = x[t-5sec].v
       │                ──┬─
       │                  ╰─── not a literal
       │
       │ Help: numbers look like 42, 1_000, 0xff, 1.5, 1e-9; durations like 5s, 1h30m, 250ms (units: w d h m s ms us ns)
    ───╯
    [malformed-number] Error: `@2024-02-30` is not a time
       ╭─[ q.tilt:4:16 ]
       │
     4 │ output w = t - @2024-02-30
       │                ─────┬─────
       │                     ╰─────── not a date, or outside the years 1677 to 2262
       │
       │ Help: times look like @2024-01-31, @2024-01-31T12:00:00Z, @2024-01-31T12:00:00.25+01:00
    ───╯
    "#);
}

#[test]
fn literal_out_of_range() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
input b { v: i8, f: f32 } every 1s
output y = x.n + 99999999999999999999
output z = b.v + 1000
output w = t - 20000w
output f = b.f * 1e39
"#;
    assert_snapshot!(report(source), @r#"
    [literal-out-of-range] Error: `99999999999999999999` is out of range
       ╭─[ q.tilt:3:18 ]
       │
     3 │ output y = x.n + 99999999999999999999
       │                  ──────────┬─────────
       │                            ╰─────────── does not fit
       │
       │ Help: integers have 64 bits, floats are finite, durations are whole nanoseconds in 64 bits (about 292 years)
    ───╯
    [literal-out-of-range] Error: `1000` is out of the range of `i8`
       ╭─[ q.tilt:4:18 ]
       │
     4 │ output z = b.v + 1000
       │                  ──┬─
       │                    ╰─── `i8` is needed here
       │
       │ Help: `i8` reaches from -128 to 127; convert the other side to a wider type
    ───╯
    [literal-out-of-range] Error: `20000w` is out of range
       ╭─[ q.tilt:5:16 ]
       │
     5 │ output w = t - 20000w
       │                ───┬──
       │                   ╰──── does not fit
       │
       │ Help: integers have 64 bits, floats are finite, durations are whole nanoseconds in 64 bits (about 292 years)
    ───╯
    [literal-out-of-range] Error: `1e39` is out of the range of `f32`
       ╭─[ q.tilt:6:18 ]
       │
     6 │ output f = b.f * 1e39
       │                  ──┬─
       │                    ╰─── `f32` is needed here
    ───╯
    "#);
}

#[test]
fn comment_swallows_operand() {
    let source = r#"
input x { v: f64, n: i64 } every 1s
output y = x.n // 2
"#;
    assert_snapshot!(report(source), @r#"
    [comment-swallows-operand] Warning: this is a comment, not a division
       ╭─[ q.tilt:2:16 ]
       │
     2 │ output y = x.n // 2
       │                ──┬─
       │                  ╰─── `2` is not part of the expression
       │
       │ Help: write `div 2` for a division that rounds down
    ───╯
    "#);
}
