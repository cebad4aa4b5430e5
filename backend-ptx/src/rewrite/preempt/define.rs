//! Registers that get a value from the loop.
//!
//! What may be read before it is written is defined at the head: each block finds zero, as nothing of another block. And where
//! several barriers share one, a register that is live behind another of them is defined before: else it would be live all the
//! way around the loop.

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

/// What is live behind the barriers of a body.
#[derive(Debug, Default)]
pub(super) struct Behind {
    /// For each barrier, in order, what is live behind another one and not behind it.
    pub(super) others: Vec<Vec<RegisterInfo>>,
    /// What is live behind any.
    pub(super) any: Vec<RegisterInfo>,
}

impl Behind {
    pub(super) fn of(body: &Body<'_>) -> Behind {
        let graph = Graph::of(body);
        let live = Liveness::of(body, &graph);
        let instructions = body.instructions.iter().enumerate();
        let barriers = instructions.filter(|(_, placed)| is_block_barrier(placed.instruction));
        let behind: Vec<BTreeSet<Register>> = barriers
            .map(|(at, placed)| {
                let written = placed.writes.iter().filter(|write| write.whole).map(|write| write.register);
                let written: Vec<Register> = written.collect();
                let after = live.before(body, &graph, at + 1);
                after.into_iter().filter(|register| !written.contains(register)).collect()
            })
            .collect();
        let any: BTreeSet<Register> = behind.iter().flatten().copied().collect();
        let infos = |all: &mut dyn Iterator<Item = &Register>| -> Vec<RegisterInfo> {
            all.map(|register| body.registers[register.index()].clone()).collect()
        };
        let others = behind.iter().map(|own| infos(&mut any.difference(own)));
        Behind { others: others.collect(), any: infos(&mut any.iter()) }
    }
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
