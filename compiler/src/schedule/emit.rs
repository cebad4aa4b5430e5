//! Fragments become kernels, columns become steps, level by level.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tilt_exec::engine::{Call, Feed, InputSpec, OutputStep, Schedule, Step, StepId, What};
use tilt_ir::{
    Type,
    analysis::bounds::Bounds,
    entity::Entity,
    tir::{self, Body, Def, Field, Input, Op, Query, Source},
};

use super::{
    Builder, Group, Made, Scheduled, Stream,
    making::{Feeder, Making},
};
use crate::{
    convert::{Scan, output_grids},
    passes,
};

/// A regular query that kernels compute.
pub(crate) struct Subquery {
    pub(crate) query: Query,
    pub(crate) scan: Option<Scan>,
    /// For each input of the query the step that feeds it; `None` is the past.
    pub(crate) feeds: Vec<Option<StepId>>,
    /// Which inputs are inputs of the whole query (their number there): their columns have φ only if the data have.
    pub(crate) raw: Vec<Option<usize>>,
}

/// What is computed by one subquery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Batch {
    level: usize,
    keyed: bool,
    group: Group,
    scan: Option<usize>,
}

/// Emits all that the outputs need.
pub(super) fn emit(builder: Builder<'_>, outputs: &[usize]) -> Scheduled {
    let mut emitter = Emitter::new(&builder);
    let needed = emitter.needed(outputs);
    let outside = emitter.seen_from_outside(&needed, outputs);
    let mut batches: BTreeMap<Batch, Vec<usize>> = BTreeMap::new();
    for fragment in &needed.fragments {
        batches.entry(emitter.batch(*fragment)).or_default().push(*fragment);
    }
    let levels = batches.keys().map(|batch| batch.level).max().unwrap_or(0);
    let mut batches = batches.into_iter().peekable();
    for level in 0..=levels + 1 {
        for column in needed.columns.iter().filter(|column| builder.columns[**column].level == level) {
            emitter.column(*column, &needed.columns);
        }
        while let Some((batch, members)) = batches.next_if(|(batch, _)| batch.level == level) {
            emitter.batch_kernels(batch, &members, &outside);
        }
    }
    emitter.outputs(outputs);
    emitter.scheduled
}

/// The fragments and columns that are needed.
#[derive(Default)]
struct Needed {
    fragments: BTreeSet<usize>,
    columns: BTreeSet<usize>,
}

pub(super) struct Emitter<'b, 'q> {
    pub(super) builder: &'b Builder<'q>,
    pub(super) scheduled: Scheduled,
    /// The step and the first field of a fragment's results.
    fragments: HashMap<usize, (StepId, u32)>,
    /// The step and the first field of a column.
    columns: HashMap<usize, (StepId, u32)>,
}

/// See [`Schedule::reach`].
fn reach(query: &Query) -> i64 {
    /// Rows by which loops reach over the ends of what they compute, generously.
    const OVERSHOOT: i64 = 4096;
    let inputs = query.inputs.rows().iter().filter_map(|input| input.stamps.grid());
    let grids = inputs.chain(query.defs.rows().iter().filter_map(|def| def.clock.grid()));
    let longest = grids.map(|grid| grid.period).max().unwrap_or(0);
    crate::run::lookback(query).saturating_add(longest.saturating_mul(OVERSHOOT))
}

/// Calls `see` with every stream that a body looks at.
fn each_stream(body: &Body, see: &mut impl FnMut(Stream)) {
    for inst in body.insts.rows() {
        match &inst.op {
            Op::At { source: Source::Input(column), .. } => see(Stream::Column(column.index())),
            Op::At { source: Source::Def(fragment), .. } => see(Stream::Fragment(fragment.index())),
            Op::Reduce(reduce) => each_stream(&reduce.row, see),
            _ => {}
        }
    }
}

