//! What the header and the first row say about the rest of a file.

use tilt_ir::Type;

use super::error::Problem;
use super::header;
use super::options::CsvOptions;
use super::records::Records;
use crate::time::{Separator, TimeError, TimeForm, looks_like_count};

/// Something wrong at a byte of the text.
pub(super) struct Failure {
    pub(super) at: Option<usize>,
    pub(super) column: Option<String>,
    pub(super) problem: Box<Problem>,
}

impl Failure {
    /// A failure in no column.
    pub(super) fn new(at: Option<usize>, problem: Problem) -> Failure {
        Failure { at, column: None, problem: Box::new(problem) }
    }
}

/// Where the stamps and the fields stand in a record.
pub(super) struct Plan {
    pub(super) names: Vec<String>,
    pub(super) time: usize,
    pub(super) form: TimeForm,
    /// Column and type of each field.
    pub(super) fields: Vec<(usize, Type)>,
}

impl Plan {
    /// A failure in a column of the record that starts at `at`.
    pub(super) fn failure(&self, at: usize, column: usize, problem: Problem) -> Failure {
        Failure { at: Some(at), column: Some(self.names[column].clone()), problem: Box::new(problem) }
    }
}

/// Looks at the header and the first row; gives the plan and where the rows start. `None` if there
/// are no rows.
pub(super) fn plan(
    text: &[u8],
    fields: &[(&str, Type)],
    options: &CsvOptions,
) -> Result<Option<(Plan, usize)>, Failure> {
    let whole = |problem| Failure::new(None, problem);
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
    let fields = indexes.into_iter().zip(fields).map(|(index, (_, ty))| (index, *ty)).collect();
    let mut plan = Plan { names, time, form: TimeForm::Date, fields };
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
