//! Reading a CSV text into a regular stream.

use std::ops::Range;

use memchr::memchr;
use rayon::prelude::*;
use tilt_ir::{Grid, Type};

use super::error::{DataError, Problem};
use super::header;
use super::options::CsvOptions;
use super::place::{Placement, Rules, place};
use super::records::{Records, line_at};
use super::sink::Sink;
use super::value::Misfit;
use crate::stream::RegularStream;
use crate::time::{Separator, TimeError, TimeForm, looks_like_count};

/// Below this many bytes one thread reads a file as fast as several.
const CHUNK: usize = 1 << 20;

/// What was read from a file.
#[derive(Clone, Debug)]
pub struct CsvStream {
    /// The rows, with a column for each field, in the order asked for.
    pub stream: RegularStream,
    /// How the file spells its times; `None` if it has no rows.
    pub form: Option<TimeForm>,
}

/// Reads `text`, the contents of `file` (a name for messages), as a stream on `grid` with these
/// fields.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read_csv(
    file: &str,
    text: &[u8],
    grid: Grid,
    fields: &[(&str, Type)],
    options: &CsvOptions,
) -> Result<CsvStream, DataError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let fail = |failure: Failure| DataError {
        file: file.to_owned(),
        line: failure.at.map(|offset| line_at(text, offset)),
        column: failure.column,
        problem: failure.problem,
    };
    let Some((plan, body)) = plan(text, fields, options).map_err(fail)? else {
        let columns = fields
            .iter()
            .map(|(name, ty)| Sink::new(*ty).place(name, &Placement::NONE))
            .collect();
        return Ok(CsvStream {
            stream: RegularStream {
                grid,
                first: 0,
                len: 0,
                columns,
            },
            form: None,
        });
    };
    let rows = parse(text, body, &plan, options.threads).map_err(fail)?;
    let Plan { form, .. } = plan;
    let rules = Rules {
        grid,
        form,
        duplicates: options.duplicates,
        sort: options.sort,
    };
    let placement = place(&rows.stamps, &rules).map_err(|(row, problem)| {
        let at = row.map(|row| offset_of(text, body, row));
        fail(Failure {
            at,
            column: None,
            problem,
        })
    })?;
    let columns = rows
        .sinks
        .into_iter()
        .zip(fields)
        .map(|(sink, (name, _))| sink.place(name, &placement))
        .collect();
    let stream = RegularStream {
        grid,
        first: placement.first,
        len: placement.len,
        columns,
    };
    Ok(CsvStream {
        stream,
        form: Some(form),
    })
}

/// Something wrong at a byte of the text.
struct Failure {
    at: Option<usize>,
    column: Option<String>,
    problem: Problem,
}

/// Where the stamps and the fields stand in a record.
struct Plan {
    names: Vec<String>,
    time: usize,
    form: TimeForm,
    fields: Vec<(usize, Type)>,
}

impl Plan {
    fn failure(&self, at: usize, column: usize, problem: Problem) -> Failure {
        Failure {
            at: Some(at),
            column: Some(self.names[column].clone()),
            problem,
        }
    }
}

/// Looks at the header and the first row; gives the plan and where the rows start. `None` if there
/// are no rows.
fn plan(
    text: &[u8],
    fields: &[(&str, Type)],
    options: &CsvOptions,
) -> Result<Option<(Plan, usize)>, Failure> {
    let whole = |problem| Failure {
        at: None,
        column: None,
        problem,
    };
    let mut records = Records::new(text, 0);
    let names = header::names(&mut records).map_err(whole)?;
    let wanted: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let indexes = header::fields(&names, &wanted, options).map_err(whole)?;
    let body = records.end();
    let first = records.advance().then_some(&records);
    let time = header::time(&names, &indexes, first, options).map_err(whole)?;
    let (Some(time), Some(record)) = (time, first) else {
        return Ok(None);
    };
    let fields = indexes
        .into_iter()
        .zip(fields)
        .map(|(index, (_, ty))| (index, *ty))
        .collect();
    let mut plan = Plan {
        names,
        time,
        form: TimeForm::Date,
        fields,
    };
    plan.form = form(&plan, record, options)?;
    Ok(Some((plan, body)))
}

/// How the first row spells its time.
fn form(plan: &Plan, record: &Records<'_>, options: &CsvOptions) -> Result<TimeForm, Failure> {
    if let Some(unit) = options.unit {
        return Ok(TimeForm::Count(unit));
    }
    if record.len() <= plan.time {
        return Ok(TimeForm::Date); // reading the row will say what is wrong with it
    }
    let value = record.value(plan.time);
    match TimeForm::detect(value) {
        Some(form) => Ok(form),
        None if value.is_empty() => Ok(TimeForm::Date),
        None => {
            let text = String::from_utf8_lossy(value).into_owned();
            let problem = if looks_like_count(value) {
                Problem::NoUnit { value: text }
            } else {
                let error = TimeError::Form(TimeForm::Civil(Separator::T));
                Problem::Time { value: text, error }
            };
            Err(plan.failure(record.start(), plan.time, problem))
        }
    }
}

/// Stamps and values in file order.
struct Rows {
    stamps: Vec<i64>,
    sinks: Vec<Sink>,
}

/// Reads all rows, in parallel if the text is long and has no quotes (a quote may hold line ends).
fn parse(text: &[u8], body: usize, plan: &Plan, threads: usize) -> Result<Rows, Failure> {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { available() } else { threads };
    let chunks = match threads {
        1 => vec![body..text.len()],
        _ if memchr(b'"', &text[body..]).is_some() => vec![body..text.len()],
        _ => cut(text, body),
    };
    if chunks.len() == 1 {
        return parse_chunk(text, body..text.len(), plan);
    }
    let read = || -> Vec<_> {
        chunks
            .into_par_iter()
            .map(|chunk| parse_chunk(text, chunk, plan))
            .collect()
    };
    let parts = match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(read),
        Err(_) => read(),
    };
    let mut parts = parts.into_iter();
    let mut rows = match parts.next() {
        Some(first) => first?,
        None => parse_chunk(text, body..text.len(), plan)?,
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
    let mut rows = Rows {
        stamps: Vec::new(),
        sinks,
    };
    while records.advance() {
        if records.len() != plan.names.len() {
            let problem = Problem::Width {
                found: records.len(),
                expected: plan.names.len(),
            };
            return Err(Failure {
                at: Some(records.start()),
                column: None,
                problem,
            });
        }
        rows.stamps.push(stamp(&records, plan)?);
        for (sink, (index, ty)) in rows.sinks.iter_mut().zip(&plan.fields) {
            let value = records.value(*index);
            sink.push(plan.form, value).map_err(|misfit| {
                let value = String::from_utf8_lossy(value).into_owned();
                let range = misfit == Misfit::Range;
                plan.failure(
                    records.start(),
                    *index,
                    Problem::Value {
                        value,
                        ty: *ty,
                        range,
                    },
                )
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
            Problem::Time {
                value: String::from_utf8_lossy(value).into_owned(),
                error,
            }
        };
        plan.failure(record.start(), plan.time, problem)
    })
}

/// The offset of a row's first byte: counted again, because only an error asks for it.
fn offset_of(text: &[u8], body: usize, row: usize) -> usize {
    let mut records = Records::new(text, body);
    for _ in 0..=row {
        records.advance();
    }
    records.start()
}
