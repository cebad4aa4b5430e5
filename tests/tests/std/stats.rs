//! `std::stats`.

use crate::{Column, assert_close, deviation, mean, run, sliding, tumbling, wavy, zip};

#[test]
fn scores() {
    let x = wavy(40);
    let means = sliding(&x, 6, mean);
    let deviations = sliding(&x, 6, |values| deviation(values, 0));
    let expected = zip(&zip(&x, &means, |x, mean| x - mean), &deviations, |above, unit| above / unit);
    assert_close(&run("stats::zscore(x.v, 6s)", &x, &[]), &expected);

    let least = sliding(&x, 6, |values| values.iter().copied().reduce(f64::min));
    let greatest = sliding(&x, 6, |values| values.iter().copied().reduce(f64::max));
    let span = zip(&greatest, &least, |greatest, least| greatest - least);
    let expected = zip(&zip(&x, &least, |x, least| x - least), &span, |above, span| above / span);
    assert_close(&run("stats::rescale(x.v, 6s)", &x, &[]), &expected);
}

#[test]
fn windows_that_look_ahead() {
    let x = wavy(41);
    let means = tumbling(&x, 8, mean);
    let deviations = tumbling(&x, 8, |values| deviation(values, 0));
    let expected = zip(&zip(&x, &means, |x, mean| x - mean), &deviations, |above, unit| above / unit);
    assert_close(&run("stats::normalize(x.v, 8s)", &x, &[]), &expected);

    let filled: Column = x.iter().zip(&means).map(|(x, mean)| x.or(*mean)).collect();
    assert_close(&run("stats::impute(x.v, 8s)", &x, &[]), &filled);
}

#[test]
fn one_number_of_a_window() {
    let x = wavy(40);
    let rms = |values: &[f64]| Some(mean(&values.iter().map(|x| x * x).collect::<Vec<_>>())?.sqrt());
    assert_close(&run("stats::rms(x.v, 6s)", &x, &[]), &sliding(&x, 6, rms));
    let sharpe = |values: &[f64]| Some(mean(values)? / deviation(values, 1)?);
    assert_close(&run("stats::sharpe(x.v, 6s)", &x, &[]), &sliding(&x, 6, sharpe));
}

/// What `expected` gives of the pairs in the last 6 rows.
fn pairs_in(x: &[Option<f64>], y: &[Option<f64>], expected: impl Fn(&[(f64, f64)]) -> Option<f64>) -> Column {
    let pair = |row: usize| Some((x[row]?, y[row]?));
    let window = |end: usize| (end.saturating_sub(5)..=end).filter_map(pair).collect::<Vec<_>>();
    (0..x.len()).map(|end| expected(&window(end))).collect()
}

fn means(pairs: &[(f64, f64)]) -> Option<(f64, f64)> {
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    Some((mean(&x)?, mean(&y)?))
}

fn comoment(pairs: &[(f64, f64)]) -> Option<f64> {
    let (mx, my) = means(pairs)?;
    Some(pairs.iter().map(|(x, y)| (x - mx) * (y - my)).sum())
}

fn squares(pairs: &[(f64, f64)]) -> Option<f64> {
    let (mx, _) = means(pairs)?;
    Some(pairs.iter().map(|(x, _)| (x - mx).powi(2)).sum())
}

fn swapped(pairs: &[(f64, f64)]) -> Vec<(f64, f64)> {
    pairs.iter().map(|(x, y)| (*y, *x)).collect()
}

/// What is computed from pairs of values.
type OfPairs<'a> = &'a dyn Fn(&[(f64, f64)]) -> Option<f64>;

#[test]
fn of_two() {
    let x = wavy(40);
    // Gaps elsewhere, and some dependence on x.
    let y: Column = (0..40)
        .map(|row| (row % 5 != 3).then(|| (row as f64 * 1.7).sin() * 4.0 - x[row].unwrap_or(7.0) * 0.5))
        .collect();
    let check = |expression: &str, expected: OfPairs<'_>| {
        assert_close(&run(expression, &x, &y), &pairs_in(&x, &y, expected));
    };
    check("stats::pairs(x.v, x.w, 6s)", &|pairs| Some(pairs.len() as f64));
    check("stats::paired_mean(x.v, x.w, 6s)", &|pairs| Some(means(pairs)?.0));
    check("stats::comoment(x.v, x.w, 6s)", &comoment);
    check("stats::paired_squares(x.v, x.w, 6s)", &squares);
    check("stats::covariance(x.v, x.w, 6s)", &|pairs| {
        (pairs.len() > 1).then(|| comoment(pairs).map(|moment| moment / (pairs.len() as f64 - 1.0)))?
    });
    check("stats::correlation(x.v, x.w, 6s)", &|pairs| {
        let (sx, sy) = (squares(pairs)?, squares(&swapped(pairs))?);
        (sx > 0.0 && sy > 0.0).then(|| comoment(pairs).map(|moment| moment / (sx * sy).sqrt()))?
    });
    check("stats::slope(x.v, x.w, 6s)", &|pairs| {
        let sx = squares(pairs)?;
        (sx > 0.0).then(|| comoment(pairs).map(|moment| moment / sx))?
    });
}

#[test]
fn of_two_by_hand() {
    let x = [1.0, 2.0, 3.0].map(Some);
    let run = |expression: &str, w: &[Option<f64>]| run(expression, &x, w)[2];
    assert_eq!(run("stats::correlation(x.v, 3.0 - 2.0 * x.v, 3s)", &x), Some(-1.0));
    assert_eq!(run("stats::slope(x.v, 3.0 - 2.0 * x.v, 3s)", &x), Some(-2.0));
    assert_eq!(run("stats::covariance(x.v, x.w, 3s)", &[Some(1.0), None, Some(5.0)]), Some(4.0));
    assert_eq!(run("stats::correlation(x.v, x.w, 3s)", &[Some(4.0); 3]), None);
    assert_eq!(run("stats::covariance(x.v, x.w, 3s)", &[None, None, Some(5.0)]), None);
}

#[test]
fn the_last_value_fills_gaps() {
    let x = [None, Some(1.0), None, None, None, Some(2.0)];
    let expected = [None, Some(1.0), Some(1.0), Some(1.0), None, Some(2.0)];
    assert_close(&run("stats::impute_last(x.v, 3)", &x, &[]), &expected);
}