/// Gives the one definition that `query` puts out the fields of its past again: passes make one of equal fields.
fn as_its_past(query: &mut Query) -> Def {
    let output = &mut query.outputs[0];
    let data = &mut query.defs[output.def];
    let columns = || output.columns.iter().map(|(_, field)| *field as usize);
    data.body.results = columns().map(|field| data.body.results[field]).collect();
    data.fields = columns()
        .enumerate()
        .map(|(place, field)| Field { name: format!("f{place}"), ty: data.fields[field].ty })
        .collect();
    output.columns.iter_mut().zip(0..).for_each(|((_, field), place)| *field = place);
    output.def
}

fn made_of(what: &Made) -> Option<Stream> {
    match what {
        Made::Raw(_) | Made::Key(_) | Made::Time(_) | Made::Own(..) | Made::Past(_) => None,
        Made::Look { of, .. }
        | Made::Window { of, .. }
        | Made::Weigh { of, .. }
        | Made::Spread { of, .. }
        | Made::Fold { of, .. } => Some(*of),
    }
}

impl<'b, 'q> Emitter<'b, 'q> {
    fn new(builder: &'b Builder<'q>) -> Emitter<'b, 'q> {
        let inputs = builder.query.inputs.rows().iter().map(|input| InputSpec {
            name: input.name.clone(),
            stamps: input.stamps,
            keyed: input.keyed,
        });
        let schedule = Schedule {
            inputs: inputs.collect(),
            clocks: builder.clocks.clone(),
            reach: reach(builder.query),
            ..Schedule::default()
        };
        let scheduled = Scheduled { schedule, subqueries: Vec::new(), kernels: Vec::new() };
        Emitter { builder, scheduled, fragments: HashMap::new(), columns: HashMap::new() }
    }

    fn needed(&self, outputs: &[usize]) -> Needed {
        let mut needed = Needed::default();
        let mut todo: Vec<Stream> = outputs.iter().map(|fragment| Stream::Fragment(*fragment)).collect();
        while let Some(stream) = todo.pop() {
            match stream {
                Stream::Fragment(fragment) if needed.fragments.insert(fragment) => {
                    each_stream(&self.builder.fragments[fragment].body, &mut |stream| todo.push(stream));
                }
                Stream::Column(column) if needed.columns.insert(column) => {
                    todo.extend(made_of(&self.builder.columns[column].what));
                }
                Stream::Fragment(_) | Stream::Column(_) => {}
            }
        }
        needed
    }

    fn batch(&self, fragment: usize) -> Batch {
        let data = &self.builder.fragments[fragment];
        Batch {
            level: data.level,
            keyed: data.scope.keyed,
            group: data.scope.group,
            scan: data.scan.is_some().then_some(fragment),
        }
    }

    /// The fragments that something outside their own kernels looks at.
    fn seen_from_outside(&self, needed: &Needed, outputs: &[usize]) -> BTreeSet<usize> {
        let mut outside: BTreeSet<usize> = outputs.iter().copied().collect();
        for fragment in &needed.fragments {
            let own = self.batch(*fragment);
            each_stream(&self.builder.fragments[*fragment].body, &mut |stream| {
                if let Stream::Fragment(other) = stream
                    && self.batch(other) != own
                {
                    outside.insert(other);
                }
            });
        }
        for column in &needed.columns {
            if let Some(Stream::Fragment(fragment)) = made_of(&self.builder.columns[*column].what) {
                outside.insert(fragment);
            }
        }
        outside
    }

    pub(super) fn place(&self, stream: Stream) -> (StepId, u32) {
        match stream {
            Stream::Fragment(fragment) => self.fragments[&fragment],
            Stream::Column(column) => self.columns[&column],
        }
    }

    fn step(&mut self, column: usize, types: Vec<Type>, what: What) -> StepId {
        let data = &self.builder.columns[column];
        let step = Step {
            name: self.builder.query.defs[data.scope.def].name.clone(),
            order: data.scope.def.index() as u32,
            clock: data.scope.clock,
            types,
            keyed: data.scope.keyed,
            quiet: data.quiet,
            what,
        };
        self.scheduled.schedule.steps.push(step)
    }

