//! One unit: the steps of a schedule over what is needed of each.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use tilt_ir::{
    entity::SideTable,
    tir::{Base, Index, Reducer},
};

use super::{
    apply, clocks,
    demand::{Need, Needs, kernel_grid},
    driver::KernelSpec,
    schedule::{Call, Clock, ClockId, Feed, Schedule, Side, StepId, What},
    world::{Slab, World},
};
use crate::{
    column::Column,
    ops::How,
    run::{OutputBuffers, OutputView, Piece, PieceStatus, RunError},
    stream::RegularStream,
};

/// Why a unit gives no result.
pub(super) enum Stop {
    /// Some integer may be out of range: the exact definition has to say.
    Flagged,
    /// An error for the user.
    Error(RunError),
}

/// The pairs of a clock of pairs.
pub(super) struct Pairs {
    /// The first outer row.
    pub(super) first: i64,
    /// For each outer row where its pairs begin, and the end of the last.
    pub(super) offsets: Vec<usize>,
    /// For each outer row how many rows of its frame do not exist, before those that do.
    pub(super) skipped: Vec<i64>,
    /// For each pair the inner row.
    pub(super) inner: Vec<i64>,
}

/// A unit being computed.
pub(super) struct Unit<'a> {
    pub(super) schedule: &'a Schedule,
    pub(super) world: &'a World,
    pub(super) kernels: &'a [KernelSpec<'a>],
    needs: Needs,
    slabs: SideTable<StepId, Option<Slab>>,
    changes: HashMap<ClockId, Vec<i64>>,
    pairs: HashMap<ClockId, Pairs>,
}

