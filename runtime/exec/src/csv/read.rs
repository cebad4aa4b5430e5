//! Reading a CSV text.

use tilt_ir::{Grid, Type};

use super::plan::{Failure, Plan, plan};
use super::records::line_at;
use super::rows::{offset_of, parse};
use super::sink::{Sink, Sinks};
use crate::arrange::{Misplaced, Rules, arrange};
use crate::files::{InputKind, InputSpec, Loaded, ReadOptions};
use crate::problem::DataError;
use crate::stream::{RegularStream, Stream};
use crate::symbols::Dictionary;
use crate::time::TimeForm;
use crate::workers;

/// What was read from a file.
#[derive(Clone, Debug)]
pub struct CsvStream {
    /// The rows, with a column for each field, in the order asked for.
    pub stream: RegularStream,
    /// How the file spells its times; `None` if it has no rows.
    pub form: Option<TimeForm>,
}

/// Reads `text`, the contents of `file` (a name for messages), as a stream on `grid` with these
/// fields. The symbols of a file that is read so are its own; see [`read`](crate::read()) for all else.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read_csv(
    file: &str,
    text: &[u8],
    grid: Grid,
    fields: &[(&str, Type)],
    options: &ReadOptions,
) -> Result<CsvStream, DataError> {
    let spec = InputSpec::unkeyed(InputKind::Regular(grid), fields);
    let mut symbols = Dictionary::default();
    let loaded = workers::with_threads(threads(text, options), || {
        read_text(file, text, &spec, options, &mut symbols)
    })?;
    match loaded.input.stream {
        Stream::Regular(stream) => Ok(CsvStream { stream, form: loaded.form }),
        Stream::Events(_) => unreachable!("a regular input was asked for"),
    }
}

/// A short text is not worth a pool.
pub(crate) fn threads(text: &[u8], options: &ReadOptions) -> usize {
    if text.len() <= 1 << 20 { 1 } else { options.threads }
}

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
    let (rows, form, body, names) = match planned {
        Some((plan, body)) => {
            let rows = parse(text, body, &plan, symbols).map_err(fail)?;
            let Plan { form, names, values, .. } = plan;
            (rows, Some(form), body, values.into_iter().map(|(index, _)| names[index].clone()).collect())
        }
        None => (no_rows(spec), None, 0, vec![]),
    };
    let rows = rows.finish(spec.columns().map(|(name, _)| name));
    let rules = Rules::new(options, form.unwrap_or(TimeForm::Date), symbols);
    let input = arrange(rows, spec, &rules).map_err(|Misplaced { row, key, problem }| {
        let at = row.map(|row| offset_of(text, body, row));
        let column = key.and_then(|key| names.get(key).cloned());
        fail(Failure { at, column, problem: Box::new(problem) })
    })?;
    Ok(Loaded { input, form })
}

/// The columns of an input without rows.
pub(crate) fn no_rows(spec: &InputSpec<'_>) -> Sinks {
    let until = match spec.kind {
        InputKind::Interval { .. } => Some(vec![]),
        InputKind::Regular(_) | InputKind::Events => None,
    };
    Sinks { stamps: vec![], until, values: spec.columns().map(|(_, ty)| Sink::new(ty)).collect() }
}

/// A failure with its line.
pub(crate) fn located(file: &str, text: &[u8], failure: Failure) -> DataError {
    DataError {
        file: file.to_owned(),
        line: failure.at.map(|offset| line_at(text, offset)),
        row: None,
        column: failure.column,
        problem: failure.problem,
    }
}