    fn column(&mut self, column: usize, needed: &BTreeSet<usize>) {
        if self.columns.contains_key(&column) {
            return;
        }
        let builder = self.builder;
        let data = &builder.columns[column];
        let types = data.types.clone();
        let of_step = |emitter: &Self, of: Stream| emitter.place(of);
        let what = match &data.what {
            Made::Past(_) => return,
            Made::Raw(input) => What::Input(input.index()),
            Made::Key(key) => What::Key(*key as usize),
            Made::Time(index) => What::Time(*index),
            Made::Own(..) | Made::Look { .. } => return self.fields(column, needed),
            Made::Window { of, fields, frame, kind, grouping, min_count } => {
                let (of, first) = of_step(self, *of);
                let fields = fields.iter().map(|field| first + field).collect();
                let (frame, kind, grouping, min_count) = (*frame, *kind, *grouping, *min_count);
                What::Window { of, fields, frame, kind, grouping, min_count }
            }
            Made::Weigh { of, window, kind, min_count } => {
                let (of, field) = of_step(self, *of);
                What::Weigh { of, field, window: *window, kind: *kind, min_count: *min_count }
            }
            Made::Spread { of, side } => {
                let (of, first) = of_step(self, *of);
                What::Spread { of, fields: (first..first + types.len() as u32).collect(), side: *side }
            }
            Made::Fold { of, kind, min_count } => {
                let (of, first) = of_step(self, *of);
                let fields = (first..first + kind.arity() as u32).collect();
                What::Fold { of, fields, kind: *kind, min_count: *min_count }
            }
        };
        let step = self.step(column, types, what);
        self.columns.insert(column, (step, 0));
    }

    /// All fields of one stream that are looked at at one time, in one step.
    fn fields(&mut self, column: usize, needed: &BTreeSet<usize>) {
        let builder = self.builder;
        let data = &builder.columns[column];
        let key = |what: &Made| match what {
            Made::Own(input, field) => Some((Err(*input), *field)),
            Made::Look { of, field, index } => Some((Ok((*of, *index)), *field)),
            _ => None,
        };
        let Some((what, _)) = key(&data.what) else { return };
        let mut alike = Vec::new();
        for other in needed {
            let candidate = &builder.columns[*other];
            if (candidate.scope.clock, candidate.scope.keyed) != (data.scope.clock, data.scope.keyed) {
                continue;
            }
            match key(&candidate.what) {
                Some((other_what, field)) if other_what == what => {
                    alike.push((*other, field, candidate.types[0]));
                }
                _ => {}
            }
        }
        let types = alike.iter().map(|(_, _, ty)| *ty).collect();
        let step = match what {
            Err(input) => {
                let fields = alike.iter().map(|(_, field, _)| *field).collect();
                self.step(column, types, What::Own { input: input.index(), fields })
            }
            Ok((of, index)) => {
                let (of, first) = self.place(of);
                let fields = alike.iter().map(|(_, field, _)| first + field).collect();
                self.step(column, types, What::Look { of, fields, index })
            }
        };
        for (place, (other, _, _)) in alike.into_iter().enumerate() {
            self.columns.insert(other, (step, place as u32));
        }
    }

