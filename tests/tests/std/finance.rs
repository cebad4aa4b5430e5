//! `std::finance`.

use crate::{
    Column, assert_close, deviation, mean, run, run_events, run_events_on, sliding, wavy, with_before, zip,
};

#[test]
fn averages_and_changes() {
    let x = wavy(40);
    assert_close(&run("finance::sma(x.v, 5s)", &x, &[]), &sliding(&x, 5, mean));
    let check = |expression: &str, expected: &dyn Fn(f64, f64) -> f64| {
        assert_close(&run(expression, &x, &[]), &with_before(&x, 3, expected));
    };
    check("finance::momentum(x.v, 3s)", &|now, before| now - before);
    check("finance::roc(x.v, 3s)", &|now, before| (now - before) / before * 100.0);
    check("finance::simple_return(x.v, 3s)", &|now, before| now / before - 1.0);
    check("finance::log_return(x.v, 3s)", &|now, before| (now / before).ln());
}

#[test]
fn bollinger_bands() {
    let x = wavy(40);
    let band = |k: f64| sliding(&x, 5, move |values| Some(mean(values)? + k * deviation(values, 0)?));
    assert_close(&run("finance::bollinger(x.v, 5s, 2).lower", &x, &[]), &band(-2.0));
    assert_close(&run("finance::bollinger(x.v, 5s, 2).middle", &x, &[]), &band(0.0));
    assert_close(&run("finance::bollinger(x.v, 5s, 2).upper", &x, &[]), &band(2.0));
    let width = zip(&band(2.0), &band(-2.0), |upper, lower| upper - lower);
    let above = zip(&x, &band(-2.0), |price, lower| price - lower);
    let mut inside = zip(&above, &width, |above, width| above / width);
    inside[0] = Some(f64::NAN); // both bands are where the price is
    assert_close(&run("finance::percent_b(x.v, 5s, 2)", &x, &[]), &inside);
}

#[test]
fn rsi_is_gains_among_changes() {
    let x = wavy(40);
    let changes = with_before(&x, 1, |now, before| now - before);
    let expected = sliding(&changes, 14, |changes| {
        let gains: f64 = changes.iter().filter(|change| **change > 0.0).sum();
        let losses: f64 = changes.iter().filter(|change| **change < 0.0).map(|change| -change).sum();
        (!changes.is_empty()).then(|| 100.0 - 100.0 / (1.0 + gains / losses))
    });
    assert_close(&run("finance::rsi(x.v, 14s, 1s)", &x, &[]), &expected);
    assert_close(&run("finance::rsi_of_changes(x.v - x[t-1s].v, 14s)", &x, &[]), &expected);
}

#[test]
fn rsi_at_its_ends() {
    let rsi = |prices: [f64; 3]| run("finance::rsi(x.v, 14s, 1s)", &prices.map(Some), &[])[2];
    assert_eq!(rsi([1.0, 2.0, 4.0]), Some(100.0));
    assert_eq!(rsi([4.0, 2.0, 1.0]), Some(0.0));
    assert_eq!(rsi([1.0, 3.0, 1.0]), Some(50.0));
    assert!(rsi([1.0, 1.0, 1.0]).is_some_and(f64::is_nan));
}

#[test]
fn crossings_by_hand() {
    let a = [Some(1.0), Some(3.0), Some(3.0), Some(2.0), Some(1.0), None, Some(9.0), Some(9.0)];
    let b = [2.0; 8].map(Some);
    let (yes, no) = (Some(1.0), Some(0.0));
    // Touching is not crossing, but coming from there is.
    let over = [None, yes, no, no, no, None, None, no];
    let under = [None, no, no, no, yes, None, None, no];
    assert_close(&run("finance::crossover(x.v, x.w, 1s)", &a, &b), &over);
    assert_close(&run("finance::crossunder(x.v, x.w, 1s)", &a, &b), &under);
}

#[test]
fn crossings_of_averages() {
    let x = wavy(60);
    let found = run("finance::crossover(finance::sma(x.v, 3s), finance::sma(x.v, 9s), 1s)", &x, &[]);
    let above = zip(&sliding(&x, 3, mean), &sliding(&x, 9, mean), |fast, slow| f64::from(fast > slow));
    assert_close(&found, &with_before(&above, 1, |now, before| f64::from(now > before)));
}

#[test]
fn drawdown_from_the_top() {
    let x = [10.0, 20.0, 15.0, 5.0, 8.0, 4.0].map(Some);
    // The top leaves the window of three rows.
    let expected = [0.0, 0.0, -0.25, -0.75, 8.0 / 15.0 - 1.0, -0.5].map(Some);
    assert_close(&run("finance::drawdown(x.v, 3s)", &x, &[]), &expected);
}

#[test]
fn vwap_counts_rows_with_both() {
    let price = [Some(10.0), Some(20.0), None, Some(40.0)];
    let size = [Some(1.0), Some(3.0), Some(5.0), None];
    let expected = [Some(10.0), Some(70.0 / 4.0), Some(20.0), None];
    assert_close(&run("finance::vwap(x.v, x.w, 2s)", &price, &size), &expected);
}

#[test]
fn true_range_by_hand() {
    // high = close + 1, low = close - 2: where the price jumps, the close before counts.
    let close = [10.0, 10.0, 20.0, 5.0].map(Some);
    let expected = [3.0, 3.0, 11.0, 17.0].map(Some);
    let found = run("finance::true_range(x.v + 1.0, x.v - 2.0, x.v, 1s)", &close, &[]);
    assert_close(&found, &expected);
    let average = run("finance::atr(x.v + 1.0, x.v - 2.0, x.v, 2s, 1s)", &close, &[]);
    assert_close(&average, &[3.0, 3.0, 7.0, 14.0].map(Some));
}

