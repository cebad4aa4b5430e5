//! Times every application beside its hand-written loop, on one thread and on two.
//!
//! Each pair is compared bit for bit first. A criterion report for each stands in `target/criterion`; the table at the end
//! gives the best sample of each, the one that other work on the machine disturbed least. `TILT_BENCH_QUICK=1` measures for
//! a short time; an argument limits the applications to those whose name contains it.

use std::{
    env,
    hint::black_box,
    num::NonZero,
    time::{Duration, Instant},
};

use criterion::{BenchmarkId, Criterion, Throughput};
use tilt::RunOptions;
use tilt_bench::{App, Data, Row, TiltLoop, apps, hand::HandLoop, table};

/// Input rows: 16 MB of `f32`, more than a core's own caches.
const ROWS: usize = 4_000_000;

fn main() {
    let quick = env::var_os("TILT_BENCH_QUICK").is_some_and(|value| value != "0");
    let wanted = env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let wanted = |app: &App| wanted.as_ref().is_none_or(|name| app.name.contains(name.as_str()));
    let mut criterion = match quick {
        true => Criterion::default()
            .sample_size(10)
            .warm_up_time(Duration::from_millis(30))
            .measurement_time(Duration::from_millis(120))
            .nresamples(1000),
        false => Criterion::default()
            .sample_size(40)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_millis(1500))
            .nresamples(10_000),
    };
    let mut rows = Vec::new();
    for app in apps().iter().filter(|app| wanted(app)) {
        let data = app.data(ROWS);
        let query = app.query().unwrap_or_else(|error| panic!("{error}"));
        if let Err(difference) = app.check(&query, &data) {
            panic!("not the same bits: {difference}");
        }
        drop(query); // compiling is measured, too
        rows.push(measure(&mut criterion, app, &data));
    }
    criterion.final_summary();
    println!("\n{}", table(&rows));
}

/// All that is measured of an application.
fn measure(criterion: &mut Criterion, app: &App, data: &Data) -> Row {
    let start = Instant::now();
    let query = app.query().unwrap_or_else(|error| panic!("{error}"));
    let prepared = TiltLoop::new(&query, &data.streams, 1).map(drop);
    let compile = start.elapsed().as_secs_f64();
    prepared.unwrap_or_else(|error| panic!("{error}"));

    let mut group = criterion.benchmark_group(app.name);
    group.throughput(Throughput::Elements(ROWS as u64));
    let (mut tilt_best, mut hand_best) = ([f64::INFINITY; 2], [f64::INFINITY; 2]);
    let series = data.series();
    for threads in [1, 2] {
        let mut tilt =
            TiltLoop::new(&query, &data.streams, threads).unwrap_or_else(|error| panic!("{error}"));
        group.bench_function(BenchmarkId::new("tilt", threads), |b| {
            b.iter_custom(|runs| {
                best(&mut tilt_best[threads - 1], runs, || {
                    tilt.run().unwrap_or_else(|error| panic!("{error}"));
                })
            });
        });
        let mut hand = HandLoop::new(app.hand, ROWS, threads);
        group.bench_function(BenchmarkId::new("hand", threads), |b| {
            b.iter_custom(|runs| best(&mut hand_best[threads - 1], runs, || hand.run(black_box(&series))));
        });
    }
    group.finish();

    let options = RunOptions { threads: NonZero::new(1), ..RunOptions::default() };
    let mut end_to_end = f64::INFINITY;
    for _ in 0..3 {
        best(&mut end_to_end, 1, || {
            drop(black_box(query.run(&data.streams, &options)));
        });
    }
    Row { name: app.name, rows: ROWS, tilt: tilt_best, hand: hand_best, end_to_end, compile }
}

/// Times some runs; keeps the least time of one.
fn best(least: &mut f64, runs: u64, mut run: impl FnMut()) -> Duration {
    let mut total = Duration::ZERO;
    for _ in 0..runs {
        let start = Instant::now();
        run();
        let time = start.elapsed();
        *least = least.min(time.as_secs_f64());
        total += time;
    }
    total
}
