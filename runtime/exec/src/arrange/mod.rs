//! From rows in the order of a file to the streams of an input: on a grid, in time, by key.
//!
//! What comes in is the same for every format of file; so is what can be wrong: a row off the grid, two
//! rows in one place, rows out of order, a key that is φ.

mod grid;
mod group;
mod order;

use arrow::buffer::ScalarBuffer;
use tilt_ir::Grid;

use crate::column::Column;
use crate::csv::FieldText;
use crate::files::{Duplicates, InputKind, InputSpec, ReadOptions};
use crate::problem::Problem;
use crate::stream::{EventStream, Input, Keys, RegularStream, Stream};
use crate::symbols::Dictionary;
use crate::time::TimeForm;

use group::Groups;

/// Rows as they stand in a file.
pub(crate) struct Rows {
    pub(crate) stamps: ScalarBuffer<i64>,
    pub(crate) until: Option<ScalarBuffer<i64>>,
    /// The keys, then the fields.
    pub(crate) columns: Vec<Column>,
}

/// What may be irregular.
pub(crate) struct Rules<'a> {
    form: TimeForm,
    duplicates: Duplicates,
    sort: bool,
    symbols: &'a Dictionary,
}

impl<'a> Rules<'a> {
    /// The rules that the options say, for times in this form.
    pub(crate) fn new(options: &ReadOptions, form: TimeForm, symbols: &'a Dictionary) -> Rules<'a> {
        Rules { form, duplicates: options.duplicates, sort: options.sort, symbols }
    }

    fn text(&self) -> FieldText<'a> {
        FieldText { form: self.form, symbols: self.symbols }
    }
}

/// What is wrong, with the number of the row and the key column if it is in one.
pub(crate) struct Misplaced {
    pub(crate) row: Option<usize>,
    pub(crate) key: Option<usize>,
    pub(crate) problem: Problem,
}

impl From<(Option<usize>, Problem)> for Misplaced {
    fn from((row, problem): (Option<usize>, Problem)) -> Misplaced {
        Misplaced { row, key: None, problem }
    }
}

/// Puts the rows of a file where they belong.
pub(crate) fn arrange(rows: Rows, spec: &InputSpec<'_>, rules: &Rules<'_>) -> Result<Input, Misplaced> {
    let Rows { stamps, until, mut columns } = rows;
    let fields = columns.split_off(spec.keys.len());
    let keys = columns;
    match spec.kind {
        InputKind::Regular(grid) if keys.is_empty() => regular(&stamps, fields, grid, rules),
        InputKind::Regular(grid) => keyed_regular(&stamps, &grouped(&keys, rules)?, fields, grid, rules),
        InputKind::Events | InputKind::Interval { .. } => {
            let flat = EventStream { stamps, until, columns: fields };
            if keys.is_empty() {
                let order = order::in_time(&flat.stamps, rules)?;
                return Ok(reordered(flat, order).into());
            }
            let mut groups = grouped(&keys, rules)?;
            groups.check(&flat.stamps, rules)?;
            if rules.sort {
                groups.sort(&flat.stamps);
            }
            let stream = Stream::Events(reordered(flat, groups.order));
            let keys = Keys { columns: groups.columns, offsets: groups.offsets, firsts: vec![] };
            Ok(Input { stream, keys: Some(keys) })
        }
    }
}

fn regular(stamps: &[i64], fields: Vec<Column>, grid: Grid, rules: &Rules<'_>) -> Result<Input, Misplaced> {
    let placed = grid::place(stamps, grid, rules)?;
    let place = |column: Column| match &placed.slots {
        None => column,
        Some(slots) => column.spread(slots, placed.len),
    };
    let columns = fields.into_iter().map(place).collect();
    Ok(RegularStream { grid, first: placed.first, len: placed.len, columns }.into())
}

fn keyed_regular(
    stamps: &[i64],
    groups: &Groups,
    fields: Vec<Column>,
    grid: Grid,
    rules: &Rules<'_>,
) -> Result<Input, Misplaced> {
    let placed = grid::place_keyed(stamps, groups, grid, rules)?;
    let len = placed.offsets.last().copied().unwrap_or(0);
    let columns = fields.iter().map(|column| column.spread(&placed.slots, len)).collect();
    let stream = Stream::Regular(RegularStream { grid, first: 0, len, columns });
    let keys = Keys { columns: groups.columns.clone(), offsets: placed.offsets, firsts: placed.firsts };
    Ok(Input { stream, keys: Some(keys) })
}

fn grouped(keys: &[Column], rules: &Rules<'_>) -> Result<Groups, Misplaced> {
    countable(keys[0].len())?;
    let null = |column: &Column| {
        column.validity()?;
        (0..column.len()).find(|row| !column.is_valid(*row))
    };
    let nulls = keys.iter().enumerate().filter_map(|(key, column)| Some((null(column)?, key)));
    if let Some((row, key)) = nulls.min() {
        return Err(Misplaced { row: Some(row), key: Some(key), problem: Problem::NullKey });
    }
    Ok(Groups::of(keys, rules.symbols))
}

/// Sorting and grouping number rows in 32 bits.
fn countable(rows: usize) -> Result<(), (Option<usize>, Problem)> {
    match u32::try_from(rows) {
        Ok(_) => Ok(()),
        Err(_) => Err((None, Problem::TooMany { rows })),
    }
}

fn reordered(flat: EventStream, order: Option<Vec<u32>>) -> EventStream {
    let Some(order) = order else { return flat };
    let gathered = |times: &ScalarBuffer<i64>| -> ScalarBuffer<i64> {
        order.iter().map(|row| times[*row as usize]).collect()
    };
    EventStream {
        stamps: gathered(&flat.stamps),
        until: flat.until.as_ref().map(gathered),
        columns: flat.columns.iter().map(|column| column.gather(&order)).collect(),
    }
}
