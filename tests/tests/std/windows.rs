//! `std::windows`.

use crate::{Column, assert_close, deviation, mean, run, sliding, tumbling, wavy};

fn least(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::min)
}

fn greatest(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::max)
}

fn sum(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(|a, b| a + b)
}

fn count(values: &[f64]) -> Option<f64> {
    Some(values.len() as f64)
}

#[test]
fn rolling() {
    let x = wavy(40);
    let check = |expression: &str, expected: &dyn Fn(&[f64]) -> Option<f64>| {
        assert_close(&run(expression, &x, &[]), &sliding(&x, 5, expected));
    };
    check("windows::rolling_count(x.v, 5s)", &count);
    check("windows::rolling_sum(x.v, 5s)", &sum);
    check("windows::rolling_mean(x.v, 5s)", &mean);
    check("windows::rolling_min(x.v, 5s)", &least);
    check("windows::rolling_max(x.v, 5s)", &greatest);
    check("windows::rolling_std(x.v, 5s)", &|values| deviation(values, 1));
    check("windows::range(x.v, 5s)", &|values| Some(greatest(values)? - least(values)?));
    check("windows::last_known(x.v, 5s)", &|values| values.last().copied());
}

#[test]
fn rolling_of_an_expression() {
    let x = wavy(40);
    let doubled: Column = x.iter().map(|value| value.map(|value| value * 2.0 - 1.0)).collect();
    let found = run("windows::rolling_sum(x.v * 2.0 - 1.0, 5s)", &x, &[]);
    assert_close(&found, &sliding(&doubled, 5, sum));
}

#[test]
fn tumbling_windows() {
    let x = wavy(41);
    let check = |expression: &str, expected: &dyn Fn(&[f64]) -> Option<f64>| {
        assert_close(&run(expression, &x, &[]), &tumbling(&x, 8, expected));
    };
    check("windows::tumbling_count(x.v, 8s)", &count);
    check("windows::tumbling_sum(x.v, 8s)", &sum);
    check("windows::tumbling_mean(x.v, 8s)", &mean);
    check("windows::tumbling_min(x.v, 8s)", &least);
    check("windows::tumbling_max(x.v, 8s)", &greatest);
    check("windows::tumbling_std(x.v, 8s)", &|values| deviation(values, 0));
}

#[test]
fn wma_by_hand() {
    let x = [Some(1.0), Some(2.0), Some(6.0), None, Some(4.0)];
    // The weights of three rows are 1/3, 2/3 and 1, from the oldest on; φ takes its weight away.
    let expected = [
        Some(1.0),
        Some((2.0 * 1.0 + 3.0 * 2.0) / 5.0),
        Some((1.0 * 1.0 + 2.0 * 2.0 + 3.0 * 6.0) / 6.0),
        Some((1.0 * 2.0 + 2.0 * 6.0) / 3.0),
        Some((1.0 * 6.0 + 3.0 * 4.0) / 4.0),
    ];
    assert_close(&run("windows::wma(x.v, 3s)", &x, &[]), &expected);
    assert_close(&run("windows::mean_by_age({ value: x.v, at: t }, 3s)", &x, &[]), &expected);
}

#[test]
fn sum_to_date_by_hand() {
    let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0].map(Some);
    // Windows end at 0, 3 and 6 seconds.
    let expected = [1.0, 2.0, 5.0, 9.0, 5.0, 11.0, 18.0].map(Some);
    assert_close(&run("windows::sum_to_date(x.v, 3s)", &x, &[]), &expected);
}

#[test]
fn medians() {
    let x = wavy(40);
    let median = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        let (middle, rest) = (values.len() / 2, values.len() % 2);
        (!values.is_empty()).then(|| (values[middle] + values[middle + rest - 1]) / 2.0)
    };
    assert_close(&run("windows::rolling_median(x.v, 5)", &x, &[]), &sliding(&x, 5, median));
}

#[test]
fn running_reducers() {
    let x = wavy(30);
    let running = |f: &dyn Fn(&[f64]) -> Option<f64>| sliding(&x, 30, f);
    assert_close(&run("windows::running_count(x.v)", &x, &[]), &running(&|values| Some(values.len() as f64)));
    assert_close(&run("windows::running_sum(x.v)", &x, &[]), &running(&|values| Some(values.iter().sum())));
    let least = running(&|values| values.iter().copied().reduce(f64::min));
    assert_close(&run("windows::running_min(x.v)", &x, &[]), &least);
    let greatest = running(&|values| values.iter().copied().reduce(f64::max));
    assert_close(&run("windows::running_max(x.v)", &x, &[]), &greatest);
}
