//! Workloads over events, keys and their own past, beside hand-written loops.
//!
//! Unlike the applications on grids these are run whole ([`tilt::Query::run_inputs`]): cursors, kernels, fresh memory for the
//! outputs, and for keys their merging into the order of time. The loops do the same for just their query, with the same bits.

mod data;
mod hand;

use tilt::{Dictionary, Input, Query, RunOptions};

pub use hand::Hand;

/// A query, its data and the loop beside it.
pub struct Workload {
    /// What it is called.
    pub name: &'static str,
    /// The query; one output with one column besides the keys.
    pub text: &'static str,
    data: fn(usize) -> Vec<Input>,
    hand: Hand,
}

impl Workload {
    /// So many rows of data, about.
    pub fn data(&self, rows: usize) -> Vec<Input> {
        (self.data)(rows)
    }

    /// The loop written by hand: the values of the output, NaN for null.
    pub fn by_hand(&self, inputs: &[Input]) -> Vec<f64> {
        (self.hand)(inputs)
    }

    /// The query.
    ///
    /// # Panics
    /// If it is none.
    pub fn query(&self) -> Query {
        Query::compile(self.name, self.text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs the query: the values of its last column.
    ///
    /// # Panics
    /// If it fails.
    pub fn by_tilt(&self, query: &Query, inputs: &[Input], options: &RunOptions) -> tilt::Column {
        let mut results = query
            .run_inputs(inputs, &Dictionary::default(), options)
            .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        results.outputs.remove(0).columns.pop().unwrap_or_else(|| panic!("{}: no column", self.name))
    }
}

/// All of them.
pub fn workloads() -> Vec<Workload> {
    vec![
        Workload {
            name: "as-of",
            text: "input trades { price: f64 }  input quotes { bid: f64 } hold
                   output d[t on trades] = trades.price - quotes.bid",
            data: data::trades_and_quotes,
            hand: hand::as_of,
        },
        Workload {
            name: "sum of the last 100 ns",
            text: "input trades { price: f64 }  input quotes { bid: f64 } hold
                   output s[t on trades] = sum(trades[t-100ns..t].price)",
            data: data::trades_and_quotes,
            hand: hand::window_sum,
        },
        Workload {
            name: "ysb",
            text: "input e { kind: i64 } by campaign: i64
                   output n[t every 10us] = sum(if e[t-10us..t].kind == 1 then 1.0 else 0.0)",
            data: data::advertisements,
            hand: hand::campaigns,
        },
        Workload {
            name: "keyed trend",
            text: "input x { v: f64 } by k: i64
                   output trend[t on x] = mean(x[last 20].v) - mean(x[last 50].v)",
            data: data::interleaved,
            hand: hand::keyed_trend,
        },
        Workload {
            name: "trend, 4 rows a key",
            text: "input x { v: f64 } by k: i64
                   output trend[t on x] = mean(x[last 20].v) - mean(x[last 50].v)",
            data: data::many_keys,
            hand: hand::keyed_trend,
        },
        Workload {
            name: "ema",
            text: "input x { v: f64 } every 1s
                   let ema[t] init 0.0 = ema[t-1s] + (x.v - ema[t-1s]) * 0.1
                   output ema",
            data: data::regular,
            hand: hand::ema,
        },
        Workload {
            name: "pan-tompkins",
            text: "input x { v: f64 } every 1s
                   let lp[t] init 0.0 = 2.0*lp[t-1s] - lp[t-2s] + x.v - 2.0*(x[t-6s].v ?? 0.0) + (x[t-12s].v ?? 0.0)
                   let hp[t] init 0.0 = 32.0*(lp[t-16s] ?? 0.0) - hp[t-1s] + lp - (lp[t-32s] ?? 0.0)
                   output hp",
            data: data::regular,
            hand: hand::pan_tompkins,
        },
        Workload {
            name: "median of 100",
            text: "input x { v: f64 } every 1s
                   output m = median(x[t-100s..t].v)",
            data: data::regular,
            hand: hand::median,
        },
    ]
}
