//! Running a query on data.

use std::{
    fmt,
    num::NonZero,
    ops::Range,
    time::{Duration, Instant},
};

use tilt_exec::{
    Output, RegularStream,
    run::{
        ColumnLayout, Domain, Layout, OutputBuffers, OutputLayout, RunOptions as Pieces, Runner, TooLarge,
    },
};
use tilt_ir::{
    Grid,
    tir::{self, Base, Index, Op},
};

use crate::{
    convert::{output_grids, outputs_on},
    interpret::Interpreter,
    kernel::Native,
    query::Query,
};

/// What computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum On {
    /// The reference interpreter: slow, and right by definition.
    Interp,
    /// Machine code for this processor.
    #[default]
    Cpu,
}

/// How to run a query.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// What computes.
    pub on: On,
    /// How many threads; all processors if `None`. The results do not depend on it.
    pub threads: Option<NonZero<usize>>,
    /// No row before this time (nanoseconds) is put out; by default the first stamp of the data.
    pub from: Option<i64>,
    /// No row after this time (nanoseconds) is put out; by default grids end at the first point not before the last stamp.
    pub to: Option<i64>,
    /// Rows of a piece of time. The results do not depend on it.
    pub piece_rows: Option<usize>,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunStats {
    /// Time spent making machine code (none if it was there).
    pub compile: Duration,
    /// Time spent computing.
    pub compute: Duration,
    /// Pieces of time.
    pub pieces: usize,
    /// Pieces computed again by the interpreter, because an integer may have left its range.
    pub repeated: usize,
}

/// The outputs of a run.
#[derive(Debug)]
pub struct Results {
    /// The outputs, in the order of the query.
    pub outputs: Vec<Output>,
    /// What it took.
    pub stats: RunStats,
}

/// Why a run gave nothing.
#[derive(Debug)]
pub enum RunError {
    /// The inputs are not those that the query declares.
    Inputs(String),
    /// No input has a row, and no range of time was given.
    NoRows,
    /// The outputs do not fit in memory.
    TooLarge(TooLarge),
    /// A value left the range of its type.
    Data(tilt_exec::run::RunError),
    /// Machine code could not be made: a bug, or a broken installation.
    Backend(tilt_backend_llvm::Error),
    /// The system gave no threads.
    Threads(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Inputs(what) => f.write_str(what),
            RunError::NoRows => f.write_str("no input has a row"),
            RunError::TooLarge(error) => error.fmt(f),
            RunError::Data(error) => error.fmt(f),
            RunError::Backend(error) => error.fmt(f),
            RunError::Threads(what) => write!(f, "no threads: {what}"),
        }
    }
}

impl std::error::Error for RunError {}

impl Query {
    /// Runs the query on one stream for each input, in the order of their declaration; the columns of a stream in the order of
    /// the declared fields.
    ///
    /// # Errors
    /// See [`RunError`]. There are no partial results.
    pub fn run(&self, inputs: &[RegularStream], options: &RunOptions) -> Result<Results, RunError> {
        self.check(inputs)?;
        let domain = Domain::of(inputs, options.from, options.to).ok_or(RunError::NoRows)?;
        let threads = options.threads.map_or(0, NonZero::get);
        let runner = Runner::new(threads).map_err(|error| RunError::Threads(error.to_string()))?;
        let pieces =
            Pieces { piece_rows: options.piece_rows, lookback: Some(lookback(self.source().query())) };
        match options.on {
            On::Interp => self.interpret(inputs, &runner, domain, &pieces),
            On::Cpu => self.compute(inputs, &runner, domain, &pieces),
        }
    }

    fn check(&self, inputs: &[RegularStream]) -> Result<(), RunError> {
        let declared = &self.source().query().inputs;
        if inputs.len() != declared.len() {
            let (given, wanted) = (inputs.len(), declared.len());
            return Err(RunError::Inputs(format!("{given} inputs are given, the query declares {wanted}")));
        }
        for ((_, data), stream) in declared.iter().zip(inputs) {
            let name = &data.name;
            if stream.grid != data.grid {
                let (given, wanted) = (stream.grid, data.grid);
                return Err(RunError::Inputs(format!(
                    "`{name}` is declared {wanted}, but the data is {given}"
                )));
            }
            if stream.columns.len() != data.fields.len() {
                let (given, wanted) = (stream.columns.len(), data.fields.len());
                return Err(RunError::Inputs(format!(
                    "`{name}` has {wanted} fields, but {given} columns are given"
                )));
            }
            for (field, column) in data.fields.iter().zip(&stream.columns) {
                let (field_name, wanted, given) = (&field.name, field.ty, column.ty());
                if wanted != given {
                    return Err(RunError::Inputs(format!(
                        "`{name}.{field_name}` is {wanted}, but the column is {given}"
                    )));
                }
                if column.len() != stream.len {
                    let (rows, wanted) = (column.len(), stream.len);
                    return Err(RunError::Inputs(format!(
                        "the column of `{name}.{field_name}` has {rows} rows, the stream {wanted}"
                    )));
                }
            }
        }
        Ok(())
    }

