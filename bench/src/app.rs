//! The table of applications.

use tilt::{Column, Output, Query, RegularStream, Times};

use crate::{
    data,
    hand::{
        self, Compute, Hand, HandLoop, Kind, Series,
        normalize::{self, WINDOW},
    },
    query::TiltLoop,
};

/// An application: a query, and the loop that does the same.
pub struct App {
    /// Its name in tables.
    pub name: &'static str,
    /// The query.
    pub text: &'static str,
    /// The loop.
    pub hand: Hand,
    /// Seconds between input rows.
    period: i64,
    /// How many inputs there are.
    inputs: u64,
    /// Whether one input row in ten is missing.
    missing: bool,
}

/// Inputs of an application.
pub struct Data {
    /// The streams, in the order of the query.
    pub streams: Vec<RegularStream>,
}

impl Data {
    /// The columns, as the loops see them.
    pub fn series(&self) -> Vec<Series<'_>> {
        self.streams.iter().map(Series::of).collect()
    }
}

impl App {
    /// Inputs with so many rows, the same at each call.
    pub fn data(&self, rows: usize) -> Data {
        let stream = |seed| data::uniform(seed, self.period, rows, self.missing);
        Data { streams: (0..self.inputs).map(stream).collect() }
    }

    /// The query, compiled to TiLT IR.
    ///
    /// # Errors
    /// If it is not right.
    pub fn query(&self) -> Result<Query, String> {
        Query::compile(self.name, self.text).map_err(|error| error.to_string())
    }

    /// Computes the output of the query (see [`App::query`]) and of the loop, on one thread and on two, and compares every bit; all NaN are one.
    ///
    /// # Errors
    /// The first difference.
    pub fn check(&self, query: &Query, data: &Data) -> Result<(), String> {
        let rows = data.streams[0].len;
        for threads in [1, 2] {
            let mut tilt = TiltLoop::new(query, &data.streams, threads).map_err(|error| error.to_string())?;
            tilt.run().map_err(|error| error.to_string())?;
            let mut hand = HandLoop::new(self.hand, rows, threads);
            hand.run(&data.series());
            self.compare(&tilt.output(), &hand, data).map_err(|difference| {
                format!("{}, {rows} rows, {threads} threads: {difference}", self.name)
            })?;
        }
        Ok(())
    }

    fn compare(&self, output: &Output, hand: &HandLoop, data: &Data) -> Result<(), String> {
        if self.hand.kind == Kind::Keep {
            return kept(output, hand, &data.streams[0]);
        }
        if output.len() != hand.rows {
            return Err(format!("{} rows, by hand {}", output.len(), hand.rows));
        }
        let column = &output.columns[0];
        for row in 0..hand.rows {
            let (tilt, by_hand) = (value(column, row), hand_value(self.hand.kind, hand, row));
            if tilt.map(f64::to_bits) != by_hand.map(f64::to_bits) && !both_nan(tilt, by_hand) {
                return Err(format!("row {row}: {tilt:?}, by hand {by_hand:?}"));
            }
        }
        Ok(())
    }
}

fn both_nan(a: Option<f64>, b: Option<f64>) -> bool {
    a.is_some_and(f64::is_nan) && b.is_some_and(f64::is_nan)
}

fn value(column: &Column, row: usize) -> Option<f64> {
    column.is_valid(row).then(|| match column.ty() {
        tilt::Type::Bool => f64::from(u8::from(column.is_true(row))),
        tilt::Type::F64 => column.values::<f64>()[row],
        _ => f64::from(column.values::<f32>()[row]),
    })
}

fn hand_value(kind: Kind, hand: &HandLoop, row: usize) -> Option<f64> {
    hand.is_valid(row).then(|| match kind {
        Kind::F32 | Kind::F64 => hand.number(row),
        Kind::Bool | Kind::Keep => f64::from(u8::from(hand.bit(row))),
    })
}

/// Compares the rows that are left with the bitmap that says which.
fn kept(output: &Output, hand: &HandLoop, input: &RegularStream) -> Result<(), String> {
    let stamp = |row: usize| input.grid.stamp(input.first + row as i64);
    let rows: Vec<usize> = (0..hand.rows).filter(|row| hand.bit(*row)).collect();
    let Times::Listed { stamps, .. } = &output.times else {
        return match rows.len() == output.len() {
            true => Ok(()),
            false => Err(format!("all rows are left, by hand {}", rows.len())),
        };
    };
    if stamps.len() != rows.len() {
        return Err(format!("{} rows are left, by hand {}", stamps.len(), rows.len()));
    }
    let (of, from) = (output.columns[0].values::<f32>(), input.columns[0].values::<f32>());
    for (k, row) in rows.into_iter().enumerate() {
        if Some(stamps[k]) != stamp(row) || of[k].to_bits() != from[row].to_bits() {
            return Err(format!("kept row {k}: not input row {row}"));
        }
    }
    Ok(())
}

