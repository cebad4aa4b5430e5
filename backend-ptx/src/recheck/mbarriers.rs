//! mbarrier objects: their addresses, evaluated forwards, and on which ways through the kernel they are initialised.

use std::collections::{BTreeMap, BTreeSet};

use super::agree;
use super::crew::{Crew, Member};
use crate::analysis::{Meaning, Placed, Register};
use crate::ast::{Expr, Opcode, Operand};
use crate::legality::MbarrierObject;

fn is(placed: &Placed<'_>, word: &str) -> bool {
    placed.instruction.opcode == Opcode::Mbarrier && placed.instruction.has(word)
}

pub(super) fn any(crew: &Crew<'_, '_>) -> bool {
    crew.all().any(|(.., placed)| is(placed, "init"))
}

pub(super) fn check(crew: &Crew<'_, '_>, objects: &[MbarrierObject], objections: &mut Vec<String>) {
    let member = crew.kernel();
    let known = addresses(member);
    let mut inits: BTreeMap<(String, i64), [BTreeSet<usize>; 2]> = BTreeMap::new();
    for (other, at, placed) in crew.all() {
        let kind = [is(placed, "init"), is(placed, "inval")].iter().position(|one| *one);
        let Some(kind) = kind else { continue };
        let operand = placed.instruction.operands.first().map(|one| &one.node);
        let inside = std::ptr::eq(other.body, member.body);
        match operand.and_then(|one| pointed(&known, placed, one)).filter(|_| inside) {
            Some(place) => {
                inits.entry(place).or_default()[kind].insert(member.graph.block_of(at));
            }
            None => {
                objections.push(format!("the object of instruction {at} of `{}` is not known", other.name()))
            }
        }
    }
    for ((variable, offset), [init, inval]) in &inits {
        let claimed = objects.iter().find(|one| one.variable == *variable && one.offset == *offset);
        let fine = match claimed {
            Some(object) if object.live => on_all_ways(member, init) && inval.is_empty(),
            Some(_) => on_all_ways(member, init) && on_all_ways(member, inval),
            None => false,
        };
        if !fine {
            objections.push(format!("whether `{variable}+{offset}` is initialised at the end is not known"));
        }
    }
}

/// The registers that hold a variable's address and a constant, for certain.
fn addresses(member: &Member<'_, '_>) -> BTreeMap<Register, (String, i64)> {
    let instructions = &member.body.instructions;
    let mut writes: BTreeMap<Register, usize> = BTreeMap::new();
    for write in instructions.iter().flat_map(|placed| &placed.writes) {
        *writes.entry(write.register).or_default() += if write.whole { 1 } else { 2 };
    }
    let mut known: BTreeMap<Register, (String, i64)> = BTreeMap::new();
    loop {
        let before = known.len();
        for placed in instructions {
            let [write] = placed.writes[..] else { continue };
            if writes.get(&write.register) != Some(&1) || known.contains_key(&write.register) {
                continue;
            }
            let operands: Vec<&Operand> = placed.instruction.operands.iter().map(|one| &one.node).collect();
            let value = match (&placed.instruction.opcode, &operands[..]) {
                (Opcode::Mov | Opcode::Cvta | Opcode::Cvt, [_, from]) => base(&known, placed, from),
                (Opcode::Add, [_, a, b]) => {
                    let sum = |from, by: &Operand| {
                        let (name, offset) = base(&known, placed, from)?;
                        Some((name, offset.checked_add(by.value()?)?))
                    };
                    sum(a, b).or_else(|| sum(b, a))
                }
                _ => None,
            };
            if let Some(value) = value {
                known.insert(write.register, value);
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

fn base(
    known: &BTreeMap<Register, (String, i64)>,
    placed: &Placed<'_>,
    operand: &Operand,
) -> Option<(String, i64)> {
    match operand {
        Operand::Name(name) => match placed.meaning(name) {
            Meaning::Register(register) => known.get(&register).cloned(),
            Meaning::Variable(..) => Some((name.to_string(), 0)),
            _ => None,
        },
        Operand::Constant(Expr::Binary(crate::ast::BinaryOp::Add, a, b)) => match &**a {
            Expr::Symbol(name) => Some((name.to_string(), b.value()?)),
            _ => None,
        },
        _ => None,
    }
}

fn pointed(
    known: &BTreeMap<Register, (String, i64)>,
    placed: &Placed<'_>,
    operand: &Operand,
) -> Option<(String, i64)> {
    let Operand::Address(address) = operand else { return None };
    let (name, start) = base(known, placed, &address.base)?;
    let offset = address.offset.as_ref().map_or(Some(0), Expr::value)?;
    Some((name, start.checked_add(offset)?))
}

/// Whether every way out of the kernel passes one of the blocks, or the branch by which all threads send one of them there.
fn on_all_ways(member: &Member<'_, '_>, blocks: &BTreeSet<usize>) -> bool {
    let mut walls = BTreeSet::new();
    for block in blocks {
        let mut at = *block;
        walls.insert(at);
        // one thread sent ahead acts for all: the branch that sends it counts as the place
        while let Some(by) =
            member.control.of_block(at).iter().find(|by| **by != at && !agree::on_direction(member, **by))
        {
            if !walls.insert(*by) {
                break;
            }
            at = *by;
        }
    }
    let mut seen = BTreeSet::new();
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if walls.contains(&at) || !seen.insert(at) {
            continue;
        }
        if member.graph.blocks[at].leaves {
            return false;
        }
        open.extend(&member.graph.blocks[at].successors);
    }
    true
}
