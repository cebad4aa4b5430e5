//! `std::signal`.

use crate::{Column, assert_close, mean, run, run_on, sliding, wavy, with_before};

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
    let three = run("signal::fir3(x.v, 1s, 0.5, -1.0, 0.25)", &x, &[]);
    assert_close(&three, &filtered(&[0.5, -1.0, 0.25]));
    let five = run("signal::fir5(x.v, 1s, 1.0, 2.0, 0.0, -2.0, -1.0)", &x, &[]);
    assert_close(&five, &filtered(&[1.0, 2.0, 0.0, -2.0, -1.0]));
}

#[test]
fn crest_of_known_shapes() {
    let crest = |x: &[Option<f64>]| run("signal::crest_factor(x.v, 4s)", x, &[])[3];
    assert_eq!(crest(&[Some(-3.0); 4]), Some(1.0));
    assert_eq!(crest(&[0.0, 0.0, -2.0, 0.0].map(Some)), Some(2.0));
}
