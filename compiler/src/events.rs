//! Running queries over events and keys: a schedule over worlds.

use std::{ops::Range, time::Instant};

use tilt_exec::{
    Column, Dictionary, EventStream, Input, MatchedKeys, Output, Stream, Times,
    engine::{self, OutputParts, OutputStep, When, World, WorldInput},
    run::{Domain, TooLarge},
};
use tilt_ir::{
    Const, Type,
    tir::{self, Stamps},
};

use crate::{
    exact::ExactInterp,
    query::Query,
    run::{On, Results, RunError, RunOptions, RunStats},
    schedule::{CompiledSchedule, Scheduled},
    scratch,
};

impl Query {
    /// Runs the query on the data of each input, in the order of their declaration; the columns of an input in the order of the
    /// declared fields. `symbols` are those of the data; it begins with [`Query::symbols`].
    ///
    /// ```
    /// use tilt::{Column, Dictionary, EventStream, Query, RunOptions, Type};
    ///
    /// let query = Query::compile("gain.tilt", "
    ///     input trades { price: f64 }
    ///     let gain[t on trades] = trades.price - trades[prev].price
    ///     output gain
    /// ")?;
    /// let price = Column::from_values("price", Type::F64, vec![1.0f64, 3.0, 7.0]);
    /// let trades = EventStream { stamps: vec![5, 5, 9].into(), until: None, columns: vec![price] };
    /// let result = query.run_inputs(&[trades.into()], &Dictionary::default(), &RunOptions::default())?;
    /// let gain = &result.outputs[0];
    /// assert_eq!(gain.stamps().collect::<Vec<_>>(), [5, 5, 9]);
    /// assert_eq!(gain.columns[0].get(0), None);
    /// assert_eq!(gain.columns[0].values::<f64>()[1..], [2.0, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`RunError`]. There are no partial results.
    pub fn run_inputs(
        &self,
        inputs: &[Input],
        symbols: &Dictionary,
        options: &RunOptions,
    ) -> Result<Results, RunError> {
        let source = self.source();
        check(source.query(), inputs)?;
        if source.query().is_regular() && source.query().keys.is_empty() {
            let regular = inputs.iter().filter_map(|input| match &input.stream {
                Stream::Regular(stream) => Some(stream.clone()),
                Stream::Events(_) => None,
            });
            return self.run(&regular.collect::<Vec<_>>(), options);
        }
        let extents = inputs.iter().filter_map(Input::extent);
        let domain = Domain::over(extents, options.from, options.to).ok_or(RunError::NoRows)?;
        let start = Instant::now();
        let scheduled = self.scheduled();
        let compiled = match options.on {
            On::Interp => None,
            On::Cpu => Some(self.compiled_schedule(&nullability(inputs)).map_err(RunError::Backend)?),
        };
        let compile = start.elapsed();
        let worlds = Worlds::of(source.query(), inputs, symbols, scheduled);
        worlds.check_memory(scheduled, domain)?;
        let exact = ExactInterp::new(source);
        let pool = tilt_exec::run::Runner::new(options.threads.map_or(0, std::num::NonZero::get));
        let pool = pool.map_err(|error| RunError::Threads(error.to_string()))?;
        let start = Instant::now();
        let (parts, stats) = pool
            .install(|| worlds.run(scheduled, compiled.as_deref(), &exact, domain, options))
            .map_err(RunError::Data)?;
        let outputs = scheduled.schedule.outputs.iter().zip(parts);
        let outputs =
            pool.install(|| outputs.map(|(output, parts)| worlds.output(scheduled, output, parts)).collect());
        let stats =
            RunStats { compile, compute: start.elapsed(), pieces: stats.units, repeated: stats.repeated };
        Ok(Results { outputs, stats })
    }
}

/// Which input columns have φ inside the data.
fn nullability(inputs: &[Input]) -> Vec<bool> {
    let columns = inputs.iter().flat_map(|input| input.stream.columns());
    columns.map(|column| column.validity().is_some()).collect()
}

/// What every key sees.
struct Worlds<'a> {
    query: &'a tir::Query,
    inputs: &'a [Input],
    keys: MatchedKeys,
    /// For each input its place among the keyed ones.
    places: Vec<Option<usize>>,
    clocks: usize,
    /// The first and the last stamp of all inputs.
    extent: Option<(i64, i64)>,
}