impl<'a> Unit<'a> {
    /// Computes all that `wanted` needs.
    pub(super) fn compute(
        schedule: &'a Schedule,
        world: &'a World,
        kernels: &'a [KernelSpec<'a>],
        wanted: &[(StepId, Need)],
    ) -> Result<Unit<'a>, Stop> {
        let needs = Needs::of(schedule, world, wanted);
        let mut unit = Unit {
            schedule,
            world,
            kernels,
            needs,
            slabs: SideTable::new(None),
            changes: HashMap::new(),
            pairs: HashMap::new(),
        };
        unit.changing_clocks();
        for step in schedule.steps.ids() {
            if unit.needs.0[step] != Need::None && unit.made(step).is_none() {
                let slab = unit.step(step)?;
                unit.slabs[step] = Some(slab);
            }
        }
        Ok(unit)
    }

    /// The times of all changing clocks.
    fn changing_clocks(&mut self) {
        let mut spans: HashMap<ClockId, (i64, i64)> = HashMap::new();
        for (step, data) in self.schedule.steps.iter() {
            if let Need::Times(from, to) = self.needs.0[step] {
                let span = spans.entry(data.clock).or_insert((from, to));
                *span = (span.0.min(from), span.1.max(to));
            }
        }
        for (clock, (from, to)) in spans {
            if let Clock::Changes(changes) = &self.schedule.clocks[clock] {
                self.changes.insert(clock, clocks::changes(self.schedule, self.world, changes, from, to));
            }
        }
    }

    /// The rows of a step that are there without being computed in this unit, or were computed already.
    pub(super) fn made(&self, step: StepId) -> Option<&Slab> {
        if let What::Input(input) = self.schedule.steps[step].what {
            return Some(&self.world.inputs[input].slab);
        }
        self.world.whole.get(&step).map(|whole| &whole.slab).or(self.slabs[step].as_ref())
    }

    /// A step that this one needs.
    pub(super) fn slab(&self, step: StepId) -> Cow<'_, Slab> {
        match self.made(step) {
            Some(slab) => Cow::Borrowed(slab),
            None => Cow::Owned(apply::nothing(&self.schedule.steps[step].types)),
        }
    }

    /// The stamps of a step's rows in this unit.
    pub(super) fn stamps(&self, step: StepId) -> Cow<'_, [i64]> {
        let clock = self.schedule.steps[step].clock;
        if let Some(stamps) = self.world.whole.get(&step).and_then(|whole| whole.stamps.as_ref()) {
            return Cow::Borrowed(stamps);
        }
        match (&self.schedule.clocks[clock], self.needs.0[step]) {
            (Clock::Changes(_), _) => Cow::Borrowed(self.changes.get(&clock).map_or(&[], Vec::as_slice)),
            (Clock::Events(inputs), Need::Rows(first, end)) => {
                Cow::Borrowed(&clocks::event_stamps(self.world, clock, inputs)[first as usize..end as usize])
            }
            (_, Need::Rows(first, end)) => {
                Cow::Owned(clocks::stamps(self.schedule, self.world, clock, first, end))
            }
            (_, Need::None | Need::Times(..)) => Cow::Borrowed(&[]),
        }
    }

    /// The first row of a step that is computed here.
    pub(super) fn first_row(&self, step: StepId) -> i64 {
        match self.needs.0[step] {
            Need::Rows(first, _) => first,
            Need::None | Need::Times(..) => 0,
        }
    }

    fn step(&mut self, step: StepId) -> Result<Slab, Stop> {
        let schedule = self.schedule;
        let data = &schedule.steps[step];
        if let Clock::Pairs { of, rows, frame } = &schedule.clocks[data.clock] {
            return self.pairs_step(step, (*of, *rows, *frame));
        }
        let first = self.first_row(step);
        let slab =
            |columns: Vec<Column>| Slab { first, len: columns.first().map_or(0, Column::len), columns };
        Ok(match &data.what {
            What::Input(input) => self.world.inputs[*input].slab.clone(),
            What::Key(key) => {
                let len = self.stamps(step).len();
                slab(vec![apply::constant(data.types[0], self.world.key[*key], len)])
            }
            What::Time(index) => slab(vec![time_column(*index, &self.stamps(step)).ok_or(Stop::Flagged)?]),
            What::Own { input, fields } => slab(apply::own(self, step, *input, fields)),
            What::Look { of, fields, index } => slab(apply::look(self, step, *of, fields, *index)),
            What::Window { of, fields, frame, kind, grouping, min_count } => {
                let how = How { kind: *kind, grouping: *grouping, min_count: *min_count };
                let column = apply::window(self, step, *of, fields, *frame, how).ok_or(Stop::Flagged)?;
                slab(vec![column])
            }
            What::Weigh { of, field, window, kind, min_count } => {
                slab(vec![apply::weigh(self, step, (*of, *field), *window, *kind, *min_count)])
            }
            What::Fold { of, fields, kind, min_count } => {
                slab(vec![self.fold(step, *of, fields, (*kind, *min_count))?])
            }
            What::Spread { .. } => unreachable!("only on clocks of pairs"),
            // recursions are there already, or not to be had here
            What::Kernel(Call { past: Some(_), .. }) => return Err(Stop::Flagged),
            What::Kernel(call) => {
                let (first, end) = match self.needs.0[step] {
                    Need::Rows(first, end) => (first, end),
                    Need::None | Need::Times(..) => (0, self.stamps(step).len() as i64),
                };
                Slab { first, len: (end - first) as usize, columns: self.call(data.clock, call, first, end)? }
            }
        })
    }

    fn pairs_step(
        &mut self,
        step: StepId,
        pairs: (ClockId, ClockId, tilt_ir::tir::Frame),
    ) -> Result<Slab, Stop> {
        let schedule = self.schedule;
        let data = &schedule.steps[step];
        if !self.pairs.contains_key(&data.clock) {
            let made = self.make_pairs(self.needs.0[step], pairs)?;
            self.pairs.insert(data.clock, made);
        }
        let pairs = &self.pairs[&data.clock];
        let len = pairs.inner.len();
        let columns = match &data.what {
            What::Spread { of, fields, side } => {
                let slab = self.slab(*of);
                let outer;
                let rows = match side {
                    Side::Inner => &pairs.inner,
                    Side::Outer => {
                        outer = apply::outer_rows(pairs);
                        &outer
                    }
                };
                fields.iter().map(|field| apply::gather(&slab, *field, rows)).collect()
            }
            What::Kernel(call) => self.call(data.clock, call, 0, len as i64)?,
            What::Key(key) => vec![apply::constant(data.types[0], self.world.key[*key], len)],
            _ => unreachable!("pairs are spread, computed and folded"),
        };
        Ok(Slab { first: 0, len, columns })
    }

    fn make_pairs(
        &self,
        need: Need,
        (outer, rows, frame): (ClockId, ClockId, tilt_ir::tir::Frame),
    ) -> Result<Pairs, Stop> {
        let (first, stamps) = match need {
            Need::Rows(first, end) => (first, clocks::stamps(self.schedule, self.world, outer, first, end)),
            Need::None | Need::Times(..) => (0, self.changes.get(&outer).cloned().unwrap_or_default()),
        };
        apply::pairs(self, (outer, rows, frame), first, &stamps).ok_or(Stop::Flagged)
    }

    fn fold(&self, step: StepId, of: StepId, fields: &[u32], how: (Reducer, u64)) -> Result<Column, Stop> {
        let schedule = self.schedule;
        let clock = schedule.steps[of].clock;
        let pairs = self.pairs.get(&clock);
        let Clock::Pairs { rows, .. } = &schedule.clocks[clock] else { return Err(Stop::Flagged) };
        let inner = pairs.map_or(&[][..], |pairs| &pairs.inner);
        let stamps: Vec<i64> = match &schedule.clocks[*rows] {
            Clock::Grid(grid) => inner.iter().map(|row| clocks::grid_stamp(*grid, *row)).collect(),
            Clock::Events(inputs) => {
                let all = clocks::event_stamps(self.world, *rows, inputs);
                inner.iter().map(|row| all[*row as usize]).collect()
            }
            Clock::Changes(_) | Clock::Pairs { .. } => Vec::new(),
        };
        let ty = schedule.steps[step].types[0];
        apply::fold(&self.slab(of), fields, pairs, &stamps, how, ty).ok_or(Stop::Flagged)
    }

    /// Rows `first..end` of a kernel.
    fn call(&self, clock: ClockId, call: &Call, first: i64, end: i64) -> Result<Vec<Column>, Stop> {
        let mut buffers = room(&self.kernels[call.kernel], first..end)?;
        for (piece, mut views) in buffers.pieces(usize::MAX >> 8) {
            self.piece(clock, call, piece, None, &mut views)?;
        }
        Ok(buffers.finish().into_iter().flat_map(|output| output.columns).collect())
    }

    /// A piece of a kernel, which may look at its own past.
    pub(super) fn piece(
        &self,
        clock: ClockId,
        call: &Call,
        piece: Piece,
        past: Option<&Slab>,
        views: &mut [OutputView<'_>],
    ) -> Result<(), Stop> {
        let spec = &self.kernels[call.kernel];
        if past.is_none() && spec.past.is_some() {
            // a window that captures the past of a recursion: only row by row
            return Err(Stop::Flagged);
        }
        let mut feeds = call.feeds.iter();
        let mut streams: Vec<RegularStream> = Vec::with_capacity(spec.nullable.len());
        for (number, nullable) in spec.nullable.iter().enumerate() {
            if let Some(past) = past.filter(|_| spec.past == Some(number)) {
                streams.push(fed(past, kernel_grid(&self.schedule.clocks[clock]), nullable));
            } else if let Some(Feed { step, reach }) = feeds.next() {
                let slab = match reach {
                    Some(_) => self.slab(*step),
                    None => Cow::Owned(apply::nothing(&self.schedule.steps[*step].types)),
                };
                streams.push(fed(&slab, kernel_grid(self.schedule.clock_of(*step)), nullable));
            }
        }
        match spec.kernel.run(piece, &streams, views).map_err(Stop::Error)? {
            PieceStatus::Done => Ok(()),
            PieceStatus::Overflow => Err(Stop::Flagged),
        }
    }
}

