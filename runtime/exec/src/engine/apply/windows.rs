//! Reductions over rows of a stream.

use tilt_ir::{
    Type,
    tir::{Frame, Grouping, Reducer, Window},
};

use super::ranges::ranges;
use crate::{
    column::Column,
    engine::{
        clocks::event_stamps,
        schedule::{Clock, StepId},
        unit::{Pairs, Unit},
        world::Slab,
    },
    ops::{How, Rows, Stamps, Stretches, Values, Windows, reduce, reduce_durations},
};

/// The reduction of each row's frame; `None` if an integer may be out of range.
pub(in crate::engine) fn window(
    unit: &Unit<'_>,
    step: StepId,
    of: StepId,
    fields: &[u32],
    frame: Frame,
    how: How,
) -> Option<Column> {
    let schedule = unit.schedule;
    let (outer, rows_clock) = (schedule.steps[step].clock, schedule.steps[of].clock);
    let times = unit.stamps(step);
    let (lo, hi) = ranges(unit, rows_clock, frame, (outer, unit.first_row(step)), &times);
    let slab = unit.slab(of);
    let stamps = match &schedule.clocks[rows_clock] {
        Clock::Grid(grid) => Stamps::Grid(*grid),
        Clock::Events(inputs) => {
            let all = event_stamps(unit.world, rows_clock, inputs);
            let first = (slab.first.max(0) as usize).min(all.len());
            Stamps::Events(&all[first..(first + slab.len).min(all.len())])
        }
        Clock::Changes(_) | Clock::Pairs { .. } => return None,
    };
    let times = match frame {
        Frame::Time(window) => Some((window, &*times)),
        Frame::Last(_) => None,
    };
    let windows = Windows { lo: &lo, hi: &hi, times, skipped: None };
    reduced(&slab, fields, stamps, &windows, how, schedule.steps[step].types[0])
}

fn reduced(
    slab: &Slab,
    fields: &[u32],
    stamps: Stamps<'_>,
    windows: &Windows<'_>,
    how: How,
    ty: Type,
) -> Option<Column> {
    let of = |field: &u32| &slab.columns[*field as usize];
    let first = of(fields.first()?);
    let second = fields.get(1).map(|field| Values::of(of(field)));
    let rows = Rows { first: slab.first, values: Values::of(first), second, stamps };
    let made = match first.ty() {
        Type::Duration => reduce_durations(&rows, windows, how),
        _ => reduce(&rows, windows, how),
    };
    Some(made.ok()?.into_column("", ty))
}

/// An integral over a stretch of time.
pub(in crate::engine) fn weigh(
    unit: &Unit<'_>,
    step: StepId,
    (of, field): (StepId, u32),
    window: Window,
    kind: Reducer,
    min_count: u64,
) -> Column {
    let slab = unit.slab(of);
    let Some(values) = slab.columns.get(field as usize).map(Values::of) else {
        return super::columns::empty(Type::F64);
    };
    let stretches = Stretches::new(&unit.stamps(of), i128::from(i64::MAX) + 1, values);
    let times = unit.stamps(step);
    let windows = times.iter().map(|time| {
        let time = i128::from(*time);
        (window.from.at(time), window.to.at(time))
    });
    crate::ops::weigh(&stretches, windows, kind, min_count).into_column("", Type::F64)
}

/// The reduction of the pairs of each outer row; `None` if an integer may be out of range.
pub(in crate::engine) fn fold(
    slab: &Slab,
    fields: &[u32],
    pairs: Option<&Pairs>,
    stamps: &[i64],
    (kind, min_count): (Reducer, u64),
    ty: Type,
) -> Option<Column> {
    let offsets: Vec<i64> =
        pairs.map_or_else(|| vec![0], |pairs| pairs.offsets.iter().map(|at| *at as i64).collect());
    let skipped = pairs.map_or(&[][..], |pairs| &pairs.skipped);
    let (lo, hi) = (&offsets[..offsets.len() - 1], &offsets[1..]);
    let windows = Windows { lo, hi, times: None, skipped: Some(skipped) };
    let how = How { kind, grouping: Grouping::Lanes64, min_count };
    reduced(slab, fields, Stamps::Events(stamps), &windows, how, ty)
}
