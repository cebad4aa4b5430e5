//! The rows of a file: stamps and values, read in parallel.

use std::ops::Range;

use memchr::memchr;
use rayon::prelude::*;

use super::error::Problem;
use super::plan::{Failure, Plan};
use super::records::Records;
use super::sink::Sink;
use super::value::Misfit;

/// Below this many bytes one thread reads a file as fast as several.
const CHUNK: usize = 1 << 20;

/// Stamps and values in file order.
pub(super) struct Rows {
    pub(super) stamps: Vec<i64>,
    pub(super) sinks: Vec<Sink>,
}

/// Reads all rows, in parallel if the text is long and has no quotes (a quote may hold line ends).
pub(super) fn parse(text: &[u8], body: usize, plan: &Plan, threads: usize) -> Result<Rows, Failure> {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { available() } else { threads };
    let quoted = || memchr(b'"', &text[body..]).is_some();
    if threads == 1 || text.len() - body <= CHUNK || quoted() {
        return parse_chunk(text, body..text.len(), plan);
    }
    let chunks = cut(text, body);
    let read = || -> Vec<_> { chunks.into_par_iter().map(|chunk| parse_chunk(text, chunk, plan)).collect() };
    let parts = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(read),
        Err(_) => read(),
    };
    let mut parts = parts.into_iter();
    let mut rows = match parts.next() {
        Some(first) => first?,
        None => parse_chunk(text, text.len()..text.len(), plan)?,
    };
    for part in parts {
        let part = part?;
        rows.stamps.extend_from_slice(&part.stamps);
        for (sink, more) in rows.sinks.iter_mut().zip(part.sinks) {
            sink.append(more);
        }
    }
    Ok(rows)
}

/// Ranges of whole lines, about [`CHUNK`] bytes each.
fn cut(text: &[u8], body: usize) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut start = body;
    loop {
        let aim = start + CHUNK;
        let end = match text.get(aim..).and_then(|rest| memchr(b'\n', rest)) {
            Some(feed) => aim + feed + 1,
            None => text.len(),
        };
        chunks.push(start..end);
        if end == text.len() {
            return chunks;
        }
        start = end;
    }
}

fn parse_chunk(text: &[u8], chunk: Range<usize>, plan: &Plan) -> Result<Rows, Failure> {
    let mut records = Records::new(&text[..chunk.end], chunk.start);
    let sinks = plan.fields.iter().map(|(_, ty)| Sink::new(*ty)).collect();
    let mut rows = Rows { stamps: Vec::new(), sinks };
    while records.advance() {
        if records.len() != plan.names.len() {
            let problem = Problem::Width { found: records.len(), expected: plan.names.len() };
            return Err(Failure::new(Some(records.start()), problem));
        }
        rows.stamps.push(stamp(&records, plan)?);
        for (sink, (index, ty)) in rows.sinks.iter_mut().zip(&plan.fields) {
            let value = records.value(*index);
            sink.push(plan.form, value).map_err(|misfit| {
                let value = String::from_utf8_lossy(value).into_owned();
                let range = misfit == Misfit::Range;
                plan.failure(records.start(), *index, Problem::Value { value, ty: *ty, range })
            })?;
        }
    }
    Ok(rows)
}

fn stamp(record: &Records<'_>, plan: &Plan) -> Result<i64, Failure> {
    let value = record.value(plan.time);
    plan.form.parse(value).map_err(|error| {
        let problem = if value.is_empty() {
            Problem::NoStamp
        } else {
            Problem::Time { value: String::from_utf8_lossy(value).into_owned(), error }
        };
        plan.failure(record.start(), plan.time, problem)
    })
}

/// The offset of a row's first byte: counted again, because only an error asks for it.
pub(super) fn offset_of(text: &[u8], body: usize, row: usize) -> usize {
    let mut records = Records::new(text, body);
    for _ in 0..=row {
        records.advance();
    }
    records.start()
}
