//! Definitions that look at their own past.

mod common;

use common::{column, events, query, rows, values};
use tilt_interp::{Columns, Interp};
use tilt_ir::{Const, Type, entity::Entity, tir};

const I64: &[Type] = &[Type::I64];

/// A running sum of `x.v` (φ as 0) with this look at its past.
fn sum(clock: &str, x: &str, past: &str, init: &str) -> String {
    format!(
        "input @x {{v: i64}} {x}
         def @d {{value: i64}} {clock} init ({init}) {{
           %0 = at {past} : i64
           %1 = at x.v[t] : i64
           %2 = const 0 : i64
           %3 = coalesce %1, %2 : i64
           %4 = add %0, %3 : i64 loc(1:1)
           yield %4
         }}
         output @d = @d {{d: value}}"
    )
}

fn on_grid(x: &str) -> Columns {
    Columns::new().input(2, vec![values(Type::I64, x)]).start(None, Some(2))
}

#[test]
fn a_running_sum_on_a_grid() {
    let text =
        |past: &str, init: &str| query(&sum("every 1ns offset 0ns", "every 1ns offset 0ns", past, init));
    // x is stamped 2, 3, 4, 5. Before the first row others see nothing; after the last one it goes on.
    let data = on_grid("1, 2, _, 4");
    assert_eq!(column(&text("d.value[t-1ns]", "100"), &data, 0..8), "_, _, 101, 103, 103, 107, 107, 107");
    assert_eq!(column(&text("d.value[t-2ns]", "100"), &data, 0..8), "_, _, 101, 102, 101, 106, 101, 106");
    assert_eq!(column(&text("d.value[t-1ns]", "null"), &data, 0..8), "_, _, _, _, _, _, _, _");
    // Rows may be asked for in any order.
    assert_eq!(column(&text("d.value[t-1ns]", "100"), &data, 5..6), "107");
}

#[test]
fn the_first_row_on_a_grid() {
    let text = sum("every 5ns offset 1ns", "events point", "d.value[t-1ns]", "0");
    let data = |start| events(Columns::new(), I64, "7 1; 16 2").start(None, start);
    // From the first grid point at or after the first stamp: 11 is row 2.
    assert_eq!(column(&query(&text), &data(Some(7)), 0..5), "_, _, 0, 2, 2");
    assert_eq!(column(&query(&text), &data(Some(-20)), 0..5), "0, 0, 0, 2, 2");
    assert_eq!(column(&query(&text), &data(None), 0..5), "_, _, _, _, _");
}

#[test]
fn keyed_ones_begin_with_their_key() {
    let text = |keyed: &str| {
        let text = sum("every 1ns offset 0ns", "events point", "d.value[t-1ns]", "0");
        let text = text.replace("d {value: i64}", &format!("d {{value: i64}} {keyed}"));
        format!("keys {{k: i64}}\n{text}")
    };
    let data = events(Columns::new(), I64, "4 1").start(Some(4), Some(2)).key(vec![Const::Int(0)]);
    assert_eq!(column(&query(&text("keyed")), &data, 1..6), "_, _, _, 1, 1");
    assert_eq!(column(&query(&text("")), &data, 1..6), "_, 0, 0, 1, 1");
}

#[test]
fn on_events_row_by_row() {
    let text = |back: usize| query(&sum("on x", "events point", &format!("d.value[row-{back}]"), "100"));
    let x = events(Columns::new(), I64, "1 1; 5 2; 5 4; 7 _; 9 8");
    // Of peers the value at t is the last one: 4 counts twice.
    assert_eq!(rows(&text(1), &x), "1 101; 5 105; 5 109; 7 109; 9 117");
    assert_eq!(rows(&text(3), &x), "1 101; 5 104; 5 104; 7 101; 9 112");
}

