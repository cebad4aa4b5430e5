//! The framework. (Passes on random queries, against the interpreter, are in `tests/passes.rs` of the crate.)

use std::collections::HashSet;

use crate::passes::{ALL, O2, Pass, by_name, run};

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
    run(&mut tilt_ir::tir::Query::default(), &[&LIAR], false);
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
