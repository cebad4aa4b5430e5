//! Events, keys, rows that are counted, recursion.

use crate::ir;
use insta::assert_snapshot;

#[test]
fn kinds_of_inputs() {
    let source = r#"
input a { v: f64 }
input b { v: f64 } by symbol hold
input c { v: f64 } by symbol hold for 5s
input d { v: symbol } from start to end
input e { v: f64 } by symbol every 1m offset -1s
input f { v: f64 } hold by symbol
output a, b, c, d, e, f
"#;
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    keys {symbol: symbol}

    input @a {v: f64} events point loc(1:7)
    input @b {v: f64} keyed events hold loc(2:7)
    input @c {v: f64} keyed events hold 5s loc(3:7)
    input @d {v: symbol} events until columns @start, @end loc(4:7)
    input @e {v: f64} keyed every 1m offset 59s loc(5:7)
    input @f {v: f64} keyed events hold loc(6:7)

    def @a_output {v: f64} on a loc(7:8) {
      %0 = at a.v[row] : f64 loc(7:8)
      yield %0
    }

    def @b_output {v: f64} keyed on b loc(7:11) {
      %0 = at b.v[row] : f64 loc(7:11)
      yield %0
    }

    def @c_output {v: f64} keyed on c loc(7:14) {
      %0 = at c.v[row] : f64 loc(7:14)
      yield %0
    }

    def @d_output {v: symbol} on d loc(7:17) {
      %0 = at d.v[row] : symbol loc(7:17)
      yield %0
    }

    def @e_output {v: f64} keyed every 1m offset 59s loc(7:20) {
      %0 = at e.v[t] : f64 loc(7:20)
      yield %0
    }

    def @f_output {v: f64} keyed on f loc(7:23) {
      %0 = at f.v[row] : f64 loc(7:23)
      yield %0
    }

    output @a = @a_output {v: v}
    output @b = @b_output {v: v}
    output @c = @c_output {v: v}
    output @d = @d_output {v: v}
    output @e = @e_output {v: v}
    output @f = @f_output {v: v}
    "#);
}

#[test]
fn rows_of_the_clock_and_values_at_t() {
    let source = r#"
input trades { price: f64 } by symbol
input quotes { bid: f64, ask: f64 } by symbol hold
input rate { v: f64 } every 1d
let spread[t on trades] = trades.price - (quotes.bid + quotes.ask) / 2 + rate
let twice[t on spread] = spread[prev] + trades[prev 2].price + trades[t].price
let both[t on trades | quotes] = trades.price ?? quotes.bid
let after[t on both] = both - both[prev] + spread
output twice, after
"#
    .replace("+ rate", "+ rate.v");
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    keys {symbol: symbol}

    input @trades {price: f64} keyed events point loc(1:7)
    input @quotes {bid: f64, ask: f64} keyed events hold loc(2:7)
    input @rate {v: f64} every 1d offset 0s loc(3:7)

    def @spread {value: f64} keyed on trades loc(4:5) {
      %0 = at trades.price[row] : f64 loc(4:27)
      %1 = at quotes.bid[t] : f64 loc(4:43)
      %2 = at quotes.ask[t] : f64 loc(4:56)
      %3 = add %1, %2 : f64 loc(4:43)
      %4 = const 2.0 : f64 loc(4:70)
      %5 = div %3, %4 : f64 loc(4:42)
      %6 = sub %0, %5 : f64 loc(4:27)
      %7 = at rate.v[t] : f64 loc(4:74)
      %8 = add %6, %7 : f64 loc(4:27)
      yield %8
    }

    def @twice {value: f64} keyed on trades loc(5:5) {
      %0 = at spread.value[row-1] : f64 loc(5:26)
      %1 = at trades.price[row-2] : f64 loc(5:41)
      %2 = add %0, %1 : f64 loc(5:26)
      %3 = at trades.price[t] : f64 loc(5:64)
      %4 = add %2, %3 : f64 loc(5:26)
      yield %4
    }

    def @both {value: f64} keyed on trades, quotes loc(6:5) {
      %0 = at trades.price[row] : f64 loc(6:34)
      %1 = at quotes.bid[row] : f64 loc(6:50)
      %2 = coalesce %0, %1 : f64 loc(6:34)
      yield %2
    }

    def @after {value: f64} keyed on trades, quotes loc(7:5) {
      %0 = at both.value[row] : f64 loc(7:24)
      %1 = at both.value[row-1] : f64 loc(7:31)
      %2 = sub %0, %1 : f64 loc(7:24)
      %3 = at spread.value[t] : f64 loc(7:44)
      %4 = add %2, %3 : f64 loc(7:24)
      yield %4
    }

    output @twice = @twice {twice: value}
    output @after = @after {after: value}
    "#);
}

