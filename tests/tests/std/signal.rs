//! `std::signal`.

use crate::{Column, assert_close, mean, run, run_events_on, run_on, sliding, wavy, with_before};

#[test]
fn resample_along_lines() {
    // Squares every second, in between at quarters.
    let x = [0.0, 1.0, 4.0, 9.0].map(Some);
    let found = run_on("[t every 250ms]", "signal::resample(x.v, 1s)", [&x, &[]], 14);
    let expected: Column = (0..13)
        .map(|quarter| {
            let (from, part) = (quarter / 4, f64::from(quarter % 4) / 4.0);
            let square = |x: i32| f64::from(x * x);
            Some(square(from) + (square(from + 1) - square(from)) * part)
        })
        .chain([None])
        .collect();
    assert_close(&found, &expected);
}

#[test]
fn averages() {
    let x = wavy(40);
    assert_close(&run("signal::moving_average(x.v, 5s)", &x, &[]), &sliding(&x, 5, mean));
    let centred: Column = (0..40_usize)
        .map(|row| {
            mean(&x[row.saturating_sub(2)..(row + 3).min(40)].iter().copied().flatten().collect::<Vec<_>>())
        })
        .collect();
    assert_close(&run("signal::centred_average(x.v, 2s)", &x, &[]), &centred);
}

#[test]
fn differences() {
    let x = wavy(40);
    let expected = with_before(&x, 1, |now, before| now - before);
    assert_close(&run("signal::difference(x.v, 1s)", &x, &[]), &expected);
    let expected = with_before(&x, 4, |now, before| (now - before) / 4.0);
    assert_close(&run("signal::derivative(x.v, 4s)", &x, &[]), &expected);
}

#[test]
fn rises_once() {
    let x = [Some(1.0), Some(-1.0), Some(2.0), Some(3.0), None, Some(4.0), Some(5.0)];
    let (yes, no) = (Some(1.0), Some(0.0));
    assert_close(&run("signal::rises(x.v > 0.0, 1s)", &x, &[]), &[None, no, yes, no, None, None, no]);
}

#[test]
fn filters() {
    let x = wavy(40);
    let filtered = |taps: &[f64]| -> Column {
        let tap = |row: usize, at: usize| Some(taps[at] * x[row.checked_sub(at)?]?);
        (0..40).map(|row| (0..taps.len()).map(|at| tap(row, at)).sum::<Option<f64>>()).collect()
    };
    let three = run("signal::fir(x.v, 1s, [0.5, -1.0, 0.25])", &x, &[]);
    assert_close(&three, &filtered(&[0.5, -1.0, 0.25]));
    let five = run("signal::fir(x.v, 1s, [1, 2, 0, -2, -1])", &x, &[]);
    assert_close(&five, &filtered(&[1.0, 2.0, 0.0, -2.0, -1.0]));
}

#[test]
fn lengths_of_vectors() {
    let length = run("signal::norm([x.v, 2 * x.v, -2 * x.v])", &[Some(3.0), Some(-0.5), None], &[]);
    assert_eq!(length, [Some(9.0), Some(1.5), None]);
}

#[test]
fn crest_of_known_shapes() {
    let crest = |x: &[Option<f64>]| run("signal::crest_factor(x.v, 4s)", x, &[])[3];
    assert_eq!(crest(&[Some(-3.0); 4]), Some(1.0));
    assert_eq!(crest(&[0.0, 0.0, -2.0, 0.0].map(Some)), Some(2.0));
}

#[test]
fn interpolation_of_events() {
    let v = [Some(0.0), Some(10.0), None, Some(40.0), Some(0.0)];
    let found =
        run_events_on("[t every 1s]", "signal::interpolate(x.v, 4s)", &[0, 2, 3, 5, 11], [&v, &[]], 13);
    let numbers = [0.0, 5.0, 10.0, 20.0, 30.0, 40.0];
    let expected: Column = numbers.map(Some).into_iter().chain([None; 5]).chain([Some(0.0), None]).collect();
    assert_close(&found, &expected);
    let between = run_events_on(
        "[t every 1s]",
        "signal::line({ value: x.v, at: t where x.v is not null }, 4s)",
        &[0, 2, 3, 5, 11],
        [&v, &[]],
        5,
    );
    assert_close(&between, &[0.0, 5.0, 10.0, 20.0, 30.0].map(Some));
    let rows = "signal::interpolate_rows({ value: x.v, at: t where x.v is not null }, 9s)";
    let found = run_events_on("[t every 1s]", rows, &[0, 2, 3, 5, 11], [&v, &[]], 7);
    assert_close(&found, &[0.0, 5.0, 10.0, 20.0, 30.0, 40.0, 40.0 - 40.0 / 6.0].map(Some));
}

#[test]
fn pan_tompkins_by_loops() {
    let x = wavy(80);
    let at = |column: &[f64], row: usize, back: usize| row.checked_sub(back).map_or(0.0, |row| column[row]);
    let v: Vec<f64> = x.iter().map(|value| value.unwrap_or(0.0)).collect();
    let (mut low, mut high, mut slopes) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..v.len() {
        let past = |column: &[f64], back: usize| at(column, row, back);
        low.push(2.0 * past(&low, 1) - past(&low, 2) + v[row] - 2.0 * past(&v, 6) + past(&v, 12));
        high.push(past(&high, 1) - low[row] / 32.0 + past(&low, 16) - past(&low, 17) + past(&low, 32) / 32.0);
        slopes.push((2.0 * high[row] + past(&high, 1) - past(&high, 3) - 2.0 * past(&high, 4)) / 8.0);
    }
    let all = |column: &[f64]| -> Column { column.iter().copied().map(Some).collect() };
    assert_close(&run("signal::low_pass(x.v)", &x, &[]), &all(&low));
    assert_close(&run("signal::high_pass(signal::low_pass(x.v))", &x, &[]), &all(&high));
    assert_close(&run("signal::slopes(signal::high_pass(signal::low_pass(x.v)))", &x, &[]), &all(&slopes));
    let energy: Vec<f64> = slopes.iter().map(|slope| slope * slope).collect();
    assert_close(
        &run("signal::energy(x.v ?? 0)", &x, &[]),
        &all(&v.iter().map(|v| v * v).collect::<Vec<_>>()),
    );
    assert_close(&run("signal::pan_tompkins(x.v)", &x, &[]), &sliding(&all(&energy), 30, mean));
}
