//! Reading a CSV text into a regular stream.

use tilt_ir::{Grid, Type};

use super::error::DataError;
use super::options::CsvOptions;
use super::place::{Placement, Rules, place};
use super::plan::{Failure, Plan, plan};
use super::records::line_at;
use super::rows::{offset_of, parse};
use super::sink::Sink;
use crate::stream::RegularStream;
use crate::time::TimeForm;

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
        let columns = fields.iter().map(|(name, ty)| Sink::new(*ty).place(name, &Placement::NONE)).collect();
        return Ok(CsvStream { stream: RegularStream { grid, first: 0, len: 0, columns }, form: None });
    };
    let rows = parse(text, body, &plan, options.threads).map_err(fail)?;
    let Plan { form, .. } = plan;
    let rules = Rules { grid, form, duplicates: options.duplicates, sort: options.sort };
    let placement = place(&rows.stamps, &rules).map_err(|(row, problem)| {
        let at = row.map(|row| offset_of(text, body, row));
        fail(Failure::new(at, problem))
    })?;
    let columns =
        rows.sinks.into_iter().zip(fields).map(|(sink, (name, _))| sink.place(name, &placement)).collect();
    let stream = RegularStream { grid, first: placement.first, len: placement.len, columns };
    Ok(CsvStream { stream, form: Some(form) })
}
