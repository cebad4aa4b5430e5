//! Small inputs that trip other engines, and the right answer: those over events. Stamps are seconds, written as nanoseconds.

mod common;

use common::{column, events, floats, output, query, rows, values};
use tilt_interp::{Columns, Interp};
use tilt_ir::{Const, Type, tir};

const F64: &[Type] = &[Type::F64];

/// `@d` of type f64 with this clock and body, over `x`, which holds as told.
fn text(hold: &str, clock: &str, body: &str) -> String {
    format!(
        "input @x {{v: f64}} events {hold}
         def @d {{value: f64}} {clock} {{ {body} }}
         output @d = @d {{d: value}}"
    )
}

/// One reduction of `x.v`, on `x`.
fn on_x(reduce: &str, x: &str) -> String {
    let body = format!("%0 = reduce {reduce} {{ %0 = at x.v[row] : f64 yield %0 }} : f64 yield %0");
    rows(&query(&text("point", "on x", &body)), &events(Columns::new(), F64, x))
}

fn each_second(values: &[f64]) -> String {
    let rows = values.iter().enumerate().map(|(n, x)| format!("{n} {x}"));
    rows.collect::<Vec<_>>().join("; ")
}

fn second_words(rows: &str) -> Vec<f64> {
    rows.split("; ").map(|row| row.split(' ').nth(1).unwrap().parse().unwrap()).collect()
}

#[test]
fn case_7_no_absolute_thresholds() {
    let small = [1.3e-8, -0.2e-8, 0.7e-8, 2.1e-8, -1.9e-8, 0.1e-8, 0.4e-8, -0.6e-8, 1.1e-8, -0.3e-8];
    let large = small.map(|x| x * 1e8);
    for kind in ["skew", "kurtosis"] {
        let reduce = format!("{kind} doubling 5 over on x last 5 min_count 5");
        let of = |values: &[f64]| {
            let found = on_x(&reduce, &each_second(values));
            second_words(&found.replace('_', "0"))[4..].to_vec()
        };
        for (a, b) in of(&small).iter().zip(of(&large)) {
            assert!(a.is_finite() && (a - b).abs() < 1e-9 * b.abs(), "{kind}: {a} and {b}");
        }
    }
}

#[test]
fn case_9_keys_do_not_touch() {
    let text = "keys {k: symbol}
        input @x {v: f64} keyed events point
        def @d {value: f64} keyed on x {
          %0 = reduce sum doubling 3 over on x last 3 min_count 1 { %0 = at x.v[row] : f64 yield %0 } : f64
          yield %0
        }
        output @d = @d {d: value}";
    let of_key = |x: &str| rows(&query(text), &events(Columns::new(), F64, x).key(vec![Const::Int(0)]));
    assert_eq!(of_key("2 1e-13"), "2 1e-13");
    assert_eq!(of_key("1 1e16; 3 1; 4 -1e16"), "1 1e16; 3 1e16; 4 0");
}

#[test]
fn case_18_and_28_the_row_is_what_matters() {
    let text = "input @p {v: f64} events point
        input @x {v: f64} events hold
        def @d {value: f64} on p { %0 = at x.v[t] : f64 yield %0 }
        output @d = @d {d: value}";
    let join = |p: &str, x: &str| rows(&query(text), &events(events(Columns::new(), F64, p), F64, x));
    assert_eq!(join("2 0", "0 42; 1 _"), "2 _");
    assert_eq!(join("2 0", "3 42"), "2 _");
    assert_eq!(join("2 0", ""), "2 _");
    // Case 25: ties on the right side; case 27: never a row from the future.
    assert_eq!(join("2 0; 2 0; 3 0", "1 1; 2 5; 2 7; 2 6"), "2 6; 2 6; 3 6");
    assert_eq!(
        join("1000000001 0; 1000000002 0", "1000000000 1; 1000000002 2"),
        "1000000001 1; 1000000002 2"
    );
}

#[test]
fn case_19_a_window_that_leaves_out_now() {
    let day = 86_400_000_000_000i64;
    let x = format!("{day} 100; {day} 200; {} 10", 41 * day);
    let found = on_x("sum time_blocks 90d origin 0ns over on x (t-90d, t-1ns] min_count 1", &x);
    assert_eq!(found, format!("{day} _; {day} _; {} 300", 41 * day));
}

