//! Operations of whole warps after some lanes may have left (rows 49 and 63 of the table).
//!
//! In the original a lane that has left does not count. In the loop it waits at the latch: an operation that names it in its
//! mask would wait for it. Masks can be narrowed to the lanes that are left; an operation without a mask can not.

use std::collections::BTreeSet;

use super::exits::separations;
use super::scene::{Family, Findings};
use super::uniform::Uniformity;
use super::{Code, Fact};
use crate::ast::{FunctionKind, Instruction, Opcode};

/// What an operation of the warp asks of its lanes.
enum Lanes {
    /// Those in its mask.
    Masked,
    /// All of the warp that have not left, together.
    All,
    /// It is not one.
    None,
}

fn lanes(instruction: &Instruction) -> Lanes {
    let has = |word| instruction.has(word);
    match instruction.opcode {
        Opcode::Shfl | Opcode::Vote | Opcode::Match | Opcode::Redux if has("sync") => Lanes::Masked,
        Opcode::Elect => Lanes::Masked,
        Opcode::Bar | Opcode::Barrier if has("warp") => Lanes::Masked,
        Opcode::Shfl | Opcode::Vote | Opcode::Match | Opcode::Redux | Opcode::ActiveMask => Lanes::All,
        Opcode::Mma
        | Opcode::Wmma
        | Opcode::Wgmma
        | Opcode::LdMatrix
        | Opcode::StMatrix
        | Opcode::MovMatrix => Lanes::All,
        Opcode::Tcgen05 if has("aligned") => Lanes::All,
        _ => Lanes::None,
    }
}

pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let routine = family.kernel;
    let separations = separations(routine, &Uniformity::of(routine));
    if separations.is_empty() {
        return;
    }
    let after = reachable_from(family, &separations);
    let mut sites = Vec::new();
    for (other, at, placed) in family.instructions() {
        // what a function does, it may do after a call from there
        let is_function = other.body.function.kind == FunctionKind::Func;
        if !is_function && !after.contains(&routine.graph.block_of(at)) {
            continue;
        }
        match lanes(placed.instruction) {
            Lanes::None => {}
            Lanes::Masked if !is_function => sites.push(family.site(other, at)),
            Lanes::Masked | Lanes::All => {
                let message = "some lanes of the warp may have left before this";
                findings.refuse(Code::WarpOperationAfterExit, Some(family.site(other, at)), message);
            }
        }
    }
    findings.facts.push(Fact::NarrowedMasks { sites });
}

/// The blocks that may run after these have ended.
fn reachable_from(family: &Family<'_, '_, '_>, blocks: &[usize]) -> BTreeSet<usize> {
    let graph = &family.kernel.graph;
    let mut open: Vec<usize> =
        blocks.iter().flat_map(|block| graph.blocks[*block].successors.clone()).collect();
    let mut found = BTreeSet::new();
    while let Some(at) = open.pop() {
        if found.insert(at) {
            open.extend(&graph.blocks[at].successors);
        }
    }
    found
}
