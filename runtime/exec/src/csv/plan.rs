//! What the header and the first row say about the rest of a file.

use tilt_ir::Type;

use super::records::{BrokenRecord, Records};
use crate::files::{Columns, Guess, InputSpec, ReadOptions, find};
use crate::problem::Problem;
use crate::time::{Separator, TimeError, TimeForm, looks_like_count};

/// Something wrong at a byte of the text.
pub(crate) struct Failure {
    pub(crate) at: Option<usize>,
    pub(crate) column: Option<String>,
    pub(crate) problem: Box<Problem>,
}

impl Failure {
    /// A failure in no column.
    pub(crate) fn new(at: Option<usize>, problem: Problem) -> Failure {
        Failure { at, column: None, problem: Box::new(problem) }
    }

    /// A failure in a column of the record that starts at `at`.
    pub(crate) fn within(at: usize, column: Option<&String>, problem: Problem) -> Failure {
        Failure { at: Some(at), column: column.cloned(), problem: Box::new(problem) }
    }
}

/// Where the stamps and the fields stand in a record.
pub(crate) struct Plan {
    pub(crate) names: Vec<String>,
    pub(crate) time: usize,
    pub(crate) until: Option<usize>,
    pub(crate) form: TimeForm,
    /// Column and type of each key, then of each field.
    pub(crate) values: Vec<(usize, Type)>,
}

impl Plan {
    /// A failure in a column of the record that starts at `at`.
    pub(crate) fn failure(&self, at: usize, column: usize, problem: Problem) -> Failure {
        Failure::within(at, self.names.get(column), problem)
    }

    pub(super) fn broken(&self, record: BrokenRecord) -> Failure {
        self.failure(record.start, record.value, record.problem)
    }
}

/// Looks at the header and the first row; gives the plan and where the rows start. `None` if there
/// are no rows.
pub(super) fn plan(
    text: &[u8],
    spec: &InputSpec<'_>,
    options: &ReadOptions,
) -> Result<Option<(Plan, usize)>, Failure> {
    let whole = |problem| Failure::new(None, problem);
    let mut records = Records::new(text, 0);
    let names = names(&mut records)?;
    let body = records.end();
    let broken =
        |record: BrokenRecord| Failure::within(record.start, names.get(record.value), record.problem);
    let has_rows = records.advance().map_err(broken)?;
    let guess = || match has_rows {
        true => guess(&records, names.len()),
        false => Guess::NoRows,
    };
    let found = find(&names, spec, options, guess).map_err(whole)?;
    match found {
        Some(Columns { time, until, values }) if has_rows => {
            let values = values.into_iter().zip(spec.columns()).map(|(index, (_, ty))| (index, ty)).collect();
            let mut plan = Plan { names, time, until, form: TimeForm::Date, values };
            plan.form = form(&plan, &records, options)?;
            Ok(Some((plan, body)))
        }
        _ => Ok(None),
    }
}

/// The column names of the first line.
fn names(records: &mut Records<'_>) -> Result<Vec<String>, Failure> {
    let broken = |record: BrokenRecord| Failure::new(Some(record.start), record.problem);
    if !records.advance().map_err(broken)? {
        return Err(Failure::new(None, Problem::Empty));
    }
    (0..records.len())
        .map(|index| std::str::from_utf8(records.value(index)).map(str::to_owned))
        .collect::<Result<_, _>>()
        .map_err(|_| Failure::new(None, Problem::Encoding))
}

/// The first value that is spelled as a time.
fn guess(record: &Records<'_>, columns: usize) -> Guess {
    let is_time = |index: &usize| TimeForm::detect(record.value(*index)).is_some();
    match (0..record.len().min(columns)).find(is_time) {
        Some(column) => Guess::Column(column),
        None => Guess::None,
    }
}

/// How the first row spells its time.
fn form(plan: &Plan, record: &Records<'_>, options: &ReadOptions) -> Result<TimeForm, Failure> {
    if record.len() <= plan.time {
        return Ok(TimeForm::Date); // reading the row will say what is wrong with it
    }
    form_of(record.value(plan.time), options)
        .map_err(|problem| plan.failure(record.start(), plan.time, problem))
}

/// How this time is spelled.
pub(crate) fn form_of(value: &[u8], options: &ReadOptions) -> Result<TimeForm, Problem> {
    if let Some(unit) = options.unit {
        return Ok(TimeForm::Count(unit));
    }
    match TimeForm::detect(value) {
        Some(form) => Ok(form),
        None if value.is_empty() => Ok(TimeForm::Date),
        None => {
            let text = String::from_utf8_lossy(value).into_owned();
            Err(match looks_like_count(value) {
                true => Problem::NoUnit { value: text },
                false => Problem::Time { value: text, error: TimeError::Form(TimeForm::Civil(Separator::T)) },
            })
        }
    }
}