impl engine::Worlds for Worlds<'_> {
    fn keys(&self) -> &[Column] {
        &self.keys.columns
    }

    fn len(&self) -> usize {
        self.keys.len()
    }

    fn world(&self, key: usize) -> World {
        self.seen(Some(key))
    }

    fn events(&self, input: usize) -> &EventStream {
        match &self.inputs[input].stream {
            Stream::Events(events) => events,
            Stream::Regular(_) => unreachable!("the schedule says that it is events"),
        }
    }

    fn rows(&self, input: usize, key: usize) -> Range<usize> {
        let Input { keys: Some(keys), .. } = &self.inputs[input] else { return 0..0 };
        let part = self.places[input].and_then(|place| self.keys.places[place][key]);
        part.map_or(0..0, |part| keys.rows(part as usize))
    }
}

impl<'a> Worlds<'a> {
    fn of(
        query: &'a tir::Query,
        inputs: &'a [Input],
        symbols: &Dictionary,
        scheduled: &Scheduled,
    ) -> Worlds<'a> {
        let keyed: Vec<_> = inputs.iter().filter_map(|input| input.keys.as_ref()).collect();
        let mut next = 0;
        let places = inputs.iter().map(|input| {
            input.keys.as_ref().map(|_| {
                next += 1;
                next - 1
            })
        });
        Worlds {
            query,
            inputs,
            places: places.collect(),
            keys: MatchedKeys::of(&keyed, symbols),
            clocks: scheduled.schedule.clocks.len(),
            extent: inputs.iter().map(Input::extent).fold(None, hull),
        }
    }

    /// Refuses grids with more rows than there is memory for.
    fn check_memory(&self, scheduled: &Scheduled, domain: Domain) -> Result<(), RunError> {
        let schedule = &scheduled.schedule;
        for output in &schedule.outputs {
            let engine::Clock::Grid(grid) = schedule.clock_of(output.step) else { continue };
            let all = domain.rows(*grid);
            let mut rows = u128::from(all.end.abs_diff(all.start));
            let types = || output.columns.iter().map(|(_, ty, _)| *ty);
            if schedule.steps[output.step].keyed {
                let of_key = |key: usize| {
                    let (first, last) = self.own_extent(key)?;
                    let (first, last) = (first.max(domain.first), last.min(domain.last));
                    let rows = Domain { first, last, to_given: false }.rows(*grid);
                    Some(u128::from(rows.end.abs_diff(rows.start)))
                };
                rows = (0..self.keys.len()).filter_map(of_key).sum();
            }
            if !scratch::fits(rows, types().chain([Type::Time])) {
                return Err(RunError::TooLarge(TooLarge { grid: *grid, rows: all }));
            }
        }
        Ok(())
    }

    /// The first and the last stamp of a key.
    fn own_extent(&self, key: usize) -> Option<(i64, i64)> {
        let of_input = |(input, place): (&Input, &Option<usize>)| {
            input.part_extent(self.keys.places[(*place)?][key]? as usize)
        };
        self.inputs.iter().zip(&self.places).map(of_input).fold(None, hull)
    }

    fn run(
        &self,
        scheduled: &Scheduled,
        compiled: Option<&CompiledSchedule>,
        exact: &ExactInterp<'_>,
        domain: Domain,
        options: &RunOptions,
    ) -> Result<(Vec<OutputParts>, engine::Stats), tilt_exec::run::RunError> {
        let natives = compiled.map(|compiled| compiled.natives(scheduled)).unwrap_or_default();
        let specs = compiled.map(|compiled| compiled.specs(scheduled, &natives)).unwrap_or_default();
        let how = engine::Options { exact: compiled.is_none(), piece_rows: options.piece_rows };
        let run = engine::Run { schedule: &scheduled.schedule, kernels: &specs, exact, domain, options: how };
        run.worlds(self.seen(None), self)
    }

    /// What a key sees, or what is seen without one: of keyed inputs, nothing.
    fn seen(&self, key: Option<usize>) -> World {
        let mut own: Option<(i64, i64)> = None;
        let mut all: Option<(i64, i64)> = None;
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for ((input, place), data) in self.inputs.iter().zip(&self.places).zip(self.query.inputs.rows()) {
            let part = match place {
                None => Some(0),
                Some(place) => key.and_then(|key| self.keys.places[*place][key]).map(|part| part as usize),
            };
            let extent = part.and_then(|part| input.part_extent(part));
            let until_interval = matches!(data.stamps, Stamps::Events(tir::Hold::Until));
            inputs.push(match part {
                Some(part) => WorldInput::from(input.part(part)),
                None => WorldInput::empty(input.stream.columns(), until_interval),
            });
            all = hull(all, extent);
            if place.is_some() {
                own = hull(own, extent);
            }
        }
        let value = |column: &Column| key.and_then(|key| column.get(key)).unwrap_or(Const::Int(0));
        let values: Vec<Const> = self.keys.columns.iter().map(value).collect();
        let mut world = World::new(key.unwrap_or(0), values, inputs, self.clocks);
        world.earliest = all.map_or(0, |(first, _)| first);
        world.run_start = self.extent.map(|(first, _)| first);
        // the time of a run is that of all inputs, keyed ones too
        world.extent = if key.is_some() { own } else { self.extent };
        world
    }

    /// The rows of an output in the order of time, then keys.
    fn output(&self, scheduled: &Scheduled, output: &OutputStep, parts: OutputParts) -> Output {
        let keyed = scheduled.schedule.steps[output.step].keyed;
        let rows = engine::in_order(output, keyed, parts);
        let mut columns: Vec<Column> = match keyed {
            true => self.keys.columns.iter().map(|column| column.gather(&rows.keys)).collect(),
            false => Vec::new(),
        };
        columns.extend(
            rows.columns
                .into_iter()
                .zip(&output.columns)
                .map(|(column, (name, _, _))| column.renamed(name.as_str())),
        );
        let times = match (scheduled.schedule.clock_of(output.step), rows.when) {
            (_, When::Grid { grid, first, len }) if !keyed => Times::Regular { grid, first, len },
            (engine::Clock::Grid(grid), when) if !keyed => {
                Times::Listed { grid: *grid, stamps: when.stamps() }
            }
            (_, when) => Times::Events { stamps: when.stamps() },
        };
        Output { name: output.name.clone(), times, columns }
    }
}