#[test]
fn case_20_peers() {
    assert_eq!(
        on_x("max time_blocks 5ns origin 0ns over on x (t-5ns, t] min_count 1", "0 0; 0 1"),
        "0 1; 0 1"
    );
}

#[test]
fn case_21_nothing_stale_after_an_empty_window() {
    let max = "max time_blocks 6ns origin 0ns over on x (t-11ns, t-5ns] min_count 1";
    assert_eq!(on_x(max, "0 100; 10 90; 30 10; 40 20"), "0 _; 10 100; 30 _; 40 10");
}

#[test]
fn case_22_the_ends_of_time() {
    let all = "sum lanes64 over on x (t-9223372036854775807ns, t] min_count 1";
    assert_eq!(on_x(all, "-1 1; 0 2; 5 4"), "-1 1; 0 3; 5 7");
    let last = i64::MAX;
    let ten = "sum time_blocks 10ns origin 0ns over on x (t-10ns, t] min_count 1";
    let x = format!("{} 1; {} 2; {last} 4", last - 10, last - 9);
    assert_eq!(on_x(ten, &x), format!("{} 1; {} 3; {last} 6", last - 10, last - 9));
    let first = i64::MIN;
    assert_eq!(on_x(ten, &format!("{first} 1; {} 2", first + 1)), format!("{first} 1; {} 3", first + 1));
}

#[test]
fn case_23_every_row_is_in_one_tumbling_window() {
    let body = "%0 = reduce sum lanes64 over on x (ceil(t, 10ns)-10ns, ceil(t, 10ns)] min_count 1 {
        %0 = const 1.0 : f64 yield %0 } : f64 yield %0";
    let query = query(&text("point", "every 10ns offset 0ns", body));
    let x = "-101 0; -100 0; -99 0; -5 0; 0 0; 1 0; 1 0; 57 0; 60 0; 61 0";
    // Stamps −100, −90, … 70: the one of the first row to the one at or after the last.
    let found = column(&query, &events(Columns::new(), F64, x), -10..8);
    assert_eq!(found, "2, 1, _, _, _, _, _, _, _, _, 2, 2, _, _, _, _, 2, 1");
}

/// Linear between the rows around, by their times.
#[test]
fn case_30_and_32_resampling() {
    let body = "%0 = reduce last lanes64 over on x last 1 min_count 1 { %0 = at x.v[row] : f64 yield %0 } : f64
        %1 = reduce last lanes64 over on x last 1 min_count 1 { %0 = time t : time yield %0 } : time
        %2 = reduce first lanes64 over on x (t-1ns, t+1000ns] min_count 1 { %0 = at x.v[row] : f64 yield %0 } : f64
        %3 = reduce first lanes64 over on x (t-1ns, t+1000ns] min_count 1 { %0 = time t : time yield %0 } : time
        %4 = time t : time
        %5 = sub %4, %1 : duration
        %6 = sub %3, %1 : duration
        %7 = div %5, %6 : f64
        %8 = sub %2, %0 : f64
        %9 = mul %8, %7 : f64
        %10 = add %0, %9 : f64
        %11 = coalesce %10, %0 : f64
        %12 = eq %1, %4 : bool
        %13 = select %12, %0, %10 : f64
        yield %13";
    let query = query(&text("point", "every 5ns offset 0ns", body));
    let data = events(Columns::new(), F64, "0 0; 3 1; 6 4; 9 9; 12 16; 15 25");
    let found = output(&query, &data, 0..4).expect("floats do not fail");
    let found = floats(&found.columns[0]);
    let wanted = [0.0, 3.0, 11.0 + 1.0 / 3.0, 25.0];
    assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    // Beyond the data it gives φ.
    assert_eq!(column(&query, &data, -1..0), "_");
    assert_eq!(column(&query, &data, 4..5), "_");
}