#[test]
fn on_a_union() {
    let text = "input @x {v: i64} events point
        input @y {v: i64} events point
        def @n {value: i64, last: i64} on x, y init (0, null) {
          %0 = at n.value[row-1] : i64
          %1 = const 1 : i64
          %2 = add %0, %1 : i64
          %3 = at x.v[row] : i64
          %4 = at n.last[row-1] : i64
          %5 = coalesce %3, %4 : i64
          yield %2, %5
        }
        output @n = @n {n: value, last: last}";
    let data = events(events(Columns::new(), I64, "3 30; 4 40"), I64, "1 1; 5 2");
    assert_eq!(rows(&query(text), &data), "1 1 _; 3 2 30; 4 3 40; 5 4 40");
}

#[test]
fn others_see_it_like_any_stream() {
    let text = "input @x {v: i64} events point
        def @n {value: i64} on x init (0) {
          %0 = at n.value[row-1] : i64 %1 = const 1 : i64 %2 = add %0, %1 : i64 yield %2
        }
        def @d {before: i64, sum: i64, then: i64} on x {
          %0 = at n.value[row-2] : i64
          %1 = reduce sum lanes64 over on x (t-4ns, t] min_count 1 { %0 = at n.value[row] : i64 yield %0 } : i64
          %2 = at n.value[t-2ns] : i64
          yield %0, %1, %2
        }
        output @d = @d {b: before, s: sum, t: then}";
    let data = events(Columns::new(), I64, "1 0; 3 0; 3 0; 5 0");
    // `init` is what it sees itself before its first row.
    assert_eq!(rows(&query(text), &data), "1 _ 1 _; 3 _ 6 1; 3 1 6 1; 5 2 9 3");
}

#[test]
fn windows_over_what_goes_on() {
    let text = "input @x {v: i64} events point
        def @n {value: i64} every 1ns offset 0ns init (0) {
          %0 = at n.value[t-1ns] : i64 %1 = const 1 : i64 %2 = add %0, %1 : i64 yield %2
        }
        def @m {value: i64} every 1ns offset 0ns {
          %0 = reduce sum doubling 2 over on x last 2 min_count 1 { %0 = at x.v[row] : i64 yield %0 } : i64
          yield %0
        }
        def @d {n: i64, m: i64} every 4ns offset 0ns {
          %0 = reduce sum lanes64 over every 1ns offset 0ns (t-4ns, t] min_count 1 {
            %0 = at n.value[t] : i64 yield %0 } : i64
          %1 = reduce sum lanes64 over every 1ns offset 0ns (t-4ns, t] min_count 1 {
            %0 = at m.value[t] : i64 yield %0 } : i64
          yield %0, %1
        }
        output @d = @d {n: n, m: m}";
    let data = events(Columns::new(), I64, "2 10; 3 1").start(None, Some(2));
    let found = common::output(&query(text), &data, 0..4).expect("no failure");
    // 1 + 2 + 3 in (0, 4], 4 + … + 7 in (4, 8]; 10, then 11 for ever.
    assert_eq!(
        found.columns.iter().map(|column| common::show(column)).collect::<Vec<_>>(),
        ["_, 6, 22, 38", "_, 32, 44, 44"]
    );
}

#[test]
fn an_error_is_that_of_the_row_where_it_happened() {
    let text = sum("every 1ns offset 0ns", "every 1ns offset 0ns", "d.value[t-1ns]", "0");
    let data = on_grid("1, 9223372036854775807, 0, 0");
    assert_eq!(column(&query(&text), &data, 2..3), "1");
    assert_eq!(column(&query(&text), &data, 5..6), "error in d at 3, 1:1");
}

#[test]
fn many_rows_need_no_stack() {
    let text = sum("every 1ns offset 0ns", "every 1ns offset 0ns", "d.value[t-1ns]", "0");
    let (query, data) = (query(&text), on_grid("1"));
    let mut interp = Interp::new(tir::verify(&query).expect("legal"), &data);
    assert_eq!(interp.row(tir::Def::new(0), 60_000), Ok(vec![Some(Const::Int(1))]));
}
