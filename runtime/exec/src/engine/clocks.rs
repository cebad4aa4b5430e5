//! The rows of clocks: their stamps, and which row a time belongs to.

use tilt_ir::{Grid, analysis::changes::Change, tir::Stamps};

use super::{
    assemble::When,
    schedule::{Clock, ClockId, Schedule},
    world::World,
};

/// All stamps of a clock of events.
pub(super) fn event_stamps<'w>(world: &'w World, clock: ClockId, inputs: &[usize]) -> &'w [i64] {
    match inputs {
        [input] => &world.inputs[*input].stamps,
        inputs => &world.merged(clock, inputs).stamps,
    }
}

/// The stamp of a grid's row, at the ends of time the end.
pub(super) fn grid_stamp(grid: Grid, row: i64) -> i64 {
    let stamp = i128::from(grid.offset) + i128::from(row) * i128::from(grid.period);
    clamp(stamp)
}

pub(super) fn clamp(time: i128) -> i64 {
    time.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// `from` and all changes after it up to `to`, ascending, each once.
pub(super) fn changes(
    schedule: &Schedule,
    world: &World,
    changes: &[Change],
    from: i64,
    to: i64,
) -> Vec<i64> {
    let mut times = vec![from];
    let mut add = |time: i128| {
        if time > i128::from(from) && time <= i128::from(to) {
            times.push(time as i64);
        }
    };
    for change in changes {
        match change {
            Change::Rows { input, shift } => {
                use tilt_ir::entity::Entity;
                let stamps = &world.inputs[input.index()].stamps;
                let (least, greatest) =
                    (i128::from(from) - i128::from(*shift), i128::from(to) - i128::from(*shift));
                let start = stamps.partition_point(|stamp| i128::from(*stamp) <= least);
                let end = stamps.partition_point(|stamp| i128::from(*stamp) <= greatest);
                stamps[start..end.max(start)]
                    .iter()
                    .for_each(|stamp| add(i128::from(*stamp) + i128::from(*shift)));
            }
            Change::Ends { input, shift } => {
                let input = tilt_ir::entity::Entity::index(*input);
                if let Stamps::Events(hold) = schedule.inputs[input].stamps {
                    super::apply::ends(world, input, hold, *shift).for_each(&mut add);
                }
            }
            Change::Grid(grid) => {
                let (first, last) = (grid.row_from(from), grid.row_at(to));
                for row in first..=last {
                    add(i128::from(grid_stamp(*grid, row)));
                }
            }
        }
    }
    times.sort_unstable();
    times.dedup();
    times
}

/// The stamps of rows `first..end` of a clock with numbered rows.
pub(super) fn stamps(schedule: &Schedule, world: &World, clock: ClockId, first: i64, end: i64) -> Vec<i64> {
    match &schedule.clocks[clock] {
        Clock::Grid(grid) => (first..end).map(|row| grid_stamp(*grid, row)).collect(),
        Clock::Events(inputs) => {
            let stamps = event_stamps(world, clock, inputs);
            stamps[first as usize..end.max(first) as usize].to_vec()
        }
        Clock::Changes(_) | Clock::Pairs { .. } => Vec::new(),
    }
}

/// When rows `first..end` of a clock with numbered rows are.
pub(super) fn when(schedule: &Schedule, world: &World, clock: ClockId, first: i64, end: i64) -> When {
    let len = usize::try_from(end.saturating_sub(first)).unwrap_or(0);
    match &schedule.clocks[clock] {
        Clock::Grid(grid) if grid.stamp(first).is_some() && grid.stamp(end - 1).is_some() => {
            When::Grid { grid: *grid, first, len }
        }
        Clock::Events(inputs) if inputs.len() == 1 => {
            When::Listed(world.inputs[inputs[0]].stamps.slice(first as usize, len))
        }
        _ => When::Listed(stamps(schedule, world, clock, first, end).into()),
    }
}

/// The stamp of one row.
pub(super) fn stamp(schedule: &Schedule, world: &World, clock: ClockId, row: i64) -> Option<i64> {
    match &schedule.clocks[clock] {
        Clock::Grid(grid) => Some(grid_stamp(*grid, row)),
        Clock::Events(inputs) => event_stamps(world, clock, inputs).get(usize::try_from(row).ok()?).copied(),
        Clock::Changes(_) | Clock::Pairs { .. } => None,
    }
}