/// Memory for what a kernel computes.
pub(super) fn room(spec: &KernelSpec<'_>, rows: Range<i64>) -> Result<OutputBuffers, Stop> {
    OutputBuffers::try_new(spec.layout.clone(), rows).map_err(|error| {
        let definition = String::new();
        Stop::Error(RunError { time: i64::MAX, order: u32::MAX, definition, message: error.to_string() })
    })
}

/// A stream as a kernel wants it: a validity where it was compiled for one.
pub(super) fn fed(slab: &Slab, grid: tilt_ir::Grid, nullable: &[bool]) -> RegularStream {
    let columns = slab.columns.iter().zip(nullable).map(|(column, nullable)| match nullable {
        true => column.clone().with_validity(),
        false => column.clone(),
    });
    RegularStream { grid, first: slab.first, len: slab.len, columns: columns.collect() }
}

/// The times that an index names; `None` if one is out of range.
pub(super) fn time_column(index: Index, stamps: &[i64]) -> Option<Column> {
    if index == (Index { base: Base::Now, shift: 0 }) {
        return Some(Column::from_values("", tilt_ir::Type::Time, stamps.to_vec()));
    }
    let times: Option<Vec<i64>> =
        stamps.iter().map(|stamp| i64::try_from(index.at(i128::from(*stamp))).ok()).collect();
    Some(Column::from_values("", tilt_ir::Type::Time, times?))
}
