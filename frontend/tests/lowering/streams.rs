//! Streams, windows, grids, functions.

use crate::ir;
use insta::assert_snapshot;

#[test]
fn names_and_order() {
    let source = "
output cross = (fast - slow) where fast > slow
let fast[t] = mean(stock[t-20s..t].price)
let slow[t] = mean(stock[t-50s..t].price, min_count = 50)
input stock { price: f32 } every 1s
";
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @stock {price: f32} every 1s offset 0s loc(4:7)

    def @fast {value: f32} every 1s offset 0s loc(2:5) {
      %0 = reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
        %0 = at stock.price[t] : f32 loc(2:20)
        yield %0
      } : f32 loc(2:15)
      yield %0
    }

    def @slow {value: f32} every 1s offset 0s loc(3:5) {
      %0 = reduce mean doubling 50 over every 1s offset 0s (t-50s, t] min_count 50 {
        %0 = at stock.price[t] : f32 loc(3:20)
        yield %0
      } : f32 loc(3:15)
      yield %0
    }

    def @cross {value: f32, keep: bool} every 1s offset 0s loc(1:8) {
      %0 = at fast.value[t] : f32 loc(1:17)
      %1 = at slow.value[t] : f32 loc(1:24)
      %2 = sub %0, %1 : f32 loc(1:17)
      %3 = at fast.value[t] : f32 loc(1:36)
      %4 = at slow.value[t] : f32 loc(1:43)
      %5 = gt %3, %4 : bool loc(1:36)
      yield %2, %5
    }

    output @cross = @cross {cross: value} keep keep
    "#);
}

#[test]
fn structs_shifts_and_grids() {
    let source = "
input x { v: f64, n: i32 } every 1s offset 250ms
let bars[t every 1m] = { open: first(x[t-1m..t].v), n: count(x[t-1m..t]), total: sum(x[t-1m..t].n) }
output late = bars[floor(t, 1m)-1m].open - x[t+5s].v
output bars, x
";
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @x {v: f64, n: i32} every 1s offset 250ms loc(1:7)

    def @bars {open: f64, n: i64, total: i64} every 1m offset 0s loc(2:5) {
      %0 = reduce first lanes64 over every 1s offset 250ms (t-1m, t] min_count 1 {
        %0 = at x.v[t] : f64 loc(2:38)
        yield %0
      } : f64 loc(2:32)
      %1 = reduce count lanes64 over every 1s offset 250ms (t-1m, t] min_count 0 {
        %0 = at x.v[t] : f64 loc(2:62)
        %1 = is_null %0 : bool loc(2:62)
        %2 = at x.n[t] : i32 loc(2:62)
        %3 = is_null %2 : bool loc(2:62)
        %4 = and %1, %3 : bool loc(2:62)
        %5 = null : bool loc(2:62)
        %6 = const true : bool loc(2:62)
        %7 = select %4, %5, %6 : bool loc(2:62)
        yield %7
      } : i64 loc(2:56)
      %2 = reduce sum lanes64 over every 1s offset 250ms (t-1m, t] min_count 1 {
        %0 = at x.n[t] : i32 loc(2:86)
        yield %0
      } : i64 loc(2:82)
      yield %0, %1, %2
    }

    def @late {value: f64} every 1s offset 250ms loc(3:8) {
      %0 = at bars.open[floor(t, 1m)-1m] : f64 loc(3:15)
      %1 = at x.v[t+5s] : f64 loc(3:44)
      %2 = sub %0, %1 : f64 loc(3:15)
      yield %2
    }

    def @x_output {v: f64, n: i32} every 1s offset 250ms loc(4:14) {
      %0 = at x.v[t] : f64 loc(4:14)
      %1 = at x.n[t] : i32 loc(4:14)
      yield %0, %1
    }

    output @late = @late {late: value}
    output @bars = @bars {open: open, n: n, total: total}
    output @x = @x_output {v: v, n: n}
    "#);
}

