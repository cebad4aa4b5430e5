//! `--stats`: what a run took.

use std::{fmt, num::NonZero, thread::available_parallelism, time::Duration};

use tilt::{Input, Results, RunStats};

/// Rows and times of a run.
#[derive(Debug, Default)]
pub(super) struct Stats {
    /// From text to TiLT IR.
    pub(super) compile: Duration,
    /// From files to columns.
    pub(super) read: Duration,
    /// From columns to files.
    pub(super) write: Duration,
    run: RunStats,
    threads: usize,
    rows_in: usize,
    rows_out: usize,
}

impl Stats {
    /// Takes what is known after the run.
    pub(super) fn count(&mut self, inputs: &[Input], results: &Results, threads: Option<NonZero<usize>>) {
        self.rows_in = inputs.iter().map(|input| input.stream.len()).sum();
        self.rows_out = results.outputs.iter().map(|output| output.len()).sum();
        self.run = results.stats;
        let available = || available_parallelism().map_or(1, NonZero::get);
        self.threads = threads.map_or_else(available, NonZero::get);
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stats { compile, read, write, run, threads, rows_in, rows_out } = self;
        let rate = *rows_in as f64 / run.compute.as_secs_f64().max(1e-9) / 1e6;
        let compile = *compile + run.compile;
        writeln!(f, "compile {:>9.3} ms", milliseconds(compile))?;
        writeln!(f, "read    {:>9.3} ms, {}", milliseconds(*read), counted(*rows_in, "row"))?;
        writeln!(
            f,
            "run     {:>9.3} ms, {}, {}, {rate:.1} million rows/s",
            milliseconds(run.compute),
            counted(run.pieces, "piece"),
            counted(*threads, "thread"),
        )?;
        if run.repeated > 0 {
            let repeated = counted(run.repeated, "piece");
            writeln!(f, "        {repeated} again, exactly")?;
        }
        writeln!(f, "write   {:>9.3} ms, {}", milliseconds(*write), counted(*rows_out, "row"))
    }
}

/// `1 piece`, `2 pieces`.
fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
