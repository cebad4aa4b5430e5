//! From units to outputs: rows that are kept, changes that are changes, and the order over all keys.

use arrow::buffer::ScalarBuffer;
use tilt_ir::{Grid, Type};

use super::{
    apply, clocks,
    demand::Need,
    schedule::{Clock, OutputStep, Schedule},
    unit::Unit,
    world::{Slab, World},
};
use crate::{
    column::Column,
    ops::{self, Values},
};

/// When the rows of a part are.
#[derive(Clone, Debug)]
pub enum When {
    /// At grid points, one after the other.
    Grid {
        /// The grid.
        grid: Grid,
        /// The number of the first row.
        first: i64,
        /// How many rows there are.
        len: usize,
    },
    /// At these times.
    Listed(ScalarBuffer<i64>),
}

impl Default for When {
    fn default() -> When {
        When::Listed(Vec::new().into())
    }
}

impl When {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            When::Grid { len, .. } => *len,
            When::Listed(stamps) => stamps.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stamps.
    pub fn stamps(self) -> ScalarBuffer<i64> {
        match self {
            When::Grid { grid, first, len } => {
                let first = clocks::grid_stamp(grid, first);
                (0..len as i64).map(|row| first.wrapping_add(grid.period.wrapping_mul(row))).collect()
            }
            When::Listed(stamps) => stamps,
        }
    }
}

/// Rows of one output, of one piece of one key.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// When.
    pub when: When,
    /// The columns that are put out.
    pub columns: Vec<Column>,
}

/// The rows of an output in a unit.
pub(super) fn part(unit: &Unit<'_>, output: &OutputStep, need: Need) -> Part {
    let step = output.step;
    let slab = unit.slab(step);
    let (first, len) = match need {
        Need::Rows(first, end) => (first, (end - first) as usize),
        Need::None | Need::Times(..) => (slab.first, unit.stamps(step).len()),
    };
    let shown = |field: u32| shown(&slab, field, first, len);
    let columns: Vec<Column> = output.columns.iter().map(|(_, _, field)| shown(*field)).collect();
    let rows = output.keep.map(|keep| true_rows(&shown(keep)));
    let listed = || When::Listed(unit.stamps(step).to_vec().into());
    let part = match need {
        Need::None | Need::Times(..) => {
            // where the condition is not true there is no value
            let only = |rows: Vec<i64>| columns.iter().map(|column| apply::only(column, &rows)).collect();
            let columns = rows.map(only).unwrap_or_else(|| columns.clone());
            return Part { when: listed(), columns };
        }
        Need::Rows(first, end) => {
            let clock = unit.schedule.steps[step].clock;
            Part { when: clocks::when(unit.schedule, unit.world, clock, first, end), columns }
        }
    };
    match rows {
        None => part,
        Some(rows) => chosen(part, &rows),
    }
}

/// The rows in which a bool column is true.
pub(super) fn true_rows(keep: &Column) -> Vec<i64> {
    let Values { data, valid } = Values::of(keep);
    let ops::Data::Bool(bits) = data else { return Vec::new() };
    let mut rows = Vec::new();
    for first in (0..keep.len()).step_by(64) {
        let mut word = bits.word(first) & valid.map_or(u64::MAX, |valid| valid.word(first));
        while word != 0 {
            rows.push((first + word.trailing_zeros() as usize) as i64);
            word &= word - 1;
        }
    }
    rows
}

