//! Common subexpression elimination: what is computed twice is computed once.
//!
//! ```text
//! %0 = at x.v[t] : f64                   %0 = at x.v[t] : f64
//! %1 = at x.v[t] : f64                   %1 = mul %0, %0 : f64
//! %2 = mul %0, %1 : f64           →      %2 = add %1, %1 : f64
//! %3 = mul %1, %0 : f64                  yield %2
//! %4 = add %2, %3 : f64
//! yield %4
//! ```
//!
//! Two instructions are the same if they have the same operation, type and operands, those of `add`, `mul`, `min`, `max`,
//! `and`, `or`, `eq` and `ne` in any order. Reductions are compared with their row bodies, which are cleaned first. Places
//! in the source do not count; the first one is kept. Bodies have no effects, so an earlier equal instruction is always good.
//!
//! Definitions on one grid with the same body are one stream under two names: everybody looks at the first. So are two
//! fields of a definition with the same value. [`dce`](super::DCE) takes the others away.

use std::collections::HashMap;

use tilt_ir::{
    Grid, Loc, Type,
    entity::{Entity, SideTable},
    tir::{BinaryOp, Body, CmpOp, Def, DefData, Op, Query, Reduce, Source, Value},
};

use super::{
    Pass,
    lookups::redirect,
    rebuild::{push, rebuild},
};

/// Common subexpressions, equal definitions and equal fields.
pub const CSE: Pass = Pass { name: "cse", about: "What is computed twice is computed once", run };

fn run(query: &mut Query) -> bool {
    let mut changed = false;
    let mut streams: HashMap<Stream, Def> = HashMap::new();
    let mut first_def: SideTable<Def, Option<Def>> = SideTable::new(None);
    let mut first_field: SideTable<Def, Vec<u32>> = SideTable::new(Vec::new());
    for def in query.defs.ids() {
        let mut body = query.defs[def].body.clone();
        redirect(&mut body, &|source, field| {
            if let Source::Def(def) = source {
                *field = first_field[*def][*field as usize];
                *def = first_def[*def].unwrap_or(*def);
            }
        });
        let body = merge(&body);
        changed |= body != query.defs[def].body;
        first_field[def] = body.results.iter().map(|value| position(&body, *value)).collect();
        query.defs[def].body = body;
        let first = *streams.entry(Stream::of(&query.defs[def])).or_insert(def);
        first_def[def] = (first != def).then_some(first);
    }
    for output in &mut query.outputs {
        let fields = output.columns.iter_mut().map(|(_, field)| field).chain(&mut output.keep);
        for field in fields {
            let first = first_field[output.def][*field as usize];
            changed |= first != *field;
            *field = first;
        }
        if let Some(first) = first_def[output.def] {
            output.def = first;
            changed = true;
        }
    }
    changed
}

/// The first field of a definition with this value.
fn position(body: &Body, value: Value) -> u32 {
    body.results.iter().take_while(|other| **other != value).count() as u32
}

/// What makes two definitions the same stream.
#[derive(PartialEq, Eq, Hash)]
struct Stream {
    grid: Grid,
    types: Vec<Type>,
    body: Body,
}

impl Stream {
    fn of(data: &DefData) -> Stream {
        Stream {
            grid: data.grid(),
            types: data.fields.iter().map(|field| field.ty).collect(),
            body: without_places(&data.body),
        }
    }
}

/// The body with each instruction once.
fn merge(body: &Body) -> Body {
    let mut known: HashMap<(Op, Type), Value> = HashMap::new();
    rebuild(body, |new, mut inst| {
        if let Op::Reduce(reduce) = &mut inst.op {
            merge_captures(reduce);
            reduce.row = merge(&reduce.row);
        }
        let key = (canonical(&inst.op), inst.ty);
        *known.entry(key).or_insert_with(|| push(new, inst))
    })
}

/// Lets the row body see each captured value by the first of its numbers only.
fn merge_captures(reduce: &mut Reduce) {
    for value in reduce.row.insts.ids() {
        if let Op::Param(k) = &mut reduce.row.insts[value].op {
            let captured = reduce.captures[*k as usize];
            let earlier = reduce.captures.iter().take_while(|other| **other != captured);
            *k = earlier.count() as u32;
        }
    }
}

/// The same for equal operations: no places, operands sorted where their order does not matter.
fn canonical(op: &Op) -> Op {
    let mut op = op.clone();
    match &mut op {
        Op::Binary(function, a, b) if commutes(*function) => sort(a, b),
        Op::Compare(CmpOp::Eq | CmpOp::Ne, a, b) => sort(a, b),
        Op::Reduce(reduce) => reduce.row = without_places(&reduce.row),
        Op::Const(_)
        | Op::Null
        | Op::Time(_)
        | Op::Param(_)
        | Op::Key(_)
        | Op::At { .. }
        | Op::Unary(..)
        | Op::Binary(..)
        | Op::Compare(CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge, ..)
        | Op::Math(..)
        | Op::Select { .. }
        | Op::Coalesce(..)
        | Op::IsNull(_) => {}
    }
    op
}

fn sort(a: &mut Value, b: &mut Value) {
    if b.index() < a.index() {
        std::mem::swap(a, b);
    }
}

fn commutes(op: BinaryOp) -> bool {
    use BinaryOp::*;
    match op {
        Add | Mul | Min | Max | And | Or => true,
        Sub | Div | FloorDiv | Mod => false,
    }
}

fn without_places(body: &Body) -> Body {
    let mut body = body.clone();
    for value in body.insts.ids() {
        body.insts[value].loc = Loc::NONE;
        if let Op::Reduce(reduce) = &mut body.insts[value].op {
            reduce.row = without_places(&reduce.row);
        }
    }
    body
}