    /// The kernels of a batch, one for each grid on which others look at something.
    fn batch_kernels(&mut self, batch: Batch, members: &[usize], outside: &BTreeSet<usize>) {
        let mut making =
            Making { emitter: self, inputs: Vec::new(), raw: Vec::new(), query: Query::default() };
        making.query.source = making.emitter.builder.query.source.clone();
        let mut defs: HashMap<usize, Def> = HashMap::new();
        for member in members {
            let def = making.def(*member, &defs);
            defs.insert(*member, def);
        }
        let mut shown = Vec::new();
        for member in members.iter().filter(|member| outside.contains(member)) {
            making.output(defs[member]);
            shown.push(*member);
        }
        let scan = batch.scan.map(|fragment| {
            let (init, past) = making.emitter.builder.fragments[fragment].scan.clone().expect("a scan");
            let past = making.input(Feeder::Past(past));
            Scan { past, def: defs[&fragment], init }
        });
        let Making { inputs, raw, mut query, .. } = making;
        passes::run(&mut query, passes::O2, cfg!(debug_assertions));
        let scan = scan.map(|scan| Scan { def: as_its_past(&mut query), ..scan });
        self.kernels(batch, query, scan, (inputs, raw), &shown);
    }

    fn kernels(
        &mut self,
        batch: Batch,
        query: Query,
        scan: Option<Scan>,
        (inputs, raw): (Vec<Option<StepId>>, Vec<Option<usize>>),
        shown: &[usize],
    ) {
        let verified = match tir::verify(&query) {
            Ok(verified) => verified,
            Err(bugs) => panic!("scheduling broke the IR: {}\n{query}", bugs[0]),
        };
        let bounds = Bounds::of(verified);
        let number = self.scheduled.subqueries.len();
        for (at, grid) in output_grids(&query).into_iter().enumerate() {
            let on_grid: Vec<usize> =
                (0..shown.len()).filter(|k| query.defs[query.outputs[*k].def].grid() == grid).collect();
            let fragments: Vec<usize> = on_grid.iter().map(|k| shown[*k]).collect();
            let kernel = self.scheduled.kernels.len();
            self.scheduled.kernels.push((number, at));
            let feeds = inputs.iter().enumerate().filter_map(|(input, step)| {
                let step = (*step)?;
                let reach =
                    on_grid.iter().filter_map(|k| bounds.input(query.outputs[*k].def, Input::new(input)));
                let reach = reach.reduce(|a, b| tilt_ir::analysis::bounds::Reach {
                    back: a.back.max(b.back),
                    ahead: a.ahead.max(b.ahead),
                });
                Some(Feed { step, reach })
            });
            let past = scan.as_ref().map(|scan| {
                let reach = bounds.input(scan.def, scan.past);
                reach.unwrap_or(tilt_ir::analysis::bounds::Reach { back: 0, ahead: 0 })
            });
            let call = Call { kernel, feeds: feeds.collect(), past };
            let first = &self.builder.fragments[fragments[0]];
            let types = fragments
                .iter()
                .flat_map(|fragment| self.builder.fragments[*fragment].types.clone())
                .collect();
            let quiet = fragments.iter().map(|fragment| self.builder.fragments[*fragment].quiet);
            let quiet = quiet.reduce(|a, b| Some(a?.max(b?))).flatten();
            let step = self.scheduled.schedule.steps.push(Step {
                name: first.name.clone(),
                order: first.scope.def.index() as u32,
                clock: first.scope.clock,
                types,
                keyed: batch.keyed,
                quiet,
                what: What::Kernel(call),
            });
            let mut field = 0;
            for fragment in fragments {
                self.fragments.insert(fragment, (step, field));
                field += self.builder.fragments[fragment].types.len() as u32;
            }
        }
        self.scheduled.subqueries.push(Subquery { query, scan, feeds: inputs, raw });
    }

    fn outputs(&mut self, fragments: &[usize]) {
        for (output, fragment) in self.builder.query.outputs.iter().zip(fragments) {
            let (step, first) = self.fragments[fragment];
            let types = &self.builder.fragments[*fragment].types;
            let column =
                |(name, field): &(String, u32)| (name.clone(), types[*field as usize], first + field);
            self.scheduled.schedule.outputs.push(OutputStep {
                name: output.name.clone(),
                step,
                columns: output.columns.iter().map(column).collect(),
                keep: output.keep.map(|field| first + field),
            });
        }
    }
}
