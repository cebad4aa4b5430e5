//! Definitions on data: laziness, failures, look-ups anywhere in time, captures.

mod common;

use common::{column, output, query, values};
use tilt_interp::{Columns, Interp};
use tilt_ir::{Const, Type, entity::Entity, tir};

const X: &str = "input @x {v: i64} every 1s offset 0s\n";

fn data(x: &str) -> Columns {
    Columns::new().input(0, vec![values(Type::I64, x)])
}

/// A definition `@d` of type `ty` with this body on the rows of `x`, from 0.
fn on(x: &str, ty: &str, body: &str) -> String {
    let rows = 0..values(Type::I64, x).len() as i64;
    let text =
        format!("{X} def @d {{value: {ty}}} every 1s offset 0s {{ {body} }} output @d = @d {{d: value}}");
    column(&query(&text), &data(x), rows)
}

const BIG: &str = "%0 = at x.v[t] : i64
    %1 = const 9000000000000000000 : i64
    %2 = add %0, %1 : i64 loc(3:4)\n";

#[test]
fn shifts_and_holes() {
    let look = |index: &str| on("1, _, 3", "i64", &format!("%0 = at x.v[{index}] : i64 yield %0"));
    assert_eq!(look("t"), "1, _, 3");
    assert_eq!(look("t-1s"), "_, 1, _");
    assert_eq!(look("t+1s"), "_, 3, _");
    assert_eq!(look("t-1ns"), "_, 1, _"); // a row holds for one period
    assert_eq!(look("floor(t, 2s)"), "1, 1, 3");
    assert_eq!(look("ceil(t, 2s)"), "1, 3, 3");
}

#[test]
fn the_branch_not_taken_cannot_fail() {
    let select = |then, otherwise| {
        let select = format!("%4 = select %3, {then}, {otherwise} : i64 yield %4");
        on("1, 900000000000000000, _", "i64", &format!("{BIG} %3 = gt %0, %1 : bool {select}"))
    };
    assert_eq!(select("%2", "%0"), "1, 900000000000000000, _");
    assert_eq!(select("%0", "%2"), "error in d at 1000000000, 3:4");
    let coalesce = |a, b| {
        let body = format!("{BIG} %3 = coalesce {a}, {b} : i64 yield %3");
        on("1, 900000000000000000, _", "i64", &body)
    };
    assert_eq!(coalesce("%0", "%2"), "1, 900000000000000000, _");
    assert_eq!(coalesce("%2", "%0"), "error in d at 1000000000, 3:4");
    // All other ops look at all their operands: an error is not hidden by φ.
    let body = format!("{BIG} %3 = null : i64 %4 = add %3, %2 : i64 yield %4");
    assert_eq!(on("900000000000000000", "i64", &body), "error in d at 0, 3:4");
}

#[test]
fn the_earliest_failure_is_reported() {
    let text = format!(
        "{X} def @late {{value: i64}} every 1s offset 0s {{ {BIG} yield %2 }}
         def @d {{a: i64, b: i64}} every 1s offset 0s {{
           %0 = at late.value[t] : i64
           %1 = at late.value[t-2s] : i64
           yield %0, %1
         }}
         output @d = @d {{a: a, b: b}}"
    );
    let query = query(&text);
    let big = "900000000000000000";
    let fails = |rows| {
        let failure = output(&query, &data(&format!("0, {big}, 0, {big}")), rows);
        failure.map_err(|failure| (failure.name, failure.time))
    };
    // Both fields fail in row 3, the second one because of row 1.
    assert_eq!(fails(3..4), Err(("late".into(), 1_000_000_000)));
    assert_eq!(fails(1..4), Err(("late".into(), 1_000_000_000)));
    assert!(fails(2..3).is_ok());
    assert!(fails(0..1).is_ok());
}

#[test]
fn a_row_that_fails_fails_its_windows() {
    let text = |field: &str| {
        format!(
            "{X} def @d {{value: i64}} every 1s offset 0s {{
               %0 = reduce {field} doubling 2 over every 1s offset 0s (t-2s, t] min_count 1 {{ {BIG} yield %2 }} : i64
               yield %0
             }}
             output @d = @d {{d: value}}"
        )
    };
    let run = |rows| column(&query(&text("max")), &data("0, 900000000000000000, 5, 6"), rows);
    assert_eq!(run(0..1), "9000000000000000000");
    assert_eq!(run(1..2), "error in d at 1000000000, 3:4");
    assert_eq!(run(2..3), "error in d at 1000000000, 3:4");
    assert_eq!(run(3..4), "9000000000000000006");
}

#[test]
fn dropped_rows_are_not_evaluated() {
    let text = format!(
        "{X} def @d {{value: i64, ok: bool}} every 1s offset 0s {{
           {BIG} %3 = lt %0, %1 : bool
           yield %2, %3
         }}
         output @d = @d {{d: value, again: value}} keep ok"
    );
    let query = query(&text);
    let rows = output(&query, &data("1, _, 9000000000000000000, 2"), 0..4).expect("no failure");
    assert_eq!(rows.rows, [0, 3]);
    let kept = values(Type::I64, "9000000000000000001, 9000000000000000002");
    assert_eq!(rows.columns, [kept.clone(), kept]);
}

