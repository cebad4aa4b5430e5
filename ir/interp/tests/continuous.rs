//! Functions of all time: when they change, and integrals over them.

mod common;

use common::{changes, column, events, intervals, query, rows};
use tilt_interp::Columns;
use tilt_ir::Type;

const F64: &[Type] = &[Type::F64];

/// `@d` of type f64, continuous, over `x` that holds as told and points `p`.
fn text(hold: &str, body: &str) -> String {
    format!(
        "input @x {{v: f64}} events {hold}
         input @p {{v: f64}} events point
         def @d {{value: f64}} continuous {{ {body} }}
         output @d = @d {{d: value}}"
    )
}

fn two(x: &str, p: &str) -> Columns {
    events(events(Columns::new(), F64, x), F64, p)
}

fn found(hold: &str, body: &str, x: &str, p: &str) -> String {
    changes(&query(&text(hold, body)), &two(x, p), 0, 100)
}

#[test]
fn rows_where_the_value_changes() {
    let now = "%0 = at x.v[t] : f64 yield %0";
    // Neighbours that are equal are joined, NaN too, but not the zeros; φ at the start is left out, φ inside says that it ended.
    let x = "3 1; 5 1; 6 NaN; 7 NaN; 8 -0; 9 0; 10 _; 12 _; 14 2";
    assert_eq!(found("hold", now, x, ""), "3 1; 6 NaN; 8 -0; 9 0; 10 _; 14 2");
    assert_eq!(found("hold 2ns", now, "3 1; 5 1; 20 2", ""), "3 1; 7 _; 20 2; 22 _");
    assert_eq!(found("point", now, "3 1; 4 1; 6 2; 6 3", ""), "3 1; 5 _; 6 3; 7 _");
    assert_eq!(found("hold", now, "", ""), "");
}

#[test]
fn clipped_to_what_is_asked_for() {
    let query = query(&text("hold", "%0 = at x.v[t] : f64 yield %0"));
    let data = two("3 1; 8 2; 20 3", "");
    assert_eq!(changes(&query, &data, 5, 19), "5 1; 8 2");
    assert_eq!(changes(&query, &data, 8, 20), "8 2; 20 3");
    assert_eq!(changes(&query, &data, 0, 2), "");
    assert_eq!(changes(&query, &data, 5, 4), "");
}

#[test]
fn both_sides_of_a_join_change_it() {
    let sum = "%0 = at x.v[t] : f64 %1 = at p.v[t-1ns] : f64 %2 = const 0.0 : f64 %3 = coalesce %1, %2 : f64
        %4 = add %0, %3 : f64 yield %4";
    assert_eq!(found("hold", sum, "3 1; 6 10", "4 5; 8 -10"), "3 1; 5 6; 6 10; 9 0; 10 10");
}

#[test]
fn rows_enter_and_leave_windows() {
    let sum = "%0 = reduce sum time_blocks 5ns origin 0ns over on p (t-5ns, t] min_count 1 {
        %0 = at p.v[row] : f64 yield %0 } : f64 yield %0";
    assert_eq!(found("hold", sum, "", "3 1; 4 2; 4 4; 20 8"), "3 1; 4 7; 8 6; 9 _; 20 8; 25 _");
    let last = "%0 = reduce sum doubling 2 over on p last 2 min_count 1 {
        %0 = at p.v[row] : f64 yield %0 } : f64 yield %0";
    assert_eq!(found("hold", last, "", "3 1; 4 2; 4 4; 20 8"), "3 1; 4 6; 20 12");
    let tumbling = "%0 = reduce sum lanes64 over on p (floor(t, 10ns), ceil(t, 10ns)] min_count 1 {
        %0 = at p.v[row] : f64 yield %0 } : f64 yield %0";
    // At 10 the window is (10, 10].
    assert_eq!(found("hold", tumbling, "", "3 1; 10 2; 11 4"), "1 3; 10 _; 11 4; 20 _");
}

#[test]
fn conditions_end_the_value() {
    let text = "input @x {v: f64} events hold
        def @d {value: f64, ok: bool} continuous {
          %0 = at x.v[t] : f64
          %1 = const 2.0 : f64
          %2 = ge %0, %1 : bool
          yield %0, %2
        }
        output @d = @d {d: value} keep ok";
    let data = events(Columns::new(), F64, "1 1; 3 2; 5 3; 7 1; 8 0; 9 4");
    assert_eq!(changes(&query(text), &data, 0, 100), "3 2; 5 3; 7 _; 9 4");
}

#[test]
fn other_streams_see_the_value_at_their_times() {
    let text = "input @x {v: f64} events hold 3ns
        input @p {v: f64} events point
        def @c {value: f64} continuous { %0 = at x.v[t-1ns] : f64 yield %0 }
        def @d {now: f64, then: f64} on p { %0 = at c.value[t] : f64 %1 = at c.value[ceil(t, 10ns)] : f64 yield %0, %1 }
        output @d = @d {now: now, then: then}";
    let found = rows(&query(text), &two("2 1; 8 2", "2 0; 3 0; 5 0; 6 0; 9 0"));
    assert_eq!(found, "2 _ 2; 3 1 2; 5 1 2; 6 _ 2; 9 2 2");
}

