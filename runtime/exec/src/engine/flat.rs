//! Many keys at once: where all that a key needs lies on the clock of one keyed input, the rows of consecutive keys are one set of
//! flat columns for every step, and planning, memory and outputs are those of the set. Only the kernels see where a key begins.

use std::ops::Range;

use tilt_ir::entity::SideTable;

use super::{
    apply,
    assemble::{self, KeyedPart, Part, When},
    driver::{KernelSpec, Run},
    keys::Worlds,
    schedule::{Call, Clock, ClockId, Schedule, StepId, What},
    unit::{fed, time_column},
};
use crate::{
    column::Column,
    engine::demand::kernel_grid,
    run::{Grown, PieceStatus, RunError},
    stream::EventStream,
};

/// Steps that can be computed for many keys at once.
pub(super) struct Flat {
    input: usize,
    clock: ClockId,
    /// What the outputs need, in order.
    steps: Vec<StepId>,
}

/// The rows of consecutive keys.
struct Chunk<'a> {
    worlds: &'a dyn Worlds,
    keys: Range<usize>,
    /// The rows of each key, counted from the first one of the chunk.
    rows: Vec<Range<usize>>,
    events: EventStream,
}

impl Flat {
    /// `None` if some keyed output needs more than the rows of its own input.
    pub(super) fn of(schedule: &Schedule, kernels: &[KernelSpec<'_>]) -> Option<Flat> {
        let outputs = schedule.outputs.iter().map(|output| output.step);
        let mut keyed: Vec<StepId> = outputs.filter(|step| schedule.steps[*step].keyed).collect();
        let clock = schedule.steps[*keyed.first()?].clock;
        let Clock::Events(inputs) = &schedule.clocks[clock] else { return None };
        let [input] = inputs[..] else { return None };
        if !schedule.inputs[input].keyed {
            return None; // its rows are the same for all keys
        }
        let mut wanted: SideTable<StepId, bool> = SideTable::new(false);
        while let Some(step) = keyed.pop() {
            let data = &schedule.steps[step];
            if data.clock != clock || !data.keyed {
                return None;
            }
            match &data.what {
                What::Input(of) if *of == input => {}
                What::Key(_) | What::Time(_) => {}
                What::Kernel(call) if kernels[call.kernel].layout.outputs.iter().all(|of| !of.filtered) => {
                    keyed.extend(call.feeds.iter().filter(|feed| feed.reach.is_some()).map(|feed| feed.step));
                }
                _ => return None,
            }
            wanted[step] = true;
        }
        let steps = schedule.steps.ids().filter(|step| wanted[*step]).collect();
        Some(Flat { input, clock, steps })
    }

    /// How many rows a key has.
    pub(super) fn rows(&self, worlds: &dyn Worlds, key: usize) -> usize {
        worlds.rows(self.input, key).len()
    }

    /// The outputs of these keys; of outputs without keys, nothing. `None` if some integer may be out of range.
    pub(super) fn run(
        &self,
        run: &Run<'_>,
        worlds: &dyn Worlds,
        keys: Range<usize>,
    ) -> Result<Option<Vec<Option<KeyedPart>>>, RunError> {
        let schedule = run.schedule;
        let places: Vec<Range<usize>> = keys.clone().map(|key| worlds.rows(self.input, key)).collect();
        let there = || places.iter().filter(|rows| !rows.is_empty());
        let start = there().next().map_or(0, |rows| rows.start);
        let end = there().next_back().map_or(start, |rows| rows.end);
        let rows = places.iter().map(|rows| match rows.is_empty() {
            true => 0..0,
            false => rows.start - start..rows.end - start,
        });
        let rows = rows.collect();
        let events = worlds.events(self.input).slice(start..end);
        let chunk = Chunk { worlds, keys, rows, events };
        let mut made: SideTable<StepId, Vec<Column>> = SideTable::new(Vec::new());
        for step in &self.steps {
            let data = &schedule.steps[*step];
            made[*step] = match &data.what {
                What::Key(key) => vec![chunk.key_column(*key)],
                What::Time(index) => match time_column(*index, &chunk.events.stamps) {
                    Some(times) => vec![times],
                    None => return Ok(None),
                },
                What::Kernel(call) => match chunk.kernel(run, self.clock, call, &made)? {
                    Some(columns) => columns,
                    None => return Ok(None),
                },
                _ => chunk.events.columns.clone(),
            };
        }
        let output = |output: &super::OutputStep| {
            let columns = &made[output.step];
            schedule.steps[output.step].keyed.then(|| {
                let shown = output.columns.iter().map(|(_, _, field)| columns[*field as usize].clone());
                let part = Part { when: When::Listed(chunk.events.stamps.clone()), columns: shown.collect() };
                let keep = output.keep.map(|keep| &columns[keep as usize]);
                chunk.put(part, keep, (run.domain.first, run.domain.last))
            })
        };
        Ok(Some(schedule.outputs.iter().map(output).collect()))
    }
}

impl Chunk<'_> {
    /// For each row the number of its key.
    fn key_of_rows(&self) -> Vec<u32> {
        let mut keys = Vec::with_capacity(self.events.len());
        for (key, rows) in self.keys.clone().zip(&self.rows) {
            keys.resize(keys.len() + rows.len(), key as u32);
        }
        keys
    }

