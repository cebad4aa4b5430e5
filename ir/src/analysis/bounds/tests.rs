//! Bounds of small queries by hand, and of random ones against every look at a stream.

use super::*;
use crate::tir::{
    self, Query,
    arbitrary::{Shape, queries},
};
use proptest::prelude::*;

/// The reach of the last definition into the first input.
fn reach(defs: &str) -> Option<String> {
    let text = format!("input @x {{v: f64}} every 2s offset 1s\n{defs}");
    let query = tir::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let verified = tir::verify(&query).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (last, x) = (query.defs.ids().next_back()?, query.inputs.ids().next()?);
    Bounds::of(verified).input(last, x).map(|reach| reach.to_string())
}

fn look(grid: &str, index: &str) -> Option<String> {
    reach(&format!("def @d {{value: f64}} {grid} {{ %0 = at x.v[{index}] : f64 yield %0 }}"))
}

#[test]
fn looks() {
    let found = |grid, index| look(grid, index).unwrap();
    assert_eq!(found("every 2s offset 1s", "t"), "t ..= t");
    assert_eq!(found("every 2s offset 1s", "t-4s"), "t-4s ..= t-4s");
    // even seconds look at odd ones
    assert_eq!(found("every 2s offset 0s", "t+4s"), "t+3s ..= t+3s");
    assert_eq!(found("every 1s offset 0s", "t"), "t-1s ..= t");
    assert_eq!(found("every 2s offset 1s", "floor(t, 10s)+1s"), "t-8s ..= t");
    assert_eq!(found("every 2s offset 1s", "ceil(t, 10s)+1s"), "t+2s ..= t+10s");
}

#[test]
fn windows_and_definitions_add_up() {
    let windows = "def @next {value: f64} every 2s offset 1s {
        %0 = reduce sum doubling 2 over every 2s offset 1s (t, t+4s] min_count 1 {
            %0 = at x.v[t] : f64 yield %0
        } : f64
        yield %0
    }
    def @d {value: f64} every 4s offset 1s {
        %0 = reduce sum lanes64 over every 2s offset 1s (t-10s, t-4s] min_count 1 {
            %0 = at x.v[t-2s] : f64
            %1 = at next.value[t] : f64
            %2 = add %0, %1 : f64 yield %2
        } : f64
        yield %0
    }\n";
    // rows t-8s … t-4s; from each, 2 s back and 2 s to 4 s ahead
    assert_eq!(reach(windows).unwrap(), "t-10s ..= t");
    let after = "def @e {value: f64} every 8s offset 0s { %0 = at d.value[t] : f64 yield %0 }";
    assert_eq!(reach(&format!("{windows}{after}")).unwrap(), "t-13s ..= t-3s");
}

#[test]
fn no_look_is_no_reach() {
    let constant = "def @d {value: f64} every 1s offset 0s { %0 = const 1.0 : f64 yield %0 }";
    assert_eq!(reach(constant), None);
    let empty = "def @d {value: f64} every 2s offset 1s {
        %0 = reduce sum lanes64 over every 2s offset 1s (t, t-4s] min_count 1 {
            %0 = at x.v[t] : f64 yield %0
        } : f64
        yield %0
    }";
    assert_eq!(reach(empty), None);
}

#[test]
fn far_looks_saturate() {
    // `back` is cut off at 2^63 - 1, `ahead` is exactly -2^63
    let farthest = look("every 2s offset 1s", &format!("t{}ns", i64::MIN)).unwrap();
    assert_eq!(farthest, "t-9223372036854775807ns ..= t-9223372036854775808ns");
}

/// Puts all rows of inputs that a body looks at, evaluated at `t`, in `seen`: input and stamp.
fn visit(query: &Query, body: &Body, t: i128, seen: &mut Vec<(Input, i128)>) {
    for inst in body.insts.rows() {
        if let Op::At { source, when, .. } = &inst.op {
            match source {
                Source::Input(input) => {
                    seen.push((*input, stamp(query.inputs[*input].grid(), when.time(), t)));
                }
                Source::Def(def) => {
                    let def = &query.defs[*def];
                    visit(query, &def.body, stamp(def.grid(), when.time(), t), seen);
                }
            }
        }
        if let Op::Reduce(reduce) = &inst.op {
            let Grid { period, offset } = reduce.grid();
            for row in reduce.window().rows(reduce.grid(), t) {
                let stamp = offset as i128 + row * period as i128;
                visit(query, &reduce.row, stamp, seen);
            }
        }
    }
}

fn stamp(grid: Grid, index: Index, t: i128) -> i128 {
    grid.offset as i128 + index.row(grid, t) * grid.period as i128
}

const SHAPE: Shape = Shape {
    inputs: 2,
    defs: 3,
    insts: 5,
    windows: true,
    span: 8,
    any_grouping: false,
    general: false,
    odd: false,
};

proptest! {
    #[test]
    fn no_look_is_out_of_bounds(query in queries(SHAPE), row in -30i64..30) {
        let verified = tir::verify(&query).map_err(|errors| TestCaseError::fail(errors[0].to_string()))?;
        let bounds = Bounds::of(verified);
        for (def, data) in query.defs.iter() {
            let t = i128::from(data.grid().stamp(row).unwrap());
            let mut seen = Vec::new();
            visit(&query, &data.body, t, &mut seen);
            for (input, stamp) in seen {
                let reach = bounds.input(def, input).expect("it is looked at");
                let distance = (stamp - t) as i64;
                prop_assert!((-reach.back..=reach.ahead).contains(&distance), "{reach}, {distance}ns\n{query}");
            }
        }
    }
}
