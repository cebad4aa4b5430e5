//! Which row of the grid each row of a file is.

use tilt_ir::Grid;

use super::Rules;
use super::group::Groups;
use crate::files::Duplicates;
use crate::problem::Problem;

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

/// So many rows of the grid for each row of the file, plus [`SPARSE_BASE`], are taken to be meant.
const SPARSE_FACTOR: i128 = 64;
const SPARSE_BASE: i128 = 1 << 24;

/// Finds the place of each stamp.
///
/// # Errors
/// The first row that breaks a rule, and how; no row if they all do together.
pub(super) fn place(
    stamps: &[i64],
    grid: Grid,
    rules: &Rules,
) -> Result<Placement, (Option<usize>, Problem)> {
    let Some(&start) = stamps.first() else {
        return Ok(Placement::NONE);
    };
    let regular = regular_prefix(stamps, grid);
    if regular == stamps.len() {
        let first = grid.row_at(start);
        return Ok(Placement { first, len: stamps.len(), slots: None });
    }
    check(stamps, regular, grid, rules)?;
    let (earliest, latest) =
        stamps.iter().fold((start, start), |(low, high), &stamp| (low.min(stamp), high.max(stamp)));
    let (first, last) = (grid.row_at(earliest), grid.row_at(latest));
    let dense = i128::from(last) - i128::from(first) + 1;
    let len = not_sparse(dense, stamps.len(), (earliest, latest), grid, rules)?;
    let slots: Vec<usize> = stamps.iter().map(|&stamp| (grid.row_at(stamp) - first) as usize).collect();
    if rules.sort && rules.duplicates == Duplicates::Refuse {
        let doubled = first_doubled(&slots, len);
        if let Some(row) = doubled {
            return Err((Some(row), Problem::Doubled { key: None, stamp: stamps[row], form: rules.form }));
        }
    }
    Ok(Placement { first, len, slots: Some(slots) })
}

/// Rows of many keys on a grid, key after key.
pub(super) struct KeyedPlacement {
    /// For each key the grid's number of its first row.
    pub(super) firsts: Vec<i64>,
    /// Where the rows of each key begin, and where those of the last end.
    pub(super) offsets: Vec<usize>,
    /// Where each row of the file goes.
    pub(super) slots: Vec<usize>,
}

/// Finds the place of each stamp, where the rows of a key stand together.
///
/// # Errors
/// As [`place`].
pub(super) fn place_keyed(
    stamps: &[i64],
    groups: &Groups,
    grid: Grid,
    rules: &Rules,
) -> Result<KeyedPlacement, (Option<usize>, Problem)> {
    let off = stamps.iter().position(|stamp| !grid.has(*stamp));
    if let Some(row) = off {
        return Err((Some(row), Problem::OffGrid { stamp: stamps[row], grid, form: rules.form }));
    }
    groups.check(stamps, rules)?;
    let mut placed = KeyedPlacement { firsts: vec![], offsets: vec![0], slots: vec![0; stamps.len()] };
    let mut dense = 0i128;
    let mut extent = (i64::MAX, i64::MIN);
    for key in 0..groups.len() {
        let times = || groups.rows(key).map(|row| stamps[row]);
        let earliest = times().min().unwrap_or_default();
        let latest = times().max().unwrap_or_default();
        extent = (extent.0.min(earliest), extent.1.max(latest));
        let first = grid.row_at(earliest);
        dense += i128::from(grid.row_at(latest)) - i128::from(first) + 1;
        let len = not_sparse(dense, stamps.len(), extent, grid, rules)?;
        let start = placed.offsets[key];
        for row in groups.rows(key) {
            placed.slots[row] = start + (grid.row_at(stamps[row]) - first) as usize;
        }
        placed.firsts.push(first);
        placed.offsets.push(len);
    }
    if rules.duplicates == Duplicates::Refuse {
        let len = placed.offsets[groups.len()];
        let doubled = first_doubled(&placed.slots, len);
        if let Some(row) = doubled {
            let key = Some(groups.name_of(row, rules));
            return Err((Some(row), Problem::Doubled { key, stamp: stamps[row], form: rules.form }));
        }
    }
    Ok(placed)
}

/// The rows of the grid as a number, if they are not far more than those of the file.
fn not_sparse(
    dense: i128,
    rows: usize,
    extent: (i64, i64),
    grid: Grid,
    rules: &Rules,
) -> Result<usize, (Option<usize>, Problem)> {
    if dense > SPARSE_FACTOR * rows as i128 + SPARSE_BASE {
        let form = rules.form;
        return Err((None, Problem::Sparse { rows, dense, extent, grid, form }));
    }
    Ok(dense as usize)
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
fn check(stamps: &[i64], from: usize, grid: Grid, rules: &Rules) -> Result<(), (Option<usize>, Problem)> {
    let form = rules.form;
    for row in from..stamps.len() {
        let stamp = stamps[row];
        if !grid.has(stamp) {
            return Err((Some(row), Problem::OffGrid { stamp, grid, form }));
        }
        let Some(previous) = row.checked_sub(1).map(|before| stamps[before]) else {
            continue;
        };
        if stamp == previous && rules.duplicates == Duplicates::Refuse {
            return Err((Some(row), Problem::Doubled { key: None, stamp, form }));
        }
        if stamp < previous && !rules.sort {
            return Err((Some(row), Problem::Unsorted { key: None, previous, stamp, form }));
        }
    }
    Ok(())
}

/// The first row whose slot an earlier one has: in rows of any order, equal stamps need not be neighbours.
fn first_doubled(slots: &[usize], len: usize) -> Option<usize> {
    let mut seen = vec![0u64; len.div_ceil(64)];
    for (row, &slot) in slots.iter().enumerate() {
        let bit = 1u64 << (slot % 64);
        if seen[slot / 64] & bit != 0 {
            return Some(row);
        }
        seen[slot / 64] |= bit;
    }
    None
}
