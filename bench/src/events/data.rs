//! Rows for the workloads: the same ones every time.

use tilt::{Column, EventStream, Grid, Input, Keys, RegularStream, Stream, Type};

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn value(&mut self) -> f64 {
        (self.next() % 100_000) as f64 / 1_000.0 - 50.0
    }
}

fn events(random: &mut Random, rows: usize, field: &str, gap: u64) -> EventStream {
    let mut stamp = 0;
    let stamps: Vec<i64> = (0..rows)
        .map(|_| {
            stamp += (random.next() % (2 * gap)) as i64;
            stamp
        })
        .collect();
    let values: Vec<f64> = (0..rows).map(|_| random.value()).collect();
    EventStream {
        stamps: stamps.into(),
        until: None,
        columns: vec![Column::from_values(field, Type::F64, values)],
    }
}

/// Two trades for three quotes.
pub(super) fn trades_and_quotes(rows: usize) -> Vec<Input> {
    let mut random = Random(1);
    let trades = events(&mut random, rows, "price", 6);
    vec![trades.into(), events(&mut random, rows * 3 / 2, "bid", 4).into()]
}

/// Events of 100 campaigns, one in three of them a view.
pub(super) fn advertisements(rows: usize) -> Vec<Input> {
    let mut random = Random(2);
    let per_key = rows / 100;
    let ids: Vec<i64> = (0..100).collect();
    let stamps: Vec<i64> = ids.iter().flat_map(|id| (0..per_key as i64).map(move |k| k * 100 + id)).collect();
    let kinds: Vec<i64> = stamps.iter().map(|_| (random.next() % 3) as i64).collect();
    keyed(stamps, Column::from_values("kind", Type::I64, kinds), "campaign", ids, per_key)
}

/// Rows of 1000 keys, in turn.
pub(super) fn interleaved(rows: usize) -> Vec<Input> {
    in_turn(1000, rows / 1000)
}

/// Keys with four rows each, in turn.
pub(super) fn many_keys(rows: usize) -> Vec<Input> {
    in_turn(rows / 4, 4)
}

fn in_turn(keys: usize, per_key: usize) -> Vec<Input> {
    let mut random = Random(3);
    let ids: Vec<i64> = (0..keys as i64).collect();
    let stamps = ids.iter().flat_map(|id| (0..per_key as i64).map(move |k| k * keys as i64 + id));
    let stamps: Vec<i64> = stamps.collect();
    let values: Vec<f64> = stamps.iter().map(|_| random.value()).collect();
    keyed(stamps, Column::from_values("v", Type::F64, values), "k", ids, per_key)
}

fn keyed(stamps: Vec<i64>, column: Column, key: &str, ids: Vec<i64>, per_key: usize) -> Vec<Input> {
    let offsets = (0..=ids.len()).map(|k| k * per_key).collect();
    let keys = Keys { columns: vec![Column::from_values(key, Type::I64, ids)], offsets, firsts: vec![] };
    let stream = EventStream { stamps: stamps.into(), until: None, columns: vec![column] };
    vec![Input { stream: Stream::Events(stream), keys: Some(keys) }]
}

/// A sample every second.
pub(super) fn regular(rows: usize) -> Vec<Input> {
    let mut random = Random(4);
    let values: Vec<f64> = (0..rows).map(|_| random.value()).collect();
    let columns = vec![Column::from_values("v", Type::F64, values)];
    vec![RegularStream { grid: Grid::new(1_000_000_000, 0), first: 1, len: rows, columns }.into()]
}
