//! What a unit needs of each step, from the outputs backward.
//!
//! ```text
//! output rows 100..164 on trades            a window of 5 s over `gain`       gain: rows 71..164
//!                                           gain looks one row back           trades: rows 70..164
//! ```

use tilt_ir::{
    Grid,
    analysis::bounds::Reach,
    entity::SideTable,
    tir::{Frame, Index},
};

use super::{
    clocks::{self, clamp},
    schedule::{Call, Clock, ClockId, Feed, Schedule, StepId, What},
    whole,
    world::World,
};

/// What is needed of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Nothing.
    None,
    /// These rows of a clock with numbered rows; of a clock of pairs, the pairs of these outer rows.
    Rows(i64, i64),
    /// Of a changing clock: its value from the first to the last of these times.
    Times(i64, i64),
}

impl Need {
    pub(super) fn and(self, other: Need) -> Need {
        match (self, other) {
            (Need::None, need) | (need, Need::None) => need,
            (Need::Rows(a, b), Need::Rows(c, d)) => Need::Rows(a.min(c), b.max(d)),
            (Need::Times(a, b), Need::Times(c, d)) => Need::Times(a.min(c), b.max(d)),
            (Need::Rows(..), Need::Times(..)) | (Need::Times(..), Need::Rows(..)) => {
                unreachable!("a clock has rows or times")
            }
        }
    }
}

/// What is needed of each step.
pub(super) struct Needs(pub(super) SideTable<StepId, Need>);

impl Needs {
    /// From what is needed of some steps to what is needed of all. Steps that are there already need nothing more.
    pub(super) fn of(schedule: &Schedule, world: &World, wanted: &[(StepId, Need)]) -> Needs {
        let mut needs = Needs(SideTable::new(Need::None));
        for (step, need) in wanted {
            needs.add(schedule, world, *step, *need);
        }
        let steps: Vec<StepId> = schedule.steps.ids().collect();
        for step in steps.into_iter().rev() {
            if needs.0[step] != Need::None && !world.whole.contains_key(&step) {
                needs.follow(schedule, world, step);
            }
        }
        needs
    }

    fn add(&mut self, schedule: &Schedule, world: &World, step: StepId, need: Need) {
        let need = match need {
            Need::Rows(first, end) => clipped(schedule, world, step, first, end),
            Need::None | Need::Times(..) => need,
        };
        self.0[step] = self.0[step].and(need);
    }

    fn follow(&mut self, schedule: &Schedule, world: &World, step: StepId) {
        let data = &schedule.steps[step];
        let need = self.0[step];
        match &data.what {
            What::Input(_) | What::Key(_) | What::Time(_) | What::Own { .. } => {}
            What::Look { of, index, .. } => {
                if let Some((first, last)) = times(schedule, world, data.clock, need) {
                    let (from, to) = (at(*index, first), at(*index, last));
                    self.add(schedule, world, *of, held(schedule, world, *of, from, to));
                }
            }
            What::Window { of, frame, .. } => {
                let rows = match frame {
                    Frame::Last(count) => last_rows(schedule, world, data.clock, *of, need, *count),
                    Frame::Time(window) => times(schedule, world, data.clock, need).map(|(first, last)| {
                        let (from, to) = (window.from.at(first.into()), window.to.at(last.into()));
                        stamped(schedule, world, *of, from, to)
                    }),
                };
                self.add(schedule, world, *of, rows.unwrap_or(Need::None));
            }
            What::Weigh { of, window, .. } => {
                if let Some((first, last)) = times(schedule, world, data.clock, need) {
                    let need = Need::Times(at(window.from, first), at(window.to, last));
                    self.add(schedule, world, *of, need);
                }
            }
            What::Spread { of, side, .. } => self.spread(schedule, world, data.clock, *of, *side, need),
            What::Fold { of, .. } => self.add(schedule, world, *of, need),
            What::Kernel(call) => {
                // a recursion is computed from its first row on
                let need = match need {
                    Need::Rows(first, end) if call.past.is_some() => {
                        Need::Rows(whole::start(schedule, world, step).min(first), end)
                    }
                    need => need,
                };
                for (step, wanted) in feeds(schedule, data.clock, call, need) {
                    self.add(schedule, world, step, wanted);
                }
            }
        }
    }

    fn spread(
        &mut self,
        schedule: &Schedule,
        world: &World,
        pairs: ClockId,
        of: StepId,
        side: super::schedule::Side,
        need: Need,
    ) {
        let Clock::Pairs { of: outer, frame, .. } = &schedule.clocks[pairs] else { return };
        if side == super::schedule::Side::Outer {
            return self.add(schedule, world, of, need);
        }
        let rows = match frame {
            Frame::Last(count) => last_rows(schedule, world, *outer, of, need, *count),
            Frame::Time(window) => times(schedule, world, *outer, need).map(|(first, last)| {
                stamped(schedule, world, of, window.from.at(first.into()), window.to.at(last.into()))
            }),
        };
        self.add(schedule, world, of, rows.unwrap_or(Need::None));
    }
}

fn at(index: Index, time: i64) -> i64 {
    clamp(index.at(time.into()))
}