#[test]
fn windows_and_last_rows() {
    let source = r#"
input x { v: f64, w: f32 }
input g { v: f64 } every 2s
let own[t on x] = mean(x[last 20].v) + sum(x[t-1m..t].v) + max(g[last 3].v)
let bars[t every 1m] = { total: sum(x[t-1m..t].v), last: mean(x[last 5].v), mine: last(own[t-1h..t]) }
let grid[t] = g[prev 3].v + mean(g[last 5].v)
let other[t every 1s] = mean(g[last 5].v)
output own, bars, grid, other
"#;
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @x {v: f64, w: f32} events point loc(1:7)
    input @g {v: f64} every 2s offset 0s loc(2:7)

    def @own {value: f64} on x loc(3:5) {
      %0 = reduce mean doubling 20 over on x last 20 min_count 1 {
        %0 = at x.v[row] : f64 loc(3:24)
        yield %0
      } : f64 loc(3:19)
      %1 = reduce sum time_blocks 1m origin 0s over on x (t-1m, t] min_count 1 {
        %0 = at x.v[row] : f64 loc(3:44)
        yield %0
      } : f64 loc(3:40)
      %2 = add %0, %1 : f64 loc(3:19)
      %3 = reduce max doubling 3 over every 2s offset 0s last 3 min_count 1 {
        %0 = at g.v[t] : f64 loc(3:64)
        yield %0
      } : f64 loc(3:60)
      %4 = add %2, %3 : f64 loc(3:19)
      yield %4
    }

    def @bars {total: f64, last: f64, mine: f64} every 1m offset 0s loc(4:5) {
      %0 = reduce sum lanes64 over on x (t-1m, t] min_count 1 {
        %0 = at x.v[row] : f64 loc(4:37)
        yield %0
      } : f64 loc(4:33)
      %1 = reduce mean doubling 5 over on x last 5 min_count 1 {
        %0 = at x.v[row] : f64 loc(4:63)
        yield %0
      } : f64 loc(4:58)
      %2 = reduce last time_blocks 1h origin 0s over on x (t-1h, t] min_count 1 {
        %0 = at own.value[row] : f64 loc(4:88)
        yield %0
      } : f64 loc(4:83)
      yield %0, %1, %2
    }

    def @grid {value: f64} every 2s offset 0s loc(5:5) {
      %0 = at g.v[t-6s] : f64 loc(5:15)
      %1 = reduce mean doubling 5 over every 2s offset 0s (t-10s, t] min_count 1 {
        %0 = at g.v[t] : f64 loc(5:34)
        yield %0
      } : f64 loc(5:29)
      %2 = add %0, %1 : f64 loc(5:15)
      yield %2
    }

    def @other {value: f64} every 1s offset 0s loc(6:5) {
      %0 = reduce mean doubling 5 over every 2s offset 0s last 5 min_count 1 {
        %0 = at g.v[t] : f64 loc(6:30)
        yield %0
      } : f64 loc(6:25)
      yield %0
    }

    output @own = @own {own: value}
    output @bars = @bars {total: total, last: last, mine: mine}
    output @grid = @grid {grid: value}
    output @other = @other {other: value}
    "#);
}

