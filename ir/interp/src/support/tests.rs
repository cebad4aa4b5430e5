//! No value lies outside its support: checked by evaluating everywhere near the data.

use super::Supports;
use crate::{Columns, Interp};
use tilt_ir::{Const, entity::Entity, tir};

/// Data in the rows 3, 4, 5 (stamps 7, 9 and 11 ns), and what can be looked at.
const LOOKS: [&str; 8] = [
    "%0 = at x.v[t] : i64",
    "%0 = at x.v[t-5ns] : i64",
    "%0 = at x.v[t+5ns] : i64",
    "%0 = at x.v[floor(t, 7ns)+2ns] : i64",
    "%0 = at x.v[ceil(t, 7ns)-2ns] : i64",
    "%0 = reduce sum lanes64 over every 2ns offset 1ns (t-9ns, t-4ns] min_count 1 { %0 = at x.v[t] : i64 yield %0 } : i64",
    "%0 = reduce max lanes64 over every 3ns offset 0ns (floor(t, 7ns), ceil(t, 7ns)] min_count 1 {
       %0 = at x.v[t-3ns] : i64 yield %0 } : i64",
    "%0 = reduce count lanes64 over every 3ns offset 0ns (t, t+6ns] min_count 1 { %0 = at x.v[t] : i64 yield %0 } : i64",
];

/// What can be made of `%0`.
const USES: [&str; 5] = [
    "%9 = neg %0 : i64 yield %9",
    "%1 = at x.v[t-2ns] : i64 %9 = add %0, %1 : i64 yield %9",
    "%1 = at x.v[t+9ns] : i64 %9 = coalesce %0, %1 : i64 yield %9",
    "%1 = at x.v[t+9ns] : i64 %2 = eq %0, %0 : bool %9 = select %2, %1, %0 : i64 yield %9",
    "%1 = const 7 : i64 %2 = is_null %0 : bool %9 = select %2, %0, %1 : i64 yield %9",
];

#[test]
fn supports_are_wide_enough() {
    let mut values = 0;
    for (look, user) in LOOKS.iter().flat_map(|look| USES.map(|user| (look, user))) {
        let text = format!(
            "input @x {{v: i64}} every 2ns offset 1ns
             def @a {{value: i64}} every 1ns offset 0ns {{ {look} {user} }}
             def @b {{value: i64}} every 5ns offset 2ns {{ %0 = at a.value[t-1ns] : i64 yield %0 }}"
        );
        let query = tir::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let query = tir::verify(&query).unwrap_or_else(|errors| panic!("{errors:?}"));
        let data = Columns::new().input(3, vec![vec![Some(Const::Int(1)); 3]]);
        let supports = Supports::of(&query, &data);
        let mut interp = Interp::new(query, &data);
        for (def, def_data) in query.defs.iter() {
            let span = supports.defs[def.index()][0].value;
            for row in -60..60 {
                if interp.row(def, row) != Ok(vec![None]) {
                    let inside = span.clip(def_data.grid(), row..row + 1);
                    assert_eq!(inside, row..row + 1, "row {row} of {def} is outside {span:?}: {text}");
                    values += 1;
                }
            }
        }
    }
    assert!(values > 300, "only {values} values were checked");
}

#[test]
fn supports_end() {
    let text = "input @x {v: f64} every 2ns offset 1ns
        def @a {value: f64} every 2ns offset 1ns {
          %0 = at x.v[t] : f64
          %1 = const 1.0 : f64
          %2 = add %0, %1 : f64
          yield %2
        }";
    let query = tir::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let query = tir::verify(&query).unwrap_or_else(|errors| panic!("{errors:?}"));
    let rows = |data: &Columns| {
        let span = Supports::of(&query, data).defs[0][0].value;
        span.clip(query.defs.rows()[0].grid(), -1000..1000)
    };
    // One more than the data: a look-up sees the last row for a period.
    assert_eq!(rows(&Columns::new().input(3, vec![vec![None; 3]])), 3..7);
    assert!(rows(&Columns::new()).is_empty());
}

mod random {
    //! Random queries: no result changes if nothing is known of supports.

    use super::super::{Support, Supports};
    use crate::{Columns, Failure, Interp, OutputRows};
    use proptest::prelude::*;
    use tilt_ir::tir::{
        self, Clock, Hold, Query, Stamps,
        arbitrary::{
            Shape,
            data::{Data, data},
            queries,
        },
    };

    fn columns(query: &Query, data: &Data, key: Option<usize>) -> Columns {
        let mut columns = Columns::new();
        for (input, of) in query.inputs.iter() {
            let part = data.part(query, input, key).cloned().unwrap_or_default();
            columns = match of.stamps {
                Stamps::Every(_) => columns.input(part.first, part.fields),
                Stamps::Events(Hold::Until) => columns.intervals(part.stamps, part.until, part.fields),
                Stamps::Events(_) => columns.events(part.stamps, part.fields),
            };
        }
        let start = |key| data.extent(query, key).map(|(first, _)| first);
        let values = key.map(|key| data.keys[key].clone()).unwrap_or_default();
        columns.key(values).start(start(key), start(None))
    }

    /// Some rows of an output around the data.
    fn rows(
        query: &Query,
        interp: &mut Interp<'_>,
        output: usize,
        extent: (i64, i64),
    ) -> Result<OutputRows, Failure> {
        let def = query.outputs[output].def;
        match &query.defs[def].clock {
            Clock::Grid(grid) => {
                let first = grid.row_at(extent.0).saturating_sub(10);
                interp.output(output, first..first.saturating_add(60))
            }
            Clock::Events(_) => {
                let count = interp.row_count(def).unwrap_or(0);
                interp.output(output, 0..count.min(60))
            }
            Clock::Continuous => {
                interp.changes(output, extent.0..=extent.1.min(extent.0.saturating_add(500)))
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(std::env::var("CASES").map_or(300, |c| c.parse().unwrap())))]

        #[test]
        fn supports_change_nothing(
            query in queries(Shape { general: true, any_grouping: true, ..Shape::default() }),
            numbers in prop::collection::vec(any::<u32>(), 0..300),
        ) {
            let data = data(&query, &numbers);
            let key = (!data.keys.is_empty()).then_some(0);
            let columns = columns(&query, &data, key);
            let Some(extent) = data.extent(&query, None) else { return Ok(()) };
            let verified = tir::verify(&query).expect("legal");
            let everywhere = Supports {
                inputs: vec![Support::EVERYWHERE; query.inputs.len()],
                defs: query.defs.rows().iter().map(|def| vec![Support::EVERYWHERE; def.fields.len()]).collect(),
            };
            for output in 0..query.outputs.len() {
                if query.defs[query.outputs[output].def].keyed != key.is_some() {
                    continue;
                }
                let found = rows(&query, &mut Interp::new(verified, &columns), output, extent);
                let mut plain = Interp::new(verified, &columns);
                plain.supports = Supports { inputs: everywhere.inputs.clone(), defs: everywhere.defs.clone() };
                let wanted = rows(&query, &mut plain, output, extent);
                prop_assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "{}\n{:?}", query, data);
            }
        }
    }
}
