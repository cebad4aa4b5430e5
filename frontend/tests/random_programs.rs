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
    let reducer =
        prop::sample::select(vec!["count", "sum", "mean", "min", "max", "first", "last", "var", "std"]);
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
        ]
    })
}

fn definition() -> impl Strategy<Value = String> {
    let head = prop::sample::select(vec!["[t]", "[t every 1s]", "[t every 3s offset -1s]"]);
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
