//! Where threads of a block may part for good: one leaves, another goes on (rows 18 to 20 of the table).

use super::scene::{Family, Routine};
use super::uniform::Uniformity;
use crate::analysis::Placed;
use crate::ast::Opcode;

/// What can happen from the start of each block of the kernel on.
pub(super) struct Ways {
    /// The kernel may be left without another barrier.
    leaves_freely: Vec<bool>,
    /// A barrier may be reached.
    reaches_barrier: Vec<bool>,
}

impl Ways {
    /// `barrier` says for each instruction of the kernel whether a block barrier is in it, or in what it calls.
    pub(super) fn of(routine: &Routine<'_, '_>, barrier: &[bool]) -> Ways {
        let blocks = &routine.graph.blocks;
        let own: Vec<bool> =
            blocks.iter().map(|block| block.instructions.clone().any(|at| barrier[at])).collect();
        let exits = blocks.iter().zip(&own).map(|(block, own)| block.leaves && !own).collect();
        Ways {
            leaves_freely: backwards(routine, exits, |block| !own[block]),
            reaches_barrier: backwards(routine, own.clone(), |_| true),
        }
    }

    /// Whether at the end of the block one thread may go and leave without a barrier while another goes and reaches one.
    fn part_at(&self, routine: &Routine<'_, '_>, block: usize) -> bool {
        let block = &routine.graph.blocks[block];
        let free = block.leaves || block.successors.iter().any(|next| self.leaves_freely[*next]);
        let ways = block.successors.len() + usize::from(block.leaves);
        ways > 1 && free && block.successors.iter().any(|next| self.reaches_barrier[*next])
    }
}

/// The blocks from which one of `found` can be reached through blocks that `passes` lets pass.
pub(super) fn backwards(
    routine: &Routine<'_, '_>,
    mut found: Vec<bool>,
    passes: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let blocks = &routine.graph.blocks;
    let mut open: Vec<usize> = (0..blocks.len()).filter(|block| found[*block]).collect();
    while let Some(at) = open.pop() {
        for before in blocks[at].predecessors.iter().copied().filter(|before| passes(*before)) {
            if !std::mem::replace(&mut found[before], true) {
                open.push(before);
            }
        }
    }
    found
}

/// The blocks at whose end threads may part around a barrier: those where all go the same way, and the others.
pub(super) fn partings(
    routine: &Routine<'_, '_>,
    uniform: &Uniformity,
    barrier: &[bool],
) -> (Vec<usize>, Vec<usize>) {
    let ways = Ways::of(routine, barrier);
    let all = (0..routine.graph.blocks.len()).filter(|block| ways.part_at(routine, *block));
    all.partition(|block| !uniform.divides(routine, *block) && !uniform.is_parted(*block))
}

/// For each instruction of the kernel whether it is of the kind, or a call that may run one.
pub(super) fn runs(family: &Family<'_, '_, '_>, kind: fn(&Placed<'_>) -> bool) -> Vec<bool> {
    let scene = family.scene;
    let having = super::calls::closure_of(family, kind);
    let calls = |placed: &Placed<'_>| {
        let callee = placed.instruction.call().and_then(|call| call.callee.as_name());
        match callee.and_then(|name| scene.verified.symbols().function(name)) {
            Some(function) => having.contains(function.name.as_str()),
            None => having.iter().any(|name| name != family.kernel.name()),
        }
    };
    let instructions = family.kernel.body.instructions.iter();
    let runs = |placed| kind(placed) || (placed.instruction.opcode == Opcode::Call && calls(placed));
    instructions.map(runs).collect()
}
