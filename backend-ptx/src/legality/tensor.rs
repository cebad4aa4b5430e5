//! Tensor memory and the redistribution of registers: what a block can do once only (row 25 of the table).

use super::Code;
use super::scene::{Family, Findings};
use crate::ast::Opcode;

pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    for (routine, at, placed) in family.instructions() {
        let site = || Some(family.site(routine, at));
        match placed.instruction.opcode {
            Opcode::Tcgen05 if placed.instruction.has("relinquish_alloc_permit") => {
                let message = "the worker's next block could not allocate tensor memory";
                findings.refuse(Code::TensorMemory, site(), message);
            }
            Opcode::SetMaxNReg => {
                let message = "the worker's next block would start with these registers";
                findings.refuse(Code::RegisterRedistribution, site(), message);
            }
            _ => {}
        }
    }
}
