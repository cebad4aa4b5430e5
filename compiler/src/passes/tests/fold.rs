//! Folding, one expression at a time.

use tilt_ir::tir::Query;

use super::{after, query};
use crate::passes::{CSE, DCE, FOLD};

/// The definition with this type and these instructions, folded and cleaned.
fn folded(ty: &str, insts: &str) -> String {
    after(&[&FOLD, &CSE, &DCE], &with(ty, insts))
}

fn with(ty: &str, insts: &str) -> String {
    format!(
        "def @nonnull {{f: f64, i: i64}} every 10s offset 5s {{
           %0 = at x.v[t] : f64
           %1 = const 1.5 : f64
           %2 = coalesce %0, %1 : f64
           %3 = at x.i[t] : i64
           %4 = const 7 : i64
           %5 = coalesce %3, %4 : i64
           yield %2, %5
         }}
         def @d {{value: {ty}}} every 2s offset 1s {{
           {insts}
         }}
         output @d = @d {{d: value}}"
    )
}

/// `before` becomes `expected`; both are instructions of a definition with this type.
#[track_caller]
fn check(ty: &str, before: &str, expected: &str) {
    let (found, expected) = (folded(ty, before), after(&[&CSE, &DCE], &with(ty, expected)));
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}");
}

#[track_caller]
fn check_same(ty: &str, insts: &str) {
    check(ty, insts, insts);
}

const V: &str = "%0 = at x.v[t] : f64 yield %0";
const I: &str = "%0 = at x.i[t] : i64 yield %0";
const B: &str = "%0 = at x.b[t] : bool yield %0";

#[test]
fn constants() {
    let cases = [
        ("f64", "%0 = const 1.0 : f64 %1 = const 2.0 : f64 %2 = add %0, %1 : f64", "const 3.0"),
        ("f64", "%0 = const 0.0 : f64 %1 = neg %0 : f64 %2 = div %0, %1 : f64", "const nan"),
        ("i64", "%0 = const -7 : i64 %1 = const 2 : i64 %2 = floordiv %0, %1 : i64", "const -4"),
        ("i64", "%0 = const -7 : i64 %1 = const 0 : i64 %2 = floordiv %0, %1 : i64", "null"),
        ("bool", "%0 = const 1.0 : f64 %1 = const 2.0 : f64 %2 = lt %0, %1 : bool", "const true"),
        ("i64", "%0 = null : i64 %1 = const 1 : i64 %2 = add %0, %1 : i64", "null"),
        ("i64", "%0 = const 2.9 : f64 %1 = cast %0 : i64 %2 = neg %1 : i64", "const -2"),
        ("f64", "%0 = const 9.0 : f64 %1 = const 0.5 : f64 %2 = pow %0, %1 : f64", "const 3.0"),
        ("bool", "%0 = null : f64 %1 = const 0.5 : f64 %2 = is_null %0 : bool", "const true"),
        ("time", "%0 = const 9s : time %1 = const 1s : duration %2 = sub %0, %1 : time", "const 8s"),
    ];
    for (ty, before, expected) in cases {
        check(ty, &format!("{before} yield %2"), &format!("%0 = {expected} : {ty} yield %0"));
    }
}

#[test]
fn errors_are_left_to_the_run() {
    check_same("i8", "%0 = const 127 : i8 %1 = const 1 : i8 %2 = add %0, %1 : i8 yield %2");
    check_same("i8", "%0 = const -128 : i8 %1 = neg %0 : i8 %2 = neg %1 : i8 yield %2");
    check_same("u8", "%0 = const -1.0 : f64 %1 = cast %0 : u8 yield %1");
    check_same("i8", "%0 = at x.i[t] : i64 %1 = cast %0 : i8 %2 = null : i8 %3 = add %1, %2 : i8 yield %3");
    check_same(
        "bool",
        "%0 = at x.i[t] : i64 %1 = cast %0 : i8 %2 = cast %1 : i64 %3 = const 0 : i64 %4 = lt %2, %3 : bool %5 = const false : bool %6 = and %4, %5 : bool yield %6",
    );
}

