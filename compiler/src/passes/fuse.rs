//! Fusion: a reduction over a definition becomes a reduction over what the definition computes.
//!
//! ```text
//! def @gain {value: f64} every 1s offset 0s {
//!   %0 = at x.v[t] : f64
//!   %1 = at x.v[t-1s] : f64
//!   %2 = sub %0, %1 : f64
//!   yield %2
//! }
//! def @d {value: f64} every 1s offset 0s {
//!   %0 = reduce sum doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
//!     %0 = at gain.value[t] : f64         →          %0 = at x.v[t] : f64
//!     yield %0                                       %1 = at x.v[t-1s] : f64
//!   } : f64                                          %2 = sub %0, %1 : f64
//!   yield %0                                         yield %2
//! }
//! ```
//!
//! The rows, their window and their grouping stay what they were: only the way to a row's value is shorter, and `@gain`
//! need not be stored. A look-up is replaced where it lands on stamps of the definition, seen from the stamps of the
//! *rows* (see [`super::lookups`]), and if the definition's body is light and has no reduction. Calls of the math library are
//! not moved into `lanes64` reductions: their windows may overlap, and each would make the call again.

use tilt_ir::{
    entity::Table,
    tir::{Body, Def, DefData, Grouping, Op, Query, Reduce},
};

use super::{
    Pass,
    lookups::{LIGHT, reduces, replace, weight},
};

/// Fusion of definitions into the reductions over them.
pub const FUSE: Pass =
    Pass { name: "fuse", about: "Reductions over definitions compute their rows themselves", run };

fn run(query: &mut Query) -> bool {
    let mut changed = false;
    for def in query.defs.ids() {
        let mut body = query.defs[def].body.clone();
        fuse_rows(&mut body, &query.defs);
        changed |= body != query.defs[def].body;
        query.defs[def].body = body;
    }
    changed
}

fn fuse_rows(body: &mut Body, defs: &Table<Def, DefData>) {
    for value in body.insts.ids() {
        if let Op::Reduce(reduce) = &mut body.insts[value].op {
            let limit = limit(reduce);
            let wanted = |def: Def, _| {
                let body = &defs[def].body;
                !reduces(body) && weight(body) <= limit
            };
            reduce.row = replace(&reduce.row, reduce.grid(), defs, wanted);
            fuse_rows(&mut reduce.row, defs);
        }
    }
}

/// The greatest weight of what is moved into the rows of a reduction: a body has at least one instruction besides the call.
fn limit(reduce: &Reduce) -> usize {
    match reduce.grouping {
        Grouping::Lanes64 => LIGHT,
        Grouping::Doubling { .. } | Grouping::Blocks { .. } | Grouping::TimeBlocks { .. } => 2 * LIGHT,
    }
}