#[test]
fn continuous_definitions() {
    let source = r#"
input x { v: f64 }
input q { bid: f64, n: i32 } hold
let mid[t] = q.bid + f64(count(x[t-5s..t]))
let hourly[t every 1h] = { mean: duration_mean(mid[t-1h..t]), area: integral(q[t-1h..t].n * 2) }
output mid, hourly
output day = mid[floor(t, 1d)]
"#;
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @x {v: f64} events point loc(1:7)
    input @q {bid: f64, n: i32} events hold loc(2:7)

    def @mid {value: f64} continuous loc(3:5) {
      %0 = at q.bid[t] : f64 loc(3:14)
      %1 = reduce count time_blocks 5s origin 0s over on x (t-5s, t] min_count 0 {
        %0 = at x.v[row] : f64 loc(3:32)
        %1 = is_null %0 : bool loc(3:32)
        %2 = null : bool loc(3:32)
        %3 = const true : bool loc(3:32)
        %4 = select %1, %2, %3 : bool loc(3:32)
        yield %4
      } : i64 loc(3:26)
      %2 = cast %1 : f64 loc(3:22)
      %3 = add %0, %2 : f64 loc(3:14)
      yield %3
    }

    def @hourly {mean: f64, area: f64} every 1h offset 0s loc(4:5) {
      %0 = reduce duration_mean lanes64 over continuous (t-1h, t] min_count 1 {
        %0 = at mid.value[t] : f64 loc(4:48)
        yield %0
      } : f64 loc(4:34)
      %1 = reduce integral lanes64 over continuous (t-1h, t] min_count 1 {
        %0 = at q.n[t] : i32 loc(4:78)
        %1 = const 2 : i32 loc(4:93)
        %2 = mul %0, %1 : i32 loc(4:78)
        %3 = cast %2 : f64 loc(4:78)
        yield %3
      } : f64 loc(4:69)
      yield %0, %1
    }

    def @day {value: f64} continuous loc(6:8) {
      %0 = at mid.value[floor(t, 1d)] : f64 loc(6:14)
      yield %0
    }

    output @mid = @mid {mid: value}
    output @hourly = @hourly {mean: mean, area: area}
    output @day = @day {day: value}
    "#);
}

#[test]
fn recursion_finds_its_type() {
    let source = r#"
input s { price: f32, n: i64 } every 1s
input x { v: f64 } by shop: i64
let lp[t] init 0.0 = 2.0 * lp[t-1s] - lp[t-2s] + s.price
let count[t on x] init 0 = count[prev] + 1
let run[t on x] init { sum: 0, top: null } = { sum: run[prev].sum + x.v, top: max(run[prev 2].top ?? x.v, x.v) }
let up[t] init false = s.n > s[prev].n and not up[prev]
let wide[t] init -1 = if wide[prev] > 5 then s.n else 1 + wide[prev]
output lp, count, run, up, wide
"#;
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    keys {shop: i64}

    input @s {price: f32, n: i64} every 1s offset 0s loc(1:7)
    input @x {v: f64} keyed events point loc(2:7)

    def @lp {value: f32} every 1s offset 0s init (0.0) loc(3:5) {
      %0 = const 2.0 : f32 loc(3:22)
      %1 = at lp.value[t-1s] : f32 loc(3:28)
      %2 = mul %0, %1 : f32 loc(3:22)
      %3 = at lp.value[t-2s] : f32 loc(3:39)
      %4 = sub %2, %3 : f32 loc(3:22)
      %5 = at s.price[t] : f32 loc(3:50)
      %6 = add %4, %5 : f32 loc(3:22)
      yield %6
    }

    def @count {value: i64} keyed on x init (0) loc(4:5) {
      %0 = at count.value[row-1] : i64 loc(4:28)
      %1 = const 1 : i64 loc(4:42)
      %2 = add %0, %1 : i64 loc(4:28)
      yield %2
    }

    def @run {sum: f64, top: f64} keyed on x init (0.0, null) loc(5:5) {
      %0 = at run.sum[row-1] : f64 loc(5:53)
      %1 = at x.v[row] : f64 loc(5:69)
      %2 = add %0, %1 : f64 loc(5:53)
      %3 = at run.top[row-2] : f64 loc(5:83)
      %4 = at x.v[row] : f64 loc(5:102)
      %5 = coalesce %3, %4 : f64 loc(5:83)
      %6 = at x.v[row] : f64 loc(5:107)
      %7 = max %5, %6 : f64 loc(5:79)
      yield %2, %7
    }

    def @up {value: bool} every 1s offset 0s init (false) loc(6:5) {
      %0 = at s.n[t] : i64 loc(6:24)
      %1 = at s.n[t-1s] : i64 loc(6:30)
      %2 = gt %0, %1 : bool loc(6:24)
      %3 = at up.value[t-1s] : bool loc(6:48)
      %4 = not %3 : bool loc(6:44)
      %5 = and %2, %4 : bool loc(6:24)
      yield %5
    }

    def @wide {value: i64} every 1s offset 0s init (-1) loc(7:5) {
      %0 = at wide.value[t-1s] : i64 loc(7:26)
      %1 = const 5 : i64 loc(7:39)
      %2 = gt %0, %1 : bool loc(7:26)
      %3 = at s.n[t] : i64 loc(7:46)
      %4 = const 1 : i64 loc(7:55)
      %5 = at wide.value[t-1s] : i64 loc(7:59)
      %6 = add %4, %5 : i64 loc(7:55)
      %7 = select %2, %3, %6 : i64 loc(7:23)
      yield %7
    }

    output @lp = @lp {lp: value}
    output @count = @count {count: value}
    output @run = @run {sum: sum, top: top}
    output @up = @up {up: value}
    output @wide = @wide {wide: value}
    "#);
}

