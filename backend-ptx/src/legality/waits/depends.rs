//! What values depend on, within a cycle.

use std::collections::{BTreeSet, HashSet};

use super::Cycle;
use crate::analysis::{Meaning, Placed, Register};
use crate::ast::{Instruction, Opcode, StateSpace};

impl Cycle<'_, '_, '_> {
    /// The instructions of the cycle that these, and what they read, get their values from: through registers, and
    /// through memory that the cycle itself writes.
    pub(super) fn data_behind(&self, mut open: Vec<usize>) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = open.iter().copied().collect();
        let mut registers: HashSet<Register> = HashSet::new();
        let mut spaces: HashSet<Space> = HashSet::new();
        while let Some(at) = open.pop() {
            let placed = &self.routine.body.instructions[at];
            let mut next = Vec::new();
            for register in &placed.reads {
                if registers.insert(*register) {
                    next.extend(self.writers(*register));
                }
            }
            if let Some(space) = self.loads_from(placed).filter(|space| spaces.insert(*space)) {
                next.extend(self.storers(space));
            }
            // the parameters and results of calls have names
            for (name, meaning) in &placed.names {
                if matches!(meaning, Meaning::Variable(variable, _) if variable.space == StateSpace::Param) {
                    next.extend(self.naming(name));
                }
            }
            open.extend(next.into_iter().filter(|one| found.insert(*one)));
        }
        found
    }

    /// As [`Self::data_behind`], with the branches that decide whether each of those instructions runs.
    pub(super) fn all_behind(&self, start: usize) -> BTreeSet<usize> {
        let mut found = self.data_behind(vec![start]);
        loop {
            let blocks: BTreeSet<usize> = found.iter().map(|at| self.block_of(*at)).collect();
            let controls = blocks.iter().flat_map(|block| self.routine.control.of_block(*block));
            let branches = controls.filter(|block| self.contains(**block));
            let last = branches.map(|block| self.routine.graph.blocks[*block].instructions.end - 1);
            let more = self.data_behind(last.chain(found.iter().copied()).collect());
            if more.len() == found.len() {
                return found;
            }
            found = more;
        }
    }

    /// The instructions of the cycle that write the register.
    pub(super) fn writers(&self, register: Register) -> Vec<usize> {
        let all = self.routine.writers(register);
        if all.len() <= self.instructions.len() {
            return all.iter().copied().filter(|at| self.contains(self.block_of(*at))).collect();
        }
        let writes = |at: &usize| {
            self.routine.body.instructions[*at].writes.iter().any(|write| write.register == register)
        };
        self.instructions.iter().copied().filter(writes).collect()
    }

    /// The memory from which the instruction may load what the cycle has stored. A function's own parameters do not change.
    fn loads_from(&self, placed: &Placed<'_>) -> Option<Space> {
        let own = |name: &str| {
            let parameters = self.routine.body.function.parameters().iter().flat_map(|one| &one.names);
            parameters.into_iter().any(|one| one.name == *name)
        };
        let space = loads_from(placed.instruction)?;
        let named = placed.names.iter().find(|(_, meaning)| matches!(meaning, Meaning::Variable(..)));
        (space != Space::Passed || !named.is_some_and(|(name, _)| own(name))).then_some(space)
    }

    fn storers(&self, space: Space) -> impl Iterator<Item = usize> + '_ {
        self.instructions.iter().copied().filter(move |at| {
            stores_to(self.routine.body.instructions[*at].instruction)
                .is_some_and(|to| to == space || to == Space::Any || space == Space::Any)
        })
    }

    fn naming<'n>(&'n self, name: &'n str) -> impl Iterator<Item = usize> + 'n {
        self.instructions
            .iter()
            .copied()
            .filter(move |at| self.routine.body.instructions[*at].names.iter().any(|(own, _)| *own == name))
    }
}

/// Memory that threads write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Space {
    Global,
    Shared,
    Local,
    /// What is passed to and from functions.
    Passed,
    /// A generic address.
    Any,
}

fn space(instruction: &Instruction) -> Option<Space> {
    match instruction.space() {
        None => Some(Space::Any),
        Some(StateSpace::Global) => Some(Space::Global),
        Some(StateSpace::Shared | StateSpace::SharedCta | StateSpace::SharedCluster) => Some(Space::Shared),
        Some(StateSpace::Local) => Some(Space::Local),
        Some(StateSpace::Param | StateSpace::ParamFunc) => Some(Space::Passed),
        Some(_) => None,
    }
}

fn loads_from(instruction: &Instruction) -> Option<Space> {
    match instruction.opcode {
        Opcode::Ld | Opcode::Ldu | Opcode::Atom => space(instruction),
        Opcode::LdMatrix | Opcode::Mbarrier => Some(Space::Shared),
        Opcode::Wmma if instruction.has("load") => Some(Space::Any),
        Opcode::Call => Some(Space::Any),
        _ => None,
    }
}

fn stores_to(instruction: &Instruction) -> Option<Space> {
    match instruction.opcode {
        Opcode::St | Opcode::Red | Opcode::Atom => space(instruction),
        Opcode::StMatrix | Opcode::Mbarrier => Some(Space::Shared),
        Opcode::Cp | Opcode::Call | Opcode::Multimem => Some(Space::Any),
        Opcode::Wmma if instruction.has("store") => Some(Space::Any),
        Opcode::Sust | Opcode::Sured => Some(Space::Global),
        _ => None,
    }
}