#[test]
fn case_33_the_error_names_definition_and_time() {
    let text = "input @x {v: i64} events point
        def @total {value: i64} on x {
          %0 = reduce sum doubling 2 over on x last 2 min_count 1 { %0 = at x.v[row] : i64 yield %0 } : i64
          yield %0
        }
        output @d = @total {d: value}";
    let x = "3 9000000000000000000; 7 9000000000000000000; 9 1";
    assert_eq!(rows(&query(text), &events(Columns::new(), &[Type::I64], x)), "error in total at 7");
}

#[test]
fn case_40_the_median() {
    let of = |kind: &str| {
        let reduce = format!("{kind} doubling 4 over on x last 4 min_count 1");
        on_x(&reduce, "1 1; 2 2; 3 3; 4 4")
    };
    assert_eq!(of("quantile 0.5"), "1 1; 2 1.5; 3 2; 4 2.5");
    assert_eq!(of("quantile 1.0"), "1 1; 2 2; 3 3; 4 4");
}

#[test]
fn reducers_of_two_values() {
    let text = |kind: &str| {
        query(&format!(
            "input @x {{v: f64, w: f64}} events point
             def @d {{value: f64}} on x {{
               %0 = reduce {kind} doubling 3 over on x last 3 min_count 1 {{
                 %0 = at x.v[row] : f64 %1 = at x.w[row] : f64 yield %0, %1 }} : f64
               yield %0
             }}
             output @d = @d {{d: value}}"
        ))
    };
    let data =
        events(Columns::new(), &[Type::F64, Type::F64], "1 1 2; 2 3 6; 3 _ 5; 4 2 _; 5 2 0; 6 5 0; 7 1 0");
    let found = |kind: &str| rows(&text(kind), &data);
    assert_eq!(found("wmean"), "1 1; 2 2.5; 3 2.5; 4 3; 5 _; 6 _; 7 _");
    assert_eq!(found("cov ddof 1"), "1 _; 2 4; 3 4; 4 _; 5 _; 6 0; 7 0");
    assert_eq!(found("corr"), "1 _; 2 0.9999999999999998; 3 0.9999999999999998; 4 _; 5 _; 6 _; 7 _");
}

#[test]
fn reducers_of_symbols_and_times() {
    let text = "symbols {\"A\", \"B\"}
        input @x {s: symbol, v: f64} events point
        def @d {mode: symbol, n: i64, last: symbol, least: time, is_a: bool} on x {
          %0 = reduce mode doubling 4 over on x last 4 min_count 1 { %0 = at x.s[row] : symbol yield %0 } : symbol
          %1 = reduce count_distinct doubling 4 over on x last 4 min_count 1 { %0 = at x.s[row] : symbol yield %0 } : i64
          %2 = reduce last doubling 4 over on x last 4 min_count 1 { %0 = at x.s[row] : symbol yield %0 } : symbol
          %3 = reduce argmin doubling 4 over on x last 4 min_count 1 { %0 = at x.v[row] : f64 yield %0 } : time
          %4 = const 0 : symbol
          %5 = eq %2, %4 : bool
          yield %0, %1, %2, %3, %5
        }
        output @d = @d {m: mode, n: n, l: last, t: least, a: is_a}";
    let data = events(Columns::new(), &[Type::Symbol, Type::F64], "1 1 3; 2 0 1; 2 0 1; 3 _ NaN; 4 1 0");
    assert_eq!(
        rows(&query(text), &data),
        "1 1 1 1 1 false; 2 1 2 0 2 true; 2 0 2 0 2 true; 3 0 2 0 3 true; 4 0 2 1 3 false"
    );
}

#[test]
fn a_value_can_be_asked_for_at_any_time() {
    let query = query(&text("hold 2ns", "on x", "%0 = at x.v[row] : f64 yield %0"));
    let data = events(Columns::new(), F64, "1 5; 1 6; 4 7");
    let mut interp = Interp::new(tir::verify(&query).expect("legal"), &data);
    let def = query.outputs[0].def;
    let at = |interp: &mut Interp<'_>, time| interp.at_time(def, time).expect("no failure")[0];
    assert_eq!([0, 1, 2, 4].map(|time| at(&mut interp, time)).to_vec(), values(Type::F64, "_, 6, _, 7"));
}