/// Some rows of a part.
pub(super) fn chosen(part: Part, rows: &[i64]) -> Part {
    if rows.len() == part.when.len() {
        return part;
    }
    let stamps = part.when.stamps();
    Part {
        when: When::Listed(rows.iter().map(|row| stamps[*row as usize]).collect()),
        columns: part.columns.iter().map(|column| apply::taken(column, rows)).collect(),
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

/// The parts of one key, one after the other, which cover `need`. On a changing clock rows that change nothing are left out, and so
/// is φ before the first value.
pub(super) fn of_key(
    schedule: &Schedule,
    world: &World,
    output: &OutputStep,
    parts: Vec<Part>,
    need: Need,
) -> Part {
    let clock = schedule.steps[output.step].clock;
    let columns = joined(output, &parts);
    let when = match need {
        Need::Rows(first, end) if output.keep.is_none() => clocks::when(schedule, world, clock, first, end),
        _ => joined_when(parts),
    };
    let part = Part { when, columns };
    if !matches!(schedule.clocks[clock], Clock::Changes(_)) {
        return part;
    }
    let rows = apply::differing(&part.columns, part.when.len());
    chosen(part, &rows)
}

/// The columns of parts, one after the other.
fn joined<'p>(output: &OutputStep, parts: impl IntoIterator<Item = &'p Part> + Clone) -> Vec<Column> {
    let column = |(k, (_, ty, _)): (usize, &(String, Type, u32))| {
        let columns: Vec<&Column> = parts.clone().into_iter().map(|part| &part.columns[k]).collect();
        if columns.is_empty() { apply::empty(*ty) } else { apply::joined(&columns) }
    };
    output.columns.iter().enumerate().map(column).collect()
}

fn joined_when(parts: Vec<Part>) -> When {
    let mut parts = parts;
    if parts.len() == 1 {
        return parts.remove(0).when;
    }
    let mut stamps = Vec::with_capacity(parts.iter().map(|part| part.when.len()).sum());
    parts.into_iter().for_each(|part| stamps.extend_from_slice(&part.when.stamps()));
    When::Listed(stamps.into())
}

/// Rows of one output, key after key.
#[derive(Clone, Debug)]
pub struct KeyedPart {
    /// The numbers of the keys, ascending, with how many rows each has. Without keys, 0.
    pub keys: Vec<(u32, usize)>,
    /// The rows.
    pub part: Part,
}

impl KeyedPart {
    /// Parts of several keys as one.
    pub(super) fn joined(output: &OutputStep, parts: Vec<KeyedPart>) -> KeyedPart {
        let mut parts = parts;
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let columns = joined(output, parts.iter().map(|part| &part.part));
        let keys = parts.iter().flat_map(|part| part.keys.iter().copied()).collect();
        let when = joined_when(parts.into_iter().map(|part| part.part).collect());
        KeyedPart { keys, part: Part { when, columns } }
    }
}

/// The rows of an output over all keys.
#[derive(Clone, Debug)]
pub struct Rows {
    /// When, ascending.
    pub when: When,
    /// Of a keyed output: the number of each row's key.
    pub keys: ScalarBuffer<u32>,
    /// The columns that are put out.
    pub columns: Vec<Column>,
}

/// The parts of an output, which are given in the order of their keys, in the order of time, then of keys, then of rows.
pub fn in_order(output: &OutputStep, is_keyed: bool, parts: Vec<KeyedPart>) -> Rows {
    let KeyedPart { keys, part } = KeyedPart::joined(output, parts);
    if !is_keyed {
        return Rows { when: part.when, keys: Vec::new().into(), columns: part.columns };
    }
    let mut of_rows: Vec<u32> = Vec::with_capacity(part.when.len());
    for (key, rows) in &keys {
        of_rows.resize(of_rows.len() + rows, *key);
    }
    let of_rows = Column::from_values("", Type::U32, of_rows);
    let stamps = part.when.stamps();
    let (stamps, keys, columns) = match ops::order(&stamps) {
        None => (stamps, of_rows, part.columns),
        Some(ordered) => {
            let moved = |column: &Column| column.gather(&ordered.rows);
            let columns = part.columns.iter().map(moved).collect();
            let keys = moved(&of_rows);
            (ordered.stamps, keys, columns)
        }
    };
    Rows { when: When::Listed(stamps), keys: keys.scalars(), columns }
}
