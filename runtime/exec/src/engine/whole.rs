//! Streams that are computed whole, in order, before the units: recursive definitions, and unkeyed streams that keyed ones
//! look at.

use super::{
    apply,
    demand::{self, Need, Needs},
    driver::KernelSpec,
    schedule::{Call, Clock, Schedule, StepId, What},
    unit::{Stop, Unit},
    world::{Slab, Whole, World},
};
use crate::column::Column;

/// Rows that a recursion computes at a time.
const ROWS: i64 = 1 << 15;

/// Computes the recursions of `world` as far as `wanted` needs them.
pub(super) fn recursions(
    schedule: &Schedule,
    world: &mut World,
    kernels: &[KernelSpec<'_>],
    wanted: &[(StepId, Need)],
) -> Result<(), Stop> {
    let is_scan =
        |step: &StepId| matches!(&schedule.steps[*step].what, What::Kernel(Call { past: Some(_), .. }));
    let scans: Vec<StepId> = schedule.steps.ids().filter(is_scan).collect();
    if scans.is_empty() {
        return Ok(());
    }
    let needs = Needs::of(schedule, world, wanted);
    for step in scans {
        if world.whole.contains_key(&step) {
            continue;
        }
        let end = match needs.0[step] {
            Need::Rows(_, end) => end,
            Need::None | Need::Times(..) => continue,
        };
        let slab = recursion(schedule, world, kernels, step, end)?;
        world.whole.insert(step, Whole { slab, stamps: None });
    }
    Ok(())
}

/// The first row of a recursion.
fn start(schedule: &Schedule, world: &World, step: StepId) -> i64 {
    match schedule.clock_of(step) {
        Clock::Grid(grid) => grid.row_from(world.extent.map_or(0, |(first, _)| first)),
        Clock::Events(_) | Clock::Changes(_) | Clock::Pairs { .. } => 0,
    }
}

fn recursion(
    schedule: &Schedule,
    world: &World,
    kernels: &[KernelSpec<'_>],
    step: StepId,
    end: i64,
) -> Result<Slab, Stop> {
    let data = &schedule.steps[step];
    let What::Kernel(call) = &data.what else { unreachable!("a recursion is a kernel") };
    let first = start(schedule, world, step);
    let lag = lag(schedule, step, call);
    let mut parts: Vec<Vec<Column>> = vec![data.types.iter().map(|ty| apply::empty(*ty)).collect()];
    let mut past = Slab { first, len: 0, columns: parts[0].clone() };
    while past.end() < end {
        let (lo, hi) = (past.end(), past.end().saturating_add(ROWS).min(end));
        let feeds = demand::feeds(schedule, data.clock, call, Need::Rows(lo, hi));
        let unit = Unit::compute(schedule, world, kernels, &feeds)?;
        let columns = unit.call(data.clock, call, lo, hi, Some(&past))?;
        past = newest(&past, &columns, lag);
        parts.push(columns);
    }
    let columns = (0..data.types.len()).map(|k| {
        let parts: Vec<&Column> = parts.iter().map(|part| &part[k]).collect();
        apply::joined(&parts)
    });
    let columns: Vec<Column> = columns.collect();
    Ok(Slab { first, len: columns.first().map_or(0, Column::len), columns })
}

/// How many rows a recursion looks back.
fn lag(schedule: &Schedule, step: StepId, call: &Call) -> usize {
    let period = match schedule.clock_of(step) {
        Clock::Grid(grid) => grid.period,
        Clock::Events(_) | Clock::Changes(_) | Clock::Pairs { .. } => 1,
    };
    let back = call.past.map_or(0, |reach| reach.back);
    usize::try_from(back / period).unwrap_or(0).saturating_add(1)
}

/// The last `lag` rows (or more) of what is computed so far.
fn newest(past: &Slab, more: &[Column], lag: usize) -> Slab {
    let grown = more.first().map_or(0, Column::len);
    let kept = lag.saturating_sub(grown).min(past.len);
    let columns = past.columns.iter().zip(more).map(|(old, new)| match kept {
        0 => new.clone(),
        kept => apply::joined(&[&old.slice(past.len - kept..past.len), new]),
    });
    let len = kept + grown;
    Slab { first: past.end() - kept as i64, len, columns: columns.collect() }
}

/// Streams of the world without keys that keyed ones look at.
pub(super) fn common(
    schedule: &Schedule,
    world: &World,
    kernels: &[KernelSpec<'_>],
    needs: &[(StepId, Need)],
) -> Result<Vec<(StepId, Whole)>, Stop> {
    let mut made = Vec::new();
    for (step, need) in needs {
        if let Some(known) = world.whole.get(step) {
            made.push((*step, known.clone()));
            continue;
        }
        let mut parts: Vec<Slab> = Vec::new();
        let mut stamps = None;
        match *need {
            Need::None => {}
            Need::Rows(first, end) => {
                let mut lo = first;
                while lo < end {
                    let hi = lo.saturating_add(ROWS).min(end);
                    let unit = Unit::compute(schedule, world, kernels, &[(*step, Need::Rows(lo, hi))])?;
                    parts.push(unit.slab(*step).into_owned());
                    lo = hi;
                }
            }
            Need::Times(..) => {
                let unit = Unit::compute(schedule, world, kernels, &[(*step, *need)])?;
                parts.push(unit.slab(*step).into_owned());
                stamps = Some(unit.stamps(*step).into_owned().into());
            }
        }
        let slab = match parts.first().map(|part| part.first) {
            None => apply::nothing(&schedule.steps[*step].types),
            Some(first) => {
                let columns = (0..schedule.steps[*step].types.len()).map(|k| {
                    let columns: Vec<&Column> = parts.iter().map(|part| &part.columns[k]).collect();
                    apply::joined(&columns)
                });
                let columns: Vec<Column> = columns.collect();
                Slab { first, len: columns.first().map_or(0, Column::len), columns }
            }
        };
        made.push((*step, Whole { slab, stamps }));
    }
    Ok(made)
}
