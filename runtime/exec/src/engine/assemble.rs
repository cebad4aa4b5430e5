//! From units to outputs: rows that are kept, changes that are changes, and the order over all keys.

use rayon::prelude::*;
use tilt_ir::{Const, Type};

use super::{
    apply,
    demand::Need,
    schedule::{Clock, OutputStep, Schedule},
    unit::Unit,
    world::Slab,
};
use crate::column::Column;

/// Rows of one output, of one piece of one key.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// When.
    pub stamps: Vec<i64>,
    /// The columns that are put out.
    pub columns: Vec<Column>,
}

/// The rows of an output in a unit.
pub(super) fn part(unit: &Unit<'_>, output: &OutputStep, need: Need) -> Part {
    let step = output.step;
    let slab = unit.slab(step);
    let stamps = unit.stamps(step);
    let len = match need {
        Need::Rows(first, end) => (end - first) as usize,
        Need::None | Need::Times(..) => stamps.len(),
    };
    let stamps: Vec<i64> = match need {
        Need::Rows(first, end) => {
            super::clocks::stamps(unit.schedule, unit.world, unit.schedule.steps[step].clock, first, end)
        }
        Need::None | Need::Times(..) => stamps.into_owned(),
    };
    let first = if let Need::Rows(first, _) = need { first } else { slab.first };
    let shown = |field: u32| shown(&slab, field, first, len);
    let columns: Vec<Column> = output.columns.iter().map(|(_, _, field)| shown(*field)).collect();
    let keep = output.keep.map(shown);
    let rows: Option<Vec<usize>> =
        keep.map(|keep| (0..len).filter(|row| keep.get(*row) == Some(Const::Bool(true))).collect());
    if matches!(unit.schedule.clock_of(step), Clock::Changes(_)) {
        // where the condition is not true there is no value
        let columns = match rows {
            None => columns,
            Some(rows) => columns.iter().map(|column| apply::only(column, &rows)).collect(),
        };
        return Part { stamps, columns };
    }
    match rows {
        None => Part { stamps, columns },
        Some(rows) => Part {
            stamps: rows.iter().map(|row| stamps[*row]).collect(),
            columns: columns.iter().map(|column| apply::taken(column, &rows)).collect(),
        },
    }
}

/// `len` rows of a field from row `first` on. What was computed may reach over what is asked for; rows that are known to be φ
/// may be missing.
fn shown(slab: &Slab, field: u32, first: i64, len: usize) -> Column {
    let skip = usize::try_from(first.saturating_sub(slab.first)).ok().filter(|skip| skip + len <= slab.len);
    match skip {
        Some(skip) => slab.columns[field as usize].slice(skip..skip + len),
        None => {
            let rows: Vec<i64> = (0..len as i64).map(|k| first + k).collect();
            apply::gather(slab, field, &rows)
        }
    }
}

/// The parts of one key, one after the other. On a changing clock rows that change nothing are left out, and so is φ before the
/// first value.
pub(super) fn of_key(schedule: &Schedule, output: &OutputStep, parts: Vec<Part>) -> Part {
    let stamps: Vec<i64> = parts.iter().flat_map(|part| part.stamps.iter().copied()).collect();
    let columns: Vec<Column> = (0..output.columns.len())
        .map(|k| {
            let columns: Vec<&Column> = parts.iter().map(|part| &part.columns[k]).collect();
            match columns.is_empty() {
                true => apply::empty(output.columns[k].1),
                false => apply::joined(&columns),
            }
        })
        .collect();
    let is_changing = matches!(schedule.clock_of(output.step), Clock::Changes(_));
    if !is_changing {
        return Part { stamps, columns };
    }
    let rows = apply::differing(&columns, stamps.len());
    Part {
        stamps: rows.iter().map(|row| stamps[*row]).collect(),
        columns: columns.iter().map(|column| apply::taken(column, &rows)).collect(),
    }
}

/// The rows of an output over all keys.
#[derive(Clone, Debug)]
pub struct Rows {
    /// When, ascending.
    pub stamps: Vec<i64>,
    /// The number of each row's key.
    pub keys: Vec<u32>,
    /// The columns that are put out.
    pub columns: Vec<Column>,
}

/// The parts of an output, which are given in the order of their keys, in the order of time, then of keys, then of rows.
pub fn in_order(output: &OutputStep, parts: Vec<(usize, Part)>) -> Rows {
    let mut stamps: Vec<i64> = Vec::new();
    let mut keys: Vec<u32> = Vec::new();
    for (key, part) in &parts {
        stamps.extend(&part.stamps);
        keys.extend(std::iter::repeat_n(*key as u32, part.stamps.len()));
    }
    let column = |(k, (_, ty, _)): (usize, &(String, Type, u32))| {
        let columns: Vec<&Column> = parts.iter().map(|(_, part)| &part.columns[k]).collect();
        if columns.is_empty() { apply::empty(*ty) } else { apply::joined(&columns) }
    };
    let columns: Vec<Column> = output.columns.iter().enumerate().map(column).collect();
    if parts.len() <= 1 {
        return Rows { stamps, keys, columns };
    }
    let mut order: Vec<(i64, u32)> = stamps.iter().copied().zip(0..).collect();
    order.par_sort_unstable();
    let rows: Vec<u32> = order.iter().map(|(_, row)| *row).collect();
    Rows {
        stamps: order.iter().map(|(stamp, _)| *stamp).collect(),
        keys: rows.iter().map(|row| keys[*row as usize]).collect(),
        columns: columns.par_iter().map(|column| column.gather(&rows)).collect(),
    }
}
