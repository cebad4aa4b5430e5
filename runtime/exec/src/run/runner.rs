//! Running the pieces, in parallel.

use std::ops::Range;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::buffers::{OutputBuffers, OutputView, WORD_ROWS};
use super::error::RunError;
use super::kernel::{Layout, Piece, PieceKernel, PieceStatus};
use crate::output::Output;
use crate::stream::RegularStream;

/// Threads that run kernels.
pub struct Runner {
    /// `None`: the calling thread does the work.
    pool: Option<ThreadPool>,
}

/// How time is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Rows of a piece, rounded up to a multiple of 64. By default so many that each thread gets
    /// several pieces and a piece is long against a window's look-back.
    pub piece_rows: Option<usize>,
    /// How far before its own rows, in nanoseconds, a piece can compute a definition. It spares
    /// exact computation after an error: pieces that cannot have an earlier one are left out. By
    /// default without limit.
    pub lookback: Option<i64>,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunStats {
    /// Pieces of time.
    pub pieces: usize,
    /// Pieces that were computed again exactly.
    pub repeated: usize,
    /// Wall time.
    pub elapsed: Duration,
}

/// The most rows of a piece unless told: 2 MiB of f64.
const LONGEST: usize = 1 << 18;
/// The least rows of a piece unless told.
const SHORTEST: usize = 1 << 14;

type Filled<'a> = (Piece, Vec<OutputView<'a>>);

impl Runner {
    /// A runner with this many threads of its own; 0 means as many as there are processors. With one
    /// the calling thread does the work.
    ///
    /// # Errors
    /// If the system gives no more threads.
    pub fn new(threads: usize) -> Result<Runner, ThreadPoolBuildError> {
        if threads == 1 {
            return Ok(Runner { pool: None });
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Runner { pool: Some(pool) })
    }

    /// How many threads work.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Does a job on these threads: what it does in parallel is done by them.
    pub fn install<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            None => match ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(pool) => pool.install(job),
                Err(_) => job(),
            },
            Some(pool) => pool.install(job),
        }
    }

    /// Runs a kernel for these rows of its grid and gives its outputs. `exact` computes the pieces
    /// that the kernel gives up with [`PieceStatus::Overflow`]: it finds the error, or finds that
    /// there is none.
    ///
    /// # Errors
    /// The earliest error; of several at one time, that of the first definition. Or that the outputs do
    /// not fit in memory.
    pub fn execute(
        &self,
        kernel: &dyn PieceKernel,
        exact: Option<&dyn PieceKernel>,
        inputs: &[RegularStream],
        layout: &Layout,
        rows: Range<i64>,
        options: &RunOptions,
    ) -> Result<Vec<Output>, RunError> {
        let first = rows.start;
        let mut buffers = OutputBuffers::try_new(layout.clone(), rows)
            .map_err(|error| without_place(layout, first, error.to_string()))?;
        self.fill(kernel, exact, inputs, &mut buffers, options)?;
        Ok(self.finish(buffers))
    }

    /// [`OutputBuffers::finish`] on the threads of this runner.
    pub fn finish(&self, buffers: OutputBuffers) -> Vec<Output> {
        match &self.pool {
            Some(pool) => pool.install(|| buffers.finish()),
            None => buffers.finish(),
        }
    }

    /// As [`Runner::execute`], but into buffers that are there already.
    ///
    /// # Errors
    /// As `execute`; then the contents of the buffers are unspecified.
    pub fn fill(
        &self,
        kernel: &dyn PieceKernel,
        exact: Option<&dyn PieceKernel>,
        inputs: &[RegularStream],
        buffers: &mut OutputBuffers,
        options: &RunOptions,
    ) -> Result<RunStats, RunError> {
        let start = Instant::now();
        let asked = buffers.rows.clone();
        let layout = buffers.layout.clone();
        let grid = layout.grid;
        let piece_rows = options.piece_rows.unwrap_or_else(|| self.piece_rows(&asked));
        let pieces = buffers.pieces(piece_rows.div_ceil(WORD_ROWS as usize).max(1));
        let total = pieces.len();
        let ran = self.map(pieces, |(piece, mut views)| {
            let status = kernel.run(piece, inputs, &mut views);
            (piece, views, status)
        });
        let mut earliest = None;
        let mut flagged = Vec::new();
        for (piece, views, status) in ran {
            match status {
                Ok(PieceStatus::Done) => {}
                Ok(PieceStatus::Overflow) => flagged.push((piece, views)),
                Err(error) => earliest = earlier(earliest, error),
            }
        }
        let repeated = flagged.len();
        let mut flagged = flagged.into_iter().peekable();
        while let Some((next, _)) = flagged.peek() {
            let start = grid.stamp(next.first);
            if out_of_reach(start, options.lookback, earliest.as_ref()) {
                break;
            }
            let batch: Vec<Filled<'_>> = flagged.by_ref().take(self.threads()).collect();
            let results = self.map(batch, |(piece, mut views)| {
                let status = match exact {
                    Some(exact) => exact.run(piece, inputs, &mut views)?,
                    None => PieceStatus::Overflow,
                };
                match status {
                    PieceStatus::Done => Ok(()),
                    PieceStatus::Overflow => Err(unexplained(piece, &layout)),
                }
            });
            earliest = results.into_iter().filter_map(Result::err).fold(earliest, earlier);
        }
        match earliest {
            Some(error) => Err(error),
            None => Ok(RunStats { pieces: total, repeated, elapsed: start.elapsed() }),
        }
    }

    /// How many rows a piece of these has unless told: several pieces for each thread, none too long or short.
    pub fn piece_rows(&self, rows: &Range<i64>) -> usize {
        let rows = (i128::from(rows.end) - i128::from(rows.start)).max(0);
        let share = rows / (4 * self.threads() as i128);
        usize::try_from(share).unwrap_or(LONGEST).clamp(SHORTEST, LONGEST)
    }

    fn map<T: Send, R: Send>(&self, items: Vec<T>, job: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
        match &self.pool {
            None => items.into_iter().map(job).collect(),
            Some(pool) => pool.install(|| items.into_par_iter().with_max_len(1).map(job).collect()),
        }
    }
}

/// Whether a piece that starts at `start` can only have errors later than the one we have.
fn out_of_reach(start: Option<i64>, lookback: Option<i64>, earliest: Option<&RunError>) -> bool {
    let (Some(start), Some(lookback), Some(earliest)) = (start, lookback, earliest) else {
        return false;
    };
    start.saturating_sub(lookback) > earliest.time
}

fn earlier(known: Option<RunError>, found: RunError) -> Option<RunError> {
    match known {
        Some(known) if known <= found => Some(known),
        _ => Some(found),
    }
}

/// All that can be said of an overflow without the exact definition.
fn unexplained(piece: Piece, layout: &Layout) -> RunError {
    let message = "at this time or later an integer leaves the range of its type";
    without_place(layout, piece.first, message.to_owned())
}

/// An error of all outputs, from a row on.
fn without_place(layout: &Layout, row: i64, message: String) -> RunError {
    let names: Vec<&str> = layout.outputs.iter().map(|output| output.name.as_str()).collect();
    RunError {
        time: layout.grid.stamp(row).unwrap_or(i64::MAX),
        order: u32::MAX,
        definition: names.join(", "),
        message,
    }
}
