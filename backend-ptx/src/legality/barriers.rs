//! Block barriers, and whether the loop's own barrier can stand beside them (rows 20 to 22 of the table).

use std::collections::BTreeSet;

use super::exits::{partings, runs};
use super::scene::{Family, Findings};
use super::uniform::Uniformity;
use super::{BarrierSite, Code, Fact};
use crate::analysis::Placed;
use crate::ast::{FunctionKind, Instruction, Opcode};

/// Barriers are numbered from 0 to 15.
const BARRIERS: u32 = 16;

/// Whether threads of a block wait here for each other, or tell that they have arrived.
pub(crate) fn is_block_barrier(instruction: &Instruction) -> bool {
    matches!(instruction.opcode, Opcode::Bar | Opcode::Barrier)
        && !instruction.has("warp")
        && !instruction.has("cluster")
}

fn is_placed_barrier(placed: &Placed<'_>) -> bool {
    is_block_barrier(placed.instruction)
}

pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let sites = sites(family);
    arrivals(family, findings);
    let routine = family.kernel;
    let uniform = Uniformity::of(routine);
    let (alike, parting) = partings(routine, &uniform, &runs(family, is_placed_barrier));
    let last = |block: &usize| family.site(routine, routine.graph.blocks[*block].instructions.end - 1);
    if parting.is_empty() {
        findings.facts.push(Fact::NoRetire { uniform: alike.iter().map(last).collect() });
    } else {
        let parting: Vec<_> = parting.iter().map(last).collect();
        retire(family, parting, &sites, findings);
    }
    spare(sites, findings);
}

fn sites(family: &Family<'_, '_, '_>) -> Vec<BarrierSite> {
    let all = family.instructions().filter(|(.., placed)| is_placed_barrier(placed));
    all.map(|(routine, at, placed)| {
        let (id, full) = shape(placed.instruction);
        BarrierSite { at: family.site(routine, at), id, full }
    })
    .collect()
}

/// The number of the barrier, `None` if it is in a register; and whether no number of threads is given.
pub(crate) fn shape(instruction: &Instruction) -> (Option<u32>, bool) {
    let is_reduction = instruction.has("red");
    let operands = &instruction.operands[usize::from(is_reduction).min(instruction.operands.len())..];
    let id = match operands.first() {
        None => Some(0), // `bar.sync;` of old
        Some(id) => id.node.value().and_then(|id| u32::try_from(id).ok()),
    };
    (id, operands.len() <= 1 + usize::from(is_reduction))
}

/// An arrival that nobody awaits would be left to the next block.
fn arrivals(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    for (routine, at, placed) in family.instructions() {
        if is_placed_barrier(placed) && placed.instruction.has("arrive") {
            let message = "whether all arrivals are awaited is not known";
            findings.refuse(Code::BarrierArrive, Some(family.site(routine, at)), message);
        }
    }
}

fn retire(
    family: &Family<'_, '_, '_>,
    parting: Vec<super::Site>,
    sites: &[BarrierSite],
    findings: &mut Findings,
) {
    let before = findings.reasons.len();
    let first = sites.iter().find_map(|one| one.id).unwrap_or(0);
    for one in sites {
        if one.id != Some(first) || !one.full {
            let message = format!(
                "some threads may have left at {}:{}, and this is not one full barrier",
                parting[0].line, parting[0].column
            );
            findings.refuse(Code::NamedBarrierWithEarlyExit, Some(one.at.clone()), message);
        }
    }
    for (routine, at, placed) in family.instructions() {
        if routine.body.function.kind == FunctionKind::Func && is_placed_barrier(placed) {
            let message = format!("some threads may have left at {}:{}", parting[0].line, parting[0].column);
            findings.refuse(Code::BarrierInFunction, Some(family.site(routine, at)), message);
        }
    }
    if findings.reasons.len() == before {
        findings.facts.push(Fact::Retire { parting, barrier: first });
    }
}

/// A barrier for the loop: none on which only some threads wait.
fn spare(sites: Vec<BarrierSite>, findings: &mut Findings) {
    let partial: Vec<&BarrierSite> = sites.iter().filter(|one| !one.full).collect();
    let taken: BTreeSet<u32> = partial.iter().filter_map(|one| one.id).collect();
    let free = match partial.iter().find(|one| one.id.is_none()) {
        Some(unknown) => Err(unknown.at.clone()),
        None => (0..BARRIERS).find(|id| !taken.contains(id)).ok_or_else(|| partial[0].at.clone()),
    };
    match free {
        Ok(spare) => findings.facts.push(Fact::Barriers { sites, spare }),
        Err(at) => findings.refuse(Code::BarrierIds, Some(at), "no barrier is known to be free"),
    }
}
