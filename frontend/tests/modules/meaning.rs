//! What programs with modules mean.

use crate::ir;
use insta::assert_snapshot;

const INPUT: &str = "input x { v: f64 } every 1s\n";

/// The IR without the places.
fn meaning(modules: &[(&str, &str)], source: &str) -> String {
    let text = ir(modules, source);
    let lines = text.lines().map(|line| line.split(" loc(").next().unwrap_or(line).to_string());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn all_forms_of_use_mean_the_same() {
    let written = meaning(&[], &format!("{INPUT}output y = mean(x[t-5s..t].v)"));
    for source in [
        "use std::finance::{sma}\noutput y = sma(x.v, 5s)",
        "use std::finance::sma\noutput y = sma(x.v, 5s)",
        "use std::finance\noutput y = finance::sma(x.v, 5s)",
        "output y = sma(x.v, 5s)\nuse std::finance::{sma,}",
    ] {
        let whole = format!("{INPUT}{source}");
        assert_eq!(meaning(&[], &whole), written, "{source}");
    }
}

#[test]
fn modules_use_modules_under_their_own_names() {
    let modules = [
        ("a", "use b\nuse c::double\nfn f(x) = b::half(double(x)) + own(x)\nfn own(x) = x"),
        ("b", "fn half(x) = own(x) / 2\nfn own(x) = x + 10"),
        ("c", "fn double(x) = x * 2"),
    ];
    let found = meaning(&modules, &format!("use a::f\n{INPUT}fn own(x) = x * 100\noutput y = own(f(x.v))"));
    let expected = meaning(&[], &format!("{INPUT}output y = ((x.v * 2 + 10) / 2 + x.v) * 100"));
    assert_eq!(found, expected);
}

#[test]
fn a_module_may_be_deeper_and_is_read_once() {
    let modules = [("my::own::bands", "fn upper(s) = s + 1\nfn lower(s) = s - 1")];
    let source = "use my::own::bands\nuse my::own::bands::{lower}\n";
    let found = meaning(&modules, &format!("{source}{INPUT}output y = bands::upper(x.v) * lower(x.v)"));
    assert_eq!(found, meaning(&[], &format!("{INPUT}output y = (x.v + 1) * (x.v - 1)")));
}

#[test]
fn names_of_modules_are_names_of_streams_too() {
    let source = "use std::stats\ninput stats { use: f64 } every 1s\noutput y = stats::rms(stats.use, 5s)";
    assert!(ir(&[], source).contains("at stats.use[t]"));
}

#[test]
fn places_are_those_of_the_call() {
    let modules = [("m", "\n\n\n\nfn f(x) = x * 2\nfn smooth(x, n) = mean(x[t-n..t]) where f(x) > 0.0")];
    let source = "use m::{f, smooth}\ninput x { v: f64 } every 1s\nlet a[t] = 1.0 + f(x.v)\noutput b = smooth(a + x.v, 3s)";
    assert_snapshot!(ir(&modules, source), @r#"
    source "q.tilt"

    input @x {v: f64} every 1s offset 0s loc(2:7)

    def @a {value: f64} every 1s offset 0s loc(3:5) {
      %0 = const 1.0 : f64 loc(3:12)
      %1 = at x.v[t] : f64 loc(3:20)
      %2 = const 2.0 : f64 loc(3:18)
      %3 = mul %1, %2 : f64 loc(3:18)
      %4 = add %0, %3 : f64 loc(3:12)
      yield %4
    }

    def @b_x {value: f64} every 1s offset 0s loc(4:19) {
      %0 = at a.value[t] : f64 loc(4:19)
      %1 = at x.v[t] : f64 loc(4:23)
      %2 = add %0, %1 : f64 loc(4:19)
      yield %2
    }

    def @b {value: f64} every 1s offset 0s loc(4:8) {
      %0 = at a.value[t] : f64 loc(4:19)
      %1 = at x.v[t] : f64 loc(4:23)
      %2 = add %0, %1 : f64 loc(4:19)
      %3 = const 2.0 : f64 loc(4:12)
      %4 = mul %2, %3 : f64 loc(4:12)
      %5 = const 0.0 : f64 loc(4:12)
      %6 = gt %4, %5 : bool loc(4:12)
      %7 = reduce mean doubling 3 over every 1s offset 0s (t-3s, t] min_count 1 {
        %0 = at b_x.value[t] : f64 loc(4:12)
        yield %0
      } : f64 loc(4:12)
      %8 = null : f64 loc(4:12)
      %9 = select %6, %7, %8 : f64 loc(4:12)
      yield %9
    }

    output @b = @b {b: value}
    "#);
}