#[test]
fn symbols_and_keys() {
    let source = r#"
input x { venue: symbol, v: f64 } by symbol, shop: i64
let apple[t on x] = x.symbol == "AAPL" and x.venue != "XNAS" and x.shop > 3 or x.venue == "AAPL"
let venues[t every 1h] = { n: count_distinct(x[t-1h..t].venue), most: mode(x[t-1h..t].venue), key: apple.symbol }
let plain[t on x] = if x.venue == "a \"b\"" then x.venue ?? "none" else x[prev].symbol
output apple, venues, plain
"#;
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    keys {symbol: symbol, shop: i64}
    symbols {"AAPL", "XNAS", "a \"b\"", "none"}

    input @x {venue: symbol, v: f64} keyed events point loc(1:7)

    def @apple {value: bool} keyed on x loc(2:5) {
      %0 = key 0 : symbol loc(2:21)
      %1 = const 0 : symbol loc(2:33)
      %2 = eq %0, %1 : bool loc(2:21)
      %3 = at x.venue[row] : symbol loc(2:44)
      %4 = const 1 : symbol loc(2:55)
      %5 = ne %3, %4 : bool loc(2:44)
      %6 = and %2, %5 : bool loc(2:21)
      %7 = key 1 : i64 loc(2:66)
      %8 = const 3 : i64 loc(2:75)
      %9 = gt %7, %8 : bool loc(2:66)
      %10 = and %6, %9 : bool loc(2:21)
      %11 = at x.venue[row] : symbol loc(2:80)
      %12 = const 0 : symbol loc(2:91)
      %13 = eq %11, %12 : bool loc(2:80)
      %14 = or %10, %13 : bool loc(2:21)
      yield %14
    }

    def @venues {n: i64, most: symbol, key: symbol} keyed every 1h offset 0s loc(3:5) {
      %0 = reduce count_distinct lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.venue[row] : symbol loc(3:46)
        yield %0
      } : i64 loc(3:31)
      %1 = reduce mode lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.venue[row] : symbol loc(3:76)
        yield %0
      } : symbol loc(3:71)
      %2 = key 0 : symbol loc(3:100)
      yield %0, %1, %2
    }

    def @plain {value: symbol} keyed on x loc(4:5) {
      %0 = at x.venue[row] : symbol loc(4:24)
      %1 = const 2 : symbol loc(4:35)
      %2 = eq %0, %1 : bool loc(4:24)
      %3 = at x.venue[row] : symbol loc(4:50)
      %4 = const 3 : symbol loc(4:61)
      %5 = coalesce %3, %4 : symbol loc(4:50)
      %6 = key 0 : symbol loc(4:73)
      %7 = select %2, %5, %6 : symbol loc(4:21)
      yield %7
    }

    output @apple = @apple {apple: value}
    output @venues = @venues {n: n, most: most, key: key}
    output @plain = @plain {plain: value}
    "#);
}