    fn interpret(
        &self,
        inputs: &[RegularStream],
        runner: &Runner,
        domain: Domain,
        pieces: &Pieces,
    ) -> Result<Results, RunError> {
        let mut gathered = Gathered::default();
        for grid in output_grids(self.source().query()) {
            let interpreter = Interpreter::new(self.source(), grid);
            let mut buffers = room(self.layout(grid, &mut |_| true), domain.rows(grid))?;
            let stats = runner.fill(&interpreter, None, inputs, &mut buffers, pieces);
            gathered.add(stats, buffers);
        }
        gathered.finish(self)
    }

    fn compute(
        &self,
        inputs: &[RegularStream],
        runner: &Runner,
        domain: Domain,
        pieces: &Pieces,
    ) -> Result<Results, RunError> {
        let start = Instant::now();
        let columns = inputs.iter().flat_map(|stream| &stream.columns);
        let nullability = columns.map(|column| column.validity().is_some()).collect();
        let artifact = self.artifact(&nullability).map_err(RunError::Backend)?;
        let mut gathered = Gathered::default();
        gathered.stats.compile = start.elapsed();
        for (kernel, code) in artifact.program.kernels.iter().zip(&artifact.code.kernels) {
            let mut columns = kernel.outputs.iter().filter(|column| column.column.is_some());
            let layout =
                self.layout(kernel.grid, &mut |_| columns.next().is_none_or(|column| column.nullable));
            let native = Native::new(&artifact.program, kernel, code, &layout);
            let exact = Interpreter::new(self.source(), kernel.grid);
            let mut buffers = room(layout, domain.rows(kernel.grid))?;
            let stats = runner.fill(&native, Some(&exact), inputs, &mut buffers, pieces);
            gathered.add(stats, buffers);
        }
        gathered.finish(self)
    }

    /// The layout of the outputs on a grid; `nullable` is asked once for each column, in order.
    fn layout(&self, grid: Grid, nullable: &mut dyn FnMut(&str) -> bool) -> Layout {
        let query = self.source().query();
        let outputs = outputs_on(query, grid).map(|output| {
            let fields = &query.defs[output.def].fields;
            let columns = output.columns.iter().map(|(name, field)| ColumnLayout {
                name: name.clone(),
                ty: fields[*field as usize].ty,
                nullable: nullable(name),
            });
            OutputLayout {
                name: output.name.clone(),
                columns: columns.collect(),
                filtered: output.keep.is_some(),
            }
        });
        Layout { grid, outputs: outputs.collect() }
    }
}

fn room(layout: Layout, rows: Range<i64>) -> Result<OutputBuffers, RunError> {
    OutputBuffers::try_new(layout, rows).map_err(RunError::TooLarge)
}

/// No value of a query is computed from one further back than this (nanoseconds): generously, all look-backs added up.
fn lookback(query: &tir::Query) -> i64 {
    let mut sum = 0i64;
    let mut look = |index: Index| {
        let base = match index.base {
            Base::Now => 0,
            Base::Floor(period) | Base::Ceil(period) => period,
        };
        sum = sum.saturating_add(base).saturating_add(index.shift.saturating_abs());
    };
    for data in query.defs.rows() {
        let mut bodies = vec![&data.body];
        while let Some(body) = bodies.pop() {
            for inst in body.insts.rows() {
                match &inst.op {
                    Op::At { index, .. } | Op::Time(index) => look(*index),
                    Op::Reduce(reduce) => {
                        look(reduce.window.from);
                        look(reduce.window.to);
                        look(Index::now(reduce.rows.period));
                        bodies.push(&reduce.row);
                    }
                    _ => {}
                }
            }
        }
        look(Index::now(data.grid.period));
    }
    sum
}

/// The outputs of all grids, as they come.
#[derive(Default)]
struct Gathered {
    outputs: Vec<Output>,
    stats: RunStats,
    error: Option<tilt_exec::run::RunError>,
}

impl Gathered {
    fn add(
        &mut self,
        ran: Result<tilt_exec::run::RunStats, tilt_exec::run::RunError>,
        buffers: OutputBuffers,
    ) {
        match ran {
            Ok(stats) => {
                self.stats.compute += stats.elapsed;
                self.stats.pieces += stats.pieces;
                self.stats.repeated += stats.repeated;
                self.outputs.extend(buffers.finish());
            }
            Err(error) => {
                let earliest = self.error.take().map_or(error.clone(), |known| known.min(error));
                self.error = Some(earliest);
            }
        }
    }

    /// The outputs in the order of the query, or the earliest error of all.
    fn finish(mut self, query: &Query) -> Result<Results, RunError> {
        if let Some(error) = self.error {
            return Err(RunError::Data(error));
        }
        let order = |name: &str| query.source().query().outputs.iter().position(|output| output.name == name);
        self.outputs.sort_by_key(|output| order(&output.name));
        Ok(Results { outputs: self.outputs, stats: self.stats })
    }
}
