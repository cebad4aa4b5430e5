//! A query bound to its data: what can be computed again and again into the same memory.
//!
//! ```
//! use tilt::{Column, Grid, Query, RegularStream, RunOptions, Type};
//!
//! let query = Query::compile("next.tilt", "input x { v: f64 } every 1s   output next = x.v + 1.0")?;
//! let v = Column::from_values("v", Type::F64, vec![1.0f64, 2.0]);
//! let x = [RegularStream { grid: Grid::new(1_000_000_000, 0), first: 1, len: 2, columns: vec![v] }];
//! let mut prepared = query.prepare(&x, &RunOptions::default())?;
//! for _ in 0..3 {
//!     prepared.fill()?; // no compiling, no fresh pages: only this is worth timing
//! }
//! assert_eq!(prepared.finish()[0].columns[0].values::<f64>(), [2.0, 3.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::{
    num::NonZero,
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

use tilt_exec::{
    Output, RegularStream,
    run::{Domain, Layout, OutputBuffers, RunOptions as Pieces, Runner, TooLarge},
};
use tilt_ir::{
    Grid,
    tir::{self, Verified},
};

use crate::{
    convert::output_grids,
    interpret::Interpreter,
    kernel::{Native, extent},
    pieces::piece_rows,
    query::{Artifact, Query},
    run::{On, RunError, RunOptions, RunStats, check, layout, lookback},
    scratch,
};

/// A query with inputs, threads and room for its outputs.
pub struct Prepared<'a> {
    source: Verified<'a>,
    inputs: &'a [RegularStream],
    runner: Runner,
    pieces: Pieces,
    engine: Engine,
    rooms: Vec<Room>,
    compile: Duration,
}

/// What computes the outputs.
enum Engine {
    Interp,
    Cpu(Arc<Artifact>),
}

/// The outputs on one grid.
struct Room {
    grid: Grid,
    /// The rows that are asked for.
    rows: Range<i64>,
    layout: Layout,
    buffers: OutputBuffers,
}

impl Query {
    /// Makes all ready that [`Query::run`] needs: machine code, threads, memory for the outputs.
    ///
    /// # Errors
    /// As `run`, but for errors in the data.
    pub fn prepare<'a>(
        &'a self,
        inputs: &'a [RegularStream],
        options: &RunOptions,
    ) -> Result<Prepared<'a>, RunError> {
        let source = self.source();
        check(source.query(), inputs)?;
        let domain = Domain::of(inputs, options.from, options.to).ok_or(RunError::NoRows)?;
        let threads = options.threads.map_or(0, NonZero::get);
        let runner = Runner::new(threads).map_err(|error| RunError::Threads(error.to_string()))?;
        let pieces = Pieces { piece_rows: options.piece_rows, lookback: Some(lookback(source.query())) };
        let start = Instant::now();
        // near the ends of time, numbers of rows would wrap in compiled code: the interpreter has wider ones
        let on = if in_the_middle_of_time(source.query(), inputs, domain) { options.on } else { On::Interp };
        let (engine, layouts) = match on {
            On::Interp => {
                let grids = output_grids(source.query());
                let layouts = grids.into_iter().map(|grid| layout(source.query(), grid, &mut |_| true));
                (Engine::Interp, layouts.collect())
            }
            On::Cpu => {
                let columns = inputs.iter().flat_map(|stream| &stream.columns);
                let nullability = columns.map(|column| column.validity().is_some()).collect();
                let artifact = self.artifact(&nullability).map_err(RunError::Backend)?;
                let layouts = layouts(source.query(), &artifact);
                (Engine::Cpu(artifact), layouts)
            }
        };
        let compile = start.elapsed();
        let rooms = layouts.into_iter().map(|layout| Room::new(layout, domain)).collect::<Result<_, _>>()?;
        Ok(Prepared { source, inputs, runner, pieces, engine, rooms, compile })
    }
}

