//! Registers that get a value from the loop.
//!
//! What may be read before it is written is defined at the head: each block finds zero, and nothing of another block. And where
//! several barriers share one, it seems as if a thread could come back from another barrier than the one it left the body at, with
//! all registers that are live there. A definition before the shared barrier tells `ptxas` that they need not be kept until then.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::analysis::{Body, Graph, Liveness, Register, RegisterInfo};
use crate::ast::{ScalarType, StateSpace, Statement};
use crate::legality::is_block_barrier;
use crate::rewrite::inserted::Registers;
use crate::span::Spanned;

/// Moves the declarations of registers to the front, where the head of the loop sees them. There are no scopes in `body`.
pub(super) fn hoisted(body: Vec<Spanned<Statement>>) -> Vec<Spanned<Statement>> {
    let is_register = |one: &Spanned<Statement>| matches!(&one.node, Statement::Variable(variable) if variable.space == StateSpace::Reg);
    let (mut front, rest): (Vec<_>, Vec<_>) = body.into_iter().partition(is_register);
    front.extend(rest);
    front
}

/// For each barrier, in order, the registers that are live behind another one and not behind it.
pub(super) fn behind_others(body: &Body<'_>) -> Vec<Vec<RegisterInfo>> {
    let graph = Graph::of(body);
    let live = Liveness::of(body, &graph);
    let instructions = body.instructions.iter().enumerate();
    let barriers = instructions.filter(|(_, placed)| is_block_barrier(placed.instruction));
    let behind = barriers.map(|(at, placed)| {
        let mut after = live.before(body, &graph, at + 1);
        after.retain(|one| !placed.writes.iter().any(|write| write.whole && write.register == *one));
        after
    });
    let behind: Vec<Vec<Register>> = behind.collect();
    let any: BTreeSet<Register> = behind.iter().flatten().copied().collect();
    let others = |own: &Vec<Register>| {
        let others = any.iter().filter(|one| own.binary_search(one).is_err());
        others.map(|one| body.registers[one.index()].clone()).collect()
    };
    behind.iter().map(others).collect()
}

/// Makes registers zero.
pub(super) fn zeros<'r>(
    all: impl IntoIterator<Item = &'r RegisterInfo>,
    registers: &mut Registers,
) -> String {
    let mut text = String::new();
    for one in all {
        zero(one, registers, &mut text);
    }
    text
}

fn zero(one: &RegisterInfo, registers: &mut Registers, text: &mut String) {
    let Some(ty) = &one.ty else {
        let carry = registers.word();
        let _ = writeln!(text, "mov.u32 {carry}, 0; add.cc.u32 {carry}, {carry}, {carry};"); // a String takes all
        return;
    };
    let places: Vec<String> = match one.vector {
        None => vec![one.name.to_string()],
        Some(length) => {
            let parts = ["x", "y", "z", "w"].into_iter().take(usize::from(length));
            parts.map(|part| format!("{}.{part}", one.name)).collect()
        }
    };
    for place in places {
        let line = match ty.scalar().and_then(ScalarType::bits) {
            None => {
                let zero = registers.word();
                format!("mov.u32 {zero}, 0; setp.ne.u32 {place}, {zero}, 0;")
            }
            Some(8) => {
                let zero = registers.half();
                format!("mov.b16 {zero}, 0; cvt.u8.u16 {place}, {zero};")
            }
            Some(128) => {
                let zero = registers.long();
                format!("mov.b64 {zero}, 0; mov.b128 {place}, {{{zero}, {zero}}};")
            }
            Some(bits) => format!("mov.b{bits} {place}, 0;"),
        };
        let _ = writeln!(text, "{line}"); // a String takes all
    }
}
