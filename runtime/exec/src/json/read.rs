//! Reading JSON lines.

use std::ops::Range;

use memchr::memchr;
use tilt_ir::Type;

use super::object::{Value, members};
use crate::arrange::{Misplaced, Rules, arrange};
use crate::arrays;
use crate::csv::{Failure, Misfit, Plan, Sink, Sinks, form_of, located, no_rows};
use crate::files::{Columns, Guess, InputSpec, Loaded, ReadOptions, find};
use crate::problem::{DataError, Problem};
use crate::symbols::Dictionary;
use crate::time::TimeForm;
use crate::workers;

/// Lines in which a column must show itself.
const LOOKED_AT: usize = 1000;

/// Bytes that a thread reads at a time.
const CHUNK: usize = 1 << 20;

pub(crate) fn read_text(
    file: &str,
    text: &[u8],
    spec: &InputSpec<'_>,
    options: &ReadOptions,
    symbols: &mut Dictionary,
) -> Result<Loaded, DataError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let fail = |failure: Failure| located(file, text, failure);
    let planned = plan(text, spec, options).map_err(fail)?;
    let (rows, form, names) = match planned {
        Some(plan) => {
            let rows = parse(text, &plan, symbols).map_err(fail)?;
            let names = plan.values.iter().map(|(index, _)| plan.names[*index].clone());
            (rows, Some(plan.form), names.collect::<Vec<String>>())
        }
        None => (no_rows(spec), None, vec![]),
    };
    let rows = rows.finish(spec.columns().map(|(name, _)| name));
    let rules = Rules::new(options, form.unwrap_or(TimeForm::Date), symbols);
    let input = arrange(rows, spec, &rules).map_err(|Misplaced { row, key, problem }| {
        let at = row.and_then(|row| lines(text, 0..text.len()).nth(row)).map(|line| line.start);
        let column = key.and_then(|key| names.get(key).cloned());
        fail(Failure { at, column, problem: Box::new(problem) })
    })?;
    Ok(Loaded { input, form })
}

/// Lines that are not empty.
fn lines(text: &[u8], within: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = within.start;
    std::iter::from_fn(move || {
        loop {
            let rest = text[..within.end].get(at..).filter(|rest| !rest.is_empty())?;
            let end = memchr(b'\n', rest).map_or(within.end, |len| at + len);
            let line = at..end;
            at = end + 1;
            if !text[line.clone()].trim_ascii().is_empty() {
                return Some(line);
            }
        }
    })
}

fn object<'a>(
    text: &'a [u8],
    line: &Range<usize>,
    member: impl FnMut(std::borrow::Cow<'a, str>, Value<'a>),
) -> Result<(), Failure> {
    let broken = |reason| Failure::new(Some(line.start), Problem::Json { reason });
    let line =
        std::str::from_utf8(&text[line.clone()]).map_err(|_| broken("the line is not UTF-8".to_owned()))?;
    members(line, member).map_err(broken)
}

/// Looks at the first lines.
fn plan(text: &[u8], spec: &InputSpec<'_>, options: &ReadOptions) -> Result<Option<Plan>, Failure> {
    let mut names: Vec<String> = Vec::new();
    // For each name the first value that is not null.
    let mut first: Vec<Option<String>> = Vec::new();
    let mut rows = 0;
    for line in lines(text, 0..text.len()).take(LOOKED_AT) {
        rows += 1;
        object(text, &line, |name, value| {
            let column = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name.into_owned());
                first.push(None);
                names.len() - 1
            });
            if first[column].is_none() {
                first[column] = match value {
                    Value::Text(text) => Some(text.into_owned()),
                    Value::Bare(word) => Some(word.to_owned()),
                    Value::Null | Value::Nested | Value::Array(_) => None,
                };
            }
        })?;
    }
    if rows == 0 {
        return Ok(None);
    }
    let is_time = |value: &Option<String>| {
        value.as_ref().is_some_and(|text| TimeForm::detect(text.as_bytes()).is_some())
    };
    let guess = || first.iter().position(is_time).map_or(Guess::None, Guess::Column);
    let found = find(&names, spec, options, guess).map_err(|problem| Failure::new(None, problem))?;
    let Some(Columns { time, until, values }) = found else { return Ok(None) };
    let stamp = first[time].clone().unwrap_or_default();
    let form = form_of(stamp.as_bytes(), options).map_err(|problem| Failure {
        at: None,
        column: Some(names[time].clone()),
        problem: Box::new(problem),
    })?;
    let values = values.into_iter().zip(spec.columns()).map(|(index, (_, ty))| (index, ty)).collect();
    Ok(Some(Plan { names, time, until, form, values }))
}