fn layouts(source: &tir::Query, artifact: &Artifact) -> Vec<Layout> {
    let kernels = artifact.program.kernels.iter();
    let layouts = kernels.map(|kernel| {
        let mut columns = kernel.outputs.iter().filter(|column| column.column.is_some());
        layout(source, kernel.grid, &mut |_| columns.next().is_none_or(|column| column.nullable))
    });
    layouts.collect()
}

/// Whether all that compiled code computes with, times and numbers of rows, stays in the range of 64 bits.
fn in_the_middle_of_time(source: &tir::Query, inputs: &[RegularStream], domain: Domain) -> bool {
    /// Rows by which loops reach over the ends of what they compute, generously.
    const OVERSHOOT: i128 = 4096;
    let grids =
        inputs.iter().map(|stream| stream.grid).chain(source.defs.rows().iter().map(|def| def.grid()));
    let longest = grids.map(|grid| i128::from(grid.period)).max().unwrap_or(0);
    let reach = i128::from(lookback(source)) + OVERSHOOT * longest;
    let ends = inputs.iter().filter_map(RegularStream::extent).flat_map(|(first, last)| [first, last]);
    ends.chain([domain.first, domain.last]).all(|time| i128::from(time).abs() + reach < i128::from(i64::MAX))
}

impl Room {
    fn new(layout: Layout, domain: Domain) -> Result<Room, RunError> {
        let grid = layout.grid;
        let rows = domain.rows(grid);
        let columns = layout.outputs.iter().flat_map(|output| &output.columns);
        if !scratch::fits(rows.end.abs_diff(rows.start).into(), columns.map(|column| column.ty)) {
            return Err(RunError::TooLarge(TooLarge { grid, rows }));
        }
        let buffers = OutputBuffers::try_new(layout.clone(), rows.clone()).map_err(RunError::TooLarge)?;
        Ok(Room { grid, rows, layout, buffers })
    }
}

impl Prepared<'_> {
    /// Computes all outputs.
    ///
    /// # Errors
    /// The earliest value out of range. The outputs are unspecified then.
    pub fn fill(&mut self) -> Result<RunStats, RunError> {
        let mut stats = RunStats { compile: self.compile, ..RunStats::default() };
        let mut earliest: Option<tilt_exec::run::RunError> = None;
        for (number, room) in self.rooms.iter_mut().enumerate() {
            let exact = Interpreter::new(self.source, room.grid);
            let buffers = &mut room.buffers;
            let ran = match &self.engine {
                Engine::Interp => self.runner.fill(&exact, None, self.inputs, buffers, &self.pieces),
                Engine::Cpu(artifact) => {
                    let (kernel, code) = (&artifact.program.kernels[number], &artifact.code.kernels[number]);
                    let native = Native::new(&artifact.program, kernel, code, &room.layout);
                    let usual = self.runner.piece_rows(&room.rows);
                    let piece_rows =
                        piece_rows(kernel, &room.rows, &|stream| extent(self.inputs, stream), usual);
                    let pieces =
                        Pieces { piece_rows: self.pieces.piece_rows.or(Some(piece_rows)), ..self.pieces };
                    self.runner.fill(&native, Some(&exact), self.inputs, buffers, &pieces)
                }
            };
            match ran {
                Ok(ran) => {
                    stats.compute += ran.elapsed;
                    stats.pieces += ran.pieces;
                    stats.repeated += ran.repeated;
                }
                Err(error) => {
                    earliest = Some(earliest.take().map_or(error.clone(), |known| known.min(error)));
                }
            }
        }
        earliest.map_or(Ok(stats), |error| Err(RunError::Data(error)))
    }

    /// The outputs of the last [`Prepared::fill`], in the order of the query.
    pub fn finish(self) -> Vec<Output> {
        let rooms = self.rooms.into_iter();
        let mut outputs: Vec<Output> = rooms.flat_map(|room| self.runner.finish(room.buffers)).collect();
        let declared = &self.source.query().outputs;
        outputs.sort_by_key(|output| declared.iter().position(|other| other.name == output.name));
        outputs
    }
}
