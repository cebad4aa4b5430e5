//! What other blocks may decide, followed forwards within a cycle.

use std::collections::BTreeSet;

use super::crew::{Crew, Member, named_callee};
use crate::analysis::{Meaning, Placed, Register};
use crate::ast::{Opcode, StateSpace};

/// Blocks that lie on a cycle together.
pub(super) struct Ring<'c, 'v, 'a> {
    pub(super) member: &'c Member<'v, 'a>,
    pub(super) blocks: BTreeSet<usize>,
}

impl<'c, 'v, 'a> Ring<'c, 'v, 'a> {
    pub(super) fn instructions(&self) -> impl Iterator<Item = (usize, &'c Placed<'a>)> + '_ {
        let member = self.member;
        self.blocks
            .iter()
            .flat_map(move |block| member.graph.blocks[*block].instructions.clone())
            .map(move |at| (at, &member.body.instructions[at]))
    }

    pub(super) fn contains(&self, at: usize) -> bool {
        self.blocks.contains(&self.member.graph.block_of(at))
    }

    pub(super) fn writers(&self, register: Register) -> Vec<usize> {
        let all = self.member.writers(register);
        if all.len() <= self.blocks.len() {
            return all.iter().copied().filter(|at| self.contains(*at)).collect();
        }
        let writes = |placed: &Placed<'_>| placed.writes.iter().any(|write| write.register == register);
        self.instructions().filter(|(_, placed)| writes(placed)).map(|(at, _)| at).collect()
    }

    /// Whether the instruction may see what another block writes while the cycle is going round.
    pub(super) fn sees_others(&self, crew: &Crew<'_, '_>, placed: &Placed<'_>) -> bool {
        let form = placed.instruction.form();
        let strong =
            ["volatile", "relaxed", "acquire", "mmio", ".cg", ".cv"].iter().any(|word| form.contains(word));
        let elsewhere = ["shared", "local", "const", "param", ".nc"].iter().any(|word| form.contains(word));
        match placed.instruction.opcode {
            Opcode::Ld if elsewhere => false,
            Opcode::Ld => strong || (self.stands_still(placed) && self.is_refreshed()),
            Opcode::Atom => !elsewhere,
            Opcode::Multimem => form.contains("ld_reduce"),
            Opcode::Cp => form.contains("global") && self.stands_still(placed) && self.is_refreshed(),
            Opcode::Suld => self.stands_still(placed) && self.is_refreshed(),
            Opcode::Call => match named_callee(placed) {
                Some(function) => {
                    let reached = crew.calls.reachable(&function.name);
                    crew.members.iter().any(|one| reached.contains(one.name()) && touches_global(one))
                }
                None => crew.members.iter().skip(1).any(touches_global),
            },
            _ => false,
        }
    }

    /// Whether no register that the instruction reads, its guard left aside, is written in the cycle.
    fn stands_still(&self, placed: &Placed<'_>) -> bool {
        let guard = placed.instruction.guard.as_ref().map(|guard| placed.meaning(&guard.register));
        let guard = match guard {
            Some(Meaning::Register(register)) => Some(register),
            _ => None,
        };
        placed.reads.iter().filter(|read| Some(**read) != guard).all(|read| self.writers(*read).is_empty())
    }

    fn is_refreshed(&self) -> bool {
        self.instructions().any(|(_, placed)| {
            let form = placed.instruction.form();
            let words = ["fence", "membar", "bar", "nanosleep", "call", "atom", "mbarrier"];
            words.iter().any(|word| form.starts_with(word))
                || ["volatile", "relaxed", "acquire", "release", "mmio", ".cg", ".cv"]
                    .iter()
                    .any(|word| form.contains(word))
        })
    }

    /// The registers of the cycle whose values the sources may decide: through registers, through memory, through branches
    /// that decide whether something is written.
    pub(super) fn tainted(&self, sources: &BTreeSet<usize>, through_branches: bool) -> BTreeSet<Register> {
        let mut registers = BTreeSet::new();
        let mut memory: BTreeSet<char> = BTreeSet::new();
        loop {
            let before = (registers.len(), memory.len());
            for (at, placed) in self.instructions() {
                let touched = sources.contains(&at)
                    || (through_branches && self.is_decided(at, &registers))
                    || placed.reads.iter().any(|read| registers.contains(read))
                    || self.loads(placed).is_some_and(|from| memory.iter().any(|to| may_be_same(*to, from)));
                if touched {
                    memory.extend(self.stores(placed));
                    registers.extend(placed.writes.iter().map(|write| write.register));
                }
            }
            if before == (registers.len(), memory.len()) {
                return registers;
            }
        }
    }

    /// Whether a branch of the cycle on one of the registers decides whether the instruction runs.
    fn is_decided(&self, at: usize, registers: &BTreeSet<Register>) -> bool {
        let block = self.member.graph.block_of(at);
        let mut by = self.member.control.of_block(block).iter().filter(|by| self.blocks.contains(by));
        by.any(|by| {
            let last = self.member.last(*by);
            last.is_some_and(|(_, last)| last.reads.iter().any(|read| registers.contains(read)))
        })
    }

    /// The memory from which the instruction may load what a thread has stored: global, shared, local, of calls, any.
    fn loads(&self, placed: &Placed<'_>) -> Option<char> {
        match placed.instruction.opcode {
            Opcode::Ld | Opcode::Ldu | Opcode::Atom if !self.names_own_parameter(placed) => space(placed),
            Opcode::LdMatrix | Opcode::Mbarrier => Some('s'),
            Opcode::Call | Opcode::Wmma => Some('a'),
            _ => None,
        }
    }

    fn stores(&self, placed: &Placed<'_>) -> Option<char> {
        match placed.instruction.opcode {
            Opcode::St | Opcode::Red | Opcode::Atom => space(placed),
            Opcode::StMatrix | Opcode::Mbarrier => Some('s'),
            Opcode::Sust | Opcode::Sured => Some('g'),
            Opcode::Cp | Opcode::Call | Opcode::Multimem | Opcode::Wmma => Some('a'),
            _ => None,
        }
    }

    fn names_own_parameter(&self, placed: &Placed<'_>) -> bool {
        let own = self.member.body.function.parameters().iter().flat_map(|one| &one.names);
        let own: Vec<&str> = own.map(|one| one.name.as_str()).collect();
        placed
            .names
            .iter()
            .any(|(name, meaning)| matches!(meaning, Meaning::Variable(..)) && own.contains(&name.as_str()))
    }
}

fn space(placed: &Placed<'_>) -> Option<char> {
    match placed.instruction.space() {
        None => Some('a'),
        Some(StateSpace::Global) => Some('g'),
        Some(StateSpace::Shared | StateSpace::SharedCta | StateSpace::SharedCluster) => Some('s'),
        Some(StateSpace::Local) => Some('l'),
        Some(StateSpace::Param | StateSpace::ParamFunc) => Some('p'),
        Some(_) => None,
    }
}

fn may_be_same(stored: char, loaded: char) -> bool {
    stored == loaded || stored == 'a' || loaded == 'a'
}

fn touches_global(member: &Member<'_, '_>) -> bool {
    member.body.instructions.iter().any(|placed| {
        let space = placed.instruction.space();
        let plain = matches!(space, None | Some(StateSpace::Global)) && !placed.instruction.has("nc");
        matches!(placed.instruction.opcode, Opcode::Ld | Opcode::Atom | Opcode::Suld | Opcode::Multimem)
            && plain
    })
}
