//! Recursion: loops and machine code against a definition evaluated one row at a time, in pieces that follow each other.

#[path = "common/canonical.rs"]
mod canonical;
#[path = "common/rows.rs"]
mod rows;
mod scans;

use scans::check;

/// A recursive definition of one field, `value`.
fn one(ty: &str, inputs: &str, body: &str) -> String {
    format!(
        "{inputs}\ninput @past {{value: {ty}}} every 1s offset 0s\n\n\
         def @d {{value: {ty}}} every 1s offset 0s {{\n{body}\n}}\n"
    )
}

const X: &str = "input @x {v: f64} every 1s offset 0s\n";
const N: &str = "input @x {v: i32} every 1s offset 0s\n";

/// `ema = past + (x - past)·0.1`.
const EMA: &str = "  %0 = at past.value[t-1s] : f64
  %1 = at x.v[t] : f64
  %2 = sub %1, %0 : f64
  %3 = const 0.1 : f64
  %4 = mul %2, %3 : f64
  %5 = add %0, %4 : f64
  yield %5";

#[test]
fn moving_average() {
    check(&one("f64", X, EMA), &["0.0"], 40);
}

#[test]
fn moving_average_from_null() {
    let body = EMA
        .replace("%0 = at past.value[t-1s] : f64", "%0 = at past.value[t-1s] : f64\n  %9 = at x.v[t] : f64")
        .replace("%9", "%1")
        .replacen(
            "  %1 = at x.v[t] : f64\n  %2 = sub %1, %0 : f64",
            "  %2 = coalesce %0, %1 : f64\n  %3 = sub %1, %2 : f64",
            1,
        )
        .replace(
            "%3 = const 0.1 : f64\n  %4 = mul %2, %3 : f64\n  %5 = add %0, %4 : f64\n  yield %5",
            "%4 = const 0.1 : f64\n  %5 = mul %3, %4 : f64\n  %6 = add %2, %5 : f64\n  yield %6",
        );
    check(&one("f64", X, &body), &["null"], 40);
}

#[test]
fn low_pass() {
    let body = "  %0 = at past.value[t-1s] : f64
  %1 = const 2.0 : f64
  %2 = mul %1, %0 : f64
  %3 = at past.value[t-2s] : f64
  %4 = sub %2, %3 : f64
  %5 = at x.v[t] : f64
  %6 = add %4, %5 : f64
  %7 = at x.v[t-6s] : f64
  %8 = const 0.0 : f64
  %9 = coalesce %7, %8 : f64
  %10 = mul %1, %9 : f64
  %11 = sub %6, %10 : f64
  %12 = at x.v[t-12s] : f64
  %13 = coalesce %12, %8 : f64
  %14 = add %11, %13 : f64
  yield %14";
    check(&one("f64", X, body), &["0.0"], 40);
}

#[test]
fn high_pass() {
    let body = "  %0 = const 32.0 : f64
  %1 = const 0.0 : f64
  %2 = at x.v[t-16s] : f64
  %3 = coalesce %2, %1 : f64
  %4 = mul %0, %3 : f64
  %5 = at past.value[t-1s] : f64
  %6 = sub %4, %5 : f64
  %7 = at x.v[t] : f64
  %8 = coalesce %7, %1 : f64
  %9 = add %6, %8 : f64
  %10 = at x.v[t-32s] : f64
  %11 = coalesce %10, %1 : f64
  %12 = sub %9, %11 : f64
  yield %12";
    check(&one("f64", X, body), &["0.0"], 40);
}

#[test]
fn counter_that_overflows() {
    let body = "  %0 = at past.value[t-1s] : i8
  %1 = const 1 : i8
  %2 = add %0, %1 : i8
  yield %2";
    check(&one("i8", X, body), &["100"], 10);
    check(&one("i8", X, body), &["-128"], 10);
}

#[test]
fn running_sum_of_integers() {
    let body = "  %0 = at past.value[t-1s] : i32
  %1 = at x.v[t] : i32
  %2 = add %0, %1 : i32
  %3 = const 7 : i32
  %4 = mod %2, %3 : i32
  %5 = floordiv %0, %1 : i32
  %6 = coalesce %5, %4 : i32
  %7 = add %6, %4 : i32
  %8 = mod %7, %3 : i32
  yield %8";
    check(&one("i32", N, body), &["3"], 40);
    check(&one("i32", N, &body.replace("yield %8", "yield %5")), &["3"], 20);
}

#[test]
fn any_lag() {
    for lag in [1, 2, 3, 7, 8, 9, 10, 31, 63, 64, 65, 100] {
        for init in ["0.5", "null"] {
            let body = format!(
                "  %0 = at past.value[t-{lag}s] : f64
  %1 = at x.v[t] : f64
  %2 = const 0.5 : f64
  %3 = coalesce %0, %1 : f64
  %4 = mul %3, %2 : f64
  %5 = add %4, %1 : f64
  yield %5"
            );
            check(&one("f64", X, &body), &[init], 6);
        }
    }
}

#[test]
fn several_lags_and_bools() {
    let body = "  %0 = at past.value[t-1s] : bool
  %1 = at past.value[t-20s] : bool
  %2 = at x.v[t] : i32
  %3 = const 0 : i32
  %4 = gt %2, %3 : bool
  %5 = select %1, %4, %0 : bool
  yield %5";
    check(&one("bool", N, body), &["true"], 30);
    check(&one("bool", N, body), &["null"], 10);
}

#[test]
fn fields_look_at_each_other() {
    let text = "input @x {v: f64, n: i32} every 1s offset 0s
input @past {a: f64, b: i64, c: f64} every 1s offset 0s

def @d {a: f64, b: i64, c: f64} every 1s offset 0s {
  %0 = at past.a[t-1s] : f64
  %1 = at past.c[t-12s] : f64
  %2 = add %0, %1 : f64
  %3 = const 0.25 : f64
  %4 = mul %2, %3 : f64
  %5 = at x.v[t] : f64
  %6 = add %4, %5 : f64
  %7 = at past.b[t-2s] : i64
  %8 = const 1 : i64
  %9 = add %7, %8 : i64
  %10 = at x.v[t-3s] : f64
  yield %6, %9, %10
}
";
    check(text, &["1.0", "5", "0.0"], 30);
    check(text, &["1.0", "null", "0.0"], 10);
    check(text, &["null", "5", "null"], 10);
}

#[test]
fn other_definitions_and_windows() {
    let text = "input @x {v: f64} every 1s offset 0s
input @past {value: f64} every 1s offset 0s

def @slow {value: f64} every 10s offset 0s {
  %0 = reduce mean lanes64 over every 1s offset 0s (t-10s, t] min_count 1 {
    %0 = at x.v[t] : f64
    yield %0
  } : f64
  yield %0
}

def @d {value: f64} every 1s offset 0s {
  %0 = at slow.value[floor(t, 10s)] : f64
  %1 = reduce sum doubling 5 over every 1s offset 0s (t-5s, t] min_count 1 {
    %0 = at x.v[t] : f64
    yield %0
  } : f64
  %2 = const 0.0 : f64
  %3 = coalesce %0, %2 : f64
  %4 = coalesce %1, %2 : f64
  %5 = at past.value[t-1s] : f64
  %6 = const 0.5 : f64
  %7 = mul %5, %6 : f64
  %8 = add %7, %3 : f64
  %9 = sub %8, %4 : f64
  yield %9
}
";
    check(text, &["0.0"], 20);
}
