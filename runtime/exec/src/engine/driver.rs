//! All units of a world, on all threads.

use std::ops::Range;

use rayon::prelude::*;

use super::{
    assemble::{self, Part},
    clocks,
    demand::{Need, Needs},
    keys::Worlds,
    schedule::{Clock, ClockId, Schedule, StepId, What},
    unit::{Stop, Unit},
    whole,
    world::World,
};
use crate::run::{Domain, Layout, PieceKernel, RunError};

/// A compiled kernel.
pub struct KernelSpec<'a> {
    /// The code.
    pub kernel: &'a dyn PieceKernel,
    /// What it puts out.
    pub layout: Layout,
    /// For each stream that it reads, which columns have a validity.
    pub nullable: Vec<Vec<bool>>,
    /// The number of the stream that is its own past.
    pub past: Option<usize>,
}

/// The exact definition of outputs.
pub trait Exact: Sync {
    /// The rows of output number `output` of a world: rows `rows` of its clock if that has numbered rows, else the changes in
    /// `times` and the value at their start.
    ///
    /// # Errors
    /// The earliest value out of range.
    fn part(
        &self,
        world: &World,
        output: usize,
        rows: Range<i64>,
        times: (i64, i64),
    ) -> Result<Part, RunError>;
}

/// How a schedule is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Only the exact definition computes.
    pub exact: bool,
    /// How many rows a piece has, about; a default if `None`.
    pub piece_rows: Option<usize>,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// How many units there were.
    pub units: usize,
    /// How many of them the exact definition had to compute.
    pub repeated: usize,
}

/// Rows of a piece unless told.
pub(super) const PIECE_ROWS: usize = 1 << 14;

/// A piece of an output clock.
#[derive(Clone, Copy, Debug)]
struct Piece {
    need: Need,
}

/// A schedule to be run.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// What is computed.
    pub schedule: &'a Schedule,
    /// Its kernels.
    pub kernels: &'a [KernelSpec<'a>],
    /// What the outputs are by definition.
    pub exact: &'a dyn Exact,
    /// The time that is put out.
    pub domain: Domain,
    /// How to run.
    pub options: Options,
}

/// The parts of one world: for each output one.
pub(super) type Parts = Vec<Part>;

