//! The rows of a file: stamps and values, read in parallel.

use std::ops::Range;

use super::cut::cut;
use super::plan::{Failure, Plan};
use super::records::{BrokenRecord, Records};
use super::sink::{Sink, Sinks};
use super::value::Misfit;
use crate::problem::Problem;
use crate::symbols::Dictionary;
use crate::workers;

/// What one chunk gave.
struct Chunk {
    rows: Sinks,
    symbols: Dictionary,
    /// Quotes did not pair up: later chunks may begin inside quotes.
    lone_quotes: bool,
    result: Result<(), Failure>,
}

/// Reads all rows, in parallel if the text is long.
pub(super) fn parse(
    text: &[u8],
    body: usize,
    plan: &Plan,
    symbols: &mut Dictionary,
) -> Result<Sinks, Failure> {
    let chunks = match workers::threads() {
        1 => vec![],
        _ => cut(text, body),
    };
    if chunks.len() > 1
        && let Some(rows) = parse_chunks(text, chunks, plan, symbols)?
    {
        return Ok(rows);
    }
    let mut rows = Sinks::new(plan);
    let mut records = Records::new(text, body);
    parse_records(&mut records, plan, &mut rows, symbols)?;
    Ok(rows)
}

/// `None` if the text could not be cut where it was.
fn parse_chunks(
    text: &[u8],
    chunks: Vec<Range<usize>>,
    plan: &Plan,
    symbols: &mut Dictionary,
) -> Result<Option<Sinks>, Failure> {
    let parsed = workers::map(chunks, |chunk| {
        let mut records = Records::new(&text[..chunk.end], chunk.start);
        let (mut rows, mut symbols) = (Sinks::new(plan), Dictionary::default());
        let result = parse_records(&mut records, plan, &mut rows, &mut symbols);
        Chunk { rows, symbols, lone_quotes: records.has_lone_quotes(), result }
    });
    let mut parts = Vec::with_capacity(parsed.len());
    for chunk in parsed {
        if chunk.lone_quotes {
            return Ok(None);
        }
        chunk.result?;
        parts.push((chunk.rows, chunk.symbols));
    }
    let mut rows = Sinks::new(plan);
    rows.append(parts, symbols);
    Ok(Some(rows))
}

fn parse_records(
    records: &mut Records<'_>,
    plan: &Plan,
    rows: &mut Sinks,
    symbols: &mut Dictionary,
) -> Result<(), Failure> {
    while records.advance().map_err(|record: BrokenRecord| plan.broken(record))? {
        if records.len() != plan.names.len() {
            let problem = Problem::Width { found: records.len(), expected: plan.names.len() };
            return Err(Failure::new(Some(records.start()), problem));
        }
        rows.stamps.push(stamp(records, plan, plan.time)?);
        if let (Some(until), Some(column)) = (&mut rows.until, plan.until) {
            until.push(match records.value(column).is_empty() {
                true => i64::MAX,
                false => stamp(records, plan, column)?,
            });
        }
        for (sink, (index, _)) in rows.values.iter_mut().zip(&plan.values) {
            push(sink, records, *index, plan, symbols)?;
        }
    }
    Ok(())
}

fn push(
    sink: &mut Sink,
    record: &Records<'_>,
    index: usize,
    plan: &Plan,
    symbols: &mut Dictionary,
) -> Result<(), Failure> {
    let result = match sink.is_symbol() {
        true => sink.push_symbol(record.text(index), symbols),
        false => sink.push(plan.form, record.value(index)),
    };
    result.map_err(|misfit| {
        let value = String::from_utf8_lossy(record.value(index)).into_owned();
        let problem = Problem::Value { value, ty: sink.ty(), range: misfit == Misfit::Range };
        plan.failure(record.start(), index, problem)
    })
}

fn stamp(record: &Records<'_>, plan: &Plan, column: usize) -> Result<i64, Failure> {
    let value = record.value(column);
    plan.form.parse(value).map_err(|error| {
        let problem = if value.is_empty() {
            Problem::NoStamp
        } else {
            Problem::Time { value: String::from_utf8_lossy(value).into_owned(), error }
        };
        plan.failure(record.start(), column, problem)
    })
}

/// The offset of a row's first byte: counted again, because only an error asks for it.
pub(super) fn offset_of(text: &[u8], body: usize, row: usize) -> usize {
    let mut records = Records::new(text, body);
    for _ in 0..=row {
        if records.advance().is_err() {
            break; // all rows were read before
        }
    }
    records.start()
}
