//! The part of a body that some of its values need.

use std::collections::HashMap;

use tilt_ir::tir::{Body, Value};

/// A body that gives `results`, which are values of `body`, and computes nothing else.
pub(super) fn slice(body: &Body, results: &[Value]) -> Body {
    let mut wanted: Vec<Value> = results.to_vec();
    let mut needed = std::collections::BTreeSet::new();
    while let Some(value) = wanted.pop() {
        if needed.insert(value) {
            wanted.extend(body.insts[value].op.operands());
        }
    }
    let mut sliced = Body::default();
    let mut places: HashMap<Value, Value> = HashMap::new();
    for value in needed {
        let mut inst = body.insts[value].clone();
        inst.op.map_operands(|operand| places[&operand]);
        places.insert(value, sliced.insts.push(inst));
    }
    sliced.results = results.iter().map(|value| places[value]).collect();
    sliced
}
