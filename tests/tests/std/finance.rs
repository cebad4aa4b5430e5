//! `std::finance`.

use crate::{Column, assert_close, deviation, mean, run, sliding, wavy, with_before, zip};

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