impl Run<'_> {
    /// The time of which grid rows of a world are put out: of a key, from its first to its last stamp.
    fn domain_of(&self, world: &World, keyed: bool) -> Option<Domain> {
        if !keyed {
            return Some(self.domain);
        }
        let (first, last) = world.extent?;
        let last = if self.domain.to_given { last.min(self.domain.last) } else { last };
        Some(Domain { first: first.max(self.domain.first), last, to_given: false })
    }

    /// All that is asked for of an output's clock in a world.
    fn all(&self, world: &World, clock: ClockId, domain: Domain) -> Need {
        let of_run = self.domain;
        let rows = match &self.schedule.clocks[clock] {
            Clock::Grid(grid) => {
                let rows = domain.rows(*grid);
                let to = if self.domain.to_given {
                    grid.row_at(self.domain.last).saturating_add(1)
                } else {
                    i64::MAX
                };
                rows.start..rows.end.min(to)
            }
            Clock::Events(inputs) => {
                let stamps = clocks::event_stamps(world, clock, inputs);
                let first = stamps.partition_point(|stamp| *stamp < of_run.first);
                let end = stamps.partition_point(|stamp| *stamp <= of_run.last);
                first as i64..end as i64
            }
            Clock::Changes(_) if of_run.last < of_run.first => return Need::None,
            Clock::Changes(_) => return Need::Times(of_run.first, of_run.last),
            Clock::Pairs { .. } => return Need::None,
        };
        if rows.is_empty() { Need::None } else { Need::Rows(rows.start, rows.end) }
    }

    /// The outputs that are computed in a world, by clock, with what is asked for.
    fn groups(&self, world: &World, keyed: bool) -> Vec<(ClockId, Need)> {
        let Some(domain) = self.domain_of(world, keyed) else { return Vec::new() };
        let clocks = self.schedule.output_clocks().into_iter().filter(|(_, of_keys)| *of_keys == keyed);
        clocks.map(|(clock, _)| (clock, self.all(world, clock, domain))).collect()
    }

    fn outputs_on(&self, clock: ClockId, keyed: bool) -> Vec<usize> {
        let outputs = self.schedule.outputs.iter().enumerate();
        let on = outputs.filter(|(_, output)| {
            let step = &self.schedule.steps[output.step];
            step.clock == clock && step.keyed == keyed
        });
        on.map(|(number, _)| number).collect()
    }

    fn wanted(&self, groups: &[(ClockId, Need)], keyed: bool) -> Vec<(StepId, Need)> {
        let mut wanted = Vec::new();
        for (clock, need) in groups {
            for output in self.outputs_on(*clock, keyed) {
                wanted.push((self.schedule.outputs[output].step, *need));
            }
        }
        wanted
    }

    /// Unkeyed streams that keyed ones look at.
    fn looked_at_by_keys(&self) -> Vec<StepId> {
        let mut found: Vec<StepId> = Vec::new();
        for data in self.schedule.steps.rows().iter().filter(|data| data.keyed) {
            data.what.sources(&mut |step| {
                let source = &self.schedule.steps[step];
                if !source.keyed && !matches!(source.what, What::Input(_)) && !found.contains(&step) {
                    found.push(step);
                }
            });
        }
        found
    }

    /// What all keys together need of streams that have none.
    pub(super) fn common_needs(&self, worlds: &dyn Worlds) -> Vec<(StepId, Need)> {
        let steps = self.looked_at_by_keys();
        if steps.is_empty() || self.options.exact {
            return Vec::new();
        }
        let needs = (0..worlds.len()).into_par_iter().map(|key| {
            let world = worlds.world(key);
            let wanted = self.wanted(&self.groups(&world, true), true);
            let needs = Needs::of(self.schedule, &world, &wanted);
            steps.iter().map(|step| needs.0[*step]).collect::<Vec<Need>>()
        });
        let none = || vec![Need::None; steps.len()];
        let needs = needs.reduce(none, |a, b| a.into_iter().zip(b).map(|(a, b)| a.and(b)).collect());
        steps.into_iter().zip(needs).collect()
    }

    /// Everything that is put out of a world.
    pub(super) fn world(
        &self,
        world: &mut World,
        keyed: bool,
        more: &[(StepId, Need)],
        stats: &mut Stats,
    ) -> Result<Parts, RunError> {
        let groups = self.groups(world, keyed);
        if !self.options.exact && self.near_the_ends_of_time(world) {
            let exact = Run { options: Options { exact: true, ..self.options }, ..*self };
            return exact.world(world, keyed, more, stats);
        }
        if !self.options.exact {
            let mut wanted = self.wanted(&groups, keyed);
            wanted.extend(more);
            match whole::recursions(self.schedule, world, self.kernels, &wanted) {
                Ok(()) => {}
                Err(Stop::Error(error)) => return Err(error),
                Err(Stop::Flagged) => {
                    let exact = Run { options: Options { exact: true, ..self.options }, ..*self };
                    return exact.world(world, keyed, more, stats);
                }
            }
        }
        let mut parts: Parts = self.schedule.outputs.iter().map(|_| Part::default()).collect();
        let mut earliest: Option<RunError> = None;
        for (clock, need) in groups {
            let outputs = self.outputs_on(clock, keyed);
            // what is there already is not cut
            let is_whole = |number: &usize| world.whole.contains_key(&self.schedule.outputs[*number].step);
            let pieces = match outputs.iter().all(is_whole) {
                true if need != Need::None => vec![Piece { need }],
                _ => self.pieces(world, clock, need),
            };
            let world = &*world;
            let one = |piece: &Piece| self.unit(world, &outputs, piece.need);
            let ran: Vec<(Result<Parts, RunError>, bool)> = match pieces.len() {
                0 | 1 => pieces.iter().map(one).collect(),
                _ => pieces.par_iter().map(one).collect(),
            };
            stats.units += ran.len();
            stats.repeated += ran.iter().filter(|(_, repeated)| *repeated).count();
            let mut of_outputs: Vec<Vec<Part>> = outputs.iter().map(|_| Vec::new()).collect();
            for (result, _) in ran {
                match result {
                    Ok(parts) => of_outputs.iter_mut().zip(parts).for_each(|(all, part)| all.push(part)),
                    Err(error) => {
                        earliest = Some(earliest.take().map_or(error.clone(), |known| known.min(error)))
                    }
                }
            }
            for (number, all) in outputs.iter().zip(of_outputs) {
                let output = &self.schedule.outputs[*number];
                parts[*number] = assemble::of_key(self.schedule, world, output, all, need);
            }
        }
        match earliest {
            Some(error) => Err(error),
            None => Ok(parts),
        }
    }

    /// Whether times, or numbers of rows of grids, could leave the range of 64 bits where they are computed.
    pub(super) fn near_the_ends_of_time(&self, world: &World) -> bool {
        let counts = |clock: &Clock| matches!(clock, Clock::Grid(_) | Clock::Changes(_));
        let ends = world.ends().chain([self.domain.first, self.domain.last]);
        self.schedule.clocks.rows().iter().any(counts)
            && ends
                .into_iter()
                .any(|time| i128::from(time).abs() + i128::from(self.schedule.reach) >= i128::from(i64::MAX))
    }

    /// One unit, and whether the exact definition had to compute it.
    fn unit(&self, world: &World, outputs: &[usize], need: Need) -> (Result<Parts, RunError>, bool) {
        if !self.options.exact {
            let wanted: Vec<(StepId, Need)> =
                outputs.iter().map(|output| (self.schedule.outputs[*output].step, need)).collect();
            match Unit::compute(self.schedule, world, self.kernels, &wanted) {
                Ok(unit) => {
                    let part = |output: &usize| assemble::part(&unit, &self.schedule.outputs[*output], need);
                    return (Ok(outputs.iter().map(part).collect()), false);
                }
                Err(Stop::Error(error)) => return (Err(error), false),
                Err(Stop::Flagged) => {}
            }
        }
        let (rows, times) = match need {
            Need::Rows(first, end) => (first..end, (0, 0)),
            Need::Times(from, to) => (0..0, (from, to)),
            Need::None => (0..0, (0, -1)),
        };
        let mut parts = Vec::new();
        let mut earliest: Option<RunError> = None;
        for output in outputs {
            match self.exact.part(world, *output, rows.clone(), times) {
                Ok(part) => parts.push(part),
                Err(error) => {
                    earliest = Some(earliest.take().map_or(error.clone(), |known| known.min(error)))
                }
            }
        }
        (earliest.map_or(Ok(parts), Err), true)
    }

    /// Cuts what is asked for.
    fn pieces(&self, world: &World, clock: ClockId, need: Need) -> Vec<Piece> {
        let rows = self.options.piece_rows.unwrap_or(PIECE_ROWS).max(1) as i64;
        match need {
            Need::None => Vec::new(),
            Need::Rows(first, end) => {
                let mut pieces = Vec::new();
                let mut lo = first;
                while lo < end {
                    let hi = lo.saturating_add(rows).min(end);
                    pieces.push(Piece { need: Need::Rows(lo, hi) });
                    lo = hi;
                }
                pieces
            }
            Need::Times(from, to) => {
                let mut pieces = Vec::new();
                let mut lo = from;
                for cut in self.cuts(world, clock, rows as usize) {
                    if cut > lo && cut <= to {
                        pieces.push(Piece { need: Need::Times(lo, cut - 1) });
                        lo = cut;
                    }
                }
                pieces.push(Piece { need: Need::Times(lo, to) });
                pieces
            }
        }
    }

    /// Times at which a changing clock is cut: so many rows of an input between them.
    fn cuts(&self, world: &World, clock: ClockId, rows: usize) -> Vec<i64> {
        let Clock::Changes(changes) = &self.schedule.clocks[clock] else { return Vec::new() };
        let mut cuts = Vec::new();
        for change in changes {
            if let tilt_ir::analysis::changes::Change::Rows { input, .. } = change {
                use tilt_ir::entity::Entity;
                cuts.extend(world.inputs[input.index()].stamps.iter().step_by(rows).skip(1).copied());
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }
}