#[test]
fn reducers() {
    let source = r#"
input x { v: f64, w: f32, n: i64, at: time, s: symbol }
let r[t every 1h] = {
    skew: skew(x[t-1h..t].n), kurtosis: kurtosis(x[t-1h..t].w), low: argmin(x[t-1h..t].v), high: argmax(x[t-1h..t].at),
    distinct: count_distinct(x[t-1h..t].s), mode: mode(x[t-1h..t].n), median: median(x[t-1h..t].n),
    q: quantile(x[t-1h..t].w, 1 - 0.25, min_count = 3), w: wmean(x[t-1h..t].v, x[t-1h..t].n),
    cov: cov(x[t-1h..t].w, x[t-1h..t].w * 2, ddof = 0), corr: corr(x[t-1h..t].w, x[t-1h..t].v),
}
output r
"#;
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @x {v: f64, w: f32, n: i64, at: time, s: symbol} events point loc(1:7)

    def @r {skew: f64, kurtosis: f32, low: time, high: time, distinct: i64, mode: i64, median: f64, q: f32, w: f64, cov: f32, corr: f64} every 1h offset 0s loc(2:5) {
      %0 = reduce skew lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.n[row] : i64 loc(3:16)
        %1 = cast %0 : f64 loc(3:16)
        yield %1
      } : f64 loc(3:11)
      %1 = reduce kurtosis lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.w[row] : f32 loc(3:50)
        yield %0
      } : f32 loc(3:41)
      %2 = reduce argmin lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.v[row] : f64 loc(3:77)
        yield %0
      } : time loc(3:70)
      %3 = reduce argmax lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.at[row] : time loc(3:105)
        yield %0
      } : time loc(3:98)
      %4 = reduce count_distinct lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.s[row] : symbol loc(4:30)
        yield %0
      } : i64 loc(4:15)
      %5 = reduce mode lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.n[row] : i64 loc(4:56)
        yield %0
      } : i64 loc(4:51)
      %6 = reduce quantile 0.5 lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.n[row] : i64 loc(4:86)
        %1 = cast %0 : f64 loc(4:86)
        yield %1
      } : f64 loc(4:79)
      %7 = reduce quantile 0.75 lanes64 over on x (t-1h, t] min_count 3 {
        %0 = at x.w[row] : f32 loc(5:17)
        yield %0
      } : f32 loc(5:8)
      %8 = reduce wmean lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.v[row] : f64 loc(5:66)
        %1 = at x.n[row] : i64 loc(5:80)
        %2 = cast %1 : f64 loc(5:80)
        yield %0, %2
      } : f64 loc(5:60)
      %9 = reduce cov ddof 0 lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.w[row] : f32 loc(6:14)
        %1 = at x.w[row] : f32 loc(6:28)
        %2 = const 2.0 : f32 loc(6:43)
        %3 = mul %1, %2 : f32 loc(6:28)
        yield %0, %3
      } : f32 loc(6:10)
      %10 = reduce corr lanes64 over on x (t-1h, t] min_count 1 {
        %0 = at x.w[row] : f32 loc(6:68)
        %1 = cast %0 : f64 loc(6:68)
        %2 = at x.v[row] : f64 loc(6:82)
        yield %1, %2
      } : f64 loc(6:63)
      yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
    }

    output @r = @r {skew: skew, kurtosis: kurtosis, low: low, high: high, distinct: distinct, mode: mode, median: median, q: q, w: w, cov: cov, corr: corr}
    "#);
}

