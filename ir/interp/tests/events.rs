//! Events: how long rows hold, clocks of events, rows by number, windows. Times are nanoseconds.

mod common;

use common::{column, events, intervals, query, rows};
use tilt_interp::Columns;
use tilt_ir::{Const, Type};

const I64: &[Type] = &[Type::I64];

/// `@d` of type i64 with this clock and body; `x` are points, `y` as told, both of one field `v`.
fn text(y: &str, clock: &str, body: &str) -> String {
    format!(
        "input @x {{v: i64}} events point
         input @y {{v: i64}} events {y}
         def @d {{value: i64}} {clock} {{ {body} }}
         output @d = @d {{d: value}}"
    )
}

fn two(x: &str, y: &str) -> Columns {
    events(events(Columns::new(), I64, x), I64, y)
}

/// `@d` on `x`.
fn on_x(y_hold: &str, x: &str, y: &str, body: &str) -> String {
    rows(&query(&text(y_hold, "on x", body)), &two(x, y))
}

/// What is seen of `y`, which holds as told, at 0, 1, …, 9.
fn seen(hold: &str, y: &str) -> String {
    let text = text(hold, "every 1ns offset 0ns", "%0 = at y.v[t] : i64 yield %0");
    let data = events(Columns::new(), I64, "");
    let data = if hold == "until" { intervals(data, I64, y) } else { events(data, I64, y) };
    column(&query(&text), &data, 0..10)
}

#[test]
fn how_long_rows_hold() {
    assert_eq!(seen("point", "2 20; 5 50; 5 51"), "_, _, 20, _, _, 51, _, _, _, _");
    assert_eq!(seen("hold", "2 20; 5 50; 5 51; 8 _"), "_, _, 20, 20, 20, 51, 51, 51, _, _");
    assert_eq!(seen("hold 2ns", "2 20; 5 50; 6 60; 9 _"), "_, _, 20, 20, _, 50, 60, 60, _, _");
    // A later row ends the earlier one even if it is φ.
    assert_eq!(seen("hold 5ns", "2 20; 4 _"), "_, _, 20, 20, _, _, _, _, _, _");
}

#[test]
fn intervals_overlap() {
    // Of those that hold the last one to arrive; when it ends the earlier one is seen again.
    assert_eq!(seen("until", "1 9 10; 3 5 20; 4 6 30"), "_, 10, 10, 20, 30, 30, 10, 10, 10, _");
    // Until before or at the stamp: never.
    assert_eq!(seen("until", "1 4 10; 2 2 20; 3 1 30"), "_, 10, 10, 10, _, _, _, _, _, _");
    assert_eq!(seen("until", "1 8 10; 3 5 _"), "_, 10, 10, _, _, 10, 10, 10, _, _");
}

#[test]
fn as_of_joins() {
    let join = "%0 = at y.v[t] : i64 yield %0";
    // Ties: the last arrival. Before the first: φ. A φ row is a row.
    assert_eq!(on_x("hold", "0 1; 2 1; 3 1; 9 1", "1 10; 2 20; 2 21; 5 _", join), "0 _; 2 21; 3 21; 9 _");
    let back = "%0 = at y.v[t-2ns] : i64 yield %0";
    assert_eq!(on_x("hold", "2 1; 3 1; 4 1", "1 10; 2 20", back), "2 _; 3 10; 4 20");
    let ahead = "%0 = at y.v[ceil(t, 5ns)+1ns] : i64 yield %0";
    assert_eq!(on_x("point", "5 1; 6 1; 10 1; 11 1", "6 60; 11 110", ahead), "5 60; 6 110; 10 110; 11 _");
}

#[test]
fn the_row_itself_is_not_the_value_now() {
    let both = "%0 = at x.v[row] : i64 %1 = at x.v[t] : i64 %2 = sub %0, %1 : i64 yield %2";
    // Of peers each is its own row; the value at their time is the last one.
    assert_eq!(on_x("point", "1 10; 5 20; 5 21; 5 23", "", both), "1 0; 5 -3; 5 -2; 5 0");
}

#[test]
fn rows_before() {
    let gain = "%0 = at x.v[row] : i64 %1 = at x.v[row-1] : i64 %2 = sub %0, %1 : i64 yield %2";
    assert_eq!(on_x("point", "1 10; 5 20; 5 21; 7 _; 9 3", "", gain), "1 _; 5 10; 5 1; 7 _; 9 _");
    let third = "%0 = at x.v[row-3] : i64 yield %0";
    assert_eq!(on_x("point", "1 10; 5 20; 5 21; 7 _; 9 3", "", third), "1 _; 5 _; 5 _; 7 10; 9 20");
}