#[test]
fn exact_identities() {
    for insts in [
        "%1 = const -0.0 : f64 %2 = add %0, %1 : f64",
        "%1 = const -0.0 : f64 %2 = add %1, %0 : f64",
        "%1 = const 0.0 : f64 %2 = sub %0, %1 : f64",
        "%1 = const 1.0 : f64 %2 = mul %1, %0 : f64",
        "%1 = const 1.0 : f64 %2 = div %0, %1 : f64",
        "%1 = neg %0 : f64 %2 = neg %1 : f64",
        "%1 = cast %0 : f64 %2 = min %1, %0 : f64",
        "%1 = null : f64 %2 = coalesce %1, %0 : f64",
        "%1 = null : f64 %2 = coalesce %0, %1 : f64",
        "%1 = const true : bool %2 = select %1, %0, %0 : f64",
    ] {
        check("f64", &format!("%0 = at x.v[t] : f64 {insts} yield %2"), V);
    }
    for insts in [
        "%1 = const 0 : i64 %2 = add %1, %0 : i64",
        "%1 = const 1 : i64 %2 = mul %0, %1 : i64",
        "%1 = const 1 : i64 %2 = floordiv %0, %1 : i64",
    ] {
        check("i64", &format!("%0 = at x.i[t] : i64 {insts} yield %2"), I);
    }
    for insts in [
        "%1 = not %0 : bool %2 = not %1 : bool",
        "%1 = const true : bool %2 = and %0, %1 : bool",
        "%1 = const false : bool %2 = or %1, %0 : bool",
        "%1 = or %0, %0 : bool %2 = and %1, %0 : bool",
    ] {
        check("bool", &format!("%0 = at x.b[t] : bool {insts} yield %2"), B);
    }
    let truth = "%1 = const true : bool %2 = const false : bool %3 = select %0, %1, %2 : bool";
    check("bool", &format!("%0 = at x.b[t] : bool {truth} yield %3"), B);
}

#[test]
fn inexact_identities_stay() {
    check_same("f64", "%0 = at x.v[t] : f64 %1 = const 0.0 : f64 %2 = add %0, %1 : f64 yield %2");
    check_same("f64", "%0 = at x.v[t] : f64 %1 = const 0.0 : f64 %2 = mul %0, %1 : f64 yield %2");
    check_same("f64", "%0 = at x.v[t] : f64 %1 = sub %0, %0 : f64 yield %1");
    check_same("f64", "%0 = at x.i[t] : i64 %1 = const 1 : i64 %2 = div %0, %1 : f64 yield %2");
    check_same("i64", "%0 = at x.i[t] : i64 %1 = neg %0 : i64 %2 = neg %1 : i64 yield %2");
    check_same("bool", "%0 = at x.v[t] : f64 %1 = lt %0, %0 : bool %2 = not %1 : bool yield %2");
    check_same("f64", "%0 = at x.b[t] : bool %1 = at x.v[t] : f64 %2 = select %0, %1, %1 : f64 yield %2");
}

#[test]
fn comparisons_turn_round() {
    check(
        "bool",
        "%0 = at x.i[t] : i64 %1 = at x.i[t-2s] : i64 %2 = lt %0, %1 : bool %3 = not %2 : bool yield %3",
        "%0 = at x.i[t] : i64 %1 = at x.i[t-2s] : i64 %2 = ge %0, %1 : bool yield %2",
    );
    check(
        "bool",
        "%0 = at x.v[t] : f64 %1 = eq %0, %0 : bool %2 = not %1 : bool yield %2",
        "%0 = at x.v[t] : f64 %1 = ne %0, %0 : bool yield %1",
    );
}

#[test]
fn what_is_never_null() {
    check(
        "bool",
        "%0 = at nonnull.f[t-3s] : f64 %1 = is_null %0 : bool yield %1",
        "%0 = const false : bool yield %0",
    );
    check(
        "i64",
        "%0 = at nonnull.i[t] : i64 %1 = const 0 : i64 %2 = mul %0, %1 : i64 yield %2",
        "%0 = const 0 : i64 yield %0",
    );
    check(
        "f64",
        "%0 = at nonnull.f[t] : f64 %1 = at x.v[t] : f64 %2 = coalesce %0, %1 : f64 yield %2",
        "%0 = at nonnull.f[t] : f64 yield %0",
    );
    check_same(
        "i64",
        "%0 = at nonnull.i[t] : i64 %1 = at nonnull.i[t-10s] : i64 %2 = floordiv %0, %1 : i64 %3 = coalesce %2, %0 : i64 yield %3",
    );
}

