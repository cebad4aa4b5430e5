//! Whether all threads of a block agree on a branch: shown backwards, from the guard to what everything it rests on.

use std::collections::BTreeSet;

use super::crew::Member;
use crate::analysis::{Meaning, Placed, Register};
use crate::ast::{FunctionKind, Opcode as O, StateSpace};

/// Special registers that all threads of a block read alike.
const ALIKE: &[&str] = &[
    "%ntid",
    "%ctaid",
    "%nctaid",
    "%gridid",
    "%nsmid",
    "%smid",
    "%dynamic_smem_size",
    "%total_smem_size",
    "%aggr_smem_size",
];

/// Whether all threads of a block that come to the end of `block` go the same way, and all come there or none.
pub(super) fn on_branch(member: &Member<'_, '_>, block: usize) -> bool {
    let mut proof = Proof::of(member);
    proof.branch(block);
    proof.arrival(block);
    proof.holds()
}

/// Whether all threads that come to the end of `block` go the same way.
pub(super) fn on_direction(member: &Member<'_, '_>, block: usize) -> bool {
    let mut proof = Proof::of(member);
    proof.branch(block);
    proof.holds()
}

/// All that a claim rests on. Around a loop a value rests on itself: what is being shown counts as shown.
struct Proof<'m, 'v, 'a> {
    member: &'m Member<'v, 'a>,
    registers: BTreeSet<Register>,
    blocks: BTreeSet<usize>,
    /// What is still to be shown.
    open_registers: Vec<Register>,
    open_blocks: Vec<usize>,
}

impl<'m, 'v, 'a> Proof<'m, 'v, 'a> {
    fn of(member: &'m Member<'v, 'a>) -> Self {
        Proof {
            member,
            registers: BTreeSet::new(),
            blocks: BTreeSet::new(),
            open_registers: Vec::new(),
            open_blocks: Vec::new(),
        }
    }

    /// The guard of the branch has to be the same for all.
    fn branch(&mut self, block: usize) {
        let reads = self.member.last(block).map(|(_, last)| &last.reads[..]).unwrap_or_default();
        for read in reads {
            if self.registers.insert(*read) {
                self.open_registers.push(*read);
            }
        }
    }

    /// The branches that decide whether the block runs have to be agreed on.
    fn arrival(&mut self, block: usize) {
        if self.blocks.insert(block) {
            self.open_blocks.push(block);
        }
    }

    fn holds(mut self) -> bool {
        loop {
            if let Some(block) = self.open_blocks.pop() {
                for by in self.member.control.of_block(block) {
                    self.branch(*by);
                    self.arrival(*by);
                }
            } else if let Some(register) = self.open_registers.pop() {
                if !self.register(register) {
                    return false;
                }
            } else {
                return true;
            }
        }
    }

    /// Adds what the register rests on; `false` if threads may have different values in it.
    fn register(&mut self, register: Register) -> bool {
        for at in self.member.writers(register) {
            let placed = &self.member.body.instructions[*at];
            if !is_alike(self.member, placed) {
                return false;
            }
            for read in &placed.reads {
                if self.registers.insert(*read) {
                    self.open_registers.push(*read);
                }
            }
            self.arrival(self.member.graph.block_of(*at));
        }
        true
    }
}

/// Whether the instruction gives all threads the same if it reads the same.
fn is_alike(member: &Member<'_, '_>, placed: &Placed<'_>) -> bool {
    let mut specials = placed.names.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Special));
    if !specials.all(|(name, _)| ALIKE.contains(&name.as_str())) {
        return false;
    }
    match placed.instruction.opcode {
        O::Ld | O::Ldu => match placed.instruction.space() {
            Some(StateSpace::Const) => true,
            Some(StateSpace::Global) => placed.instruction.has("nc"),
            Some(StateSpace::Param | StateSpace::ParamEntry) => {
                let own = member.body.function.parameters().iter().flat_map(|one| &one.names);
                let own: Vec<&str> = own.map(|one| one.name.as_str()).collect();
                let named = placed.names.iter().any(|(name, meaning)| {
                    matches!(meaning, Meaning::Variable(..)) && own.contains(&name.as_str())
                });
                named && member.body.function.kind == FunctionKind::Entry
            }
            _ => false,
        },
        O::Abs
        | O::Add
        | O::Addc
        | O::And
        | O::Bfe
        | O::Bfi
        | O::Bfind
        | O::Bmsk
        | O::Brev
        | O::Clz
        | O::Cnot => true,
        O::CopySign | O::Cos | O::Cvt | O::Cvta | O::Div | O::Dp2a | O::Dp4a | O::Ex2 | O::Fma | O::Fns => {
            true
        }
        O::Isspacep | O::Lg2 | O::Lop3 | O::Mad | O::Mad24 | O::Madc | O::Max | O::Min | O::Mov | O::Mul => {
            true
        }
        O::Mul24 | O::Neg | O::Not | O::Or | O::Popc | O::Prmt | O::Rcp | O::Rem | O::Rsqrt | O::Sad => true,
        O::Selp | O::Set | O::Setp | O::Shf | O::Shl | O::Shr | O::Sin | O::Slct | O::Sqrt | O::Sub => true,
        O::Subc | O::Szext | O::Tanh | O::Testp | O::Xor | O::Bar | O::Barrier => true,
        O::Vadd | O::Vsub | O::Vmad | O::Vmin | O::Vmax | O::Vset | O::Vshl | O::Vshr | O::Vabsdiff => true,
        _ => false,
    }
}
