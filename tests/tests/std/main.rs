//! Every function of the standard library does what its comment says.
//!
//! A small program uses the function, the interpreter runs it, and the result is compared with numbers worked by hand or with an
//! obvious loop over the rows.

mod finance;
mod signal;
mod stats;
mod windows;

use tilt_interp::{Columns, Interp};
use tilt_ir::{Const, Type, tir};

/// A column: a number a row, or φ.
pub(crate) type Column = Vec<Option<f64>>;

/// Numbers with gaps, no two alike.
pub(crate) fn wavy(rows: usize) -> Column {
    let value = |row: usize| 10.0 + ((row * 7919) % 97) as f64 / 8.0 - row as f64 * 0.25;
    (0..rows).map(|row| (row % 7 != 5).then(|| value(row))).collect()
}

/// The values of `expression` on `input x { v: f64, w: f64 } every 1s`, whose first row is stamped 0.
pub(crate) fn run(expression: &str, v: &[Option<f64>], w: &[Option<f64>]) -> Column {
    let rows = v.len().max(w.len()) as i64;
    run_on("[t every 1s]", expression, [v, w], rows)
}

/// The same of a definition with this `head`, `rows` rows.
pub(crate) fn run_on(head: &str, expression: &str, columns: [&[Option<f64>]; 2], rows: i64) -> Column {
    let source = format!(
        "use std::finance\nuse std::signal\nuse std::stats\nuse std::windows\n\
         input x {{ v: f64, w: f64 }} every 1s\nlet y{head} = {expression}\noutput y"
    );
    let (query, _) = tilt_frontend::compile("std.tilt", &source)
        .unwrap_or_else(|errors| panic!("{expression}: {}", drawn(&errors, &source)));
    let verified = tir::verify(&query).unwrap_or_else(|bugs| panic!("{bugs:?}\n{query}"));
    let data = columns.map(|column| column.iter().map(|value| value.map(Const::f64)).collect());
    let data = Columns::new().input(0, data.to_vec()).start(Some(0), Some(0));
    let output =
        Interp::new(verified, &data).output(0, 0..rows).unwrap_or_else(|failure| panic!("{failure:?}"));
    output.columns[0].iter().map(|value| value.map(number)).collect()
}

fn drawn(errors: &[tilt_frontend::diagnostic::Diagnostic], source: &str) -> String {
    use tilt_frontend::diagnostic::{Paint, render};
    errors.iter().map(|one| render(one, "std.tilt", source, Paint::Plain)).collect()
}

fn number(value: Const) -> f64 {
    match value {
        Const::Bool(value) => f64::from(u8::from(value)),
        Const::Int(value) => value as f64,
        Const::F32(bits) => f64::from(f32::from_bits(bits)),
        Const::F64(bits) => f64::from_bits(bits),
    }
}

/// What `expected` gives of the last `length` values up to each row, φ left out.
pub(crate) fn sliding(
    column: &[Option<f64>],
    length: usize,
    expected: impl Fn(&[f64]) -> Option<f64>,
) -> Column {
    let window = |end: usize| (end + 1).saturating_sub(length)..=end;
    (0..column.len())
        .map(|end| expected(&column[window(end)].iter().copied().flatten().collect::<Vec<_>>()))
        .collect()
}

/// What `expected` gives of the window of `length` rows that each row is in; row 0 ends one.
pub(crate) fn tumbling(
    column: &[Option<f64>],
    length: usize,
    expected: impl Fn(&[f64]) -> Option<f64>,
) -> Column {
    let window = |row: usize| {
        let end = row.div_ceil(length) * length;
        (end + 1).saturating_sub(length)..(end + 1).min(column.len())
    };
    (0..column.len())
        .map(|row| expected(&column[window(row)].iter().copied().flatten().collect::<Vec<_>>()))
        .collect()
}

/// A value of each row that has one there and `step` rows before.
pub(crate) fn with_before(column: &[Option<f64>], step: usize, f: impl Fn(f64, f64) -> f64) -> Column {
    let before = |row: usize| *column.get(row.checked_sub(step)?)?;
    (0..column.len()).map(|row| Some(f(column[row]?, before(row)?))).collect()
}

pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The standard deviation, with this much taken off the count in the divisor.
pub(crate) fn deviation(values: &[f64], ddof: usize) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let divisor = values.len().checked_sub(ddof).filter(|divisor| *divisor > 0)?;
    Some((squares / divisor as f64).sqrt())
}

/// Combines two columns where both have a value.
pub(crate) fn zip(a: &[Option<f64>], b: &[Option<f64>], f: impl Fn(f64, f64) -> f64) -> Column {
    a.iter().zip(b).map(|(a, b)| Some(f((*a)?, (*b)?))).collect()
}

/// Equal, to the last few bits: an obvious loop adds in another order.
#[track_caller]
pub(crate) fn assert_close(found: &[Option<f64>], expected: &[Option<f64>]) {
    let close =
        |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-11 * (1.0 + b.abs());
    assert_eq!(found.len(), expected.len());
    assert!(expected.iter().any(Option::is_some), "something is expected");
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        let equal = match (found, expected) {
            (Some(a), Some(b)) => close(*a, *b),
            (None, None) => true,
            _ => false,
        };
        assert!(equal, "row {row}: {found:?}, not {expected:?}");
    }
}

/// The values of `expression` in the rows of `input x { v: f64, w: f64 }`, events stamped so many seconds after 0.
pub(crate) fn run_events(expression: &str, stamps: &[i64], v: &[Option<f64>], w: &[Option<f64>]) -> Column {
    run_events_on("[t on x]", expression, stamps, [v, w], stamps.len() as i64)
}

/// The same of a definition with this `head`, `rows` rows.
pub(crate) fn run_events_on(
    head: &str,
    expression: &str,
    stamps: &[i64],
    columns: [&[Option<f64>]; 2],
    rows: i64,
) -> Column {
    let source = format!(
        "use std::finance\nuse std::signal\nuse std::stats\nuse std::windows\n\
         input x {{ v: f64, w: f64 }} hold\nlet y{head} = {expression}\noutput y"
    );
    let (query, _) = tilt_frontend::compile("std.tilt", &source)
        .unwrap_or_else(|errors| panic!("{expression}: {}", drawn(&errors, &source)));
    let verified = tir::verify(&query).unwrap_or_else(|bugs| panic!("{bugs:?}\n{query}"));
    let data = columns.map(|column| column.iter().map(|value| value.map(Const::f64)).collect());
    let stamps: Vec<i64> = stamps.iter().map(|stamp| stamp * 1_000_000_000).collect();
    let first = stamps.first().copied();
    let data = Columns::new().events(stamps, data.to_vec()).start(first, first);
    let output =
        Interp::new(verified, &data).output(0, 0..rows).unwrap_or_else(|failure| panic!("{failure:?}"));
    output.columns[0].iter().map(|value| value.map(number)).collect()
}

#[test]
fn every_function_is_tested() {
    let tests = [
        include_str!("finance.rs"),
        include_str!("signal.rs"),
        include_str!("stats.rs"),
        include_str!("windows.rs"),
    ]
    .concat();
    for module in tilt_std::modules() {
        let short = module.path.trim_start_matches("std::");
        for name in module.functions() {
            assert!(tests.contains(&format!("{short}::{name}(")), "`{}::{name}` has no test", module.path);
        }
    }
}

#[test]
fn functions_take_floats_of_32_bits_and_integers() {
    let source = "
use std::finance::{bollinger, rsi, simple_return}
use std::stats::zscore
input x { f: f32, n: i32 } every 1s
output strength = rsi(x.f, 14s, 1s)
output counted = rsi(x.n, 14s, 1s)
output band = bollinger(x.f, 20s, 2)
output score = zscore(x.f, 20s)
output gain = simple_return(x.n, 1s)
";
    let (query, warnings) = tilt_frontend::compile("types.tilt", source)
        .unwrap_or_else(|errors| panic!("{}", drawn(&errors, source)));
    assert!(warnings.is_empty(), "{}", drawn(&warnings, source));
    let types = query.outputs.iter().map(|output| query.defs[output.def].fields[0].ty);
    assert_eq!(types.collect::<Vec<_>>(), [Type::F32, Type::F64, Type::F32, Type::F32, Type::F64]);
}
