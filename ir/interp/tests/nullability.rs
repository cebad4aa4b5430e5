//! Nullability and bounds against the interpreter: a value that cannot be φ is not, and one that is φ at the edges only
//! is not where all rows that it needs are there.

use proptest::prelude::*;
use tilt_interp::{Columns, Interp};
use tilt_ir::{
    Const, Grid, Type,
    analysis::{
        bounds::Bounds,
        nullability::{Nullability, Phi},
    },
    tir::{
        self, Query,
        arbitrary::{Shape, queries},
    },
};

/// Rows of each input. Field 0 has no φ, the others have some.
const ROWS: i64 = 60;

fn data(query: &Query, seed: u64) -> Columns {
    let mut state = seed;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as i128
    };
    let mut columns = Columns::new();
    for input in query.inputs.rows() {
        let mut fields = Vec::new();
        for (n, field) in input.fields.iter().enumerate() {
            let mut value = |_| {
                if n > 0 && random() % 3 == 0 {
                    return None;
                }
                Some(match field.ty {
                    Type::Bool => Const::Bool(random() % 2 == 0),
                    Type::F32 => Const::f32((random() % 7) as f32),
                    Type::F64 => Const::f64((random() % 7) as f64),
                    _ => Const::Int(random() % 5),
                })
            };
            fields.push((0..ROWS).map(&mut value).collect());
        }
        columns = columns.input(0, fields);
    }
    columns
}

/// Whether all rows that `def` needs at `t` are there.
fn is_inside(query: &Query, bounds: &Bounds, def: tir::Def, t: i64) -> bool {
    query.inputs.iter().all(|(input, data)| {
        let Some(reach) = bounds.input(def, input) else { return true };
        let Grid { period, offset } = data.grid();
        offset <= t - reach.back && t + reach.ahead <= offset + (ROWS - 1) * period
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(std::env::var("CASES").map_or(300, |c| c.parse().unwrap())))]

    #[test]
    fn what_is_never_phi_is_never_phi(query in queries(Shape { span: 10, ..Shape::default() }), seed: u64) {
        let verified = tir::verify(&query).unwrap();
        let phi = Nullability::of(verified, |_, field| field > 0);
        let bounds = Bounds::of(verified);
        let data = data(&query, seed);
        let mut interp = Interp::new(verified, &data);
        for (def, stream) in query.defs.iter() {
            for row in (-5..70).step_by(5) {
                let t = stream.grid().stamp(row).unwrap();
                let Ok(values) = interp.row(def, row.into()) else { continue };
                for (n, value) in values.iter().enumerate() {
                    let wrong = value.is_none() && match phi.field(def, n as u32) {
                        Phi::Never => true,
                        Phi::Edge => is_inside(&query, &bounds, def, t),
                        Phi::Data => false,
                    };
                    prop_assert!(!wrong, "{def} field {n} row {row}: {:?}\n{query}", phi.field(def, n as u32));
                }
            }
        }
    }
}
