//! Whether all threads of a block agree on a branch: shown backwards, from the guard to what everything it rests on.

use std::collections::BTreeSet;

use super::crew::Member;
use crate::analysis::{Meaning, Placed, Register};
use crate::ast::{FunctionKind, Opcode as O, StateSpace};

/// Special registers that all threads of a block read alike.
const ALIKE: &[&str] = &["%ntid", "%ctaid", "%nctaid", "%gridid", "%nsmid", "%smid", "%dynamic_smem_size", "%total_smem_size", "%aggr_smem_size"];

/// Whether all threads of a block that come to the end of `block` go the same way, and all come there or none.
pub(super) fn on_branch(member: &Member<'_, '_>, block: usize) -> bool {
    let mut proof = Proof { member, registers: BTreeSet::new(), blocks: BTreeSet::new() };
    proof.branch(block) && proof.arrival(block)
}

/// Whether all threads that come to the end of `block` go the same way.
pub(super) fn on_direction(member: &Member<'_, '_>, block: usize) -> bool {
    Proof { member, registers: BTreeSet::new(), blocks: BTreeSet::new() }.branch(block)
}

struct Proof<'m, 'v, 'a> {
    member: &'m Member<'v, 'a>,
    /// What is assumed while it is shown: around a loop a value rests on itself.
    registers: BTreeSet<Register>,
    blocks: BTreeSet<usize>,
}

impl Proof<'_, '_, '_> {
    fn branch(&mut self, block: usize) -> bool {
        let reads = self.member.last(block).map(|(_, last)| last.reads.clone()).unwrap_or_default();
        reads.into_iter().all(|read| self.register(read))
    }

    /// Whether the branches that decide whether the block runs are agreed on.
    fn arrival(&mut self, block: usize) -> bool {
        if !self.blocks.insert(block) {
            return true;
        }
        let by = self.member.control.of_block(block).to_vec();
        by.into_iter().all(|by| self.branch(by) && self.arrival(by))
    }

    fn register(&mut self, register: Register) -> bool {
        if !self.registers.insert(register) {
            return true;
        }
        let instructions = &self.member.body.instructions;
        let writers = (0..instructions.len())
            .filter(|at| instructions[*at].writes.iter().any(|write| write.register == register));
        let writers: Vec<usize> = writers.collect();
        writers.into_iter().all(|at| {
            let placed = &instructions[at];
            is_alike(self.member, placed)
                && placed.reads.iter().all(|read| self.register(*read))
                && self.arrival(self.member.graph.block_of(at))
        })
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
        O::Abs | O::Add | O::Addc | O::And | O::Bfe | O::Bfi | O::Bfind | O::Bmsk | O::Brev | O::Clz | O::Cnot => true,
        O::CopySign | O::Cos | O::Cvt | O::Cvta | O::Div | O::Dp2a | O::Dp4a | O::Ex2 | O::Fma | O::Fns => true,
        O::Isspacep | O::Lg2 | O::Lop3 | O::Mad | O::Mad24 | O::Madc | O::Max | O::Min | O::Mov | O::Mul => true,
        O::Mul24 | O::Neg | O::Not | O::Or | O::Popc | O::Prmt | O::Rcp | O::Rem | O::Rsqrt | O::Sad => true,
        O::Selp | O::Set | O::Setp | O::Shf | O::Shl | O::Shr | O::Sin | O::Slct | O::Sqrt | O::Sub => true,
        O::Subc | O::Szext | O::Tanh | O::Testp | O::Xor | O::Bar | O::Barrier => true,
        O::Vadd | O::Vsub | O::Vmad | O::Vmin | O::Vmax | O::Vset | O::Vshl | O::Vshr | O::Vabsdiff => true,
        _ => false,
    }
}