    fn key_column(&self, key: usize) -> Column {
        self.worlds.keys()[key].gather(&self.key_of_rows())
    }

    fn kernel(
        &self,
        run: &Run<'_>,
        clock: ClockId,
        call: &Call,
        made: &SideTable<StepId, Vec<Column>>,
    ) -> Result<Option<Vec<Column>>, RunError> {
        let spec = &run.kernels[call.kernel];
        let grid = kernel_grid(&run.schedule.clocks[clock]);
        let mut feeds = call.feeds.iter();
        let columns: Vec<_> = spec.layout.outputs.iter().flat_map(|output| &output.columns).collect();
        let mut streams = Vec::with_capacity(spec.nullable.len());
        for (number, nullable) in spec.nullable.iter().enumerate() {
            let slab = match spec.past == Some(number) && call.past.is_some() {
                // before the first row there is nothing
                true => apply::nothing(&columns.iter().map(|column| column.ty).collect::<Vec<_>>()),
                false => match feeds.next() {
                    Some(feed) if feed.reach.is_some() => {
                        super::Slab { first: 0, len: self.events.len(), columns: made[feed.step].clone() }
                    }
                    Some(feed) => apply::nothing(&run.schedule.steps[feed.step].types),
                    None => continue,
                },
            };
            streams.push(fed(&slab, grid, nullable));
        }
        let mut grown: Vec<Grown> =
            columns.iter().map(|column| Grown::new(column, self.events.len())).collect();
        match spec.kernel.run_each(&spec.layout, &streams, &self.rows, &mut grown)? {
            PieceStatus::Done => Ok(Some(grown.into_iter().map(Grown::finish).collect())),
            PieceStatus::Overflow => Ok(None),
        }
    }

    /// The rows that are put out: those that are kept, in the time that is asked for.
    fn put(&self, part: Part, keep: Option<&Column>, (from, to): (i64, i64)) -> KeyedPart {
        let keys = self.keys.clone().map(|key| key as u32);
        let all = || keys.clone().zip(self.rows.iter().map(ExactSizeIterator::len));
        let stamps = &self.events.stamps;
        if keep.is_none() && stamps.iter().all(|stamp| (from..=to).contains(stamp)) {
            return KeyedPart { keys: all().collect(), part };
        }
        let mut rows = match keep {
            Some(keep) => assemble::true_rows(keep),
            None => (0..stamps.len() as i64).collect(),
        };
        rows.retain(|row| (from..=to).contains(&stamps[*row as usize]));
        let mut counts = Vec::with_capacity(self.rows.len());
        let mut taken = 0;
        let mut end = 0;
        for (key, len) in all() {
            end += len as i64;
            let count = rows[taken..].iter().take_while(|row| **row < end).count();
            counts.push((key, count));
            taken += count;
        }
        KeyedPart { keys: counts, part: assemble::chosen(part, &rows) }
    }
}
