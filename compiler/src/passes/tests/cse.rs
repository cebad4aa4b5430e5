//! Common subexpressions.

use super::{check, check_same};
use crate::passes::CSE;

#[test]
fn equal_instructions() {
    check(
        &CSE,
        "
        def @d {value: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64 loc(1:1)
          %1 = at x.v[t] : f64 loc(1:5)
          %2 = mul %0, %1 : f64
          %3 = at x.v[t-1s] : f64
          %4 = mul %3, %0 : f64
          %5 = mul %1, %3 : f64
          %6 = sub %4, %5 : f64
          %7 = sub %2, %6 : f64
          yield %7
        }",
        "
        def @d {value: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64 loc(1:1)
          %1 = mul %0, %0 : f64
          %2 = at x.v[t-1s] : f64
          %3 = mul %2, %0 : f64
          %4 = sub %3, %3 : f64
          %5 = sub %1, %4 : f64
          yield %5
        }",
    );
}

#[test]
fn what_differs_stays() {
    check_same(
        &CSE,
        "
        def @d {a: f64, b: f64, c: bool, d: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          %1 = at x.v[t-1s] : f64
          %2 = sub %0, %1 : f64
          %3 = sub %1, %0 : f64
          %4 = lt %0, %1 : bool
          %5 = lt %1, %0 : bool
          %6 = and %4, %5 : bool
          %7 = const 0.0 : f64
          %8 = const -0.0 : f64
          %9 = add %7, %8 : f64
          yield %2, %3, %6, %9
        }",
    );
}

#[test]
fn constants_of_two_types_differ() {
    check_same(
        &CSE,
        "
        def @d {a: i64, b: duration} every 1s offset 0s {
          %0 = const 0 : i64
          %1 = const 0s : duration
          yield %0, %1
        }",
    );
}

#[test]
fn reductions_with_equal_rows() {
    check(
        &CSE,
        "
        def @d {value: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          %1 = reduce sum lanes64 over every 1s offset 0s (t-3s, t] min_count 1 captures (%0, %0) {
            %0 = at x.v[t] : f64
            %1 = param 1 : f64
            %2 = mul %0, %1 : f64
            yield %2
          } : f64 loc(2:2)
          %2 = reduce sum lanes64 over every 1s offset 0s (t-3s, t] min_count 1 captures (%0, %0) {
            %0 = at x.v[t] : f64 loc(3:3)
            %1 = at x.v[t] : f64
            %2 = param 0 : f64
            %3 = mul %1, %2 : f64
            yield %3
          } : f64
          %3 = reduce mean lanes64 over every 1s offset 0s (t-3s, t] min_count 1 {
            %0 = at x.v[t] : f64
            yield %0
          } : f64
          %4 = add %1, %2 : f64
          %5 = sub %3, %4 : f64
          yield %5
        }",
        "
        def @d {value: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          %1 = reduce sum lanes64 over every 1s offset 0s (t-3s, t] min_count 1 captures (%0, %0) {
            %0 = at x.v[t] : f64
            %1 = param 0 : f64
            %2 = mul %0, %1 : f64
            yield %2
          } : f64 loc(2:2)
          %2 = reduce mean lanes64 over every 1s offset 0s (t-3s, t] min_count 1 {
            %0 = at x.v[t] : f64
            yield %0
          } : f64
          %3 = add %1, %1 : f64
          %4 = sub %2, %3 : f64
          yield %4
        }",
    );
}

/// What a reduction gives depends on its window, its grouping and `min_count`.
#[test]
fn reductions_that_differ() {
    let reduce = |grouping: &str, window: &str, min_count: u64| {
        format!(
            "reduce sum {grouping} over every 1s offset 0s {window} min_count {min_count} {{
               %0 = at x.v[t] : f64
               yield %0
             }} : f64\n"
        )
    };
    let text = format!(
        "def @d {{a: f64, b: f64, c: f64, d: f64}} every 1s offset 0s {{
           %0 = {}%1 = {}%2 = {}%3 = {}yield %0, %1, %2, %3
         }}",
        reduce("lanes64", "(t-3s, t]", 1),
        reduce("doubling 3", "(t-3s, t]", 1),
        reduce("lanes64", "(t-4s, t-1s]", 1),
        reduce("lanes64", "(t-3s, t]", 2),
    );
    check_same(&CSE, &text);
}

#[test]
fn equal_definitions_and_fields() {
    check(
        &CSE,
        "
        def @a {p: f64, q: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          %1 = at x.v[t] : f64
          yield %0, %1
        }
        def @b {r: f64, s: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64 loc(7:7)
          yield %0, %0
        }
        def @c {r: f64} every 2s offset 0s {
          %0 = at b.s[t] : f64
          yield %0
        }
        output @b = @b {r: r, s: s}",
        "
        def @a {p: f64, q: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          yield %0, %0
        }
        def @b {r: f64, s: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64 loc(7:7)
          yield %0, %0
        }
        def @c {r: f64} every 2s offset 0s {
          %0 = at a.p[t] : f64
          yield %0
        }
        output @b = @a {r: p, s: p}",
    );
}

#[test]
fn equal_bodies_on_two_grids_differ() {
    check_same(
        &CSE,
        "
        def @a {p: f64} every 1s offset 0s { %0 = at x.v[t] : f64 yield %0 }
        def @b {p: f64} every 2s offset 0s { %0 = at x.v[t] : f64 yield %0 }
        output @a = @a {a: p}
        output @b = @b {b: p}",
    );
}
