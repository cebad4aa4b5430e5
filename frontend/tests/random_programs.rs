//! Whatever is compiled passes the verifier and reads back; whatever is not, says why; nothing panics.

use proptest::prelude::*;
use tilt_frontend::compile;
use tilt_ir::tir;

const INPUTS: &str = "
input x { f: f32, d: f64, i: i8, n: i64, u: u16, w: u64, b: bool, at: time, len: duration } every 1s
input y { v: f64 } every 2s
let plain[t] = y.v * 2.0
let row[t every 1s offset 250ms] = { a: x.f, c: x.n }
fn twice(a) = a + a
fn over(s, n) = mean(s[t-n..t])
input e { v: f64, n: i32, s: symbol, b: bool, at: time } by k
input h { bid: f32, n: i64 } by k hold
input i { v: f64 } from start to end
let m[t] = h.bid + 1
let d[t on e | h] = { v: e.v, n: h.n }
let n[t on e] init 0 = n[prev] + 1
fn ema(s, a) init null = a * s + (1 - a) * (ema[prev] ?? s)
fn change(s) = s - s[prev]
fn recent(s, n) = mean(s[last n])
";

fn leaf() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "x.f",
        "x.d",
        "x.i",
        "x.n",
        "x.u",
        "x.w",
        "x.b",
        "x.at",
        "x.len",
        "y.v",
        "plain",
        "row.a",
        "row.c",
        "row",
        "x",
        "t",
        "1",
        "2.5",
        "300",
        "true",
        "null",
        "5s",
        "1h30m",
        "@2024-01-01",
        "x[t-5s].d",
        "x[t+5s].n",
        "plain[floor(t, 1d)-1h]",
        "row[ceil(t, 10s)].c",
        "x.f[t-1s]",
        "over(x.d, 10s)",
        "over(x.d + y.v, 10s)",
        "over(x.f where x.b, 10s)",
        "over(over(y.v * 2.0, 4s), 10s)",
        "e.v",
        "e.s",
        "e.b",
        "e.k",
        "e",
        "h.bid",
        "i.v",
        "m",
        "d.v",
        "n",
        "n[prev]",
        "z[prev]",
        "z[t-3s]",
        "z[prev 2].one",
        "e[prev].v",
        "e[prev 2].n",
        "h[t-5s].k",
        "x[prev].d",
        "m[floor(t, 1d)]",
        "\"AAPL\"",
        "ema(e.v, 0.5)",
        "ema(x.d * 2, 0.5)",
        "ema(h.bid - e.v, 0.5)",
        "change(e.n)",
        "change(e.v - h.bid)",
        "recent(e.v, 5)",
        "recent(x.f + y.v, 5)",
        "0",
    ])
    .prop_map(String::from)
}

fn window() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "x[t-5s..t].f",
        "x[t-5s..t].n",
        "x[t-5s..t].i",
        "x[t-5s..t].b",
        "x[t-5s..t].at",
        "x[t-5s..t].len",
        "x[t-5s..t]",
        "y[t-20s..t+20s].v",
        "plain[floor(t, 1d)..t]",
        "row[t-1m..t].c",
        "x[floor(t, 1m)-1m..ceil(t, 1m)].d",
        "x[last 5].n",
        "e[last 5].v",
        "e[t-5s..t].n",
        "e[t-5s..t].s",
        "e[t-5s..t].at",
        "e[t-5s..t].k",
        "h[floor(t, 1d)-1d..floor(t, 1d)].bid",
        "d[last 3].v",
        "m[t-5s..t]",
        "i[t-5s..t].v",
        "n[t-5s..t]",
        "z[last 5]",
    ])
    .prop_map(String::from)
}

fn operator() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "+", "-", "*", "/", "div", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "??", "where",
    ])
}

