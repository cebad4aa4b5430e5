//! What is remembered changes nothing: rows asked for one by one, each from a new interpreter, are those asked for together,
//! forward or backward.

mod common;

use proptest::prelude::*;
use tilt_interp::{Failure, Interp, OutputRows};
use tilt_ir::tir::{
    self, Clock, Query,
    arbitrary::{
        Shape,
        data::{Data, data},
        queries,
    },
};

/// The rows of an output around the start of the data.
fn rows_of(query: &Query, data: &Data, key: Option<usize>, output: usize) -> std::ops::Range<i64> {
    let def = query.outputs[output].def;
    let columns = common::of_key(query, data, key);
    let count = Interp::new(tir::verify(query).expect("legal"), &columns).row_count(def);
    match (&query.defs[def].clock, data.extent(query, None), count) {
        (Clock::Grid(grid), Some((first, _)), _) => {
            let first = grid.row_at(first).saturating_sub(2);
            first..first.saturating_add(12)
        }
        (Clock::Events(_), _, Some(count)) => count.saturating_sub(12).max(0)..count,
        (Clock::Grid(_) | Clock::Events(_) | Clock::Continuous, _, _) => 0..0,
    }
}

fn check(query: &Query, data: &Data, key: Option<usize>) -> Result<(), TestCaseError> {
    let columns = common::of_key(query, data, key);
    let new = || Interp::new(tir::verify(query).expect("legal"), &columns);
    for (number, output) in query.outputs.iter().enumerate() {
        if query.defs[output.def].keyed != key.is_some() {
            continue;
        }
        let rows = rows_of(query, data, key, number);
        let one = |interp: &mut Interp<'_>, row| interp.output(number, row..row + 1);
        let fresh: Vec<_> = rows.clone().map(|row| one(&mut new(), row)).collect();
        let mut interp = new();
        let forward: Vec<_> = rows.clone().map(|row| one(&mut interp, row)).collect();
        let mut interp = new();
        let mut backward: Vec<_> = rows.clone().rev().map(|row| one(&mut interp, row)).collect();
        backward.reverse();
        let text = |found: &Vec<Result<OutputRows, Failure>>| format!("{found:?}");
        prop_assert_eq!(text(&fresh), text(&forward), "{}\n{:?}", query, data);
        prop_assert_eq!(text(&fresh), text(&backward), "{}\n{:?}", query, data);
        let together = new().output(number, rows);
        let all_well = fresh.iter().all(Result::is_ok);
        prop_assert_eq!(together.is_ok(), all_well);
        if let (Ok(together), true) = (together, all_well) {
            let stamps: Vec<i64> = fresh.iter().flatten().flat_map(|rows| rows.stamps.clone()).collect();
            prop_assert_eq!(together.stamps, stamps);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(std::env::var("CASES").map_or(300, |c| c.parse().unwrap())))]

    #[test]
    fn of_questions_does_not_matter(
        query in queries(Shape { general: true, ..Shape::default() }),
        numbers in prop::collection::vec(any::<u32>(), 0..300),
    ) {
        let data = data(&query, &numbers);
        check(&query, &data, None)?;
        for key in 0..data.keys.len().min(3) {
            check(&query, &data, Some(key))?;
        }
    }
}