#[test]
fn stochastic_by_hand() {
    let close: Column = [10.0, 12.0, 11.0, 20.0].map(Some).to_vec();
    let found = run("finance::stochastic(x.v + 1.0, x.v - 1.0, x.v, 3s)", &close, &[]);
    // lowest low, highest high: 9, 11; 9, 13; 9, 13; 10, 21
    assert_close(&found, &[50.0, 75.0, 50.0, 1000.0 / 11.0].map(Some));
}

/// Each value counts `alpha`, what was before the rest; φ changes nothing.
fn exponential(column: &[Option<f64>], alpha: f64) -> Column {
    let mut state: Option<f64> = None;
    let mut next = |value: &Option<f64>| {
        state = match (state, value) {
            (Some(before), Some(value)) => Some(alpha * value + (1.0 - alpha) * before),
            (before, value) => value.or(before),
        };
        state
    };
    column.iter().map(&mut next).collect()
}

#[test]
fn exponential_averages() {
    let x = wavy(40);
    assert_close(&run("finance::ewma(x.v, 0.25)", &x, &[]), &exponential(&x, 0.25));
    assert_close(&run("finance::ema(x.v, 9)", &x, &[]), &exponential(&x, 0.2));
    assert_close(&run("finance::wilder(x.v, 5)", &x, &[]), &exponential(&x, 0.2));
}

#[test]
fn macd_is_three_averages() {
    let x = wavy(60);
    let line = zip(&exponential(&x, 2.0 / 13.0), &exponential(&x, 2.0 / 27.0), |fast, slow| fast - slow);
    let signal = exponential(&line, 0.2);
    assert_close(&run("finance::macd(x.v, 12, 26, 9).macd", &x, &[]), &line);
    assert_close(&run("finance::macd(x.v, 12, 26, 9).signal", &x, &[]), &signal);
    let histogram = zip(&line, &signal, |line, signal| line - signal);
    assert_close(
        &run("finance::macd_of(finance::ema(x.v, 12) - finance::ema(x.v, 26), 9).histogram", &x, &[]),
        &histogram,
    );
}

#[test]
fn indicators_of_wilder() {
    let x = wavy(40);
    let changes = with_before(&x, 1, |now, before| now - before);
    let part = |sign: f64| -> Column {
        changes.iter().map(|change| change.map(|change| (sign * change).max(0.0))).collect()
    };
    let ratio =
        zip(&exponential(&part(1.0), 1.0 / 14.0), &exponential(&part(-1.0), 1.0 / 14.0), |g, l| g / l);
    let expected: Column =
        ratio.iter().map(|ratio| ratio.map(|ratio| 100.0 - 100.0 / (1.0 + ratio))).collect();
    assert_close(&run("finance::rsi_wilder(x.v, 14)", &x, &[]), &expected);
    let close = [10.0, 10.0, 20.0, 5.0].map(Some);
    let ranges = [3.0, 3.0, 11.0, 17.0].map(Some);
    let found = run("finance::atr_wilder(x.v + 1.0, x.v - 2.0, x.v, 4)", &close, &[]);
    assert_close(&found, &exponential(&ranges, 0.25));
}

#[test]
fn rows_of_events_are_counted_like_those_of_grids() {
    // The rows at 2s and 3s are apart on the grid, too; the others are not.
    let x = wavy(40);
    let stamps: Vec<i64> = (0..40).map(|row| row * row / 3).collect();
    for (events, grid) in [
        ("finance::sma(x.v, 5)", "finance::sma(x.v, 5s)"),
        ("finance::rsi(x.v, 14, 1)", "finance::rsi(x.v, 14s, 1s)"),
        ("finance::bollinger(x.v, 5, 2).upper", "finance::bollinger(x.v, 5s, 2).upper"),
        (
            "finance::crossover(finance::sma(x.v, 3), finance::sma(x.v, 9), 1)",
            "finance::crossover(finance::sma(x.v, 3s), finance::sma(x.v, 9s), 1s)",
        ),
        ("finance::atr(x.v + 1.0, x.v - 2.0, x.v, 3, 1)", "finance::atr(x.v + 1.0, x.v - 2.0, x.v, 3s, 1s)"),
        ("finance::macd(x.v, 12, 26, 9).histogram", "finance::macd(x.v, 12, 26, 9).histogram"),
        ("stats::zscore(x.v, 7)", "stats::zscore(x.v, 7s)"),
        ("stats::correlation(x.v, x.v * x.v, 7)", "stats::correlation(x.v, x.v * x.v, 7s)"),
        ("signal::fir(x.v, 1, [0.25, 0.5, 0.25])", "signal::fir(x.v, 1s, [0.25, 0.5, 0.25])"),
    ] {
        assert_close(&run_events(events, &stamps, &x, &[]), &run(grid, &x, &[]));
    }
}

#[test]
fn twap_weighs_by_time() {
    // 10 holds for 1 s, 20 for 3 s, then 40; every 5 seconds.
    let v = [10.0, 20.0, 40.0].map(Some);
    let found = run_events_on("[t every 5s]", "finance::twap(x.v, 5s)", &[0, 1, 4], [&v, &[]], 3);
    // A row holds at its own stamp, so that of 4 s does a nanosecond longer.
    assert_close(&found, &[Some(10.0), Some(22.0 + 6e-9), Some(40.0)]);
    let found = run_events_on("[t every 5s]", "finance::twap(x.v * 2, 5s)", &[0, 1, 4], [&v, &[]], 3);
    assert_close(&found, &[Some(20.0), Some(44.0 + 12e-9), Some(80.0)]);
}
