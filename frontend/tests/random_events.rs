//! Random definitions over events that are right more often than not: what is compiled passes the verifier and reads back.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tilt_frontend::{compile, parse, print};
use tilt_ir::tir;

const INPUTS: &str = "
input x { d: f64, n: i64 } every 1s
input e { v: f64, n: i32, s: symbol } by k
input h { bid: f64 } by k hold
input i { v: f64 } from start to end
let m[t] = h.bid + 1
let d[t on e | h] = { v: e.v, bid: h.bid }
let n[t on e] init 0.0 = n[prev] + 1
fn ema(s, a) init null = a * s + (1 - a) * (ema[prev] ?? s)
fn change(s) = s - s[prev]
fn recent(s, n) = mean(s[last n])
";

/// Brackets of a definition, and looks that only its clock allows.
const HEADS: &[(&str, &[&str])] = &[
    ("[t]", &["x.d", "h[floor(t, 1d)].bid"]),
    ("[t every 3s]", &["(t - floor(t, 1d)) / 1s", "integral(m[t-5s..t])", "duration_mean(h[t-1h..t].bid)"]),
    ("[t every 1s]", &["x[prev 2].d", "mean(x[last 5].d)", "integral(x[t-5s..t].d)"]),
    (
        "[t on e]",
        &["e[prev].v", "n[prev]", "change(e.v)", "change(e.v * h.bid)", "f64(e[prev 3].n)", "n", "e[t].v"],
    ),
    (
        "[t on e | h]",
        &["d[prev].v", "d[prev 2].bid", "mean(d[last 4].v)", "change(d.bid)", "recent(d.v * 2, 3)"],
    ),
    ("[t on h]", &["h[prev].bid", "ema(h.bid, 0.5)", "recent(h.bid - i.v, 5)", "max(h[last 9].bid)"]),
];

const LEAVES: &[&str] = &[
    "x.d",
    "e.v",
    "h.bid",
    "i.v",
    "m",
    "d.v",
    "n",
    "1.5",
    "2",
    "f64(e.n)",
    "h[t-5s].bid",
    "mean(e[last 5].v)",
    "sum(e[t-5s..t].v)",
    "median(e[t-5s..t].n)",
    "quantile(x[t-5s..t].d, 0.9)",
    "corr(e[last 5].v, e[last 5].n)",
    "wmean(e[t-1h..t].v, e[t-1h..t].n, min_count = 2)",
    "f64(count(e[t-5s..t] where e[t-5s..t].s == \"AAPL\"))",
    "f64(count_distinct(e[last 9].s))",
    "std(d[last 5].bid)",
    "kurtosis(h[floor(t, 1h)-1h..floor(t, 1h)].bid)",
    "(if e.k == \"AAPL\" then 1 else 2)",
    "ema(e.v, 0.5)",
    "ema(x.d, 0.1)",
    "recent(e.v + h.bid, 5)",
    "recent(x.d * 2, 5s)",
];

fn expression(looks: &'static [&'static str]) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        1 => prop::sample::select(looks.to_vec()),
        2 => prop::sample::select(LEAVES.to_vec()),
    ];
    leaf.prop_map(String::from).prop_recursive(3, 12, 2, |inner| {
        let e = || inner.clone();
        let operator = prop::sample::select(vec!["+", "-", "*", "/", "??"]);
        let function = prop::sample::select(vec!["abs", "-", "sqrt"]);
        prop_oneof![
            5 => (e(), operator, e()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            2 => (function, e()).prop_map(|(f, a)| format!("{f}({a})")),
            1 => (e(), e()).prop_map(|(a, b)| format!("({a} where {b} > 0)")),
            1 => (e(), e()).prop_map(|(a, b)| format!("max({a}, {b})")),
            1 => e().prop_map(|a| format!("sum((e[last 5].v - {a}) * 2)")),
        ]
    })
}

fn definition() -> impl Strategy<Value = String> {
    prop::sample::select(HEADS.to_vec()).prop_flat_map(|(head, looks)| {
        (expression(looks), expression(looks), 0..4_u8).prop_map(move |(a, b, form)| match form {
            0 if head != "[t]" => format!("{head} init 0 = z[prev] * 0.5 + ({a} ?? 0)"),
            1 if head != "[t]" => {
                format!("{head} init {{ a: null, b: 1 }} = {{ a: z[prev 2].a ?? {a}, b: z[prev].b + {b} }}")
            }
            2 => format!("{head} = {{ a: {a}, b: {b} }}"),
            _ => format!("{head} = {a}"),
        })
    })
}

#[test]
fn most_compile_to_valid_ir() {
    let mut runner = TestRunner::deterministic();
    let (mut compiled, count) = (0, 300);
    for _ in 0..count {
        let definition = definition().new_tree(&mut runner).expect("a definition").current();
        let source = format!(
            "{INPUTS}let z{definition}\noutput z\noutput o[t every 1m] = count(z[t-1m..t])\noutput n"
        );
        let alone = source.replace("output o[t every 1m] = count(z[t-1m..t])\n", "");
        for source in [source, alone] {
            let (program, _) = parse(&source);
            assert_eq!(parse(&print::print(&program)).0, program);
            let Ok((query, _)) = compile("random.tilt", &source) else { continue };
            compiled += 1;
            assert!(tir::verify(&query).is_ok(), "{source}\n{query}\n{:?}", tir::verify(&query).err());
            assert_eq!(tir::parse(&query.to_string()).as_ref(), Ok(&query), "{source}");
        }
    }
    assert!(compiled > count, "only {compiled} of {} compile", 2 * count);
}