#[test]
fn the_last_rows() {
    let last = |rows: &str, count: usize| {
        format!(
            "%0 = reduce sum doubling {count} over on {rows} last {count} min_count 1 {{
               %0 = at {rows}.v[row] : i64 yield %0 }} : i64 yield %0"
        )
    };
    let (x, y) = ("1 10; 5 20; 5 21; 7 _; 9 3", "0 1; 5 2; 5 3; 8 4");
    // Of its own clock up to the row itself, of another one all that are stamped until now.
    assert_eq!(on_x("point", x, y, &last("x", 2)), "1 10; 5 30; 5 41; 7 21; 9 3");
    assert_eq!(on_x("point", x, y, &last("y", 2)), "1 1; 5 5; 5 5; 7 5; 9 7");
    let on_grid = text("hold", "every 4ns offset 0ns", &last("x", 3));
    assert_eq!(column(&query(&on_grid), &two(x, y), 0..4), "_, 10, 41, 24");
}

#[test]
fn before_the_first_row_there_is_nothing() {
    // The row value is never φ, but there have to be rows.
    let body = "%0 = reduce count doubling 3 over on x last 3 min_count 0 {
        %0 = const 7 : i64 yield %0 } : i64 yield %0";
    assert_eq!(on_x("point", "1 10; 5 20; 5 21; 7 _; 9 3", "", body), "1 1; 5 2; 5 3; 7 3; 9 3");
}

#[test]
fn peers_are_all_in_a_window_or_all_out() {
    let sum = |window: &str| {
        format!(
            "%0 = reduce sum time_blocks 4ns origin 0ns over on x {window} min_count 1 {{
               %0 = at x.v[row] : i64 yield %0 }} : i64 yield %0"
        )
    };
    let x = "1 10; 5 20; 5 21; 7 _; 9 3";
    assert_eq!(on_x("point", x, "", &sum("(t-4ns, t]")), "1 10; 5 41; 5 41; 7 41; 9 3");
    assert_eq!(on_x("point", x, "", &sum("(t-4ns, t-1ns]")), "1 _; 5 _; 5 _; 7 41; 9 _");
    assert_eq!(on_x("point", x, "", &sum("(t, t+4ns]")), "1 41; 5 3; 5 3; 7 3; 9 _");
    assert_eq!(on_x("point", x, "", &sum("(t, t-4ns]")), "1 _; 5 _; 5 _; 7 _; 9 _");
}

#[test]
fn in_a_window_rows_see_peers_and_the_past() {
    // How much each row of the window gained.
    let body = "%0 = reduce max lanes64 over on x (t-10ns, t] min_count 1 {
        %0 = at x.v[row] : i64 %1 = at x.v[row-1] : i64 %2 = sub %0, %1 : i64 yield %2 } : i64 yield %0";
    assert_eq!(on_x("point", "1 10; 5 20; 5 21; 17 8; 17 12", "", body), "1 _; 5 10; 5 10; 17 4; 17 4");
}

#[test]
fn captures_are_of_the_row_itself() {
    let body = "%0 = at x.v[row] : i64
        %1 = reduce sum lanes64 over on x last 3 min_count 1 captures (%0) {
          %0 = at x.v[row] : i64 %1 = param 0 : i64 %2 = sub %0, %1 : i64 yield %2 } : i64
        yield %1";
    assert_eq!(on_x("point", "1 10; 5 20; 5 21; 7 30", "", body), "1 0; 5 -10; 5 -12; 7 -19");
}

#[test]
fn a_union_has_the_rows_of_both() {
    let union = |body: &str, x: &str, y: &str| rows(&query(&text("hold", "on x, y", body)), &two(x, y));
    let (x, y) = ("1 10; 5 20; 5 21", "0 1; 5 2; 6 3");
    // On its own rows an input is that row, on the others the value at t: points are φ there, but for peers.
    let own = |input: &str| format!("%0 = at {input}.v[row] : i64 yield %0");
    assert_eq!(union(&own("x"), x, y), "0 _; 1 10; 5 20; 5 21; 5 21; 6 _");
    assert_eq!(union(&own("y"), x, y), "0 1; 1 1; 5 2; 5 2; 5 2; 6 3");
    let number = "%0 = reduce count lanes64 over on x, y last 100 min_count 0 {
        %0 = at x.v[row] : i64 %1 = at y.v[row] : i64 %2 = coalesce %0, %1 : i64 yield %2 } : i64 yield %0";
    assert_eq!(union(number, x, y), "0 1; 1 2; 5 3; 5 4; 5 5; 6 6");
    assert_eq!(union(number, "", ""), "");
}