/// Rows as far as there can be any.
fn clipped(schedule: &Schedule, world: &World, step: StepId, first: i64, end: i64) -> Need {
    let data = &schedule.steps[step];
    let (first, end) = match &schedule.clocks[data.clock] {
        Clock::Events(inputs) => {
            let rows = clocks::event_stamps(world, data.clock, inputs).len() as i64;
            (first.max(0), end.min(rows))
        }
        Clock::Grid(grid) => {
            let quiet = data.quiet.filter(|_| !matches!(data.what, What::Input(_)));
            let start = quiet.map(|quiet| grid.row_from(world.earliest.saturating_sub(quiet)));
            (first.max(start.unwrap_or(i64::MIN)), end)
        }
        Clock::Changes(_) | Clock::Pairs { .. } => (first, end),
    };
    if first < end { Need::Rows(first, end) } else { Need::None }
}

/// The first and the last time of what is needed.
fn times(schedule: &Schedule, world: &World, clock: ClockId, need: Need) -> Option<(i64, i64)> {
    match need {
        Need::None => None,
        Need::Times(from, to) => Some((from, to)),
        Need::Rows(first, end) => {
            let last = clocks::stamp(schedule, world, clock, end - 1)?;
            Some((clocks::stamp(schedule, world, clock, first)?, last))
        }
    }
}

/// What is looked at between two times.
fn held(schedule: &Schedule, world: &World, of: StepId, from: i64, to: i64) -> Need {
    let data = &schedule.steps[of];
    match &schedule.clocks[data.clock] {
        Clock::Grid(grid) => Need::Rows(grid.row_at(from), grid.row_at(to).saturating_add(1)),
        Clock::Events(inputs) => {
            let stamps = clocks::event_stamps(world, data.clock, inputs);
            let first = stamps.partition_point(|stamp| *stamp < from);
            let end = stamps.partition_point(|stamp| *stamp <= to);
            Need::Rows(first as i64, end as i64)
        }
        Clock::Changes(_) => Need::Times(from, to),
        Clock::Pairs { .. } => Need::None,
    }
}

/// The rows stamped in `(from, to]`.
fn stamped(schedule: &Schedule, world: &World, of: StepId, from: i128, to: i128) -> Need {
    let data = &schedule.steps[of];
    match &schedule.clocks[data.clock] {
        Clock::Grid(grid) => {
            let row = |time: i128| {
                let row = (time - i128::from(grid.offset)).div_euclid(grid.period.into()) + 1;
                clamp(row)
            };
            Need::Rows(row(from), row(to))
        }
        Clock::Events(inputs) => {
            let stamps = clocks::event_stamps(world, data.clock, inputs);
            let place = |time: i128| stamps.partition_point(|stamp| i128::from(*stamp) <= time) as i64;
            Need::Rows(place(from), place(to))
        }
        Clock::Changes(_) | Clock::Pairs { .. } => Need::None,
    }
}

/// The last `count` rows of `of` seen from what is needed of `clock`.
fn last_rows(
    schedule: &Schedule,
    world: &World,
    clock: ClockId,
    of: StepId,
    need: Need,
    count: u64,
) -> Option<Need> {
    let back = i64::try_from(count).unwrap_or(i64::MAX) - 1;
    if clock == schedule.steps[of].clock
        && let Need::Rows(first, end) = need
    {
        return Some(Need::Rows(first.saturating_sub(back), end));
    }
    let (first, last) = times(schedule, world, clock, need)?;
    let newest = stamped(schedule, world, of, first.into(), last.into());
    Some(match newest {
        Need::Rows(lo, hi) => Need::Rows(lo.saturating_sub(1).saturating_sub(back), hi),
        other => other,
    })
}

/// What a kernel reads of each of its streams.
pub(super) fn feeds(schedule: &Schedule, clock: ClockId, call: &Call, need: Need) -> Vec<(StepId, Need)> {
    let clock = &schedule.clocks[clock];
    call.feeds.iter().map(|feed| (feed.step, fed(schedule, clock, feed, need))).collect()
}

/// What a kernel reads of a stream.
fn fed(schedule: &Schedule, clock: &Clock, feed: &Feed, need: Need) -> Need {
    let Some(Reach { back, ahead }) = feed.reach else { return Need::None };
    match (clock, schedule.clock_of(feed.step), need) {
        (Clock::Grid(from), Clock::Grid(to), Need::Rows(first, end)) => {
            let (back, ahead) = (i128::from(back), i128::from(ahead));
            let stamp = |row: i64| i128::from(from.offset) + i128::from(row) * i128::from(from.period);
            let row = |time: i128| clamp((time - i128::from(to.offset)).div_euclid(to.period.into()));
            Need::Rows(row(stamp(first) - back), row(stamp(end - 1) + ahead).saturating_add(1))
        }
        (Clock::Events(_), _, Need::Rows(first, end)) => {
            Need::Rows(first.saturating_sub(back), end.saturating_add(ahead))
        }
        (_, _, need) => need,
    }
}

/// The grid on which kernels see a clock's rows.
pub(super) fn kernel_grid(clock: &Clock) -> Grid {
    match clock {
        Clock::Grid(grid) => *grid,
        Clock::Events(_) | Clock::Changes(_) | Clock::Pairs { .. } => Grid { period: 1, offset: 0 },
    }
}
