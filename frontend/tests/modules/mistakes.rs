//! What is said about modules and their names.

use crate::{compiled, report};
use insta::assert_snapshot;
use tilt_frontend::diagnostic::one_line;

#[test]
fn unknown_modules() {
    let source = "
use std::finanse::{sma}
use std::finanse::rsi
use std::cooking
use nothing
input x { v: f64 } every 1s
output y = sma(x.v, 5s) + rsi(x.v, 5s, 1s) + cooking::f(x.v)
output z = stats::rms(x.v, 5s) + std::stats::rms(x.v, 5s) + my::f(x.v)
";
    assert_snapshot!(report(&[], source), @r#"
    [unknown-module] Error: there is no module `std::finanse`
       ╭─[ q.tilt:1:5 ]
       │
     1 │ use std::finanse::{sma}
       │     ──────┬─────
       │           ╰─────── not found
       │
       │ Help: did you mean `std::finance`?
    ───╯
    [unknown-module] Error: there is no module `std::finanse::rsi`
       ╭─[ q.tilt:2:5 ]
       │
     2 │ use std::finanse::rsi
       │     ────────┬────────
       │             ╰────────── not found
       │
       │ Help: did you mean `std::finance`?
    ───╯
    [unknown-module] Error: there is no module `std::cooking`
       ╭─[ q.tilt:3:5 ]
       │
     3 │ use std::cooking
       │     ──────┬─────
       │           ╰─────── not found
       │
       │ Help: there are `std::finance`, `std::signal`, `std::stats`, `std::windows`
    ───╯
    [unknown-module] Error: there is no module `nothing`
       ╭─[ q.tilt:4:5 ]
       │
     4 │ use nothing
       │     ───┬───
       │        ╰───── not found
       │
       │ Help: there are `std::finance`, `std::signal`, `std::stats`, `std::windows`
    ───╯
    [unknown-module] Error: no module is used under the name `stats`
       ╭─[ q.tilt:7:12 ]
       │
     7 │ output z = stats::rms(x.v, 5s) + std::stats::rms(x.v, 5s) + my::f(x.v)
       │            ──┬──
       │              ╰──── not known here
       │
       │ Help: say `use std::stats`, then call `stats::rms(…)`
    ───╯
    [unknown-module] Error: no module is used under the name `std`
       ╭─[ q.tilt:7:34 ]
       │
     7 │ output z = stats::rms(x.v, 5s) + std::stats::rms(x.v, 5s) + my::f(x.v)
       │                                  ─┬─
       │                                   ╰─── not known here
       │
       │ Help: say `use std::stats`, then call `stats::rms(…)`
    ───╯
    [unknown-module] Error: no module is used under the name `my`
       ╭─[ q.tilt:7:61 ]
       │
     7 │ output z = stats::rms(x.v, 5s) + std::stats::rms(x.v, 5s) + my::f(x.v)
       │                                                             ─┬
       │                                                              ╰── not known here
       │
       │ Help: say what it is: `use my`
    ───╯
    "#);
}

#[test]
fn unknown_functions() {
    let source = "
use std::stats
use std::stats::{zscor, rms, cook}
use std::finance::smaa
input x { v: f64 } every 1s
output y = stats::rmz(x.v, 5s) + zscor(x.v, 5s) + rms(x.v, 5s) + rsi(x.v, 5s, 1s)
";
    assert_snapshot!(report(&[("tiny", "fn one(x) = x")], source), @r#"
    [unknown-function] Error: there is no function `zscor` in `std::stats`
       ╭─[ q.tilt:2:18 ]
       │
     2 │ use std::stats::{zscor, rms, cook}
       │                  ──┬──
       │                    ╰──── not defined
       │
       │ Help: did you mean `zscore`?
    ───╯
    [unknown-function] Error: there is no function `cook` in `std::stats`
       ╭─[ q.tilt:2:30 ]
       │
     2 │ use std::stats::{zscor, rms, cook}
       │                              ──┬─
       │                                ╰─── not defined
       │
       │ Help: it has `comoment`, `correlation`, `covariance`, `impute`, `impute_last`, `normalize`, `paired_mean`, `paired_squares`, `pairs`, `rescale`, `rms`, `sharpe`, `slope`, `zscore`
    ───╯
    [unknown-function] Error: there is no function `smaa` in `std::finance`
       ╭─[ q.tilt:3:19 ]
       │
     3 │ use std::finance::smaa
       │                   ──┬─
       │                     ╰─── not defined
       │
       │ Help: did you mean `sma`?
    ───╯
    [unknown-function] Error: there is no function `rmz` in `std::stats`
       ╭─[ q.tilt:5:19 ]
       │
     5 │ output y = stats::rmz(x.v, 5s) + zscor(x.v, 5s) + rms(x.v, 5s) + rsi(x.v, 5s, 1s)
       │                   ─┬─
       │                    ╰─── not defined
       │
       │ Help: did you mean `rms`?
    ───╯
    [unknown-function] Error: there is no function `rsi`
       ╭─[ q.tilt:5:66 ]
       │
     5 │ output y = stats::rmz(x.v, 5s) + zscor(x.v, 5s) + rms(x.v, 5s) + rsi(x.v, 5s, 1s)
       │                                                                  ─┬─
       │                                                                   ╰─── not defined
       │
       │ Help: it is in the standard library: `use std::finance::rsi`
    ───╯
    "#);
}

#[test]
fn the_same_name_twice() {
    let source = "
use std::stats::{rms, rms}
use std::stats
use my::stats
input x { v: f64 } every 1s
fn zscore(x) = x
use std::stats::zscore
output y = rms(x.v, 5s) + stats::rms(x.v, 5s) + zscore(x.v)
";
    assert_snapshot!(report(&[("my::stats", "")], source), @r#"
    [duplicate-name] Error: `rms` is defined twice
       ╭─[ q.tilt:1:23 ]
       │
     1 │ use std::stats::{rms, rms}
       │                  ─┬─  ─┬─
       │                   │    ╰─── here again
       │                   │
       │                   ╰──────── first defined here
    ───╯
    [duplicate-name] Error: `stats` is defined twice
       ╭─[ q.tilt:3:9 ]
       │
     3 │ use my::stats
       │         ──┬──
       │           ╰──── here again
       │
       ├─[ q.tilt:3:9 ]
       │
     2 │ use std::stats
       │          ──┬──
       │            ╰──── first defined here
    ───╯
    [duplicate-name] Error: `zscore` is defined twice
       ╭─[ q.tilt:6:17 ]
       │
     6 │ use std::stats::zscore
       │                 ───┬──
       │                    ╰──── here again
       │
       ├─[ q.tilt:6:17 ]
       │
     5 │ fn zscore(x) = x
       │    ───┬──
       │       ╰──── first defined here
    ───╯
    "#);
}

#[test]
fn what_is_not_used() {
    let source = "
use std::stats
use std::stats::{rms, zscore}
use std::finance::rsi
use std::windows::{}
input x { v: f64 } every 1s
output y = zscore(x.v, 5s)
";
    assert_snapshot!(report(&[], source), @r#"
    [unused-name] Warning: nothing uses `stats`
       ╭─[ q.tilt:1:10 ]
       │
     1 │ use std::stats
       │          ──┬──
       │            ╰──── not called
       │
       │ Help: leave it out
    ───╯
    [unused-name] Warning: nothing uses `rms`
       ╭─[ q.tilt:2:18 ]
       │
     2 │ use std::stats::{rms, zscore}
       │                  ─┬─
       │                   ╰─── not called
       │
       │ Help: leave it out
    ───╯
    [unused-name] Warning: nothing uses `rsi`
       ╭─[ q.tilt:3:19 ]
       │
     3 │ use std::finance::rsi
       │                   ─┬─
       │                    ╰─── not called
       │
       │ Help: leave it out
    ───╯
    "#);
}

#[test]
fn modules_have_functions_only() {
    let module =
        "input x { v: f64 } every 1s\nlet y[t] = x.v\noutput y\nfn f(s) = s + x.v + t\nuse std::stats\n";
    let source = "use m::f\ninput x { v: f64 } every 1s\noutput y = f(x.v)";
    assert_snapshot!(report(&[("m", module)], source), @r#"
    [module-item] Error: a module has functions and nothing else
       ╭─[ m.tilt:1:1 ]
       │
     1 │ input x { v: f64 } every 1s
       │ ─────────────┬─────────────
       │              ╰─────────────── only a program has streams
       │
       │ Help: make it a function, and give it the streams that it needs: `fn f(x) = …`
    ───╯
    [module-item] Error: a module has functions and nothing else
       ╭─[ m.tilt:2:1 ]
       │
     2 │ let y[t] = x.v
       │ ───────┬──────
       │        ╰──────── only a program has streams
       │
       │ Help: make it a function, and give it the streams that it needs: `fn f(x) = …`
    ───╯
    [module-item] Error: a module has functions and nothing else
       ╭─[ m.tilt:3:1 ]
       │
     3 │ output y
       │ ────┬───
       │     ╰───── only a program has streams
       │
       │ Help: make it a function, and give it the streams that it needs: `fn f(x) = …`
    ───╯
    [unknown-name] Error: there is no stream `x`
       ╭─[ m.tilt:4:15 ]
       │
     4 │ fn f(s) = s + x.v + t
       │               ┬
       │               ╰── not defined
       │
       ├─[ q.tilt:3:12 ]
       │
     3 │ output y = f(x.v)
       │            ───┬──
       │               ╰──── in this call
       │
       │ Help: a function of a module sees its parameters and no streams of the program
    ───╯
    "#);
}

#[test]
fn mistakes_in_a_module_are_shown_there() {
    let module = "// A module.\nfn f(s) = s +* 2\nfn g(s, n) = mean(s[t-n..t], min_cnt = 2)\nfn mean(s) = s\nfn h(s) = sqrt(s)";
    let source = "
use m::{f, g, h}
input x { v: f64, b: bool } every 1s
output y = f(x.v) + g(x.v, 5s)
output z = h(x.b)
output w = 1.0 + h(x.b)
";
    assert_snapshot!(report(&[("m", module)], source), @r#"
    [type-mismatch] Error: `sqrt` needs a float
       ╭─[ q.tilt:4:14 ]
       │
     4 │ output z = h(x.b)
       │            ───┬──
       │               ╰──── this is `bool`
       │               │
       │               ╰──── in this call
       │
       │ Help: make it a number: `if b then 1 else 0`
    ───╯
    [type-mismatch] Error: `sqrt` needs a float
       ╭─[ q.tilt:5:20 ]
       │
     5 │ output w = 1.0 + h(x.b)
       │                  ───┬──
       │                     ╰──── this is `bool`
       │                     │
       │                     ╰──── in this call
       │
       │ Help: make it a number: `if b then 1 else 0`
    ───╯
    [syntax] Error: expected an expression, found `*`
       ╭─[ m.tilt:2:14 ]
       │
     2 │ fn f(s) = s +* 2
       │              ┬
       │              ╰── expected an expression
    ───╯
    [unknown-argument] Error: `mean` has no argument called `min_cnt`
       ╭─[ m.tilt:3:30 ]
       │
     3 │ fn g(s, n) = mean(s[t-n..t], min_cnt = 2)
       │                              ───┬───
       │                                 ╰───── not known
       │
       ├─[ q.tilt:3:21 ]
       │
     3 │ output y = f(x.v) + g(x.v, 5s)
       │                     ─────┬────
       │                          ╰────── in this call
       │
       │ Help: did you mean `min_count`?
    ───╯
    [reserved-name] Error: `mean` is a function of the language
       ╭─[ m.tilt:4:4 ]
       │
     4 │ fn mean(s) = s
       │    ──┬─
       │      ╰─── already has a meaning
       │
       │ Help: give it another name
    ───╯
    "#);
}

#[test]
fn places_in_short() {
    let source = "use a::b::f\ninput x { v: f64 } every 1s\noutput y = f(x.v)";
    let (_, said) = compiled(&[("a::b", "fn f(x) =\n  x + zz")], source);
    let lines: Vec<_> = said.iter().map(|one| one_line(one, source)).collect();
    assert_eq!(lines, ["error: a/b.tilt:2:7 unknown-name"]);
    assert_eq!(said[0].module().map(|module| &*module.name), Some("a/b.tilt"));
}
