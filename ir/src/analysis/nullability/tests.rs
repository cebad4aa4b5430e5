//! One case for each rule.

use super::*;
use crate::tir;

/// The φ of the last of these instructions. `a` has no φ in its data, `b` has.
fn phi(insts: &str, last: u32, ty: &str) -> Phi {
    let text = format!(
        "input @x {{a: i64, b: i64, f: f64}} every 1s offset 0s
        def @d {{value: {ty}}} every 1s offset 0s {{ {insts} yield %{last} }}"
    );
    let query = tir::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let verified = tir::verify(&query).unwrap_or_else(|errors| panic!("{errors:?}"));
    let known = Nullability::of(verified, |_, field| field == 1);
    known.field(Def::new(0), 0)
}

fn op(op: &str, ty: &str) -> Phi {
    let looks = "%0 = at x.a[t] : i64 %1 = at x.b[t] : i64 %2 = const 7 : i64 %3 = const 0 : i64 %4 = is_null %1 : bool";
    phi(&format!("{looks} %5 = {op} : {ty}"), 5, ty)
}

#[test]
fn operations() {
    assert_eq!(op("at x.a[t+1d]", "i64"), Phi::Edge);
    assert_eq!(op("add %0, %2", "i64"), Phi::Edge);
    assert_eq!(op("add %0, %1", "i64"), Phi::Data);
    assert_eq!(op("null", "i64"), Phi::Data);
    assert_eq!(op("time t", "time"), Phi::Never);
    assert_eq!(op("is_null %1", "bool"), Phi::Never);
    assert_eq!(op("coalesce %1, %0", "i64"), Phi::Edge);
    assert_eq!(op("coalesce %1, %2", "i64"), Phi::Never);
    assert_eq!(op("select %4, %2, %0", "i64"), Phi::Edge);
    assert_eq!(op("select %4, %2, %3", "i64"), Phi::Never);
}

#[test]
fn divisions() {
    assert_eq!(op("floordiv %2, %2", "i64"), Phi::Never);
    assert_eq!(op("div %0, %2", "f64"), Phi::Edge);
    assert_eq!(op("mod %0, %3", "i64"), Phi::Data);
    assert_eq!(op("mod %2, %0", "i64"), Phi::Data);
    assert_eq!(phi("%0 = at x.f[t] : f64 %1 = mod %0, %0 : f64", 1, "f64"), Phi::Edge);
}

fn reduce(kind: &str, window: &str, min_count: u32, row: &str) -> Phi {
    let head = format!("reduce {kind} lanes64 over every 1s offset 0s {window} min_count {min_count}");
    phi(&format!("%0 = {head} {{ %0 = {row} : f64 yield %0 }} : f64"), 0, "f64")
}

#[test]
fn reductions() {
    assert_eq!(reduce("sum", "(t-5s, t]", 1, "const 1.0"), Phi::Never);
    assert_eq!(reduce("sum", "(t-5s, t]", 6, "const 1.0"), Phi::Data);
    assert_eq!(reduce("sum", "(t-5s, t]", 5, "at x.f[t]"), Phi::Edge);
    assert_eq!(reduce("var ddof 4", "(t-5s, t]", 1, "at x.f[t]"), Phi::Edge);
    assert_eq!(reduce("std ddof 5", "(t-5s, t]", 1, "at x.f[t]"), Phi::Data);
    // empty at each multiple of 5 s
    assert_eq!(reduce("last", "(floor(t, 5s), t]", 1, "at x.f[t]"), Phi::Data);
    assert_eq!(reduce("last", "(floor(t, 5s)-1s, t]", 1, "at x.f[t]"), Phi::Edge);
}

#[test]
fn counts_and_captures() {
    let count = |min_count| {
        let head = format!(
            "%0 = at x.b[t] : i64 %1 = reduce count lanes64 over every 1s offset 0s (t-2s, t] min_count {min_count} captures (%0)"
        );
        phi(&format!("{head} {{ %0 = param 0 : i64 yield %0 }} : i64"), 1, "i64")
    };
    assert_eq!((count(0), count(1)), (Phi::Never, Phi::Data));
}