#[test]
fn a_definition_is_a_function_of_all_time() {
    let text = format!(
        "{X} def @filled {{value: i64}} every 1s offset 0s {{
           %0 = at x.v[t] : i64
           %1 = const 7 : i64
           %2 = coalesce %0, %1 : i64
           yield %2
         }}
         def @sum {{value: i64}} every 1s offset 0s {{
           %0 = reduce sum doubling 3 over every 1s offset 0s (t-3s, t] min_count 1 {{
             %0 = at filled.value[t] : i64
             yield %0
           }} : i64
           yield %0
         }}
         output @d = @sum {{d: value}}"
    );
    assert_eq!(column(&query(&text), &data("1, _"), -2..4), "21, 21, 15, 15, 15, 21");
}

#[test]
fn the_time() {
    let body = "%0 = time ceil(t, 3s)-1s : time yield %0";
    assert_eq!(on("0, 0", "time", body), "-1000000000, 2000000000");
    let text = "def @d {value: time} every 1s offset 0s { %0 = time t+1s : time loc(2:2) yield %0 }
                output @d = @d {d: value}";
    let last = i64::MAX / 1_000_000_000;
    let expected = format!("error in d at {}000000000, 2:2", last);
    assert_eq!(column(&query(text), &Columns::new(), last - 1..last + 1), expected);
}

#[test]
fn rows_beyond_the_range_of_time() {
    let text = "input @x {v: i64} every 1s offset 0s
        def @a {value: i64} every 1s offset 0s {
          %0 = at x.v[t+9223372036854775807ns] : i64
          %1 = const 3 : i64
          %2 = coalesce %0, %1 : i64
          yield %2
        }
        def @d {value: i64} every 1s offset 0s {
          %0 = at a.value[t+9223372036854775807ns] : i64
          yield %0
        }
        output @d = @d {d: value}";
    let last = i64::MAX / 1_000_000_000;
    assert_eq!(column(&query(text), &Columns::new(), last..last + 1), "3");
}

#[test]
fn captured_values_are_those_of_the_outer_time() {
    let body = "%0 = at x.v[t] : i64
        %1 = reduce max lanes64 over every 1s offset 0s (t-2s, t] min_count 1 captures (%0) {
          %0 = at x.v[t] : i64
          %1 = param 0 : i64
          %2 = sub %0, %1 : i64
          yield %2
        } : i64
        yield %1";
    // max(x[t-1s] - x, 0)
    assert_eq!(on("5, 3, 8, _, 2", "i64", body), "0, 2, 0, _, 0");
}

#[test]
fn finer_coarser_and_shifted_grids() {
    let text = "input @x {v: i64} every 2s offset 1s
        def @d {value: i64, n: i64} every 3s offset 0s {
          %0 = at x.v[t] : i64
          %1 = reduce count lanes64 over every 2s offset 1s (t-3s, t] min_count 0 {
            %0 = at x.v[t] : i64
            yield %0
          } : i64
          yield %0, %1
        }
        output @d = @d {v: value, n: n}";
    // x is stamped 1, 3, 5, 7; d 0, 3, 6, 9.
    let rows = output(&query(text), &data("10, 30, 50, 70"), 0..4).expect("no failure");
    assert_eq!(common::show(&rows.columns[0]), "_, 30, 50, _");
    assert_eq!(common::show(&rows.columns[1]), "0, 2, 1, 1");
}

#[test]
fn min_count_and_ddof() {
    let count = |min_count| {
        let body = format!(
            "%0 = reduce count lanes64 over every 1s offset 0s (t-3s, t] min_count {min_count} {{
               %0 = at x.v[t] : i64
               yield %0
             }} : i64
             yield %0"
        );
        on("_, 1, 2, _", "i64", &body)
    };
    assert_eq!(count(0), "0, 1, 2, 2");
    assert_eq!(count(1), "_, 1, 2, 2");
    assert_eq!(count(2), "_, _, 2, 2");
}

#[test]
fn durations_have_exact_sums_and_means_rounded_down() {
    let body = |kind: &str| {
        format!(
            "%0 = reduce {kind} lanes64 over every 1s offset 0s (t-2s, t] min_count 1 {{
               %0 = at x.v[t] : i64
               %1 = cast %0 : duration
               yield %1
             }} : duration
             yield %0"
        )
    };
    assert_eq!(on("-3, 0, 8", "duration", &body("sum")), "-3, -3, 8");
    assert_eq!(on("-3, 0, 8", "duration", &body("mean")), "-3, -2, 4");
}

/// Definitions on definitions: the stack has to hold one evaluation inside the other.
#[test]
fn a_long_chain_of_definitions() {
    let mut text =
        format!("{X} def @d0 {{value: i64}} every 1s offset 0s {{ %0 = at x.v[t] : i64 yield %0 }}\n");
    let length = 500;
    for n in 1..length {
        text += &format!(
            "def @d{n} {{value: i64}} every 1s offset 0s {{
               %0 = at d{}.value[t-1s] : i64
               %1 = const 1 : i64
               %2 = add %0, %1 : i64
               yield %2
             }}\n",
            n - 1
        );
    }
    let query = query(&text);
    let data = data("40");
    let mut interp = Interp::new(tir::verify(&query).expect("legal"), &data);
    let row = interp.row(tir::Def::new(length - 1), length as i128 - 1);
    assert_eq!(row, Ok(vec![Some(Const::Int(40 + length as i128 - 1))]));
}