#[test]
fn definitions_on_one_clock_share_rows() {
    let text = "input @x {v: i64} events point
        input @y {v: i64} events hold
        def @a {value: i64} on x, y {
          %0 = at x.v[row] : i64 %1 = at y.v[row] : i64 %2 = sub %1, %0 : i64 %3 = coalesce %2, %1 : i64 yield %3
        }
        def @d {own: i64, before: i64, then: i64} on x, y {
          %0 = at a.value[row] : i64
          %1 = at a.value[row-1] : i64
          %2 = at a.value[t] : i64
          yield %0, %1, %2
        }
        output @d = @d {own: own, before: before, then: then}";
    // Seen at a time the results are points, and of peers the last one.
    let found = rows(&query(text), &two("1 10; 5 20; 5 21", "0 1; 5 2"));
    assert_eq!(found, "0 1 _ 1; 1 -9 1 -9; 5 -18 -9 -19; 5 -19 -18 -19; 5 -19 -19 -19");
    let later = "input @x {v: i64} events hold
        def @a {value: i64} on x { %0 = at x.v[row] : i64 yield %0 }
        def @d {value: i64} every 2ns offset 0ns { %0 = at a.value[t] : i64 yield %0 }
        output @d = @d {d: value}";
    assert_eq!(
        column(&query(later), &events(Columns::new(), I64, "1 10; 2 20; 2 21; 5 50"), 0..4),
        "_, 21, _, _"
    );
}

#[test]
fn keys() {
    let text = "keys {symbol: symbol, n: i64}
        symbols {\"AAPL\", \"MSFT\"}
        input @x {v: i64} keyed events point
        input @all {v: i64} events hold
        def @d {value: i64, symbol: symbol, is_apple: bool} keyed on x {
          %0 = at x.v[row] : i64
          %1 = at all.v[t] : i64
          %2 = add %0, %1 : i64
          %3 = key 1 : i64
          %4 = mul %2, %3 : i64
          %5 = key 0 : symbol
          %6 = const 0 : symbol
          %7 = eq %5, %6 : bool
          yield %4, %5, %7
        }
        output @d = @d {d: value, s: symbol, a: is_apple}";
    let query = query(text);
    let of_key = |symbol, n, x: &str| {
        let data = two(x, "0 1; 4 2").key(vec![Const::Int(symbol), Const::Int(n)]);
        rows(&query, &data)
    };
    assert_eq!(of_key(0, 100, "3 10; 5 20"), "3 1100 0 true; 5 2200 0 true");
    assert_eq!(of_key(7, 1, "5 0"), "5 2 7 false");
    assert_eq!(of_key(1, 1, ""), "");
}

#[test]
fn stamps_at_the_ends_of_time() {
    let (least, greatest) = (i64::MIN, i64::MAX);
    let x = format!("{least} 1; {least} 2; -1 3; {} 4; {greatest} 5", greatest - 5);
    let sum = |window: &str| {
        let body = format!(
            "%0 = reduce sum time_blocks 7ns origin 3ns over on x {window} min_count 1 {{
               %0 = at x.v[row] : i64 yield %0 }} : i64 yield %0"
        );
        let found = on_x("point", &x, "", &body);
        let values: Vec<_> = found.split("; ").map(|row| row.split(' ').nth(1).unwrap()).collect();
        values.join(" ")
    };
    assert_eq!(sum("(t-10ns, t]"), "3 3 3 4 9");
    assert_eq!(sum("(t-10ns, t+10ns]"), "3 3 3 9 9");
    assert_eq!(sum("(t-9223372036854775807ns, t]"), "3 3 3 7 9");
    assert_eq!(sum("(t-9223372036854775807ns, t+9223372036854775807ns]"), "6 6 7 12 9");
    let next = "%0 = at y.v[t+9ns] : i64 yield %0";
    let y = format!("{greatest} 7");
    assert_eq!(on_x("hold", &format!("{} 1", greatest - 3), &y, next), format!("{} 7", greatest - 3));
    assert_eq!(on_x("hold 3ns", &format!("{} 1", greatest - 3), &y, next), format!("{} _", greatest - 3));
}

#[test]
fn windows_over_other_events_and_grids() {
    let text = |window: &str| {
        format!(
            "input @x {{v: i64}} events point
             input @g {{v: i64}} every 2ns offset 1ns
             def @d {{e: i64, g: i64}} every 5ns offset 0ns {{
               %0 = reduce sum lanes64 over on x {window} min_count 1 {{ %0 = at x.v[row] : i64 yield %0 }} : i64
               %1 = reduce sum lanes64 over every 2ns offset 1ns {window} min_count 1 {{
                 %0 = at g.v[t] : i64 %1 = at x.v[t] : i64 %2 = coalesce %1, %0 : i64 yield %2 }} : i64
               yield %0, %1
             }}
             output @d = @d {{e: e, g: g}}"
        )
    };
    let data = events(Columns::new(), I64, "-5 1; 0 2; 3 3; 10 4");
    // g is stamped 1, 3, 5, 7.
    let data = data.input(0, vec![common::values(Type::I64, "10, 20, 30, 40")]);
    let found = |window: &str| {
        let query = query(&text(window));
        let found = common::output(&query, &data, -1..4).expect("no failure");
        found.columns.iter().map(|column| common::show(column)).collect::<Vec<_>>().join(" | ")
    };
    assert_eq!(found("(ceil(t, 5ns)-5ns, ceil(t, 5ns)]"), "1, 2, 3, 4, _ | 1, _, 43, 40, _");
    assert_eq!(found("(t-100ns, t]"), "1, 3, 6, 10, 10 | 1, 1, 44, 84, 84");
}
