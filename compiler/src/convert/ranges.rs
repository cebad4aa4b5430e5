//! From the piece `lo..hi` to the rows that each stage covers, and the part of them where no edge is in sight.

use std::collections::HashMap;

use tilt_ir::{
    entity::Entity,
    loops::{Builder, Stream, Value},
    tir::Input,
};

use super::{
    plan::{Need, Stage, StageKey},
    rows::Look,
};

/// Rows `first..end`.
pub(super) type Range = (Value, Value);

/// The rows of every stage: those of the outputs are `piece`, the others are what later stages need.
pub(super) fn all(b: &mut Builder<'_>, stages: &[Stage], piece: Range) -> HashMap<StageKey, Range> {
    let mut ranges: HashMap<StageKey, Range> = HashMap::new();
    ranges.insert(StageKey::Outputs, piece);
    for stage in stages.iter().rev() {
        let (first, end) = ranges[&stage.key];
        let first = b.add_int(first, -i64::from(stage.warmup));
        let last = b.add_int(end, -1);
        for need in &stage.stages {
            let lo = follow(b, &need.lo, first);
            let hi = follow(b, &need.hi, last);
            let hi = b.add_int(hi, 1);
            let range = match ranges.get(&need.of) {
                None => (lo, hi),
                Some((f, e)) => (b.min(*f, lo), b.max(*e, hi)),
            };
            ranges.insert(need.of, range);
        }
    }
    ranges
}

fn follow(b: &mut Builder<'_>, path: &[Look], row: Value) -> Value {
    path.iter().fold(row, |row, map| map.emit(b, row))
}

/// The least row from which `path` leads to at least `value`.
fn least(b: &mut Builder<'_>, path: &[Look], value: Value) -> Option<Value> {
    path.iter().rev().try_fold(value, |value, map| map.emit_least(b, value))
}

/// The part of `range` whose rows (and the `warmup` before them) only look at input rows that exist. Empty, at the end of the
/// range, where there is no closed form.
pub(super) fn steady(b: &mut Builder<'_>, range: Range, warmup: u32, needs: &[Need<Input>]) -> Range {
    let (first, end) = range;
    let (mut from, mut to) = (first, end);
    for need in needs {
        let stream = Stream::new(need.of.index());
        let (stream_first, stream_end) = (b.first(stream), b.end(stream));
        let (Some(lo), Some(hi)) = (least(b, &need.lo, stream_first), least(b, &need.hi, stream_end)) else {
            return (end, end);
        };
        let lo = b.add_int(lo, i64::from(warmup));
        from = b.max(from, lo);
        to = b.min(to, hi);
    }
    let from = b.min(from, end);
    let to = b.max(to, from);
    (from, to)
}
