//! The framework, and passes on random queries against the interpreter.

use std::{cell::Cell, collections::HashSet};

use tilt_interp::{Columns, Interp, OutputRows};
use tilt_ir::{
    Const,
    tir::{Op, Query, Verified, verify},
};

use super::arbitrary::{self, Random};
use crate::passes::{ALL, O2, Pass, by_name, run};

/// Random queries in each test.
const QUERIES: u64 = 500;

#[test]
fn names_are_unique() {
    let names: HashSet<_> = ALL.iter().map(|pass| pass.name).collect();
    assert_eq!(names.len(), ALL.len());
    assert!(O2.iter().all(|pass| by_name(pass.name).is_some()));
}

#[test]
#[should_panic(expected = "pass `liar` claims no change")]
#[cfg(debug_assertions)]
fn a_pass_that_hides_its_change_is_found() {
    const LIAR: Pass = Pass {
        name: "liar",
        about: "Changes the name of the source and does not say so",
        run: |query| {
            query.source = "other".to_owned();
            false
        },
    };
    run(&mut Query::default(), &[&LIAR], false);
}

#[test]
#[should_panic(expected = "pass `vandal` broke the IR: ")]
fn a_pass_that_breaks_the_ir_is_found() {
    const VANDAL: Pass = Pass {
        name: "vandal",
        about: "Gives a stream no fields",
        run: |query| {
            let input = query.inputs.ids().next().expect("an input");
            query.inputs[input].fields.clear();
            true
        },
    };
    run(&mut super::query(""), &[&VANDAL], true);
}

#[test]
fn inline_keeps_the_rows() {
    keeps_the_rows(1, &[&crate::passes::INLINE]);
}

#[test]
fn fuse_keeps_the_rows() {
    keeps_the_rows(2, &[&crate::passes::FUSE]);
}

#[test]
fn fold_keeps_the_rows() {
    keeps_the_rows(3, &[&crate::passes::FOLD]);
}

#[test]
fn cse_keeps_the_rows() {
    keeps_the_rows(4, &[&crate::passes::CSE]);
}

#[test]
fn dce_keeps_the_rows() {
    keeps_the_rows(5, &[&crate::passes::DCE]);
}

#[test]
fn all_passes_keep_the_rows() {
    keeps_the_rows(6, O2);
}

/// What is left of a query with helpers on the way: one body on each grid that is put out, nothing computed twice.
#[test]
fn helpers_vanish() {
    let found = super::after(
        O2,
        "
        def @mid {value: f64} every 1s offset 0s {
          %0 = at x.v[t] : f64
          %1 = const 0.5 : f64
          %2 = const 4.0 : f64
          %3 = mul %1, %2 : f64
          %4 = mul %0, %3 : f64
          yield %4
        }
        def @fast {value: f64} every 1s offset 0s {
          %0 = reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
            %0 = at mid.value[t] : f64
            yield %0
          } : f64
          yield %0
        }
        def @slow_mean {value: f64} every 1s offset 0s {
          %0 = reduce mean doubling 50 over every 1s offset 0s (t-50s, t] min_count 1 {
            %0 = at mid.value[t] : f64
            yield %0
          } : f64
          yield %0
        }
        def @cross {value: f64, keep: bool} every 1s offset 0s {
          %0 = at fast.value[t] : f64
          %1 = at slow_mean.value[t] : f64
          %2 = sub %0, %1 : f64
          %3 = at fast.value[t] : f64
          %4 = at slow_mean.value[t] : f64
          %5 = le %3, %4 : bool
          %6 = not %5 : bool
          yield %2, %6
        }
        output @cross = @cross {cross: value} keep keep",
    );
    let expected = super::query(
        "
        def @cross {value: f64, keep: bool} every 1s offset 0s {
          %0 = reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
            %0 = at x.v[t] : f64
            %1 = const 2.0 : f64
            %2 = mul %0, %1 : f64
            yield %2
          } : f64
          %1 = reduce mean doubling 50 over every 1s offset 0s (t-50s, t] min_count 1 {
            %0 = at x.v[t] : f64
            %1 = const 2.0 : f64
            %2 = mul %0, %1 : f64
            yield %2
          } : f64
          %2 = sub %0, %1 : f64
          %3 = le %0, %1 : bool
          %4 = not %3 : bool
          yield %2, %4
        }
        output @cross = @cross {cross: value} keep keep",
    );
    assert_eq!(found, expected.to_string());
}

/// The interpreter sees the same outputs before and after the passes; they do something to a good part of the queries.
fn keeps_the_rows(seed: u64, passes: &[&Pass]) {
    let changed = Cell::new(0);
    for n in 0..QUERIES {
        let mut random = Random(seed << 32 | n);
        let before = arbitrary::query(&mut random);
        let mut after = before.clone();
        run(&mut after, passes, true);
        if before != after {
            changed.set(changed.get() + 1);
            compare(&before, &after, &arbitrary::data(&mut random, &before));
        }
    }
    assert!(changed.get() > QUERIES / 20, "{} queries changed", changed.get());
}

fn compare(before: &Query, after: &Query, data: &Columns) {
    let mut old = Interp::new(verified(before), data);
    let mut new = Interp::new(verified(after), data);
    for output in 0..before.outputs.len() {
        let grid = before.defs[before.outputs[output].def].grid;
        for row in grid.row_from(-30)..grid.row_from(70) {
            let was = old.output(output, row..row + 1);
            let is = new.output(output, row..row + 1);
            let same = match (&was, &is) {
                (Ok(was), Ok(is)) => same(was, is),
                (Err(_), Err(_)) => true,
                (Err(_), Ok(_)) => captures(before),
                (Ok(_), Err(_)) => false,
            };
            let name = &before.outputs[output].name;
            assert!(same, "{before}\n=>\n{after}\n@{name}, row {row}: {was:?} => {is:?}");
        }
    }
}

fn verified(query: &Query) -> Verified<'_> {
    verify(query).unwrap_or_else(|bugs| panic!("{}\n{query}", bugs[0]))
}

/// The same bits; a NaN is a NaN.
fn same(a: &OutputRows, b: &OutputRows) -> bool {
    let normal = |value: &Option<Const>| match value {
        Some(Const::F64(bits)) if f64::from_bits(*bits).is_nan() => Some(Const::f64(f64::NAN)),
        other => *other,
    };
    let values = |rows: &OutputRows| rows.columns.iter().flatten().map(normal).collect::<Vec<_>>();
    a.rows == b.rows && values(a) == values(b)
}

/// Whether a value is captured: if no row needs it any more, its error does not reach the output any more.
fn captures(query: &Query) -> bool {
    let all = query.defs.rows().iter().flat_map(|def| def.body.insts.rows());
    all.into_iter().any(|inst| matches!(&inst.op, Op::Reduce(reduce) if !reduce.captures.is_empty()))
}