fn expression() -> impl Strategy<Value = String> {
    let function = || {
        prop::sample::select(vec![
            "abs", "sign", "sqrt", "floor", "round", "is_nan", "exp", "i8", "i64", "u16", "f32", "f64",
            "time", "duration", "-", "not ", "twice",
        ])
    };
    let reducer = prop::sample::select(vec![
        "count",
        "sum",
        "mean",
        "min",
        "max",
        "first",
        "last",
        "var",
        "std",
        "skew",
        "kurtosis",
        "argmin",
        "argmax",
        "count_distinct",
        "mode",
        "median",
        "integral",
        "duration_mean",
    ]);
    let pair_reducer = prop::sample::select(vec!["wmean", "cov", "corr"]);
    let binary_function = prop::sample::select(vec!["min", "max", "pow", "atan2", "floor", "ceil"]);
    leaf().prop_recursive(4, 24, 3, move |inner| {
        let e = || inner.clone();
        let reduced = (reducer.clone(), window(), prop::option::of((operator(), e())), 0..4_u8).prop_map(
            |(reducer, window, rest, min_count)| {
                let row = rest.map_or(window.clone(), |(op, e)| format!("({window} {op} {e})"));
                match min_count {
                    0 => format!("{reducer}({row})"),
                    n => format!("{reducer}({row}, min_count = {n})"),
                }
            },
        );
        prop_oneof![
            6 => (e(), operator(), e()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            4 => (function(), e()).prop_map(|(f, a)| format!("{f}({a})")),
            2 => (binary_function.clone(), e(), e()).prop_map(|(f, a, b)| format!("{f}({a}, {b})")),
            2 => (e(), e(), e()).prop_map(|(c, a, b)| format!("(if {c} then {a} else {b})")),
            1 => (e(), any::<bool>()).prop_map(|(a, not)| format!("({a} is {}null)", if not { "not " } else { "" })),
            4 => reduced,
            1 => (pair_reducer.clone(), window(), window(), operator(), e())
                .prop_map(|(f, a, b, op, e)| format!("{f}({a}, {b} {op} {e})")),
            1 => window().prop_map(|window| format!("quantile({window}, 0.25)")),
        ]
    })
}

fn definition() -> impl Strategy<Value = String> {
    let head = prop::sample::select(vec![
        "[t]",
        "[t every 1s]",
        "[t every 3s offset -1s]",
        "[t on e]",
        "[t on h | e]",
        "[t on d]",
        "[t] init 0.0",
        "[t every 1s] init null",
        "[t on e] init 0",
        "[t on e | h] init { one: 0, two: null }",
    ]);
    let value = prop_oneof![
        4 => expression(),
        1 => (expression(), expression()).prop_map(|(a, b)| format!("{{ one: {a}, two: {b} }}")),
    ];
    (head, value).prop_map(|(head, value)| format!("{head} = {value}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn compiles_to_valid_ir_or_says_why(body in definition(), value in expression(), filter in expression()) {
        let source = format!("{INPUTS}let z{body}\noutput z\noutput o = {value} where {filter}\noutput x, row\n");
        match compile("random.tilt", &source) {
            Err(errors) => prop_assert!(!errors.is_empty()),
            Ok((query, _)) => {
                if let Err(errors) = tir::verify(&query) {
                    prop_assert!(false, "{source}\n{query}\n{errors:?}");
                }
                let back = tir::parse(&query.to_string());
                prop_assert_eq!(back.as_ref(), Ok(&query), "{}", source);
            }
        }
    }

    #[test]
    fn one_expression_compiles_to_valid_ir_or_says_why(value in expression()) {
        let source = format!("{INPUTS}output o = {value}\noutput x, row\n");
        match compile("random.tilt", &source) {
            Err(errors) => prop_assert!(!errors.is_empty()),
            Ok((query, _)) => {
                if let Err(errors) = tir::verify(&query) {
                    prop_assert!(false, "{source}\n{query}\n{errors:?}");
                }
            }
        }
    }
}

#[test]
fn the_inputs_alone_compile() {
    let (query, _) =
        compile("inputs.tilt", &format!("{INPUTS}output plain, row")).expect("a correct program");
    assert!(tir::verify(&query).is_ok());
}
