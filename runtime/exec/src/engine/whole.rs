//! Streams that are computed whole, in order, before the units: recursive definitions, and unkeyed streams that keyed ones
//! look at.

use super::{
    apply,
    demand::{self, Need, Needs},
    driver::KernelSpec,
    schedule::{Call, Clock, Schedule, StepId, What},
    unit::{self, Stop, Unit},
    world::{Slab, Whole, World},
};
use crate::{
    column::Column,
    run::{OutputView, Piece},
};

/// Rows that a recursion computes at a time.
const ROWS: usize = 1 << 15;

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
pub(super) fn start(schedule: &Schedule, world: &World, step: StepId) -> i64 {
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
    let mut buffers = unit::room(&kernels[call.kernel], first..end)?;
    let mut past = Slab { first, ..apply::nothing(&data.types) };
    for (piece, mut views) in buffers.pieces(ROWS / 64) {
        let feeds = demand::feeds(schedule, data.clock, call, Need::Rows(piece.first, piece.hi));
        let unit = Unit::compute(schedule, world, kernels, &feeds)?;
        unit.piece(data.clock, call, piece, Some(&past), &mut views)?;
        past = newest(&past, piece, views, lag);
    }
    let columns: Vec<Column> = buffers.finish().into_iter().flat_map(|output| output.columns).collect();
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

/// The last `lag` rows (or all that there are) of what is computed so far.
fn newest(past: &Slab, piece: Piece, views: Vec<OutputView<'_>>, lag: usize) -> Slab {
    let (rows, skip) = ((piece.hi - piece.first) as usize, (piece.first - piece.lo) as usize);
    let new = lag.min(rows);
    let kept = (lag - new).min(past.len);
    let views = views.into_iter().flat_map(|view| view.columns);
    let columns = past.columns.iter().zip(views).map(|(old, view)| {
        let new = view.copied(skip + rows - new..skip + rows);
        match kept {
            0 => new,
            kept => apply::joined(&[&old.slice(past.len - kept..past.len), &new]),
        }
    });
    let columns = columns.collect();
    Slab { first: piece.hi - (kept + new) as i64, len: kept + new, columns }
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
                    let hi = lo.saturating_add(ROWS as i64).min(end);
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
