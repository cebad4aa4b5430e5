//! Loads that may see what other blocks write while a loop runs.

use super::Cycle;
use crate::analysis::Placed;
use crate::ast::{Instruction, Opcode, StateSpace};

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Suspect {
    /// The instruction.
    pub(super) at: usize,
    /// Whether it takes a number from a counter: `atom.add` of a constant that is not zero, `atom.inc`, `atom.dec`.
    pub(super) takes_ticket: bool,
}

/// The words with which a load, or its cache operator, sees what others write.
const FRESH: &[&str] = &["volatile", "relaxed", "acquire", "mmio", "cg", "cv"];

impl Cycle<'_, '_, '_> {
    pub(super) fn suspects(&self) -> Vec<Suspect> {
        let mut reads_again = None;
        let mut found = Vec::new();
        for at in &self.instructions {
            let placed = &self.routine.body.instructions[*at];
            let instruction = placed.instruction;
            if !may_read_global(instruction) {
                continue;
            }
            let suspect = match instruction.opcode {
                Opcode::Ld if FRESH.iter().any(|word| instruction.has(word)) => true,
                Opcode::Ld | Opcode::Suld | Opcode::Cp => {
                    let again = *reads_again.get_or_insert_with(|| self.reads_again());
                    again && !self.moves(placed)
                }
                Opcode::Call => self.callee_reads(placed),
                _ => true,
            };
            if suspect {
                found.push(Suspect { at: *at, takes_ticket: takes_ticket(instruction) });
            }
        }
        found
    }

    /// Whether something in the cycle keeps a compiler from reading once only.
    fn reads_again(&self) -> bool {
        self.instructions.iter().any(|at| {
            let instruction = self.routine.body.instructions[*at].instruction;
            match instruction.opcode {
                Opcode::Fence | Opcode::Membar | Opcode::Nanosleep | Opcode::Call | Opcode::Atom => true,
                Opcode::Bar | Opcode::Barrier | Opcode::Mbarrier => true,
                Opcode::Ld | Opcode::St => FRESH.iter().any(|word| instruction.has(word)),
                _ => false,
            }
        })
    }

    /// Whether a register of the address is written in the cycle.
    fn moves(&self, placed: &Placed<'_>) -> bool {
        let written = |register| !self.writers(register).is_empty();
        let guard = placed.instruction.guard.as_ref().map(|guard| &guard.register);
        let address = placed.names.iter().filter(|(name, _)| Some(*name) != guard);
        address.into_iter().any(|(_, meaning)| match meaning {
            crate::analysis::Meaning::Register(register) => {
                placed.reads.contains(register) && written(*register)
            }
            _ => false,
        })
    }

    /// Whether a function that the call may run reads memory that other blocks may write.
    fn callee_reads(&self, placed: &Placed<'_>) -> bool {
        let scene = self.family.scene;
        let named = placed.instruction.call().and_then(|call| call.callee.as_name());
        let function = named.and_then(|name| scene.verified.symbols().function(name));
        let callees = match function {
            Some(function) => scene.calls.reachable(&function.name),
            // through a register: whatever the caller may call
            None => scene.calls.reachable(self.routine.name()),
        };
        let bodies = callees.iter().filter_map(|name| scene.routines.get(name.as_str()));
        bodies
            .flat_map(|routine| &routine.body.instructions)
            .any(|placed| placed.instruction.opcode != Opcode::Call && may_read_global(placed.instruction))
    }
}

/// Whether the instruction may read memory that other blocks write.
pub(super) fn may_read_global(instruction: &Instruction) -> bool {
    let global = matches!(instruction.space(), Some(StateSpace::Global) | None);
    match instruction.opcode {
        Opcode::Ld => global && !instruction.has("nc"),
        Opcode::Atom => global,
        Opcode::Cp => instruction.has("global"),
        Opcode::Multimem => instruction.has("ld_reduce"),
        Opcode::Suld | Opcode::Call => true,
        _ => false,
    }
}

fn takes_ticket(instruction: &Instruction) -> bool {
    let counts = instruction.has("inc") || instruction.has("dec");
    let adds = instruction.has("add")
        && instruction.operands.get(2).is_some_and(|by| by.node.value().is_some_and(|by| by != 0));
    instruction.opcode == Opcode::Atom && (counts || adds)
}
