//! Which row of the grid each row of a file is.

use tilt_ir::Grid;

use super::error::Problem;
use super::options::Duplicates;
use crate::time::TimeForm;

/// Rows of a file on a grid.
pub(super) struct Placement {
    /// The grid's number of the first row.
    pub(super) first: i64,
    /// Rows of the grid from the first to the last.
    pub(super) len: usize,
    /// Where each row of the file goes, counted from the first; `None` if row i goes to i.
    pub(super) slots: Option<Vec<usize>>,
}

impl Placement {
    /// No rows.
    pub(super) const NONE: Placement = Placement { first: 0, len: 0, slots: None };
}

/// What may be irregular.
pub(super) struct Rules {
    pub(super) grid: Grid,
    pub(super) form: TimeForm,
    pub(super) duplicates: Duplicates,
    pub(super) sort: bool,
}

/// So many rows of the grid for each row of the file, plus [`SPARSE_BASE`], are taken to be meant.
const SPARSE_FACTOR: i128 = 64;
const SPARSE_BASE: i128 = 1 << 24;

/// Finds the place of each stamp.
///
/// # Errors
/// The first row that breaks a rule, and how; no row if they all do together.
pub(super) fn place(stamps: &[i64], rules: &Rules) -> Result<Placement, (Option<usize>, Problem)> {
    let Some(&start) = stamps.first() else {
        return Ok(Placement::NONE);
    };
    let regular = regular_prefix(stamps, rules.grid);
    if regular == stamps.len() {
        let first = rules.grid.row_at(start);
        return Ok(Placement { first, len: stamps.len(), slots: None });
    }
    check(stamps, regular, rules)?;
    let (earliest, latest) =
        stamps.iter().fold((start, start), |(low, high), &stamp| (low.min(stamp), high.max(stamp)));
    let (first, last) = (rules.grid.row_at(earliest), rules.grid.row_at(latest));
    let dense = i128::from(last) - i128::from(first) + 1;
    if dense > SPARSE_FACTOR * stamps.len() as i128 + SPARSE_BASE {
        let (grid, form) = (rules.grid, rules.form);
        let extent = (earliest, latest);
        return Err((None, Problem::Sparse { rows: stamps.len(), dense, extent, grid, form }));
    }
    let len = dense as usize;
    let slots: Vec<usize> = stamps.iter().map(|&stamp| (rules.grid.row_at(stamp) - first) as usize).collect();
    if rules.sort && rules.duplicates == Duplicates::Refuse {
        refuse_doubled(stamps, &slots, len, rules)?;
    }
    Ok(Placement { first, len, slots: Some(slots) })
}

/// How many stamps follow each other on the grid without a gap. The common case, without divisions.
fn regular_prefix(stamps: &[i64], grid: Grid) -> usize {
    if !grid.has(stamps[0]) {
        return 0;
    }
    let steps = stamps.windows(2);
    1 + steps.take_while(|pair| pair[0].checked_add(grid.period) == Some(pair[1])).count()
}

/// Grid and order, row by row.
fn check(stamps: &[i64], from: usize, rules: &Rules) -> Result<(), (Option<usize>, Problem)> {
    let form = rules.form;
    for row in from..stamps.len() {
        let stamp = stamps[row];
        if !rules.grid.has(stamp) {
            return Err((Some(row), Problem::OffGrid { stamp, grid: rules.grid, form }));
        }
        let Some(previous) = row.checked_sub(1).map(|before| stamps[before]) else {
            continue;
        };
        if stamp == previous && rules.duplicates == Duplicates::Refuse {
            return Err((Some(row), Problem::Doubled { stamp, form }));
        }
        if stamp < previous && !rules.sort {
            return Err((Some(row), Problem::Unsorted { previous, stamp, form }));
        }
    }
    Ok(())
}

/// In rows of any order, equal stamps need not be neighbours.
fn refuse_doubled(
    stamps: &[i64],
    slots: &[usize],
    len: usize,
    rules: &Rules,
) -> Result<(), (Option<usize>, Problem)> {
    let mut seen = vec![0u64; len.div_ceil(64)];
    for (row, &slot) in slots.iter().enumerate() {
        let bit = 1u64 << (slot % 64);
        if seen[slot / 64] & bit != 0 {
            return Err((Some(row), Problem::Doubled { stamp: stamps[row], form: rules.form }));
        }
        seen[slot / 64] |= bit;
    }
    Ok(())
}
