//! Queries and rows as text.

#![allow(dead_code, reason = "each test file uses some of this")]

use tilt_interp::{Columns, Failure, Interp, OutputRows};
use tilt_ir::{
    Const, Type,
    tir::{self, Query},
};

/// A legal query from its text.
pub(crate) fn query(text: &str) -> Query {
    let query = tir::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(errors) = tir::verify(&query) {
        panic!("{errors:#?}\n{query}");
    }
    query
}

/// Output number 0.
pub(crate) fn output(
    query: &Query,
    data: &Columns,
    rows: std::ops::Range<i64>,
) -> Result<OutputRows, Failure> {
    let query = tir::verify(query).expect("`query` verifies");
    Interp::new(query, data).output(0, rows)
}

/// The only column of output number 0, as text, or the failure.
pub(crate) fn column(query: &Query, data: &Columns, rows: std::ops::Range<i64>) -> String {
    match output(query, data, rows) {
        Ok(output) => show(&output.columns[0]),
        Err(Failure { name, time, loc, .. }) => {
            format!("error in {name} at {time}, {}:{}", loc.line, loc.column)
        }
    }
}

/// Values from text: `1, _, inf` with `_` for φ.
pub(crate) fn values(ty: Type, text: &str) -> Vec<Option<Const>> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| value(ty, word)).collect()
}

fn value(ty: Type, word: &str) -> Option<Const> {
    if word == "_" {
        return None;
    }
    let constant = match ty {
        Type::Bool => word.parse().ok().map(Const::Bool),
        Type::F32 => word.parse().ok().map(Const::f32),
        Type::F64 => word.parse().ok().map(Const::f64),
        _ => word.parse().ok().map(Const::Int),
    };
    Some(constant.unwrap_or_else(|| panic!("`{word}` is not a {ty}")))
}

/// The text of values, as [`values`] reads it.
pub(crate) fn show(values: &[Option<Const>]) -> String {
    let words = values.iter().map(|value| match value {
        None => "_".to_owned(),
        Some(Const::Bool(x)) => x.to_string(),
        Some(Const::Int(x)) => x.to_string(),
        Some(Const::F32(x)) => format!("{:?}", f32::from_bits(*x)).replace(".0", ""),
        Some(Const::F64(x)) => format!("{:?}", f64::from_bits(*x)).replace(".0", ""),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The `f64` values of a column.
pub(crate) fn floats(values: &[Option<Const>]) -> Vec<f64> {
    let float = |value: &Option<Const>| match value {
        Some(Const::F64(bits)) => f64::from_bits(*bits),
        other => panic!("{other:?} is not an f64"),
    };
    values.iter().map(float).collect()
}
