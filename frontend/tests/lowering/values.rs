//! Types of literals, times, rows of fields.

use crate::ir;
use insta::assert_snapshot;

#[test]
fn literals_take_the_type_that_is_needed() {
    let source = "
input x { f: f32, i: i8, n: i64 } every 1s
output a = x.f * 0.1 + 1 / 3
output b = x.i + 100 - -1
output c = x.n / 2 + x.i / 4
output d = if x.n > 0 then 1 else 2.5
output e = (x.f ?? 0) + f64(x.n)
output f = x.i where x.n div 2 == 7 % 4
";
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @x {f: f32, i: i8, n: i64} every 1s offset 0s loc(1:7)

    def @a {value: f32} every 1s offset 0s loc(2:8) {
      %0 = at x.f[t] : f32 loc(2:12)
      %1 = const 0.1 : f32 loc(2:18)
      %2 = mul %0, %1 : f32 loc(2:12)
      %3 = const 1.0 : f32 loc(2:24)
      %4 = const 3.0 : f32 loc(2:28)
      %5 = div %3, %4 : f32 loc(2:24)
      %6 = add %2, %5 : f32 loc(2:12)
      yield %6
    }

    def @b {value: i8} every 1s offset 0s loc(3:8) {
      %0 = at x.i[t] : i8 loc(3:12)
      %1 = const 100 : i8 loc(3:18)
      %2 = add %0, %1 : i8 loc(3:12)
      %3 = const -1 : i8 loc(3:24)
      %4 = sub %2, %3 : i8 loc(3:12)
      yield %4
    }

    def @c {value: f64} every 1s offset 0s loc(4:8) {
      %0 = at x.n[t] : i64 loc(4:12)
      %1 = const 2 : i64 loc(4:18)
      %2 = div %0, %1 : f64 loc(4:12)
      %3 = at x.i[t] : i8 loc(4:22)
      %4 = const 4 : i8 loc(4:28)
      %5 = div %3, %4 : f64 loc(4:22)
      %6 = add %2, %5 : f64 loc(4:12)
      yield %6
    }

    def @d {value: f64} every 1s offset 0s loc(5:8) {
      %0 = at x.n[t] : i64 loc(5:15)
      %1 = const 0 : i64 loc(5:21)
      %2 = gt %0, %1 : bool loc(5:15)
      %3 = const 1.0 : f64 loc(5:28)
      %4 = const 2.5 : f64 loc(5:35)
      %5 = select %2, %3, %4 : f64 loc(5:12)
      yield %5
    }

    def @e {value: f64} every 1s offset 0s loc(6:8) {
      %0 = at x.f[t] : f32 loc(6:13)
      %1 = const 0.0 : f32 loc(6:20)
      %2 = coalesce %0, %1 : f32 loc(6:13)
      %3 = cast %2 : f64 loc(6:13)
      %4 = at x.n[t] : i64 loc(6:29)
      %5 = cast %4 : f64 loc(6:25)
      %6 = add %3, %5 : f64 loc(6:12)
      yield %6
    }

    def @f {value: i8, keep: bool} every 1s offset 0s loc(7:8) {
      %0 = at x.i[t] : i8 loc(7:12)
      %1 = at x.n[t] : i64 loc(7:22)
      %2 = const 2 : i64 loc(7:30)
      %3 = floordiv %1, %2 : i64 loc(7:22)
      %4 = const 7 : i64 loc(7:35)
      %5 = const 4 : i64 loc(7:39)
      %6 = mod %4, %5 : i64 loc(7:35)
      %7 = eq %3, %6 : bool loc(7:22)
      yield %0, %7
    }

    output @a = @a {a: value}
    output @b = @b {b: value}
    output @c = @c {c: value}
    output @d = @d {d: value}
    output @e = @e {e: value}
    output @f = @f {f: value} keep keep
    "#);
}