#[test]
fn clocks_of_outputs() {
    let source = r#"
input x { v: f64 }
input q { bid: f64 } hold
output big = x.v where x.v > 100
output asof = x.v - q.bid
output top[t on q] = q.bid
output each[t every 1s] = x.v where q.bid > 1
output free = q.bid * 2
output any[t] = x.v
"#;
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @x {v: f64} events point loc(1:7)
    input @q {bid: f64} events hold loc(2:7)

    def @big {value: f64, keep: bool} on x loc(3:8) {
      %0 = at x.v[row] : f64 loc(3:14)
      %1 = at x.v[row] : f64 loc(3:24)
      %2 = const 100.0 : f64 loc(3:30)
      %3 = gt %1, %2 : bool loc(3:24)
      yield %0, %3
    }

    def @asof {value: f64} on x loc(4:8) {
      %0 = at x.v[row] : f64 loc(4:15)
      %1 = at q.bid[t] : f64 loc(4:21)
      %2 = sub %0, %1 : f64 loc(4:15)
      yield %2
    }

    def @top {value: f64} on q loc(5:8) {
      %0 = at q.bid[row] : f64 loc(5:22)
      yield %0
    }

    def @each {value: f64, keep: bool} every 1s offset 0s loc(6:8) {
      %0 = at x.v[t] : f64 loc(6:27)
      %1 = at q.bid[t] : f64 loc(6:37)
      %2 = const 1.0 : f64 loc(6:45)
      %3 = gt %1, %2 : bool loc(6:37)
      yield %0, %3
    }

    def @free {value: f64} continuous loc(7:8) {
      %0 = at q.bid[t] : f64 loc(7:15)
      %1 = const 2.0 : f64 loc(7:23)
      %2 = mul %0, %1 : f64 loc(7:15)
      yield %2
    }

    def @any {value: f64} continuous loc(8:8) {
      %0 = at x.v[t] : f64 loc(8:17)
      yield %0
    }

    output @big = @big {big: value} keep keep
    output @asof = @asof {asof: value}
    output @top = @top {top: value}
    output @each = @each {each: value} keep keep
    output @free = @free {free: value}
    output @any = @any {any: value}
    "#);
}

