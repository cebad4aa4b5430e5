//! The value of a stream at a time: which row that is, and its fields.

use tilt_ir::{
    Grid,
    tir::{Hold, Index, Stamps},
};

use super::columns::gather;
use crate::{
    column::Column,
    engine::{
        clocks::{clamp, event_stamps},
        schedule::{Clock, ClockId, StepId, What},
        unit::Unit,
        world::{World, WorldInput},
    },
    ops::{self, Cursor, Holding, Values},
};

/// The fields of `of` at the time that `index` names from each row of `step`.
pub(in crate::engine) fn look(
    unit: &Unit<'_>,
    step: StepId,
    of: StepId,
    fields: &[u32],
    index: Index,
) -> Vec<Column> {
    let stamps = unit.stamps(step);
    if let Some(columns) = as_of(unit, of, fields, index, &stamps) {
        return columns;
    }
    let rows = rows_at(unit, of, &stamps, index);
    let slab = unit.slab(of);
    fields.iter().map(|field| gather(&slab, *field, &rows)).collect()
}

/// The commonest look: at what an input that holds until the next row says now.
fn as_of(unit: &Unit<'_>, of: StepId, fields: &[u32], index: Index, stamps: &[i64]) -> Option<Vec<Column>> {
    let What::Input(input) = unit.schedule.steps[of].what else { return None };
    if unit.schedule.inputs[input].stamps != Stamps::Events(Hold::UntilNext) || index != Index::NOW {
        return None;
    }
    let input = &unit.world.inputs[input];
    let columns = fields.iter().map(|field| &input.slab.columns[*field as usize]);
    Some(match fields.len() {
        1 => {
            let fused = |column: &Column| ops::gather_as_of(Values::of(column), &input.stamps, stamps);
            columns.map(|column| fused(column).into_column("", column.ty())).collect()
        }
        _ => {
            let mut rows = Vec::new();
            ops::rows_as_of(&input.stamps, stamps, 0, &mut rows);
            columns
                .map(|column| ops::gather(Values::of(column), &rows).into_column("", column.ty()))
                .collect()
        }
    })
}

/// The row of `of` that holds at the time that `index` names; -1 if none does (of a grid: any number of a row that is not there).
fn rows_at(unit: &Unit<'_>, of: StepId, stamps: &[i64], index: Index) -> Vec<i64> {
    let data = &unit.schedule.steps[of];
    let times = stamps.iter().map(|stamp| index.at(i128::from(*stamp)));
    match (&unit.schedule.clocks[data.clock], &data.what) {
        (Clock::Grid(grid), _) => times.map(|time| grid_row(*grid, time)).collect(),
        (Clock::Events(_), What::Input(input)) => {
            let Stamps::Events(hold) = unit.schedule.inputs[*input].stamps else { return Vec::new() };
            holding(&unit.world.inputs[*input], hold, times)
        }
        (Clock::Events(inputs), _) => {
            let source = event_stamps(unit.world, data.clock, inputs);
            last_rows(source, times).map(|(row, time)| exact(source, row, time)).collect()
        }
        (Clock::Changes(_), _) => {
            let source = unit.stamps(of);
            last_rows(&source, times).map(|(row, _)| row).collect()
        }
        (Clock::Pairs { .. }, _) => Vec::new(),
    }
}

fn grid_row(grid: Grid, time: i128) -> i64 {
    clamp((time - i128::from(grid.offset)).div_euclid(grid.period.into()))
}

fn exact(stamps: &[i64], row: i64, time: i128) -> i64 {
    match usize::try_from(row) {
        Ok(place) if i128::from(stamps[place]) == time => row,
        _ => -1,
    }
}

/// For each of the rising `times` the last row stamped at or before it; -1 if there is none.
fn last_rows<'s>(
    stamps: &'s [i64],
    times: impl Iterator<Item = i128> + 's,
) -> impl Iterator<Item = (i64, i128)> + 's {
    let mut cursor: Option<Cursor<'s>> = None;
    times.map(move |time| {
        let cursor = cursor.get_or_insert_with(|| Cursor::new(stamps, time));
        (cursor.until_wide(time) as i64 - 1, time)
    })
}

/// The row of an input that holds at each of the rising `times`.
fn holding(input: &WorldInput, hold: Hold, times: impl Iterator<Item = i128>) -> Vec<i64> {
    let stamps: &[i64] = &input.stamps;
    if let (Hold::Until, Some(until)) = (hold, &input.until) {
        let outer = input.outer.get_or_init(|| Holding::outer(until));
        return Holding::again(stamps, until, outer).rows(times);
    }
    let rows = last_rows(stamps, times);
    match hold {
        Hold::Point => rows.map(|(row, time)| exact(stamps, row, time)).collect(),
        Hold::UntilNext => rows.map(|(row, _)| row).collect(),
        Hold::For(length) => {
            let held = |(row, time): (i64, i128)| match usize::try_from(row) {
                Ok(place) if time < i128::from(stamps[place]) + i128::from(length) => row,
                _ => -1,
            };
            rows.map(held).collect()
        }
        Hold::Until => Vec::new(), // said above
    }
}

/// The input's own row on a clock of several inputs, on other rows its value at the row's time.
pub(in crate::engine) fn own(unit: &Unit<'_>, step: StepId, input: usize, fields: &[u32]) -> Vec<Column> {
    let clock: ClockId = unit.schedule.steps[step].clock;
    let Clock::Events(inputs) = &unit.schedule.clocks[clock] else { return Vec::new() };
    let stamps = unit.stamps(step);
    let first = unit.first_row(step) as usize;
    let merged = unit.world.merged(clock, inputs);
    let Some(place) = inputs.iter().position(|other| *other == input) else { return Vec::new() };
    let Stamps::Events(hold) = unit.schedule.inputs[input].stamps else { return Vec::new() };
    let held = holding(&unit.world.inputs[input], hold, stamps.iter().map(|stamp| i128::from(*stamp)));
    let rows: Vec<i64> = held
        .into_iter()
        .enumerate()
        .map(|(k, held)| match merged.source[first + k] as usize == place {
            true => merged.row[first + k],
            false => held,
        })
        .collect();
    let slab = &unit.world.inputs[input].slab;
    fields.iter().map(|field| gather(slab, *field, &rows)).collect()
}

/// When rows of an input that hold for a time end, moved by `shift`, inside a stretch of time (or near it).
pub(in crate::engine) fn ends(
    world: &World,
    input: usize,
    hold: Hold,
    shift: i64,
) -> impl Iterator<Item = i128> + '_ {
    let input = &world.inputs[input];
    let rows = input.stamps.iter().enumerate();
    rows.map(move |(row, stamp)| {
        let end = match hold {
            Hold::Point => i128::from(*stamp) + 1,
            Hold::UntilNext => i128::from(*stamp),
            Hold::For(length) => i128::from(*stamp) + i128::from(length),
            Hold::Until => i128::from(input.until.as_ref().map_or(*stamp, |until| until[row])),
        };
        end + i128::from(shift)
    })
}
