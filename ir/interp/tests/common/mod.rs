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
        Some(Const::F32(x)) => format!("{:?}", f32::from_bits(*x)).trim_end_matches(".0").to_owned(),
        Some(Const::F64(x)) => format!("{:?}", f64::from_bits(*x)).trim_end_matches(".0").to_owned(),
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

/// Events from text: `10 1.5; 12 _` with stamp and value of the one field, `10 1.5 2` with two fields.
pub(crate) fn events(data: Columns, types: &[Type], text: &str) -> Columns {
    let (stamps, fields) = split(types, text);
    data.events(stamps, fields)
}

/// Events that say until when they hold, in the second word of each row.
pub(crate) fn intervals(data: Columns, types: &[Type], text: &str) -> Columns {
    let types: Vec<Type> = std::iter::once(Type::I64).chain(types.iter().copied()).collect();
    let (stamps, mut fields) = split(&types, text);
    let until = fields.remove(0).into_iter().map(|end| match end {
        Some(Const::Int(end)) => end as i64,
        other => panic!("{other:?} is not a time"),
    });
    data.intervals(stamps, until.collect(), fields)
}

fn split(types: &[Type], text: &str) -> (Vec<i64>, Vec<Vec<Option<Const>>>) {
    let mut stamps = Vec::new();
    let mut fields = vec![Vec::new(); types.len()];
    for row in text.split(';').map(str::trim).filter(|row| !row.is_empty()) {
        let mut words = row.split_whitespace();
        stamps.push(words.next().expect("a stamp").parse().expect("a stamp"));
        for (field, ty) in fields.iter_mut().zip(types) {
            field.push(value(*ty, words.next().expect("a value")));
        }
    }
    (stamps, fields)
}

/// All rows of output number 0, which lies on events: `stamp value …; …`, or the failure.
pub(crate) fn rows(query: &Query, data: &Columns) -> String {
    let verified = tir::verify(query).expect("`query` verifies");
    let mut interp = Interp::new(verified, data);
    let count = interp.row_count(query.outputs[0].def).expect("a definition on events");
    text(interp.output(0, 0..count))
}

/// The rows of output number 0, which is continuous, from `first` to `last`.
pub(crate) fn changes(query: &Query, data: &Columns, first: i64, last: i64) -> String {
    let verified = tir::verify(query).expect("`query` verifies");
    let rows = Interp::new(verified, data).changes(0, first..=last);
    text(rows.map(OutputRows::without_leading_null))
}

fn text(rows: Result<OutputRows, Failure>) -> String {
    let rows = match rows {
        Ok(rows) => rows,
        Err(Failure { name, time, .. }) => return format!("error in {name} at {time}"),
    };
    let row = |(n, stamp): (usize, &i64)| {
        let values = rows.columns.iter().map(|column| show(&column[n..=n]));
        std::iter::once(stamp.to_string()).chain(values).collect::<Vec<_>>().join(" ")
    };
    rows.stamps.iter().enumerate().map(row).collect::<Vec<_>>().join("; ")
}

/// Random data, as a key sees it (`None`: as it is seen without a key).
pub(crate) fn of_key(query: &Query, data: &tir::arbitrary::data::Data, key: Option<usize>) -> Columns {
    use tilt_ir::tir::{Hold, Stamps};
    let mut columns = Columns::new();
    for (input, of) in query.inputs.iter() {
        let part = data.part(query, input, key).cloned().unwrap_or_default();
        columns = match of.stamps {
            Stamps::Every(_) => columns.input(part.first, part.fields),
            Stamps::Events(Hold::Until) => columns.intervals(part.stamps, part.until, part.fields),
            Stamps::Events(Hold::Point | Hold::UntilNext | Hold::For(_)) => {
                columns.events(part.stamps, part.fields)
            }
        };
    }
    let start = |key| data.extent(query, key).map(|(first, _)| first);
    let values = key.map(|key| data.keys[key].clone()).unwrap_or_default();
    columns.key(values).start(start(key), start(None))
}