#[test]
fn functions_over_events() {
    let source = r#"
input x { v: f64, w: f64 } by symbol
input q { bid: f64 } by symbol hold
fn sma(s, n) = mean(s[last n])
fn ema(s, a) init null = a * s + (1 - a) * (ema[prev] ?? s)
fn change(s) = s - s[prev]
let a[t on x] = sma(x.v, 5) + sma(x.v * x.w, 2 * 5) + change(x.v - q.bid)
let b[t on x] = ema(x.v, 0.5) - ema(ema(x.v, 0.1), 0.2)
let c[t every 1m] = ema(q.bid, 0.5)
output a, b, c
"#;
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    keys {symbol: symbol}

    input @x {v: f64, w: f64} keyed events point loc(1:7)
    input @q {bid: f64} keyed events hold loc(2:7)

    def @a_s {value: f64} keyed on x loc(6:35) {
      %0 = at x.v[row] : f64 loc(6:35)
      %1 = at x.w[row] : f64 loc(6:41)
      %2 = mul %0, %1 : f64 loc(6:35)
      yield %2
    }

    def @a_s_2 {value: f64} keyed on x loc(6:62) {
      %0 = at x.v[row] : f64 loc(6:62)
      %1 = at q.bid[t] : f64 loc(6:68)
      %2 = sub %0, %1 : f64 loc(6:62)
      yield %2
    }

    def @a {value: f64} keyed on x loc(6:5) {
      %0 = reduce mean doubling 5 over on x last 5 min_count 1 {
        %0 = at x.v[row] : f64 loc(6:21)
        yield %0
      } : f64 loc(3:16)
      %1 = reduce mean doubling 10 over on x last 10 min_count 1 {
        %0 = at a_s.value[row] : f64 loc(3:21)
        yield %0
      } : f64 loc(3:16)
      %2 = add %0, %1 : f64 loc(6:17)
      %3 = at x.v[row] : f64 loc(6:62)
      %4 = at q.bid[t] : f64 loc(6:68)
      %5 = sub %3, %4 : f64 loc(6:62)
      %6 = at a_s_2.value[row-1] : f64 loc(5:20)
      %7 = sub %5, %6 : f64 loc(5:16)
      %8 = add %2, %7 : f64 loc(6:17)
      yield %8
    }

    def @b_ema {value: f64} keyed on x init (null) loc(7:17) {
      %0 = const 0.5 : f64 loc(7:26)
      %1 = at x.v[row] : f64 loc(7:21)
      %2 = mul %0, %1 : f64 loc(4:26)
      %3 = const 1.0 : f64 loc(4:35)
      %4 = const 0.5 : f64 loc(7:26)
      %5 = sub %3, %4 : f64 loc(4:35)
      %6 = at b_ema.value[row-1] : f64 loc(4:45)
      %7 = at x.v[row] : f64 loc(7:21)
      %8 = coalesce %6, %7 : f64 loc(4:45)
      %9 = mul %5, %8 : f64 loc(4:34)
      %10 = add %2, %9 : f64 loc(4:26)
      yield %10
    }

    def @b_ema_2 {value: f64} keyed on x init (null) loc(7:37) {
      %0 = const 0.1 : f64 loc(7:46)
      %1 = at x.v[row] : f64 loc(7:41)
      %2 = mul %0, %1 : f64 loc(4:26)
      %3 = const 1.0 : f64 loc(4:35)
      %4 = const 0.1 : f64 loc(7:46)
      %5 = sub %3, %4 : f64 loc(4:35)
      %6 = at b_ema_2.value[row-1] : f64 loc(4:45)
      %7 = at x.v[row] : f64 loc(7:41)
      %8 = coalesce %6, %7 : f64 loc(4:45)
      %9 = mul %5, %8 : f64 loc(4:34)
      %10 = add %2, %9 : f64 loc(4:26)
      yield %10
    }

    def @b_ema_3 {value: f64} keyed on x init (null) loc(7:33) {
      %0 = const 0.2 : f64 loc(7:52)
      %1 = at b_ema_2.value[row] : f64 loc(7:37)
      %2 = mul %0, %1 : f64 loc(4:26)
      %3 = const 1.0 : f64 loc(4:35)
      %4 = const 0.2 : f64 loc(7:52)
      %5 = sub %3, %4 : f64 loc(4:35)
      %6 = at b_ema_3.value[row-1] : f64 loc(4:45)
      %7 = at b_ema_2.value[row] : f64 loc(7:37)
      %8 = coalesce %6, %7 : f64 loc(4:45)
      %9 = mul %5, %8 : f64 loc(4:34)
      %10 = add %2, %9 : f64 loc(4:26)
      yield %10
    }

    def @b {value: f64} keyed on x loc(7:5) {
      %0 = at b_ema.value[row] : f64 loc(7:17)
      %1 = at b_ema_3.value[row] : f64 loc(7:33)
      %2 = sub %0, %1 : f64 loc(7:17)
      yield %2
    }

    def @c_ema {value: f64} keyed on q init (null) loc(8:21) {
      %0 = const 0.5 : f64 loc(8:32)
      %1 = at q.bid[row] : f64 loc(8:25)
      %2 = mul %0, %1 : f64 loc(4:26)
      %3 = const 1.0 : f64 loc(4:35)
      %4 = const 0.5 : f64 loc(8:32)
      %5 = sub %3, %4 : f64 loc(4:35)
      %6 = at c_ema.value[row-1] : f64 loc(4:45)
      %7 = at q.bid[row] : f64 loc(8:25)
      %8 = coalesce %6, %7 : f64 loc(4:45)
      %9 = mul %5, %8 : f64 loc(4:34)
      %10 = add %2, %9 : f64 loc(4:26)
      yield %10
    }

    def @c {value: f64} keyed every 1m offset 0s loc(8:5) {
      %0 = reduce last lanes64 over on q last 1 min_count 1 {
        %0 = at c_ema.value[row] : f64 loc(8:21)
        yield %0
      } : f64 loc(8:21)
      yield %0
    }

    output @a = @a {a: value}
    output @b = @b {b: value}
    output @c = @c {c: value}
    "#);
}