#[test]
fn rows_of_reductions_capture_the_rest() {
    let source = "
input x { v: f64, n: i64 } every 1s
let m[t] = mean(x[t-5s..t].v)
output y = sum((x[t-5s..t].v - m) * 2.0 + x.v)
output z = std(x[t-1m..t].n, ddof = 0)
output w = count(x[t-1m..t].v where x[t-1m..t].n > 3)
";
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @x {v: f64, n: i64} every 1s offset 0s loc(1:7)

    def @m {value: f64} every 1s offset 0s loc(2:5) {
      %0 = reduce mean doubling 5 over every 1s offset 0s (t-5s, t] min_count 1 {
        %0 = at x.v[t] : f64 loc(2:17)
        yield %0
      } : f64 loc(2:12)
      yield %0
    }

    def @y {value: f64} every 1s offset 0s loc(3:8) {
      %0 = at m.value[t] : f64 loc(3:32)
      %1 = at x.v[t] : f64 loc(3:43)
      %2 = reduce sum lanes64 over every 1s offset 0s (t-5s, t] min_count 1 captures (%0, %1) {
        %0 = at x.v[t] : f64 loc(3:17)
        %1 = param 0 : f64 loc(3:32)
        %2 = sub %0, %1 : f64 loc(3:17)
        %3 = const 2.0 : f64 loc(3:37)
        %4 = mul %2, %3 : f64 loc(3:16)
        %5 = param 1 : f64 loc(3:43)
        %6 = add %4, %5 : f64 loc(3:16)
        yield %6
      } : f64 loc(3:12)
      yield %2
    }

    def @z {value: f64} every 1s offset 0s loc(4:8) {
      %0 = reduce std ddof 0 doubling 60 over every 1s offset 0s (t-1m, t] min_count 1 {
        %0 = at x.n[t] : i64 loc(4:16)
        %1 = cast %0 : f64 loc(4:16)
        yield %1
      } : f64 loc(4:12)
      yield %0
    }

    def @w {value: i64} every 1s offset 0s loc(5:8) {
      %0 = reduce count doubling 60 over every 1s offset 0s (t-1m, t] min_count 0 {
        %0 = at x.n[t] : i64 loc(5:37)
        %1 = const 3 : i64 loc(5:52)
        %2 = gt %0, %1 : bool loc(5:37)
        %3 = at x.v[t] : f64 loc(5:18)
        %4 = null : f64 loc(5:18)
        %5 = select %2, %3, %4 : f64 loc(5:18)
        yield %5
      } : i64 loc(5:12)
      yield %0
    }

    output @y = @y {y: value}
    output @z = @z {z: value}
    output @w = @w {w: value}
    "#);
}

#[test]
fn functions_are_put_in() {
    let source = "
input x { v: f64 } every 1s
fn sma(s, n) = mean(s[t-n..t])
fn band(s, n, k) = { low: sma(s, n) - k * spread(s, n), high: sma(s, n) + k * spread(s, n) }
fn spread(s, n) = std(s[t-n..t])
output bollinger = band(x.v, 20s, 2)
";
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @x {v: f64} every 1s offset 0s loc(1:7)

    def @bollinger {low: f64, high: f64} every 1s offset 0s loc(5:8) {
      %0 = reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
        %0 = at x.v[t] : f64 loc(5:25)
        yield %0
      } : f64 loc(2:16)
      %1 = const 2.0 : f64 loc(5:35)
      %2 = reduce std ddof 1 doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
        %0 = at x.v[t] : f64 loc(5:25)
        yield %0
      } : f64 loc(4:19)
      %3 = mul %1, %2 : f64 loc(3:39)
      %4 = sub %0, %3 : f64 loc(3:27)
      %5 = reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
        %0 = at x.v[t] : f64 loc(5:25)
        yield %0
      } : f64 loc(2:16)
      %6 = const 2.0 : f64 loc(5:35)
      %7 = reduce std ddof 1 doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
        %0 = at x.v[t] : f64 loc(5:25)
        yield %0
      } : f64 loc(4:19)
      %8 = mul %6, %7 : f64 loc(3:75)
      %9 = add %5, %8 : f64 loc(3:63)
      yield %4, %9
    }

    output @bollinger = @bollinger {low: low, high: high}
    "#);
}
