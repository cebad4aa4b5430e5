//! Which column of a file holds which field.

use super::error::Problem;
use super::options::CsvOptions;
use super::records::Records;
use crate::time::TimeForm;

/// Names that a time column usually has.
const TIME_NAMES: [&str; 6] = ["time", "timestamp", "datetime", "date", "t", "ts"];

/// The column names of the first line.
pub(super) fn names(records: &mut Records<'_>) -> Result<Vec<String>, Problem> {
    if !records.advance() {
        return Err(Problem::Empty);
    }
    (0..records.len())
        .map(|index| std::str::from_utf8(records.value(index)).map(str::to_owned))
        .collect::<Result<_, _>>()
        .map_err(|_| Problem::Encoding)
}

/// For each field the number of its column.
pub(super) fn fields(names: &[String], fields: &[&str], options: &CsvOptions) -> Result<Vec<usize>, Problem> {
    for (field, _) in &options.columns {
        if !fields.iter().any(|known| known.eq_ignore_ascii_case(field)) {
            let fields = fields.iter().map(|&field| field.to_owned()).collect();
            return Err(Problem::NoField { field: field.clone(), fields });
        }
    }
    fields.iter().map(|field| column_of(names, field, options)).collect()
}

fn column_of(names: &[String], field: &str, options: &CsvOptions) -> Result<usize, Problem> {
    let asked = options.columns.iter().rev().find(|(given, _)| given.eq_ignore_ascii_case(field));
    let asked = asked.map(|(_, column)| column.clone());
    one(names, asked.as_deref().unwrap_or(field)).map_err(|found| match found[..] {
        [] => Problem::NoColumn { field: field.to_owned(), asked, columns: names.to_vec() },
        _ => Problem::Ambiguous { field: Some(field.to_owned()), columns: found },
    })
}

/// The column of that name: exactly spelled, or else the only one without regard to case. If there
/// is not just one, the ones there are.
fn one(names: &[String], wanted: &str) -> Result<usize, Vec<String>> {
    let alike = |exact: bool| {
        let same = move |name: &str| {
            if exact { name == wanted } else { alike_name(name, wanted) }
        };
        names.iter().enumerate().filter(move |(_, name)| same(name))
    };
    let exact = alike(true).count() > 0;
    let mut found = alike(exact);
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Ok(index),
        _ => Err(alike(exact).map(|(_, name)| name.clone()).collect()),
    }
}

fn alike_name(name: &str, wanted: &str) -> bool {
    name.eq_ignore_ascii_case(wanted) || name.to_lowercase() == wanted.to_lowercase()
}

/// The number of the time column, where `taken` are the columns of the fields and `records` stands
/// on the first row of data, if there is one (`None` only then).
pub(super) fn time(
    names: &[String],
    taken: &[usize],
    first: Option<&Records<'_>>,
    options: &CsvOptions,
) -> Result<Option<usize>, Problem> {
    if let Some(asked) = &options.time {
        return one(names, asked).map(Some).map_err(|found| match found[..] {
            [] => Problem::NoTime { asked: Some(asked.clone()), columns: names.to_vec() },
            _ => Problem::Ambiguous { field: None, columns: found },
        });
    }
    let usual = |index: &usize| TIME_NAMES.iter().any(|&usual| alike_name(&names[*index], usual));
    let named: Vec<usize> = (0..names.len()).filter(usual).collect();
    let free: Vec<usize> = named.iter().copied().filter(|index| !taken.contains(index)).collect();
    let candidates = if free.is_empty() { named } else { free };
    match candidates[..] {
        [index] => return Ok(Some(index)),
        [] => {}
        _ => {
            let columns = candidates.iter().map(|&index| names[index].clone()).collect();
            return Err(Problem::Ambiguous { field: None, columns });
        }
    }
    let Some(record) = first else { return Ok(None) };
    (0..record.len().min(names.len()))
        .find(|&index| TimeForm::detect(record.value(index)).is_some())
        .map(Some)
        .ok_or_else(|| Problem::NoTime { asked: None, columns: names.to_vec() })
}