fn parse(text: &[u8], plan: &Plan, symbols: &mut Dictionary) -> Result<Sinks, Failure> {
    let mut chunks: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let aim = text.len().min(start + CHUNK);
        let end = memchr(b'\n', &text[aim..]).map_or(text.len(), |len| aim + len + 1);
        chunks.push(start..end);
        start = end;
    }
    let lengths = lengths(plan);
    let parsed = workers::map(chunks, |chunk| -> Result<(Sinks, Dictionary), Failure> {
        let (mut rows, mut symbols) = (Sinks::new(plan), Dictionary::default());
        for line in lines(text, chunk) {
            push_line(text, &line, (plan, &lengths), &mut rows, &mut symbols)?;
        }
        Ok((rows, symbols))
    });
    let mut rows = Sinks::new(plan);
    rows.append(parsed.into_iter().collect::<Result<_, _>>()?, symbols);
    Ok(rows)
}

/// The columns that are arrays of which elements are wanted, and how many.
fn lengths(plan: &Plan) -> Vec<(usize, usize)> {
    let mut lengths: Vec<(usize, usize)> = Vec::new();
    for (column, _) in &plan.values {
        let Some((array, _)) = arrays::element(&plan.names[*column]) else { continue };
        let Some(whole) = plan.names.iter().position(|name| name == array) else { continue };
        match lengths.iter_mut().find(|(column, _)| *column == whole) {
            Some((_, len)) => *len += 1,
            None => lengths.push((whole, 1)),
        }
    }
    lengths
}

fn push_line(
    text: &[u8],
    line: &Range<usize>,
    (plan, lengths): (&Plan, &[(usize, usize)]),
    rows: &mut Sinks,
    symbols: &mut Dictionary,
) -> Result<(), Failure> {
    let mut found: Vec<Value<'_>> = plan.names.iter().map(|_| Value::Null).collect();
    let mut next = 0;
    object(text, line, |name, value| {
        // Most lines have their members in the same order.
        let column = match plan.names.get(next).is_some_and(|expected| *expected == name) {
            true => Some(next),
            false => plan.names.iter().position(|known| *known == name),
        };
        if let Some(column) = column {
            found[column] = value;
            next = column + 1;
        }
    })?;
    for (column, expected) in lengths {
        if let Value::Array(found) = found[*column]
            && found != *expected
        {
            let expected = *expected;
            return Err(plan.failure(line.start, *column, Problem::Length { found, expected }));
        }
    }
    rows.stamps.push(
        stamp(&found, plan.time, line, plan)?
            .ok_or_else(|| plan.failure(line.start, plan.time, Problem::NoStamp))?,
    );
    if let (Some(until), Some(column)) = (&mut rows.until, plan.until) {
        until.push(stamp(&found, column, line, plan)?.unwrap_or(i64::MAX));
    }
    for (sink, (column, ty)) in rows.values.iter_mut().zip(&plan.values) {
        push(sink, &found[*column], plan.form, symbols).map_err(|misfit| {
            let value = match &found[*column] {
                Value::Text(text) => text.to_string(),
                Value::Bare(word) => (*word).to_owned(),
                Value::Null | Value::Nested | Value::Array(_) => "a nested value".to_owned(),
            };
            let problem = Problem::Value { value, ty: *ty, range: misfit == Misfit::Range };
            plan.failure(line.start, *column, problem)
        })?;
    }
    Ok(())
}

fn push(sink: &mut Sink, value: &Value<'_>, form: TimeForm, symbols: &mut Dictionary) -> Result<(), Misfit> {
    match value {
        Value::Null => {
            sink.push_null();
            Ok(())
        }
        Value::Nested | Value::Array(_) => Err(Misfit::Spelling),
        Value::Text(text) if sink.ty() == Type::Symbol => sink.push_symbol(Some(text.as_bytes()), symbols),
        Value::Bare(_) if sink.ty() == Type::Symbol => Err(Misfit::Spelling),
        Value::Text(text) if text.is_empty() => Err(Misfit::Spelling),
        Value::Text(text) => sink.push(form, text.as_bytes()),
        Value::Bare(word) => sink.push(form, word.as_bytes()),
    }
}

fn stamp(
    found: &[Value<'_>],
    column: usize,
    line: &Range<usize>,
    plan: &Plan,
) -> Result<Option<i64>, Failure> {
    let text = match &found[column] {
        Value::Null => return Ok(None),
        Value::Text(text) => text.as_ref(),
        Value::Bare(word) => word,
        Value::Nested | Value::Array(_) => "a nested value",
    };
    plan.form
        .parse(text.as_bytes())
        .map(Some)
        .map_err(|error| plan.failure(line.start, column, Problem::Time { value: text.to_owned(), error }))
}