#[test]
fn selections() {
    check(
        "f64",
        "%0 = at x.v[t] : f64 %1 = at x.v[t-2s] : f64 %2 = is_null %0 : bool %3 = select %2, %1, %0 : f64 yield %3",
        "%0 = at x.v[t] : f64 %1 = at x.v[t-2s] : f64 %2 = coalesce %0, %1 : f64 yield %2",
    );
    check(
        "f64",
        "%0 = at x.b[t] : bool %1 = not %0 : bool %2 = at x.v[t] : f64 %3 = null : f64 %4 = select %1, %2, %3 : f64 yield %4",
        "%0 = at x.b[t] : bool %2 = at x.v[t] : f64 %3 = null : f64 %4 = select %0, %3, %2 : f64 yield %4",
    );
}

#[test]
fn times() {
    let sum = |index: &str, op: &str| {
        format!("%0 = time {index} : time %1 = const 3s : duration %2 = {op} %0, %1 : time yield %2")
    };
    let time = |index: &str| format!("%0 = time {index} : time yield %0");
    check("time", &sum("t", "add"), &time("t+3s"));
    check("time", &sum("t-5s", "sub"), &time("t-8s"));
    check("time", &sum("floor(t, 1m)", "sub"), &time("floor(t, 1m)-3s"));
    // The time may be before the first one, and the sum after it.
    check_same("time", &sum("t-5s", "add"));
    check_same("time", &sum("floor(t, 1m)", "add"));
}

#[test]
fn indexes_on_a_grid() {
    check("f64", "%0 = at x.v[floor(t, 1s)] : f64 yield %0", V);
    check("f64", "%0 = at x.v[ceil(t, 2s)-1s] : f64 yield %0", V);
    check_same("f64", "%0 = at x.v[floor(t, 4s)] : f64 yield %0");
    let sum = |window: &str| {
        format!(
            "%0 = reduce sum blocks 2 origin 1 over every 1s offset 0s {window} min_count 1 {{
               %0 = at x.v[t] : f64
               yield %0
             }} : f64
             yield %0"
        )
    };
    check("f64", &sum("(floor(t, 2s), ceil(t, 1s)]"), &sum("(t-1s, t]"));
}

#[test]
fn captured_constants() {
    check(
        "f64",
        "%0 = const 1.0 : f64
         %1 = reduce sum lanes64 over every 1s offset 0s (t-3s, t] min_count 1 captures (%0) {
           %0 = at x.v[t] : f64
           %1 = param 0 : f64
           %2 = mul %0, %1 : f64
           yield %2
         } : f64
         yield %1",
        "%0 = reduce sum lanes64 over every 1s offset 0s (t-3s, t] min_count 1 {
           %0 = at x.v[t] : f64
           yield %0
         } : f64
         yield %0",
    );
}

#[test]
fn reductions_of_nothing() {
    let reduce = |kind: &str, ty: &str, min_count: u64| {
        format!(
            "%0 = reduce {kind} lanes64 over every 1s offset 0s (t-3s, t] min_count {min_count} {{
               %0 = null : f64
               yield %0
             }} : {ty}
             yield %0"
        )
    };
    check("i64", &reduce("count", "i64", 0), "%0 = const 0 : i64 yield %0");
    check("i64", &reduce("count", "i64", 1), "%0 = null : i64 yield %0");
    check("f64", &reduce("max", "f64", 0), "%0 = null : f64 yield %0");
}

#[test]
fn folding_only_replaces() {
    let mut before: Query = query(&with("f64", "%0 = const 1.0 : f64 %1 = neg %0 : f64 yield %1"));
    assert!((FOLD.run)(&mut before));
    assert!(before.to_string().contains("%1 = const -1.0 : f64\n"), "{before}");
    assert!(!(FOLD.run)(&mut before));
}
