//! Workloads over events, keys and their own past beside hand-written loops: `cargo bench -p tilt-bench --bench events`.
//!
//! Each figure is the best of several runs; `cargo test -p tilt-bench` compares the results. `TILT_BENCH_QUICK=1` takes fewer rows;
//! words behind `--` choose the workloads whose names have one of them.

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
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let chosen = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    for workload in workloads().into_iter().filter(|workload| chosen(workload.name)) {
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