fn hull(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (known, None) | (None, known) => known,
    }
}

/// Whether the inputs are those that the query declares.
fn check(query: &tir::Query, inputs: &[Input]) -> Result<(), RunError> {
    let wrong = |message: String| Err(RunError::Inputs(message));
    if inputs.len() != query.inputs.len() {
        return wrong(format!(
            "{} inputs are given, the query declares {}",
            inputs.len(),
            query.inputs.len()
        ));
    }
    for (data, input) in query.inputs.rows().iter().zip(inputs) {
        let name = &data.name;
        match (data.stamps, &input.stream) {
            (Stamps::Every(grid), Stream::Regular(stream)) if grid == stream.grid => {}
            (Stamps::Every(grid), Stream::Regular(stream)) => {
                return wrong(format!("`{name}` is declared {grid}, but the data is {}", stream.grid));
            }
            (Stamps::Every(grid), Stream::Events(_)) => {
                return wrong(format!("`{name}` is declared {grid}, but the data are events"));
            }
            (Stamps::Events(_), Stream::Regular(_)) => {
                return wrong(format!("`{name}` is declared as events, but the data lie on a grid"));
            }
            (Stamps::Events(hold), Stream::Events(stream)) => {
                if (hold == tir::Hold::Until) != stream.until.is_some() {
                    return wrong(format!(
                        "`{name}` must say until when its rows hold, exactly if it is declared so"
                    ));
                }
                if !stream.stamps.is_sorted() && input.keys.is_none() {
                    return wrong(format!("the rows of `{name}` are not in the order of time"));
                }
            }
        }
        let columns = input.stream.columns();
        if columns.len() != data.fields.len() {
            let (given, wanted) = (columns.len(), data.fields.len());
            return wrong(format!("`{name}` has {wanted} fields, but {given} columns are given"));
        }
        for (field, column) in data.fields.iter().zip(columns) {
            if field.ty != column.ty() {
                let (field, wanted, given) = (&field.name, field.ty, column.ty());
                return wrong(format!("`{name}.{field}` is {wanted}, but the column is {given}"));
            }
            if column.len() != input.stream.len() {
                let (field, rows, wanted) = (&field.name, column.len(), input.stream.len());
                return wrong(format!("the column of `{name}.{field}` has {rows} rows, the stream {wanted}"));
            }
        }
        keys_fit(query, data, input)?;
    }
    Ok(())
}

fn keys_fit(query: &tir::Query, data: &tir::InputData, input: &Input) -> Result<(), RunError> {
    let name = &data.name;
    let given: Vec<Type> = input.keys.iter().flat_map(|keys| &keys.columns).map(Column::ty).collect();
    let wanted: Vec<Type> = match data.keyed {
        true => query.keys.iter().map(|key| key.ty).collect(),
        false => Vec::new(),
    };
    if data.keyed == input.keys.is_some() && given == wanted {
        return Ok(());
    }
    Err(RunError::Inputs(format!(
        "`{name}` has {} key columns of given types, not {}",
        wanted.len(),
        given.len()
    )))
}
