//! TiLT IR to Loop IR.
//!
//! Outputs on one grid become one kernel. `plan` says which loops a kernel has and what each needs; `ranges` computes, from the
//! piece `lo..hi`, the rows that each loop covers; `stage` writes the loops; `pointwise`, `numbers` write what happens in a
//! row; `state` and `moments` are the arithmetic of reducers, `doubling`, `lanes`, `blocks` are the three groupings.
//!
//! ```text
//! def @d {value: f32} every 1s {            kernel @k every 1s (%lo, %hi) {
//!   %0 = reduce sum doubling (t-2s, t] {      for %phase in 0..2 { … the edges: rows are looked at with a mask }
//!     %0 = at x.v[t]                          forv %r in %s0..%s1 warmup 1 {
//!     yield %0                          ⟹       %x = load in0.0 [row]
//!   }                                           %s = add (splice %x, 1), %x
//!   yield %0                                    store out0 [row], %s
//! }                                           } }
//! ```

mod blocks;
mod doubling;
mod folded;
mod lanes;
mod moments;
mod numbers;
mod past;
mod plan;
mod pointwise;
mod presence;
mod ranges;
mod rows;
mod scan;
mod split;
mod stage;
mod state;

use tilt_ir::{
    Grid, Type,
    entity::{Entity, Table},
    loops::{self, Column, Kernel, Program, StreamData},
    tir::{Input, Output, Query, Verified},
};

pub use scan::{Scan, convert_scan};

/// Which input columns have φ inside the data: those for which `nullable` says so get a validity bitmap.
pub fn convert(query: Verified<'_>, nullable: &dyn Fn(Input, u32) -> bool) -> Program {
    let facts = plan::Facts::new(query, nullable);
    let query = query.query();
    let streams = streams(query, nullable);
    let kernels = output_grids(query).into_iter().map(|grid| kernel(&facts, &streams, grid)).collect();
    Program { source: query.source.clone(), streams, kernels }
}

/// The grids on which a query puts something out: there is one kernel for each.
pub fn output_grids(query: &Query) -> Vec<Grid> {
    let mut grids: Vec<Grid> = Vec::new();
    for output in &query.outputs {
        let grid = query.defs[output.def].grid();
        if !grids.contains(&grid) {
            grids.push(grid);
        }
    }
    grids
}

/// The outputs of a query that a kernel on `grid` puts out, in order.
pub fn outputs_on(query: &Query, grid: Grid) -> impl Iterator<Item = &Output> {
    query.outputs.iter().filter(move |output| query.defs[output.def].grid() == grid)
}

fn streams(query: &Query, nullable: &dyn Fn(Input, u32) -> bool) -> Table<loops::Stream, StreamData> {
    let mut streams = Table::new();
    for (input, data) in query.inputs.iter() {
        let column = |(k, field): (usize, &tilt_ir::tir::Field)| Column {
            name: field.name.clone(),
            ty: machine(field.ty),
            nullable: nullable(input, k as u32),
        };
        let columns = data.fields.iter().enumerate().map(column).collect();
        streams.push(StreamData { name: data.name.clone(), grid: data.grid(), columns });
    }
    streams
}

fn kernel(facts: &plan::Facts<'_>, streams: &Table<loops::Stream, StreamData>, grid: Grid) -> Kernel {
    let outputs: Vec<&Output> = outputs_on(facts.query, grid).collect();
    let mut columns = Vec::new();
    for output in &outputs {
        let def = &facts.query.defs[output.def];
        for (name, field) in &output.columns {
            columns.push(loops::Output {
                output: output.name.clone(),
                column: Some(name.clone()),
                ty: machine(def.fields[*field as usize].ty),
                nullable: true,
            });
        }
        if output.keep.is_some() {
            columns.push(loops::Output {
                output: output.name.clone(),
                column: None,
                ty: Type::Bool,
                nullable: false,
            });
        }
    }
    let name = outputs.iter().map(|output| output.name.as_str()).collect::<Vec<_>>().join("_");
    let builder = loops::Builder::new(streams, name, grid, columns);
    let stages = facts.plan(grid, &outputs.iter().map(|output| output.def).collect::<Vec<_>>());
    let mut kernel = stage::Writer::new(facts, builder, &outputs).write(&stages);
    forget_unused_validity(&mut kernel);
    kernel
}

/// A buffer is nullable only if some store to it says a validity.
fn forget_unused_validity(kernel: &mut Kernel) {
    let mut outputs = vec![false; kernel.outputs.len()];
    let mut scratch = vec![false; kernel.scratch.len()];
    fn visit(block: &loops::Block, outputs: &mut [bool], scratch: &mut [bool]) {
        for inst in &block.insts {
            match &inst.op {
                loops::Op::Store { buffer, valid: Some(_), .. } => match buffer {
                    loops::Buffer::Output(k) => outputs[*k as usize] = true,
                    loops::Buffer::Scratch(id) => scratch[id.index()] = true,
                    loops::Buffer::Input(..) => {}
                },
                loops::Op::For { body, .. } | loops::Op::Forv { body, .. } => visit(body, outputs, scratch),
                _ => {}
            }
        }
    }
    visit(&kernel.body, &mut outputs, &mut scratch);
    for (output, nullable) in kernel.outputs.iter_mut().zip(outputs) {
        output.nullable = nullable;
    }
    for id in kernel.scratch.ids().collect::<Vec<_>>() {
        kernel.scratch[id].nullable = scratch[id.index()];
    }
}

/// The type of the machine that holds values of `ty`: times and durations are `i64`, symbols `u32`.
fn machine(ty: Type) -> Type {
    match ty {
        Type::Time | Type::Duration => Type::I64,
        Type::Symbol => Type::U32,
        other => other,
    }
}
