//! Addresses that are known: a variable and a constant.

use super::scene::Routine;
use crate::analysis::{Meaning, Register};
use crate::ast::{Expr, Opcode, Operand};

/// An address: a variable and bytes from its start.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) variable: String,
    pub(super) offset: i64,
}

/// Chains of copies and additions are followed so far.
const DEPTH: u32 = 32;

/// What the address operand of an instruction points to, if every register on the way is written once, unconditionally.
pub(super) fn address(routine: &Routine<'_, '_>, at: usize, operand: &Operand) -> Option<Place> {
    let Operand::Address(address) = operand else { return None };
    let base = value(routine, at, &address.base, DEPTH)?;
    let offset = match &address.offset {
        Some(offset) => offset.value()?,
        None => 0,
    };
    Some(Place { offset: base.offset.checked_add(offset)?, ..base })
}

fn value(routine: &Routine<'_, '_>, at: usize, operand: &Operand, depth: u32) -> Option<Place> {
    match operand {
        Operand::Name(name) => match routine.body.instructions[at].meaning(name) {
            Meaning::Variable(..) => Some(Place { variable: name.to_string(), offset: 0 }),
            Meaning::Register(register) => written_once(routine, register, depth.checked_sub(1)?),
            _ => None,
        },
        Operand::Constant(Expr::Binary(crate::ast::BinaryOp::Add, a, b)) => match &**a {
            Expr::Symbol(name) => Some(Place { variable: name.to_string(), offset: b.value()? }),
            _ => None,
        },
        _ => None,
    }
}

fn written_once(routine: &Routine<'_, '_>, register: Register, depth: u32) -> Option<Place> {
    let [at] = routine.writers(register)[..] else { return None };
    let placed = &routine.body.instructions[at];
    let whole = placed.writes.iter().all(|write| write.whole);
    let operands: Vec<&Operand> = placed.instruction.operands.iter().map(|one| &one.node).collect();
    match (&placed.instruction.opcode, &operands[..]) {
        (Opcode::Mov | Opcode::Cvta | Opcode::Cvt, [_, from]) if whole => value(routine, at, from, depth),
        (Opcode::Add, [_, a, b]) if whole => {
            let (base, by) = match (a.value(), b.value()) {
                (None, Some(by)) => (a, by),
                (Some(by), None) => (b, by),
                _ => return None,
            };
            let base = value(routine, at, base, depth)?;
            Some(Place { offset: base.offset.checked_add(by)?, ..base })
        }
        _ => None,
    }
}
