//! What of a recursive definition depends on its own past, and what does not.
//!
//! The part that does not becomes a definition of its own, computed before by vector loops; the loop in order is left with
//! the shortest chain:
//!
//! ```text
//! ema[t] = ema[t-1s] + (x·x - ema[t-1s]) · 0.1    ⟹    before[t] = x·x
//!                                                       ema[t] = ema[t-1s] + (before - ema[t-1s]) · 0.1
//! ```

use std::collections::HashMap;

use tilt_ir::{
    entity::{Entity, Table},
    tir::{Body, Def, DefData, Field, Input, Op, Query, Source, Value, When},
};

/// A recursive definition in two parts.
pub(super) struct Split {
    /// The query up to the recursive definition, which is its last one.
    pub(super) query: Query,
    /// What does not depend on the past, if there is anything.
    pub(super) before: Option<Def>,
    /// The recursive definition.
    pub(super) def: Def,
}

/// Splits the definition `def`, whose past is the input `past`.
pub(super) fn split(query: &Query, def: Def, past: Input) -> Split {
    let mut defs: Table<Def, DefData> = Table::new();
    for data in &query.defs.rows()[..def.index()] {
        defs.push(data.clone());
    }
    let data = &query.defs[def];
    let depends = depends(&data.body, past);
    let wanted = wanted(&data.body, &depends);
    let mut fields = Vec::new();
    let mut body = Body::default();
    let mut moved: HashMap<Value, Value> = HashMap::new();
    let live = live(&data.body, &wanted);
    for (value, inst) in data.body.insts.iter().filter(|(value, _)| live[value.index()]) {
        let mut inst = inst.clone();
        inst.op.map_operands(|operand| moved[&operand]);
        moved.insert(value, body.insts.push(inst));
        if wanted[value.index()] {
            fields.push(value);
            body.results.push(moved[&value]);
        }
    }
    let before = (!fields.is_empty()).then(|| {
        let field = |value: &Value| Field { name: format!("v{}", value.index()), ty: data.body.ty(*value) };
        defs.push(DefData {
            name: format!("{} before", data.name),
            fields: fields.iter().map(field).collect(),
            body,
            ..data.clone()
        })
    });
    let body = recursive(&data.body, &depends, before.map(|def| (def, &fields[..])));
    let def = defs.push(DefData { body, ..data.clone() });
    let query = Query { defs, outputs: vec![], ..query.clone() };
    Split { query, before, def }
}

/// Which values depend on the past.
fn depends(body: &Body, past: Input) -> Vec<bool> {
    let mut depends: Vec<bool> = Vec::new();
    for inst in body.insts.rows() {
        let looks = matches!(inst.op, Op::At { source: Source::Input(input), .. } if input == past);
        let does = looks || inst.op.operands().iter().any(|operand| depends[operand.index()]);
        depends.push(does);
    }
    depends
}

fn is_constant(op: &Op) -> bool {
    matches!(op, Op::Const(_) | Op::Null)
}

/// Which values do not depend on the past but are used where that does, or are results; constants are repeated.
fn wanted(body: &Body, depends: &[bool]) -> Vec<bool> {
    let mut used = vec![false; depends.len()];
    for (value, inst) in body.insts.iter().filter(|(value, _)| depends[value.index()]) {
        debug_assert!(depends[value.index()]);
        inst.op.operands().iter().for_each(|operand| used[operand.index()] = true);
    }
    body.results.iter().for_each(|result| used[result.index()] = true);
    let insts = body.insts.rows().iter();
    insts
        .zip(used)
        .zip(depends)
        .map(|((inst, used), depends)| used && !depends && !is_constant(&inst.op))
        .collect()
}

/// Which values these are computed from.
fn live(body: &Body, wanted: &[bool]) -> Vec<bool> {
    let mut live = wanted.to_vec();
    for (value, inst) in body.insts.iter().rev().collect::<Vec<_>>() {
        if live[value.index()] {
            inst.op.operands().iter().for_each(|operand| live[operand.index()] = true);
        }
    }
    live
}

/// What is left of a body if other fields are looked up in a definition before it.
fn recursive(body: &Body, depends: &[bool], before: Option<(Def, &[Value])>) -> Body {
    let mut rest = Body::default();
    let mut moved: HashMap<Value, Value> = HashMap::new();
    for (value, inst) in body.insts.iter() {
        let mut inst = inst.clone();
        let field = before.and_then(|(def, fields)| Some((def, fields.iter().position(|v| *v == value)?)));
        if let Some((def, field)) = field {
            inst.op = Op::At { source: Source::Def(def), field: field as u32, when: When::NOW };
        } else if depends[value.index()] {
            inst.op.map_operands(|operand| moved[&operand]);
        } else if !is_constant(&inst.op) {
            continue;
        }
        moved.insert(value, rest.insts.push(inst));
    }
    rest.results = body.results.iter().map(|result| moved[result]).collect();
    rest
}
