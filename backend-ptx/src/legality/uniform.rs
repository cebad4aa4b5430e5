//! Which branches go the same way for all threads of a block.
//!
//! A register is *divergent* if two threads of a block may hold different values in it: it comes from the thread's index, from
//! memory that may change between the loads of two threads, from an atomic or from another lane; or it is written where only
//! some threads come by, because a branch on a divergent register decides so.

use std::collections::BTreeSet;

use super::registers::specials;
use super::scene::Routine;
use crate::analysis::{Placed, Register};
use crate::ast::{FunctionKind, Opcode, StateSpace};

/// The divergent registers of a function.
pub(super) struct Uniformity {
    divergent: BTreeSet<Register>,
    /// Blocks through which only some threads of a block may come.
    parted: BTreeSet<usize>,
}

impl Uniformity {
    pub(super) fn of(routine: &Routine<'_, '_>) -> Uniformity {
        let mut all = Uniformity { divergent: BTreeSet::new(), parted: BTreeSet::new() };
        let body = routine.body;
        loop {
            let before = (all.divergent.len(), all.parted.len());
            for (number, block) in routine.graph.blocks.iter().enumerate() {
                let parted = routine.control.of_block(number).iter().any(|by| all.divides(routine, *by));
                if parted {
                    all.parted.insert(number);
                }
                for placed in &body.instructions[block.instructions.clone()] {
                    let read = placed.reads.iter().any(|read| all.divergent.contains(read));
                    if read || all.parted.contains(&number) || is_source(routine, placed) {
                        all.divergent.extend(placed.writes.iter().map(|write| write.register));
                    }
                }
            }
            if before == (all.divergent.len(), all.parted.len()) {
                return all;
            }
        }
    }

    /// Whether the branch at the end of the block may go two ways at once.
    pub(super) fn divides(&self, routine: &Routine<'_, '_>, block: usize) -> bool {
        let Some(last) = routine.graph.blocks[block].instructions.clone().last() else { return false };
        let placed = &routine.body.instructions[last];
        placed.reads.iter().any(|read| self.divergent.contains(read))
    }

    /// Whether only some threads of a block may come through.
    pub(super) fn is_parted(&self, block: usize) -> bool {
        self.parted.contains(&block)
    }
}

/// Whether what the instruction writes may differ between threads although what it reads does not.
fn is_source(routine: &Routine<'_, '_>, placed: &Placed<'_>) -> bool {
    let same_for_all = |name: &str| {
        let name = name.trim_start_matches('%');
        matches!(name, "ntid" | "ctaid" | "nctaid" | "gridid" | "nsmid" | "smid")
            || name.ends_with("smem_size")
    };
    if specials(placed).any(|name| !same_for_all(name)) {
        return true;
    }
    match placed.instruction.opcode {
        Opcode::Ld | Opcode::Ldu => match placed.instruction.space() {
            Some(StateSpace::Const) => false,
            Some(StateSpace::Global) => !placed.instruction.has("nc"),
            Some(StateSpace::Param | StateSpace::ParamEntry) => {
                // the result of a call, or what a function was called with
                routine.body.function.kind == FunctionKind::Func || !reads_parameter(routine, placed)
            }
            _ => true,
        },
        Opcode::Atom | Opcode::Call | Opcode::Shfl | Opcode::Match | Opcode::ActiveMask | Opcode::Elect => {
            true
        }
        Opcode::Vote | Opcode::Redux | Opcode::Mbarrier | Opcode::LdMatrix | Opcode::Mma | Opcode::Wmma => {
            true
        }
        Opcode::Wgmma | Opcode::Tcgen05 | Opcode::Suld | Opcode::Alloca | Opcode::StackSave => true,
        Opcode::ClusterLaunchControl | Opcode::Multimem | Opcode::MovMatrix | Opcode::Other(_) => true,
        _ => false,
    }
}

/// Whether the load names a parameter of the kernel.
fn reads_parameter(routine: &Routine<'_, '_>, placed: &Placed<'_>) -> bool {
    let parameters = routine.body.function.parameters();
    let own = |name: &str| parameters.iter().flat_map(|one| &one.names).any(|one| one.name == *name);
    placed
        .names
        .iter()
        .any(|(name, meaning)| matches!(meaning, crate::analysis::Meaning::Variable(..)) && own(name))
}
