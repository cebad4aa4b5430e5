//! What `docs/language.md` shows comes out: every example is run by the interpreter, and where tables of rows stand behind it, they are
//! its inputs and outputs.
//!
//! A table whose first heading is the name of an input, in backquotes, has its rows: stamps, then a column for each field. One whose
//! first heading is the name of an output has the rows that are expected, all of them. `φ` is a missing value.

use tilt_interp::{Columns, Interp};
use tilt_ir::{
    Const, Grid, Type,
    tir::{self, Clock, Query, Stamps},
};

const REFERENCE: &str = include_str!("../../docs/language.md");
const SECOND: i64 = 1_000_000_000;

/// A row: its stamp, and numbers.
type Row = (i64, Vec<Option<f64>>);

/// An example with the tables behind it.
struct Example {
    source: &'static str,
    tables: Vec<(String, Vec<Row>)>,
}

fn examples() -> Vec<Example> {
    let parts = REFERENCE.split("```tilt\n").skip(1).filter_map(|rest| rest.split_once("\n```"));
    parts.map(|(source, behind)| Example { source, tables: tables(behind) }).collect()
}

/// The tables of rows in a part of the text.
fn tables(text: &str) -> Vec<(String, Vec<Row>)> {
    let mut tables: Vec<(String, Vec<Row>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, first, rest @ .., _] = cells.as_slice() else {
            inside = false;
            continue;
        };
        let name = first.strip_prefix('`').and_then(|name| name.strip_suffix('`'));
        match (name, first.strip_suffix('s').and_then(|stamp| stamp.parse::<i64>().ok())) {
            (_, Some(stamp)) if inside => {
                let values = rest.iter().map(|cell| cell.parse().ok()).collect();
                tables.last_mut().expect("a table began").1.push((stamp * SECOND, values));
            }
            (Some(name), None) if !inside && name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                tables.push((name.to_owned(), Vec::new()));
                inside = true;
            }
            _ => {}
        }
    }
    tables.retain(|table| !table.1.is_empty());
    tables
}

fn typed(value: f64, ty: Type) -> Const {
    match ty {
        Type::F64 => Const::f64(value),
        Type::F32 => Const::f32(value as f32),
        _ => Const::Int(value as i128),
    }
}

fn number(value: Const) -> f64 {
    match value {
        Const::Bool(value) => f64::from(u8::from(value)),
        Const::Int(value) => value as f64,
        Const::F32(bits) => f64::from(f32::from_bits(bits)),
        Const::F64(bits) => f64::from_bits(bits),
    }
}

/// The rows of the inputs; those without a table get a few.
fn data(query: &Query, tables: &[(String, Vec<Row>)]) -> (Columns, [i64; 2]) {
    let mut stamps_of_all = Vec::new();
    let mut columns = Columns::new();
    for input in query.inputs.rows() {
        let shown = tables.iter().find(|table| table.0 == input.name);
        let made =
            || (0..6).map(|row| (row * row * SECOND, vec![Some(row as f64 + 1.0); input.fields.len()]));
        let rows: Vec<Row> = shown.map_or_else(|| made().collect(), |table| table.1.clone());
        let fields = input.fields.iter().enumerate().map(|(at, field)| {
            rows.iter()
                .map(|row| row.1[at].filter(|_| field.ty != Type::Bool).map(|value| typed(value, field.ty)))
                .collect()
        });
        let fields: Vec<Vec<Option<Const>>> = fields.collect();
        let stamps: Vec<i64> = rows.iter().map(|row| row.0).collect();
        let until = stamps.iter().map(|stamp| stamp + SECOND).collect();
        stamps_of_all.extend(&stamps);
        columns = match input.stamps {
            Stamps::Every(_) => columns.input(0, fields),
            Stamps::Events(_) => columns.intervals(stamps, until, fields),
        };
    }
    let ends = [stamps_of_all.iter().min(), stamps_of_all.iter().max()].map(|end| end.copied().unwrap_or(0));
    let keys = query.keys.iter().map(|_| Const::Int(0)).collect();
    (columns.key(keys).start(Some(ends[0]), Some(ends[0])), ends)
}

/// The rows of output number `output`, between the first and last stamp of the data.
fn rows(query: &Query, interp: &mut Interp<'_>, output: usize, [first, last]: [i64; 2]) -> Vec<Row> {
    let def = query.outputs[output].def;
    let found = match &query.defs[def].clock {
        Clock::Grid(Grid { period, offset }) => {
            let row = |stamp: i64| {
                (stamp - offset).div_euclid(*period) + i64::from((stamp - offset).rem_euclid(*period) > 0)
            };
            let (from, to) = (row(first), row(last));
            // Enough is enough where an example is every few milliseconds.
            interp.output(output, from..(to + 1).min(from + 50))
        }
        Clock::Events(_) => {
            let count = interp.row_count(def).expect("events have a number of rows");
            interp.output(output, 0..count)
        }
        Clock::Continuous => interp.changes(output, first..=last).map(|rows| rows.without_leading_null()),
    };
    let found = found.unwrap_or_else(|failure| panic!("{failure:?}\n{query}"));
    let row = |(at, stamp): (usize, &i64)| {
        (*stamp, found.columns.iter().map(|column| column[at].map(number)).collect())
    };
    found.stamps.iter().enumerate().map(row).collect()
}

#[test]
fn examples_give_what_is_shown() {
    let mut shown = 0;
    for Example { source, tables } in examples() {
        let (query, _) = tilt_frontend::compile("language.md", source).expect("the front end tests this");
        let verified = tir::verify(&query).unwrap_or_else(|errors| panic!("{errors:?}\n{query}"));
        let (data, ends) = data(&query, &tables);
        let mut interp = Interp::new(verified, &data);
        for (at, output) in query.outputs.iter().enumerate() {
            let found = rows(&query, &mut interp, at, ends);
            let expected = tables.iter().find(|table| {
                table.0 == output.name && query.inputs.rows().iter().all(|input| input.name != table.0)
            });
            if let Some((name, expected)) = expected {
                assert_eq!(&found, expected, "`{name}` of\n{source}");
                shown += 1;
            }
        }
    }
    assert_eq!(shown, 8, "all tables are found");
}
