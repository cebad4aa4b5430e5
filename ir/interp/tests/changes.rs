//! A continuous definition changes where `analysis::changes` says, and nowhere else: looked at in every nanosecond.

mod common;

use proptest::prelude::*;
use tilt_interp::Interp;
use tilt_ir::{
    Const,
    tir::{
        self, Clock, Output, Query,
        arbitrary::{
            Shape,
            data::{Data, data},
            queries,
        },
    },
};

/// The query with an output for each continuous definition, and nothing else.
fn of_continuous(mut query: Query) -> Query {
    query.outputs.clear();
    for (def, data) in query.defs.iter() {
        if data.clock == Clock::Continuous {
            let columns = data.fields.iter().zip(0..).map(|(field, n)| (field.name.clone(), n));
            query.outputs.push(Output {
                name: data.name.clone(),
                def,
                columns: columns.collect(),
                keep: None,
            });
        }
    }
    query
}

/// Values by which all NaN are the same.
fn plain(values: &[Option<Const>]) -> String {
    let plain = |value: &Option<Const>| match value {
        Some(Const::F64(bits)) if f64::from_bits(*bits).is_nan() => "NaN".to_owned(),
        Some(Const::F32(bits)) if f32::from_bits(*bits).is_nan() => "NaN".to_owned(),
        value => format!("{value:?}"),
    };
    values.iter().map(plain).collect::<Vec<_>>().join(" ")
}

fn check(query: &Query, data: &Data, key: Option<usize>, checked: &mut usize) -> Result<(), TestCaseError> {
    let Some((first, last)) = data.extent(query, None) else { return Ok(()) };
    let columns = common::of_key(query, data, key);
    let (first, last) = (first.saturating_sub(40), last.min(first.saturating_add(250)));
    for (number, output) in query.outputs.iter().enumerate() {
        if query.defs[output.def].keyed != key.is_some() {
            continue;
        }
        let mut interp = Interp::new(tir::verify(query).expect("legal"), &columns);
        // Out of range somewhere: then there is nothing to see.
        let Ok(rows) = interp.changes(number, first..=last) else { continue };
        let mut place = 0;
        for time in first..=last {
            if rows.stamps.get(place + 1) == Some(&time) {
                place += 1;
            }
            let held: Vec<_> = rows.columns.iter().map(|column| column[place]).collect();
            let Ok(now) = interp.at_time(output.def, time.into()) else { continue };
            prop_assert_eq!(plain(&held), plain(&now), "{} at {}\n{}\n{:?}", output.name, time, query, data);
            *checked += 1;
        }
        for place in 1..rows.stamps.len() {
            let [before, now] = [place - 1, place].map(|row| {
                let values: Vec<_> = rows.columns.iter().map(|column| column[row]).collect();
                plain(&values)
            });
            prop_assert_ne!(before, now, "neighbours are equal");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(std::env::var("CASES").map_or(300, |c| c.parse().unwrap())))]

    #[test]
    fn at_every_nanosecond(
        query in queries(Shape { general: true, defs: 5, ..Shape::default() }).prop_map(of_continuous),
        numbers in prop::collection::vec(any::<u32>(), 0..300),
    ) {
        let data = data(&query, &numbers);
        let mut checked = 0;
        check(&query, &data, None, &mut checked)?;
        for key in 0..data.keys.len().min(2) {
            check(&query, &data, Some(key), &mut checked)?;
        }
    }
}
