//! The loops written by hand. They keep to the grouping of the language, so that the bits are the same.

use tilt::{Input, Stream};

use crate::hand::recursion;

/// Computes the values of an output, NaN for null.
pub type Hand = fn(&[Input]) -> Vec<f64>;

fn stamps(input: &Input) -> &[i64] {
    match &input.stream {
        Stream::Events(stream) => &stream.stamps,
        Stream::Regular(_) => &[],
    }
}

fn values(input: &Input) -> &[f64] {
    input.stream.columns()[0].values()
}

/// A merge of two sorted columns.
pub(super) fn as_of(inputs: &[Input]) -> Vec<f64> {
    let [trades, quotes] = inputs else { return Vec::new() };
    let (times, from) = (stamps(trades), stamps(quotes));
    let (prices, bids) = (values(trades), values(quotes));
    let mut next = 0;
    let mut out = Vec::with_capacity(times.len());
    for (time, price) in times.iter().zip(prices) {
        while next < from.len() && from[next] <= *time {
            next += 1;
        }
        out.push(if next == 0 { f64::NAN } else { price - bids[next - 1] });
    }
    out
}

/// Blocks of 100 ns: a running sum from the start of each, one from its end, and a sum of two for each row.
pub(super) fn window_sum(inputs: &[Input]) -> Vec<f64> {
    const LENGTH: i64 = 100;
    let (times, prices) = (stamps(&inputs[0]), values(&inputs[0]));
    let block = |time: i64| (time - 1).div_euclid(LENGTH);
    let rows = times.len();
    let (mut prefix, mut suffix) = (vec![0.0; rows], vec![0.0; rows]);
    for row in 0..rows {
        let fresh = row == 0 || block(times[row]) != block(times[row - 1]);
        prefix[row] = if fresh { prices[row] } else { prefix[row - 1] + prices[row] };
    }
    for row in (0..rows).rev() {
        let fresh = row + 1 == rows || block(times[row]) != block(times[row + 1]);
        suffix[row] = if fresh { prices[row] } else { prices[row] + suffix[row + 1] };
    }
    let (mut lo, mut hi) = (0, 0);
    let mut out = Vec::with_capacity(rows);
    for time in times {
        while hi < rows && times[hi] <= *time {
            hi += 1;
        }
        while times[lo] <= *time - LENGTH {
            lo += 1;
        }
        let last = prefix[hi - 1];
        let across = block(times[lo]) != block(*time);
        out.push(match (across, block(times[hi - 1]) == block(*time)) {
            (false, _) => last,
            (true, true) => suffix[lo] + last,
            (true, false) => suffix[lo],
        });
    }
    out
}

/// A count for each campaign and stretch of 10 µs, in the order of time.
pub(super) fn campaigns(inputs: &[Input]) -> Vec<f64> {
    const LENGTH: i64 = 10_000;
    let input = &inputs[0];
    let Some(keys) = &input.keys else { return Vec::new() };
    let (times, kinds) = (stamps(input), input.stream.columns()[0].values::<i64>());
    let campaigns = keys.len();
    let last = times.iter().copied().max().unwrap_or(0);
    let slots = (last + LENGTH - 1).div_euclid(LENGTH) as usize + 1;
    let mut counts = vec![0u32; slots * campaigns];
    let mut seen = vec![false; slots * campaigns];
    for campaign in 0..campaigns {
        let rows = keys.rows(campaign);
        let slot = |time: i64| (time + LENGTH - 1).div_euclid(LENGTH) as usize * campaigns + campaign;
        for row in rows.clone() {
            counts[slot(times[row])] += u32::from(kinds[row] == 1);
            seen[slot(times[row])] = true;
        }
    }
    // the grid rows of a campaign reach from its first to its last stamp
    counts.iter().zip(&seen).filter(|(_, seen)| **seen).map(|(count, _)| f64::from(*count)).collect()
}

/// Sums of 2, 4, 8, … neighbours for each key, put in the order of time.
pub(super) fn keyed_trend(inputs: &[Input]) -> Vec<f64> {
    let input = &inputs[0];
    let Some(keys) = &input.keys else { return Vec::new() };
    let all = values(input);
    let count = keys.len();
    let mut out = vec![0.0; all.len()];
    let longest = (0..count).map(|key| keys.rows(key).len()).max().unwrap_or(0);
    // sums[p][r]: the sum of the 2^p rows that end at r; rows before the first add nothing
    let mut sums = vec![vec![0.0f64; longest]; 6];
    for key in 0..count {
        let x = &all[keys.rows(key)];
        sums[0][..x.len()].copy_from_slice(x);
        for power in 1..6 {
            let half = 1 << (power - 1);
            let (shorter, longer) = sums.split_at_mut(power);
            let (from, to) = (&shorter[power - 1], &mut longer[0]);
            let edge = half.min(x.len());
            to[..edge].copy_from_slice(&from[..edge]);
            for row in edge..x.len() {
                to[row] = from[row - half] + from[row];
            }
        }
        let ago = |power: usize, row: usize, back: usize| row.checked_sub(back).map(|row| sums[power][row]);
        let plus = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        for row in 0..x.len() {
            let short = plus(ago(4, row, 4), ago(2, row, 0)).unwrap_or(0.0) / (row + 1).min(20) as f64;
            let long = plus(plus(ago(5, row, 18), ago(4, row, 2)), ago(1, row, 0)).unwrap_or(0.0);
            out[row * count + key] = short - long / (row + 1).min(50) as f64;
        }
    }
    out
}

/// One chain of additions and multiplications.
pub(super) fn ema(inputs: &[Input]) -> Vec<f64> {
    let mut out = vec![0.0; values(&inputs[0]).len()];
    recursion::ema(values(&inputs[0]), 0.1, &mut out);
    out
}

/// Two filters, one after the other.
pub(super) fn pan_tompkins(inputs: &[Input]) -> Vec<f64> {
    let x = values(&inputs[0]);
    let (mut lp, mut hp) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    recursion::low_pass(x, &mut lp);
    recursion::high_pass(&lp, &mut hp);
    hp
}

/// A sorted window: each row is put in its place, the oldest is taken out of its own.
pub(super) fn median(inputs: &[Input]) -> Vec<f64> {
    const ROWS: usize = 100;
    let x = values(&inputs[0]);
    let mut sorted: Vec<f64> = Vec::with_capacity(ROWS + 1);
    let mut out = Vec::with_capacity(x.len());
    for (row, value) in x.iter().enumerate() {
        if row >= ROWS {
            let old = sorted.partition_point(|other| *other < x[row - ROWS]);
            sorted.remove(old);
        }
        let place = sorted.partition_point(|other| *other < *value);
        sorted.insert(place, *value);
        let h = 0.5 * (sorted.len() - 1) as f64;
        let (low, part) = (h.floor() as usize, h - h.floor());
        let a = sorted[low];
        out.push(if part == 0.0 { a } else { a + part * (sorted[low + 1] - a) });
    }
    out
}