/// An integral and a mean of `x` over `window`, at 0, 10, 20, 30.
fn weighed(hold: &str, row: &str, x: &str, window: &str) -> String {
    let reduce = |n: usize, kind: &str| {
        format!("%{n} = reduce {kind} lanes64 over continuous {window} min_count 1 {{ {row} }} : f64")
    };
    let text = format!(
        "input @x {{v: f64}} events {hold}
         def @d {{i: f64, m: f64}} every 10ns offset 0ns {{ {} {} yield %0, %1 }}
         output @d = @d {{i: i, m: m}}",
        reduce(0, "integral"),
        reduce(1, "duration_mean")
    );
    let data = Columns::new();
    let data = if hold == "until" { intervals(data, F64, x) } else { events(data, F64, x) };
    let query = query(&text);
    let found = common::output(&query, &data, 0..4).expect("floats do not fail");
    let integrals: Vec<Option<f64>> =
        found.columns[0].iter().map(|value| value.map(|_| common::floats(&[*value])[0] * 1e9)).collect();
    let integrals = integrals.iter().map(|x| x.map_or("_".to_owned(), |x| x.round().to_string()));
    format!("{} | {}", integrals.collect::<Vec<_>>().join(", "), common::show(&found.columns[1]))
}

#[test]
fn integrals_weigh_by_time() {
    let now = "%0 = at x.v[t] : f64 yield %0";
    // In (0, 10]: 3 from 4 to 7 (4, 5, 6), 5 from 7 to 10 (7, 8, 9, 10); 5 goes on.
    assert_eq!(weighed("hold", now, "4 3; 7 5", "(t-10ns, t]"), "_, 29, 50, 50 | _, 4.142857142857143, 5, 5");
    // φ does not count for the mean.
    assert_eq!(weighed("hold 2ns", now, "4 3; 7 5; 12 1", "(t-10ns, t]"), "_, 16, 2, _ | _, 4, 1, _");
    assert_eq!(weighed("point", now, "4 3; 7 5", "(t-10ns, t]"), "_, 8, _, _ | _, 4, _, _");
    assert_eq!(
        weighed("until", now, "4 8 3; 6 16 5", "(t-10ns, t]"),
        "_, 31, 25, _ | _, 4.428571428571429, 5, _"
    );
    assert_eq!(weighed("hold", now, "4 3; 7 5", "(t, t]"), "_, _, _, _ | _, _, _, _");
    // A row body of several looks.
    let step = "%0 = at x.v[t] : f64 %1 = at x.v[t-2ns] : f64 %2 = sub %0, %1 : f64 yield %2";
    assert_eq!(weighed("hold", step, "4 3; 7 5", "(t-10ns, t]"), "_, 4, 0, 0 | _, 0.8, 0, 0");
}

#[test]
fn pieces_that_are_equal_are_one() {
    // 0.1 for ten times a nanosecond is not summed up ten times.
    let x: Vec<String> = (0..10).map(|n| format!("{n} 0.1")).collect();
    let now = "%0 = at x.v[t] : f64 yield %0";
    assert_eq!(weighed("hold", now, &x.join(";"), "(t-10ns, t]"), "0, 1, 1, 1 | 0.1, 0.1, 0.1, 0.1");
}

#[test]
fn windows_of_all_time() {
    let text = "input @x {v: f64} events hold 3ns
        def @d {m: f64} every 10ns offset 0ns {
          %0 = reduce duration_mean lanes64 over continuous (t-9223372036854775807ns, t+9223372036854775807ns] min_count 1 {
            %0 = at x.v[floor(t, 2ns)] : f64 yield %0 } : f64
          yield %0
        }
        output @d = @d {m: m}";
    assert_eq!(
        column(&query(text), &events(Columns::new(), F64, "4 3; 6 5"), 0..2),
        "4.333333333333333, 4.333333333333333"
    );
}

/// Where a bound of the window passes from one block of time to the next, the same rows are added up in another order.
#[test]
fn the_grouping_is_of_the_time() {
    let sum = "%0 = reduce sum time_blocks 10ns origin 0ns over on p (t-10ns, t] min_count 1 {
        %0 = at p.v[row] : f64 yield %0 } : f64 yield %0";
    // (−7, 3] … (0, 10]: the rows are in the last block and folded from the left; from (1, 11] on in the first one, from the right.
    assert_eq!(
        found("hold", sum, "", "2 0.1; 3 0.2; 4 0.3"),
        "2 0.1; 3 0.30000000000000004; 4 0.6000000000000001; 11 0.6; 12 0.5; 13 0.3; 14 _"
    );
}
