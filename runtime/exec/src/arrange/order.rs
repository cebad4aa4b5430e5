//! Rows in time order.

use crate::problem::Problem;
use crate::workers;

use super::Rules;

/// The rows in time order, equal stamps in file order; `None` if they stand so in the file.
///
/// # Errors
/// The first row that is earlier than the one before it, unless that is allowed.
pub(super) fn in_time(stamps: &[i64], rules: &Rules) -> Result<Option<Vec<u32>>, (Option<usize>, Problem)> {
    let Some(row) = stamps.windows(2).position(|pair| pair[1] < pair[0]).map(|before| before + 1) else {
        return Ok(None);
    };
    if !rules.sort {
        let (previous, stamp, form) = (stamps[row - 1], stamps[row], rules.form);
        return Err((Some(row), Problem::Unsorted { key: None, previous, stamp, form }));
    }
    super::countable(stamps.len())?;
    let mut order: Vec<u32> = (0..stamps.len() as u32).collect();
    sort_rows(&mut order, stamps);
    Ok(Some(order))
}

/// Orders rows by their stamps; equal ones stay as they are.
pub(super) fn sort_rows(rows: &mut [u32], stamps: &[i64]) {
    let stamp = |row: &u32| stamps[*row as usize];
    match workers::is_parallel() && rows.len() > 1 << 15 {
        true => rayon::slice::ParallelSliceMut::par_sort_by_key(rows, stamp),
        false => rows.sort_by_key(stamp),
    }
}
