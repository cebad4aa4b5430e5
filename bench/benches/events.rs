//! Workloads over events, keys and their own past beside hand-written loops: `cargo bench -p tilt-bench --bench events`.
//!
//! Each figure is the best of several runs; the results are compared before. `TILT_BENCH_QUICK=1` takes fewer rows.

use std::{
    hint::black_box,
    num::NonZero,
    time::{Duration, Instant},
};

use tilt::RunOptions;
use tilt_bench::events::workloads;

fn best<R>(runs: usize, mut job: impl FnMut() -> R) -> Duration {
    let time = |_| {
        let start = Instant::now();
        black_box(job());
        start.elapsed()
    };
    (0..runs).map(time).min().unwrap_or_default()
}

fn main() {
    let quick = std::env::var_os("TILT_BENCH_QUICK").is_some();
    let (rows, runs) = if quick { (200_000, 3) } else { (4_000_000, 7) };
    println!("{:<26}{:>12}{:>12}{:>8}{:>14}", "Mrows/s", "TiLT", "by hand", "ratio", "two threads");
    for workload in workloads() {
        let (query, data) = (workload.query(), workload.data(rows));
        let threads = |count| RunOptions { threads: NonZero::new(count), ..RunOptions::default() };
        let one = best(runs, || workload.by_tilt(&query, &data, &threads(1)));
        let two = best(runs, || workload.by_tilt(&query, &data, &threads(2)));
        let hand = best(runs, || workload.by_hand(&data));
        let rate = |time: Duration| rows as f64 / time.as_secs_f64() / 1e6;
        println!(
            "{:<26}{:>12.1}{:>12.1}{:>8.2}{:>14.1}",
            workload.name,
            rate(one),
            rate(hand),
            hand.as_secs_f64() / one.as_secs_f64(),
            rate(two)
        );
    }
}