#[test]
fn calls_hold_and_arguments_are_seen_at_times() {
    let source = r#"
input q { bid: f64 } hold
input x { v: f64 }
fn total(s) init 0.0 = total[prev] + s
fn momentum(s, n) = s - s[prev n]
fn average(s, n) = duration_mean(s[last n])
let a[t every 1m] = total(q.bid) + average(q.bid * 2, 1m)
let b[t on x] = momentum(q.bid * 2, 5s) + momentum(x.v * 2, 5)
output c = x.v - total(q.bid)
output d = total(q.bid)
output a, b
"#;
    assert_snapshot!(ir(source.trim_start()), @r#"
    source "q.tilt"

    input @q {bid: f64} events hold loc(1:7)
    input @x {v: f64} events point loc(2:7)

    def @a_total {value: f64} on q init (0.0) loc(6:21) {
      %0 = at a_total.value[row-1] : f64 loc(3:24)
      %1 = at q.bid[row] : f64 loc(6:27)
      %2 = add %0, %1 : f64 loc(3:24)
      yield %2
    }

    def @a_s {value: f64} continuous loc(6:44) {
      %0 = at q.bid[t] : f64 loc(6:44)
      %1 = const 2.0 : f64 loc(6:52)
      %2 = mul %0, %1 : f64 loc(6:44)
      yield %2
    }

    def @a {value: f64} every 1m offset 0s loc(6:5) {
      %0 = reduce last lanes64 over on q last 1 min_count 1 {
        %0 = at a_total.value[row] : f64 loc(6:21)
        yield %0
      } : f64 loc(6:21)
      %1 = reduce duration_mean lanes64 over continuous (t-1m, t] min_count 1 {
        %0 = at a_s.value[t] : f64 loc(5:34)
        yield %0
      } : f64 loc(5:20)
      %2 = add %0, %1 : f64 loc(6:21)
      yield %2
    }

    def @b_s {value: f64} continuous loc(7:26) {
      %0 = at q.bid[t] : f64 loc(7:26)
      %1 = const 2.0 : f64 loc(7:34)
      %2 = mul %0, %1 : f64 loc(7:26)
      yield %2
    }

    def @b_s_2 {value: f64} on x loc(7:52) {
      %0 = at x.v[row] : f64 loc(7:52)
      %1 = const 2.0 : f64 loc(7:58)
      %2 = mul %0, %1 : f64 loc(7:52)
      yield %2
    }

    def @b {value: f64} on x loc(7:5) {
      %0 = at q.bid[t] : f64 loc(7:26)
      %1 = const 2.0 : f64 loc(7:34)
      %2 = mul %0, %1 : f64 loc(7:26)
      %3 = at b_s.value[t-5s] : f64 loc(4:25)
      %4 = sub %2, %3 : f64 loc(4:21)
      %5 = at x.v[row] : f64 loc(7:52)
      %6 = const 2.0 : f64 loc(7:58)
      %7 = mul %5, %6 : f64 loc(7:52)
      %8 = at b_s_2.value[row-5] : f64 loc(4:25)
      %9 = sub %7, %8 : f64 loc(4:21)
      %10 = add %4, %9 : f64 loc(7:17)
      yield %10
    }

    def @c {value: f64} on x loc(8:8) {
      %0 = at x.v[row] : f64 loc(8:12)
      %1 = reduce last lanes64 over on q last 1 min_count 1 {
        %0 = at a_total.value[row] : f64 loc(8:18)
        yield %0
      } : f64 loc(8:18)
      %2 = sub %0, %1 : f64 loc(8:12)
      yield %2
    }

    def @d {value: f64} on q loc(9:8) {
      %0 = at a_total.value[row] : f64 loc(9:12)
      yield %0
    }

    output @c = @c {c: value}
    output @d = @d {d: value}
    output @a = @a {a: value}
    output @b = @b {b: value}
    "#);
}

#[test]
fn rows_and_durations_are_both_reached() {
    let source = "input x { v: f64 } every 1s\nfn f(s, n, k) = mean(s[last n]) - s[prev k]\n";
    let meaning = |source: &str| {
        let text = ir(source);
        let lines = text.lines().map(|line| line.split(" loc(").next().unwrap_or(line).to_string());
        lines.collect::<Vec<_>>()
    };
    let rows = meaning(&format!("{source}output y = f(x.v, 20, 3)"));
    assert_eq!(meaning(&format!("{source}output y = f(x.v, 20s, 3s)")), rows);
    assert_eq!(meaning("input x { v: f64 } every 1s\noutput y = mean(x[t-20s..t].v) - x[t-3s].v"), rows);
}
