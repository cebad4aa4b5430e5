//! Loops that wait for other blocks (row 2 of the table).
//!
//! A block of a slice, or of a worker, may run long before the block it waits for: such a loop would never end. In the original it
//! ends only because the hardware happens to run both at once. A loop waits if memory that other blocks may write decides
//! whether it goes round again, and nothing else ends it. So for each cycle of the control flow:
//!
//! 1. Its *suspects* are the loads that may see what other blocks write while the loop runs: volatile, relaxed, acquire, past
//!    the first cache; atomics; and plain loads from one address where a fence, a barrier or a call makes the loop read again.
//! 2. If no branch of the cycle depends on a suspect, it does not wait.
//! 3. Else it has to have a *cut*: an exit that is reached whatever other blocks do — a counted loop, a compare-and-swap
//!    that only interference lets fail, tickets from a counter — or a load that moves on to another address.
//!    The cut is taken out, and what is left of the cycle is looked at again.
//!
//! What is left with a suspect and without a cut is refused.

mod cuts;
mod depends;
mod suspects;

use super::scene::{Family, Findings, Routine};
use super::{Code, Fact};
use crate::analysis::cycles;

use suspects::Suspect;

pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let mut cuts = Vec::new();
    let before = findings.reasons.len();
    for routine in &family.members {
        let all: Vec<usize> = (0..routine.graph.blocks.len()).collect();
        let mut open = cycles(&routine.graph, &all);
        while let Some(cycle) = open.pop() {
            let cycle = Cycle::of(family, routine, cycle);
            let decide = cycle.suspects_that_decide();
            let moving = decide.iter().filter_map(|suspect| cycle.moving(suspect));
            cuts.extend(moving);
            let waiting: Vec<Suspect> =
                decide.into_iter().filter(|suspect| cycle.moving(suspect).is_none()).collect();
            let Some(first) = waiting.first() else { continue };
            match cycle.cut() {
                Some((cut, blocks)) => {
                    cuts.push(cut);
                    let rest: Vec<usize> =
                        cycle.blocks.iter().copied().filter(|block| !blocks.contains(block)).collect();
                    open.extend(cycles(&routine.graph, &rest));
                }
                None => {
                    let message = "this loop goes round until another block writes what it reads here";
                    findings.refuse(Code::InterBlockWait, Some(family.site(routine, first.at)), message);
                }
            }
        }
    }
    if findings.reasons.len() == before {
        findings.facts.push(Fact::NoWait { cuts });
    }
}

/// A cycle of a function's control flow.
struct Cycle<'s, 'v, 'a> {
    family: &'s Family<'s, 'v, 'a>,
    routine: &'s Routine<'v, 'a>,
    /// In order.
    blocks: Vec<usize>,
    /// The indices of its instructions.
    instructions: Vec<usize>,
}

impl<'s, 'v, 'a> Cycle<'s, 'v, 'a> {
    fn of(family: &'s Family<'s, 'v, 'a>, routine: &'s Routine<'v, 'a>, blocks: Vec<usize>) -> Self {
        let ranges = blocks.iter().map(|block| routine.graph.blocks[*block].instructions.clone());
        let instructions = ranges.flatten().collect();
        Cycle { family, routine, blocks, instructions }
    }

    /// The suspects on which a branch of the cycle depends.
    fn suspects_that_decide(&self) -> Vec<Suspect> {
        let suspects = self.suspects();
        if suspects.is_empty() {
            return suspects;
        }
        let branches = self.instructions.iter().copied().filter(|at| self.is_branch(*at));
        let decides = self.data_behind(branches.collect());
        suspects.into_iter().filter(|one| decides.contains(&one.at)).collect()
    }

    /// Whether the instruction chooses among ways, or is guarded and leaves.
    fn is_branch(&self, at: usize) -> bool {
        use crate::ast::Opcode as O;
        let instruction = self.routine.body.instructions[at].instruction;
        match instruction.opcode {
            O::Bra | O::Ret | O::Exit | O::Trap => {
                instruction.guard.is_some() || !instruction.operands.is_empty()
            }
            O::Brx => true,
            _ => false,
        }
    }

    /// Whether the block lies on the cycle.
    fn contains(&self, block: usize) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }

    fn block_of(&self, at: usize) -> usize {
        self.routine.graph.block_of(at)
    }

    /// Whether every way round the cycle that passes `block` also passes one of `steps`.
    fn always_passes(&self, block: usize, steps: &[usize]) -> bool {
        let rest: Vec<usize> = self.blocks.iter().copied().filter(|one| !steps.contains(one)).collect();
        steps.contains(&block)
            || !cycles(&self.routine.graph, &rest).iter().any(|cycle| cycle.contains(&block))
    }
}
