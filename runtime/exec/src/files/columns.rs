//! Which column of a file holds which field.

use super::options::ReadOptions;
use super::spec::{InputKind, InputSpec};
use crate::arrays;
use crate::problem::Problem;

/// Names that a time column usually has.
const TIME_NAMES: [&str; 6] = ["time", "timestamp", "datetime", "date", "t", "ts"];

/// Numbers of columns in a file.
pub(crate) struct Columns {
    /// The stamps.
    pub(crate) time: usize,
    /// Of an interval input the ends.
    pub(crate) until: Option<usize>,
    /// The keys, then the fields.
    pub(crate) values: Vec<usize>,
}

/// What the values in a file say about which column is the time, if no name does.
pub(crate) enum Guess {
    Column(usize),
    /// None looks like a time.
    None,
    /// There are no values.
    NoRows,
}

/// Finds the columns of an input. `None` if the time could not be found, but there are no rows either.
pub(crate) fn find(
    names: &[String],
    spec: &InputSpec<'_>,
    options: &ReadOptions,
    guess: impl Fn() -> Guess,
) -> Result<Option<Columns>, Problem> {
    let mut known: Vec<&str> = spec.columns().map(|(name, _)| name).collect();
    known.extend(spec.columns().filter_map(|(name, _)| arrays::element(name)).map(|(array, _)| array));
    if let InputKind::Interval { from, to } = spec.kind {
        known.extend([from, to]);
    }
    for (field, _) in &options.columns {
        if !known.iter().any(|known| known.eq_ignore_ascii_case(field)) {
            let fields = known.iter().map(|&field| field.to_owned()).collect();
            return Err(Problem::NoField { field: field.clone(), fields });
        }
    }
    let values: Vec<usize> =
        spec.columns().map(|(field, _)| column_of(names, field, options)).collect::<Result<_, _>>()?;
    let (time, until) = match spec.kind {
        InputKind::Regular(_) | InputKind::Events => (time(names, &values, options, guess)?, None),
        InputKind::Interval { from, to } => {
            let start = match &options.time {
                Some(_) => time(names, &values, options, guess)?,
                None => Some(column_of(names, from, options)?),
            };
            (start, Some(column_of(names, to, options)?))
        }
    };
    Ok(time.map(|time| Columns { time, until, values }))
}

fn column_of(names: &[String], field: &str, options: &ReadOptions) -> Result<usize, Problem> {
    let given = |field: &str| {
        let mut given = options.columns.iter().rev();
        given.find(|(given, _)| given.eq_ignore_ascii_case(field)).map(|(_, column)| column.clone())
    };
    let asked = given(field).or_else(|| {
        let (array, number) = arrays::element(field)?;
        given(array).map(|column| format!("{column}[{number}]"))
    });
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

/// The number of the time column, where `taken` are the columns of the fields.
fn time(
    names: &[String],
    taken: &[usize],
    options: &ReadOptions,
    guess: impl Fn() -> Guess,
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
    match guess() {
        Guess::Column(column) => Ok(Some(column)),
        Guess::NoRows => Ok(None),
        Guess::None => Err(Problem::NoTime { asked: None, columns: names.to_vec() }),
    }
}
