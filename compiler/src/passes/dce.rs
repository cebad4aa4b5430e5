//! Dead code elimination: what no output needs goes.
//!
//! ```text
//! def @d {a: f64, b: f64} every 1s offset 0s {          def @d {b: f64} every 1s offset 0s {
//!   %0 = at x.v[t] : f64                                  %0 = at x.v[t] : f64
//!   %1 = sqrt %0 : f64        // for a alone       →      yield %0
//!   yield %1, %0                                        }
//! }
//!
//! output @o = @d {o: b}                                 output @o = @d {o: b}
//! ```
//!
//! Removed are definitions, their fields, their instructions and captures of reductions; never inputs, whose rows say
//! how long a run lasts. One sweep from the last definition to the first finds what is needed: definitions look at earlier
//! ones only, instructions use earlier ones only. A second, forward, writes the rest with dense ids.

use std::collections::BTreeSet;

use tilt_ir::{
    entity::{Entity, SideTable, Table},
    tir::{Body, Def, DefData, Op, Query, Reduce, Source, Value},
};

use super::{
    Pass,
    lookups::{for_each, redirect},
};

/// Removal of everything that no output needs.
pub const DCE: Pass = Pass { name: "dce", about: "What no output needs goes", run };

fn run(query: &mut Query) -> bool {
    let mut needed = needed_by_outputs(query);
    let mut bodies: SideTable<Def, Body> = SideTable::new(Body::default());
    for (def, data) in query.defs.iter().rev() {
        let results = needed[def].iter().map(|field| data.body.results[*field as usize]).collect();
        bodies[def] = prune(&data.body, results);
        for_each(&bodies[def], &mut |look| {
            if let Source::Def(def) = look.source {
                needed[def].insert(look.field);
            }
        });
    }

    let mut ids: SideTable<Def, Option<Def>> = SideTable::new(None);
    let mut defs = Table::new();
    for (def, data) in query.defs.iter().filter(|(def, _)| !needed[*def].is_empty()) {
        let mut body = bodies[def].clone();
        redirect(&mut body, &|source, field| {
            if let Source::Def(def) = source {
                (*def, *field) = renumber(&ids, &needed, *def, *field);
            }
        });
        let fields = needed[def].iter().map(|field| data.fields[*field as usize].clone()).collect();
        ids[def] = Some(defs.push(DefData { fields, body, ..data.clone() }));
    }

    let changed = defs != query.defs;
    for output in &mut query.outputs {
        let def = output.def;
        let fields = output.columns.iter_mut().map(|(_, field)| field).chain(&mut output.keep);
        for field in fields {
            (output.def, *field) = renumber(&ids, &needed, def, *field);
        }
    }
    query.defs = defs;
    changed
}

/// The fields of each definition that somebody needs.
type Needed = SideTable<Def, BTreeSet<u32>>;

fn needed_by_outputs(query: &Query) -> Needed {
    let mut needed = SideTable::new(BTreeSet::new());
    for output in &query.outputs {
        let columns = output.columns.iter().map(|(_, field)| *field);
        needed[output.def].extend(columns.chain(output.keep));
    }
    needed
}

fn renumber(ids: &SideTable<Def, Option<Def>>, needed: &Needed, def: Def, field: u32) -> (Def, u32) {
    let def_now = ids[def].expect("what a needed body looks at is needed");
    (def_now, needed[def].range(..field).count() as u32)
}

/// The instructions of `body` that `results` need, and these as its results.
fn prune(body: &Body, results: Vec<Value>) -> Body {
    let mut live = SideTable::new(false);
    for value in &results {
        live[*value] = true;
    }
    let mut kept = Vec::new();
    for value in body.insts.ids().rev() {
        if !live[value] {
            continue;
        }
        let mut inst = body.insts[value].clone();
        if let Op::Reduce(reduce) = &mut inst.op {
            prune_row(reduce);
        }
        for operand in inst.op.operands() {
            live[operand] = true;
        }
        kept.push((value, inst));
    }

    let mut pruned = Body::default();
    let mut renamed: SideTable<Value, Value> = SideTable::new(Value::new(0));
    for (value, mut inst) in kept.into_iter().rev() {
        inst.op.map_operands(|operand| renamed[operand]);
        renamed[value] = pruned.insts.push(inst);
    }
    pruned.results = results.iter().map(|value| renamed[*value]).collect();
    pruned
}

/// Prunes a row body, then the captures that it no longer sees.
fn prune_row(reduce: &mut Reduce) {
    reduce.row = prune(&reduce.row, reduce.row.results.clone());
    let seen = |op: &Op| {
        if let Op::Param(k) = op { Some(*k) } else { None }
    };
    let params: BTreeSet<u32> = reduce.row.insts.rows().iter().filter_map(|inst| seen(&inst.op)).collect();
    reduce.captures = params.iter().map(|k| reduce.captures[*k as usize]).collect();
    for value in reduce.row.insts.ids() {
        if let Op::Param(k) = &mut reduce.row.insts[value].op {
            *k = params.range(..*k).count() as u32;
        }
    }
}
