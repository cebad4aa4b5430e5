//! Operations of whole warps after some lanes may have left (rows 49 and 63 of the table).
//!
//! In the original a lane that has left does not count. In the loop it waits at the latch: an operation that names it in its
//! mask would wait for it. So masks are narrowed to the lanes that are left, which a ballot before each branch finds out at which
//! some lanes take a way without another operation. All lanes that are left have to come to that branch together, each time; and
//! an operation without a mask cannot be narrowed.

use std::collections::BTreeSet;

use super::exits::{backwards, runs};
use super::scene::{Family, Findings, Routine};
use super::uniform::Uniformity;
use super::{Ballot, Code, Fact};
use crate::analysis::{ControlDependence, Graph, Placed, Tree};
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

/// Whether the instruction is an operation of the warp.
fn is_operation(placed: &Placed<'_>) -> bool {
    !matches!(lanes(placed.instruction), Lanes::None)
}

pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let routine = family.kernel;
    let ways = Ways::of(routine, &runs(family, is_operation));
    let leaving = ways.leaving();
    if leaving.ballots.is_empty() && leaving.forks.is_empty() {
        return;
    }
    let starts = leaving.ballots.iter().chain(&leaving.forks).copied();
    let after = reachable_from(family, starts);
    let apart: Vec<usize> =
        leaving.ballots.iter().copied().filter(|block| !ways.together(*block, &leaving.ballots)).collect();
    let lost = reachable_from(family, leaving.forks.iter().copied().chain(apart));
    let mut sites = Vec::new();
    for (other, at, placed) in family.instructions() {
        // what a function does, it may do after a call from there
        let is_function = other.body.function.kind == FunctionKind::Func;
        let block = routine.graph.block_of(at);
        if !is_function && !after.contains(&block) {
            continue;
        }
        match lanes(placed.instruction) {
            Lanes::None => {}
            Lanes::Masked if !is_function && !lost.contains(&block) => sites.push(family.site(other, at)),
            Lanes::Masked | Lanes::All => {
                let message = "some lanes of the warp may have left before this";
                findings.refuse(Code::WarpOperationAfterExit, Some(family.site(other, at)), message);
            }
        }
    }
    let ballots = leaving.ballots.iter().map(|block| Ballot {
        at: family.site(routine, routine.graph.blocks[*block].instructions.end - 1),
        taken_stays: ways.taken_stays(*block),
    });
    findings.facts.push(Fact::NarrowedMasks { sites, ballots: ballots.collect() });
}

/// Where lanes can go in the kernel. A lane that traps takes all others with it: it does not leave.
struct Ways<'r, 'v, 'a> {
    routine: &'r Routine<'v, 'a>,
    graph: Graph,
    post: Tree,
    control: ControlDependence,
    uniform: Uniformity,
    /// From the start of each block on: whether an operation of the warp may come.
    reaches: Vec<bool>,
}

/// Blocks at whose end lanes of a warp part and do not meet again before the last operation of the warp.
struct Leaving {
    /// The lanes of one side do no further operation.
    ballots: Vec<usize>,
    /// Several sides do.
    forks: Vec<usize>,
}

impl<'r, 'v, 'a> Ways<'r, 'v, 'a> {
    fn of(routine: &'r Routine<'v, 'a>, operation: &[bool]) -> Self {
        let mut graph = routine.graph.clone();
        for block in &mut graph.blocks {
            let last = block.instructions.clone().last().map(|at| routine.body.instructions[at].instruction);
            block.leaves &= last.is_none_or(|last| last.opcode != Opcode::Trap);
        }
        let post = Tree::post_dominators(&graph);
        let control = ControlDependence::of(&graph, &post);
        let own = graph.blocks.iter().map(|block| block.instructions.clone().any(|at| operation[at]));
        let reaches = backwards(routine, own.collect(), |_| true);
        Ways { routine, graph, post, control, uniform: Uniformity::of(routine), reaches }
    }

    fn leaving(&self) -> Leaving {
        let mut all = Leaving { ballots: Vec::new(), forks: Vec::new() };
        for (number, block) in self.graph.blocks.iter().enumerate() {
            let joins = self.post.immediate(number).is_some_and(|join| self.reaches[join]);
            if joins || !self.uniform.divides(self.routine, number) {
                continue;
            }
            let (stay, go): (Vec<usize>, Vec<usize>) =
                block.successors.iter().partition(|next| self.reaches[**next]);
            let leaves = block.leaves || go.iter().any(|next| self.post.contains(*next));
            match stay.len() {
                0 => {}
                1 if !leaves => {}
                1 if self.is_plain(number) => all.ballots.push(number),
                _ => all.forks.push(number),
            }
        }
        all
    }

    /// Whether the block ends with a branch, a return or an exit under a guard.
    fn is_plain(&self, block: usize) -> bool {
        let node = &self.graph.blocks[block];
        let last = node.instructions.clone().last().map(|at| self.routine.body.instructions[at].instruction);
        let plain = |last: &Instruction| matches!(last.opcode, Opcode::Bra | Opcode::Ret | Opcode::Exit);
        !node.unknown_targets && last.is_some_and(|last| last.guard.is_some() && plain(last))
    }

    /// Whether all lanes that are left come to the end of the block together, as often as they come.
    fn together(&self, block: usize, ballots: &[usize]) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![block];
        while let Some(at) = open.pop() {
            for by in self.control.of_block(at).iter().copied().filter(|by| seen.insert(*by)) {
                if self.uniform.divides(self.routine, by) && !ballots.contains(&by) {
                    return false;
                }
                open.push(by);
            }
        }
        true
    }

    /// Whether those that take the branch at the end of the block stay.
    fn taken_stays(&self, block: usize) -> bool {
        let node = &self.graph.blocks[block];
        let falls_to =
            self.graph.blocks.iter().position(|next| next.instructions.start == node.instructions.end);
        !falls_to.is_some_and(|next| self.reaches[next] && node.successors.contains(&next))
    }
}

/// The blocks that may run after these have ended.
fn reachable_from(family: &Family<'_, '_, '_>, blocks: impl Iterator<Item = usize>) -> BTreeSet<usize> {
    let graph = &family.kernel.graph;
    let mut open: Vec<usize> = blocks.flat_map(|block| graph.blocks[block].successors.clone()).collect();
    let mut found = BTreeSet::new();
    while let Some(at) = open.pop() {
        if found.insert(at) {
            open.extend(&graph.blocks[at].successors);
        }
    }
    found
}
