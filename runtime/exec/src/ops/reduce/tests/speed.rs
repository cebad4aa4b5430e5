//! How long operators take: `cargo test --release -p tilt-exec ops::reduce::tests::speed -- --ignored --nocapture`.

use std::{hint::black_box, time::Duration};

use super::super::*;
use crate::ops::{Data, Hold, Values, gather, gather_as_of, order, rows_as_of, rows_holding, rows_until};
use tilt_ir::tir::{Index, Window};

const ROWS: usize = 1_000_000;

/// Numbers that look random.
fn noise(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |i: u64| {
        let x = (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (x ^ x >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
    })
}

fn stamps(step: u64, seed: u64, rows: usize) -> Vec<i64> {
    noise(seed)
        .take(rows)
        .scan(0, |at, x| {
            *at += (x % (2 * step + 1)) as i64;
            Some(*at)
        })
        .collect()
}

fn floats(seed: u64) -> Vec<f64> {
    noise(seed).take(ROWS).map(|x| (x % 100_000) as f64 / 16.0).collect()
}

/// How long this thread was on a CPU.
fn clock() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Prints the nanoseconds for each of `rows` rows, of the best of seven.
fn time<T>(what: &str, rows: usize, mut run: impl FnMut() -> T) {
    let best = (0..7).map(|_| {
        let start = clock();
        black_box(run());
        clock() - start
    });
    let best = best.min().unwrap_or_default();
    println!("{what:44} {:8.2} ns", best.as_secs_f64() * 1e9 / rows as f64);
}

/// The loop that one would write.
fn by_hand(stamps: &[i64], values: &[f64], times: &[i64]) -> Vec<f64> {
    let (mut row, mut held) = (0, f64::NAN);
    let mut joined = Vec::with_capacity(times.len());
    for time in times {
        while row < stamps.len() && stamps[row] <= *time {
            held = values[row];
            row += 1;
        }
        joined.push(held);
    }
    joined
}

#[test]
#[ignore = "prints timings"]
fn joins() {
    for (quotes, trades) in [(100, 100), (10, 1000), (1000, 10)] {
        let times = stamps(trades, 1, ROWS);
        let stamps = stamps(quotes, 2, ROWS.min(ROWS * trades as usize / quotes as usize));
        let prices = &floats(3)[..stamps.len()];
        let values = Values { data: Data::F64(prices), valid: None };
        println!("{} quotes, {ROWS} trades", stamps.len());
        time("by hand", ROWS, || by_hand(&stamps, prices, &times));
        time("gather_as_of", ROWS, || gather_as_of(values, &stamps, &times));
        time("rows_as_of, gather", ROWS, || {
            let mut rows = Vec::new();
            rows_as_of(&stamps, &times, 0, &mut rows);
            gather(values, &rows)
        });
        let wide = || times.iter().map(|time| i128::from(*time));
        time("rows_holding for 1000 ns", ROWS, || rows_holding(&stamps, Hold::For(1000), wide()));
    }
}

#[test]
#[ignore = "prints timings"]
fn reductions() {
    let (stamps, x, y) = (stamps(100, 4, ROWS), floats(5), floats(6));
    let values = Values { data: Data::F64(&x), valid: None };
    let second = Some(Values { data: Data::F64(&y), valid: None });
    let rows = Rows { first: 0, values, second, stamps: Stamps::Events(&stamps) };
    for count in [100u64, 10_000] {
        let length = 100 * count as i64;
        let window = Window { from: Index::now(-length), to: Index::NOW };
        let until = |index: Index| rows_until(&stamps, stamps.iter().map(|time| index.at(i128::from(*time))));
        println!("windows of {count} rows");
        time("bounds", ROWS, || (until(window.from), until(window.to)));
        let (lo, hi) = (until(window.from), until(window.to));
        let windows = Windows { lo: &lo, hi: &hi, times: Some((window, &stamps)), skipped: None };
        let grouping = Grouping::TimeBlocks { length, origin: 0 };
        for kind in super::kinds() {
            time(&format!("{kind:?}"), ROWS, || {
                reduce(&rows, &windows, How { kind, grouping, min_count: 0 })
            });
        }
        let grouping = Grouping::Doubling { count };
        let hi: Vec<i64> = (1..=ROWS as i64).collect();
        let lo: Vec<i64> = hi.iter().map(|hi| (hi - count as i64).max(0)).collect();
        let windows = Windows { lo: &lo, hi: &hi, times: None, skipped: None };
        for kind in [Reducer::Sum, Reducer::Var { ddof: 1 }, Reducer::Kurtosis, Reducer::Corr] {
            time(&format!("doubling {kind:?}"), ROWS, || {
                reduce(&rows, &windows, How { kind, grouping, min_count: 0 })
            });
        }
        let hi: Vec<i64> = (1..=(ROWS as u64 / count) as i64).map(|k| k * count as i64).collect();
        let lo: Vec<i64> = hi.iter().map(|hi| hi - count as i64).collect();
        let windows = Windows { lo: &lo, hi: &hi, times: None, skipped: None };
        for kind in [Reducer::Sum, Reducer::Var { ddof: 1 }, Reducer::Kurtosis] {
            let how = How { kind, grouping: Grouping::Lanes64, min_count: 0 };
            time(&format!("tumbling {kind:?}"), ROWS, || reduce(&rows, &windows, how));
        }
    }
}

#[test]
#[ignore = "prints timings"]
fn orders() {
    for keys in [1, 4, 1000, 100_000] {
        let part = ROWS / keys;
        let all: Vec<i64> =
            (0..keys).flat_map(|key| stamps(100 * keys as u64, key as u64 * 77, part)).collect();
        time(&format!("order of {keys} keys"), ROWS, || order(&all));
    }
}