/// A row for each input row.
fn same(rows: usize) -> usize {
    rows
}

/// All applications.
pub fn apps() -> Vec<App> {
    let hand = |compute: Compute, kind: Kind| Hand { compute, kind, nullable: false, unit: 64, rows: same };
    let plain = |name, text, hand| App { name, text, hand, period: 1, inputs: 1, missing: false };
    let nullable = |hand: Hand| Hand { nullable: true, ..hand };
    // windows begin at multiples of 10000, words at multiples of 64
    let windowed = |hand: Hand| Hand { unit: WINDOW * 4, ..hand };
    let missing = |app: App| App { missing: true, ..app };

    let select = hand(hand::elementwise::select, Kind::F32);
    let sliding = hand(hand::sliding::every, Kind::F32);
    let normalize = windowed(hand(normalize::normalize, Kind::F32));
    let normalize_present = windowed(nullable(hand(normalize::normalize_present, Kind::F32)));
    vec![
        plain("select", SELECT, select),
        missing(plain("select, 10 % missing", SELECT, nullable(select))),
        plain("where", WHERE, hand(hand::elementwise::positive, Kind::Keep)),
        plain(
            "window-sum",
            WINDOW_SUM,
            Hand { rows: |rows| rows.div_ceil(1000), ..hand(hand::window_sum::window_sum, Kind::F32) },
        ),
        plain("sliding-sum", SLIDING, sliding),
        missing(plain("sliding-sum, 10 % missing", SLIDING, nullable(sliding))),
        plain(
            "sliding-sum, every 10",
            HOP,
            Hand { rows: |rows| rows.div_ceil(10), ..hand(hand::sliding::every_tenth, Kind::F32) },
        ),
        App { inputs: 2, ..plain("join", JOIN, hand(hand::elementwise::join, Kind::F32)) },
        App {
            inputs: 2,
            ..missing(plain(
                "join, outer, 10 % missing",
                OUTER_JOIN,
                hand(hand::elementwise::outer_join, Kind::F32),
            ))
        },
        plain("normalize", NORMALIZE, normalize),
        missing(plain("normalize, 10 % missing", NORMALIZE, normalize_present)),
        missing(plain(
            "impute, 10 % missing",
            IMPUTE,
            windowed(nullable(hand(normalize::impute, Kind::F32))),
        )),
        App {
            period: 4,
            ..plain(
                "resample",
                RESAMPLE,
                Hand { rows: |rows| rows / 5 * 4, ..hand(hand::resample::resample, Kind::F64) },
            )
        },
        plain("trend", TREND, hand(hand::trend::trend, Kind::Bool)),
        plain("rsi", RSI, nullable(hand(hand::rsi::rsi, Kind::F32))),
        plain("fraud", FRAUD, nullable(hand(hand::fraud::fraud, Kind::Bool))),
    ]
}

const SELECT: &str = include_str!("../../examples/apps/select.tilt");
const WHERE: &str = include_str!("../../examples/apps/where.tilt");
const WINDOW_SUM: &str = include_str!("../../examples/apps/window-sum.tilt");
const NORMALIZE: &str = include_str!("../../examples/apps/normalize.tilt");
const IMPUTE: &str = include_str!("../../examples/apps/impute.tilt");
const RESAMPLE: &str = include_str!("../../examples/apps/resample.tilt");
const TREND: &str = include_str!("../../examples/apps/trend.tilt");
const RSI: &str = include_str!("../../examples/apps/rsi.tilt");
const FRAUD: &str = include_str!("../../examples/apps/fraud.tilt");
// The examples of these put out two things; here each is on its own.
const SLIDING: &str = "
    input x { v: f32 } every 1s
    let sliding[t] = sum(x[t-100s..t].v)
    output sliding
";
const HOP: &str = "
    input x { v: f32 } every 1s
    let hop[t every 10s] = sum(x[t-100s..t].v)
    output hop
";
const JOIN: &str = "
    input l { v: f32 } every 1s
    input r { v: f32 } every 1s
    output inner = l.v + r.v
";
const OUTER_JOIN: &str = "
    input l { v: f32 } every 1s
    input r { v: f32 } every 1s
    output outer = (l.v ?? 0.0) + (r.v ?? 0.0)
";
