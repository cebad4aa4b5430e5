//! Which rows a frame has.

use tilt_ir::tir::{Frame, Index};

use crate::{
    engine::{
        clocks::{clamp, event_stamps},
        schedule::{Clock, ClockId},
        unit::Unit,
    },
    ops,
};

/// The rows `lo..hi` of the clock `rows` that are in the frame of each row of `outer`, whose stamps are `stamps` and whose first row
/// is `first`.
pub(in crate::engine) fn ranges(
    unit: &Unit<'_>,
    rows: ClockId,
    frame: Frame,
    (outer, first): (ClockId, i64),
    stamps: &[i64],
) -> (Vec<i64>, Vec<i64>) {
    match frame {
        Frame::Time(window) => {
            let mut lo = rows_until(unit, rows, stamps, window.from);
            let hi = rows_until(unit, rows, stamps, window.to);
            lo.iter_mut().zip(&hi).for_each(|(lo, hi)| *lo = (*lo).min(*hi));
            (lo, hi)
        }
        Frame::Last(count) => {
            let hi: Vec<i64> = match rows == outer {
                true => (0..stamps.len() as i64).map(|k| first + k + 1).collect(),
                false => rows_until(unit, rows, stamps, Index::NOW),
            };
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            let least = match &unit.schedule.clocks[rows] {
                Clock::Grid(_) => i64::MIN,
                Clock::Events(_) | Clock::Changes(_) | Clock::Pairs { .. } => 0,
            };
            let lo = hi.iter().map(|hi| hi.saturating_sub(count).max(least)).collect();
            (lo, hi)
        }
    }
}

/// One past the last row stamped at or before the time that `index` names.
fn rows_until(unit: &Unit<'_>, rows: ClockId, stamps: &[i64], index: Index) -> Vec<i64> {
    let times = stamps.iter().map(|stamp| index.at(i128::from(*stamp)));
    match &unit.schedule.clocks[rows] {
        Clock::Grid(grid) => {
            let row = |time: i128| clamp((time - i128::from(grid.offset)).div_euclid(grid.period.into()) + 1);
            times.map(row).collect()
        }
        Clock::Events(inputs) => {
            let source = event_stamps(unit.world, rows, inputs);
            // the bounds of windows rise with the rows, so one walk is enough
            ops::rows_until(source, times)
        }
        Clock::Changes(_) | Clock::Pairs { .. } => vec![0; stamps.len()],
    }
}