#[test]
fn time_arithmetic() {
    let source = "
input q { v: f64 } every 4s
let r[t every 5s] = q[floor(t, 4s)].v + (q[ceil(t, 4s)].v - q[floor(t, 4s)].v) * ((t - floor(t, 4s)) / 4s)
output r
output day = floor(t - 6h, 1d) + 6h where q.v is not null
let n[t every 1d] = { a: 2 * (t - @2024-01-01), b: (t - @2024-01-01) div 1d }
output n
";
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @q {v: f64} every 4s offset 0s loc(1:7)

    def @r {value: f64} every 5s offset 0s loc(2:5) {
      %0 = at q.v[floor(t, 4s)] : f64 loc(2:21)
      %1 = at q.v[ceil(t, 4s)] : f64 loc(2:42)
      %2 = at q.v[floor(t, 4s)] : f64 loc(2:61)
      %3 = sub %1, %2 : f64 loc(2:42)
      %4 = time t : time loc(2:84)
      %5 = time floor(t, 4s) : time loc(2:88)
      %6 = sub %4, %5 : duration loc(2:84)
      %7 = const 4s : duration loc(2:104)
      %8 = div %6, %7 : f64 loc(2:83)
      %9 = mul %3, %8 : f64 loc(2:41)
      %10 = add %0, %9 : f64 loc(2:21)
      yield %10
    }

    def @n {a: duration, b: i64} every 1d offset 0s loc(5:5) {
      %0 = time t : time loc(5:31)
      %1 = const 19723d : time loc(5:35)
      %2 = sub %0, %1 : duration loc(5:31)
      %3 = const 2 : i64 loc(5:26)
      %4 = mul %2, %3 : duration loc(5:26)
      %5 = time t : time loc(5:53)
      %6 = const 19723d : time loc(5:57)
      %7 = sub %5, %6 : duration loc(5:53)
      %8 = const 1d : duration loc(5:74)
      %9 = floordiv %7, %8 : i64 loc(5:52)
      yield %4, %9
    }

    def @day {value: time, keep: bool} every 4s offset 0s loc(4:8) {
      %0 = time t : time loc(4:20)
      %1 = const 6h : duration loc(4:24)
      %2 = sub %0, %1 : time loc(4:20)
      %3 = time t : time loc(4:20)
      %4 = const 6h : duration loc(4:24)
      %5 = sub %3, %4 : time loc(4:20)
      %6 = const 0s : time loc(4:14)
      %7 = sub %5, %6 : duration loc(4:14)
      %8 = const 1d : duration loc(4:14)
      %9 = mod %7, %8 : duration loc(4:14)
      %10 = sub %2, %9 : time loc(4:14)
      %11 = const 6h : duration loc(4:34)
      %12 = add %10, %11 : time loc(4:14)
      %13 = at q.v[t] : f64 loc(4:43)
      %14 = is_null %13 : bool loc(4:43)
      %15 = not %14 : bool loc(4:43)
      yield %12, %15
    }

    output @r = @r {r: value}
    output @day = @day {day: value} keep keep
    output @n = @n {a: a, b: b}
    "#);
}

#[test]
fn structs_as_values() {
    let source = "
input x { v: f64, n: i64 } every 1s
output kept = x where x.v > 0.0
output filled = x[t] ?? x[t-1s]
output missing = x is null
";
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @x {v: f64, n: i64} every 1s offset 0s loc(1:7)

    def @kept {v: f64, n: i64, keep: bool} every 1s offset 0s loc(2:8) {
      %0 = at x.v[t] : f64 loc(2:15)
      %1 = at x.n[t] : i64 loc(2:15)
      %2 = at x.v[t] : f64 loc(2:23)
      %3 = const 0.0 : f64 loc(2:29)
      %4 = gt %2, %3 : bool loc(2:23)
      yield %0, %1, %4
    }

    def @filled {v: f64, n: i64} every 1s offset 0s loc(3:8) {
      %0 = at x.v[t] : f64 loc(3:17)
      %1 = is_null %0 : bool loc(3:17)
      %2 = at x.n[t] : i64 loc(3:17)
      %3 = is_null %2 : bool loc(3:17)
      %4 = and %1, %3 : bool loc(3:17)
      %5 = at x.v[t-1s] : f64 loc(3:25)
      %6 = at x.v[t] : f64 loc(3:17)
      %7 = select %4, %5, %6 : f64 loc(3:17)
      %8 = at x.v[t] : f64 loc(3:17)
      %9 = is_null %8 : bool loc(3:17)
      %10 = at x.n[t] : i64 loc(3:17)
      %11 = is_null %10 : bool loc(3:17)
      %12 = and %9, %11 : bool loc(3:17)
      %13 = at x.n[t-1s] : i64 loc(3:25)
      %14 = at x.n[t] : i64 loc(3:17)
      %15 = select %12, %13, %14 : i64 loc(3:17)
      yield %7, %15
    }

    def @missing {value: bool} every 1s offset 0s loc(4:8) {
      %0 = at x.v[t] : f64 loc(4:18)
      %1 = is_null %0 : bool loc(4:18)
      %2 = at x.n[t] : i64 loc(4:18)
      %3 = is_null %2 : bool loc(4:18)
      %4 = and %1, %3 : bool loc(4:18)
      yield %4
    }

    output @kept = @kept {v: v, n: n} keep keep
    output @filled = @filled {v: v, n: n}
    output @missing = @missing {missing: value}
    "#);
}
