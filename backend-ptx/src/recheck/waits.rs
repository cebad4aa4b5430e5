//! The certificates for loops that read what other blocks may write.
//!
//! Exits that are reached in any case are taken out, each checked in the cycle in which it stands. What then still is a cycle
//! must not have a branch that such a read decides.

use std::collections::{BTreeMap, BTreeSet};

use super::crew::{Crew, Member};
use super::taint::Ring;
use crate::analysis::{Meaning, Placed, Register, cycles};
use crate::ast::{Opcode, Operand};
use crate::legality::{Cut, Site};

pub(super) fn check(crew: &Crew<'_, '_>, cuts: &[Cut], objections: &mut Vec<String>) {
    for member in &crew.members {
        let cuts = by_place(member, cuts);
        let all: Vec<usize> = (0..member.graph.blocks.len()).collect();
        let mut open = cycles(&member.graph, &all);
        while let Some(blocks) = open.pop() {
            let ring = Ring { member, blocks: blocks.iter().copied().collect() };
            let reads = unmoved(crew, &ring, &cuts);
            if !decides(&ring, &reads) {
                continue;
            }
            let exit = among(&ring, &cuts).find_map(|cut| holds(crew, &ring, cut));
            match exit {
                Some(exit) => {
                    let rest: Vec<usize> = blocks.into_iter().filter(|block| *block != exit).collect();
                    open.extend(cycles(&member.graph, &rest));
                }
                None => {
                    let at = reads.first().copied().unwrap_or(0);
                    objections.push(format!("a loop of `{}` waits at instruction {at}", member.name()));
                }
            }
        }
    }
}

/// Cuts by the exit or the load that they are about.
type Cuts<'c> = BTreeMap<usize, Vec<&'c Cut>>;

/// The cuts of a function.
fn by_place<'c>(member: &Member<'_, '_>, cuts: &'c [Cut]) -> Cuts<'c> {
    let mut all = Cuts::new();
    for cut in cuts {
        let (Cut::Counted { exit: at, .. }
        | Cut::CompareAndSwap { exit: at, .. }
        | Cut::Tickets { exit: at, .. }
        | Cut::MovingAddress { load: at, .. }) = cut;
        if let Some(at) = index(member, at) {
            all.entry(at).or_default().push(cut);
        }
    }
    all
}

/// The cuts whose exit or load lies on the cycle.
fn among<'r, 'c>(ring: &'r Ring<'_, '_, '_>, cuts: &'r Cuts<'c>) -> impl Iterator<Item = &'c Cut> + 'r {
    ring.instructions().filter_map(|(at, _)| cuts.get(&at)).flatten().copied()
}

/// The reads of the cycle that no valid cut shows to move on.
fn unmoved(crew: &Crew<'_, '_>, ring: &Ring<'_, '_, '_>, cuts: &Cuts<'_>) -> BTreeSet<usize> {
    let moved: Vec<usize> = among(ring, cuts).filter_map(|cut| moves(ring, cut)).collect();
    let reads =
        ring.instructions().filter(|(at, placed)| !moved.contains(at) && ring.sees_others(crew, placed));
    reads.map(|(at, _)| at).collect()
}

/// Whether one of the reads may decide where a branch of the cycle goes.
fn decides(ring: &Ring<'_, '_, '_>, reads: &BTreeSet<usize>) -> bool {
    if reads.is_empty() {
        return false;
    }
    let tainted = ring.tainted(reads, false);
    ring.blocks.iter().filter(|block| ring.member.ways(**block) > 1).any(|block| {
        ring.member.last(*block).is_some_and(|(_, last)| last.reads.iter().any(|read| tainted.contains(read)))
    })
}

fn index(member: &Member<'_, '_>, site: &Site) -> Option<usize> {
    (site.function == member.name() && site.instruction < member.body.instructions.len())
        .then_some(site.instruction)
}

/// The block of an exit that is reached in any case.
fn holds(crew: &Crew<'_, '_>, ring: &Ring<'_, '_, '_>, cut: &Cut) -> Option<usize> {
    let member = ring.member;
    let exit = match cut {
        Cut::Counted { exit, .. } | Cut::CompareAndSwap { exit, .. } | Cut::Tickets { exit, .. } => {
            index(member, exit)?
        }
        Cut::MovingAddress { .. } => return None,
    };
    let block = member.graph.block_of(exit);
    let node = &member.graph.blocks[block];
    let leaves = node.leaves || node.successors.iter().any(|next| !ring.blocks.contains(next));
    if !ring.contains(exit) || !leaves || node.instructions.end != exit + 1 {
        return None;
    }
    let fine = match cut {
        Cut::Counted { steps, .. } => counted(ring, exit, &indices(member, steps)?),
        Cut::CompareAndSwap { atom, .. } => swap(ring, exit, index(member, atom)?),
        Cut::Tickets { atom, .. } => ticket(crew, ring, exit, index(member, atom)?),
        Cut::MovingAddress { .. } => false,
    };
    fine.then_some(block)
}

fn indices(member: &Member<'_, '_>, sites: &[Site]) -> Option<BTreeSet<usize>> {
    sites.iter().map(|site| index(member, site)).collect()
}

/// Whether each way round that passes `block` passes one of the instructions.
fn passes(ring: &Ring<'_, '_, '_>, block: usize, instructions: &BTreeSet<usize>) -> bool {
    let through: BTreeSet<usize> = instructions.iter().map(|at| ring.member.graph.block_of(*at)).collect();
    let rest: Vec<usize> = ring.blocks.difference(&through).copied().collect();
    through.contains(&block) || !cycles(&ring.member.graph, &rest).iter().any(|cycle| cycle.contains(&block))
}

fn register(placed: &Placed<'_>, operand: usize) -> Option<Register> {
    let name = placed.instruction.operands.get(operand)?.node.as_name()?;
    match placed.meaning(name) {
        Meaning::Register(register) => Some(register),
        _ => None,
    }
}

/// The registers that hold a counter: what the steps write, and what is copied to or from it. `None` if anything else
/// writes one of them, or if the steps go both ways.
fn counter(ring: &Ring<'_, '_, '_>, steps: &BTreeSet<usize>) -> Option<BTreeSet<Register>> {
    let instructions = &ring.member.body.instructions;
    let mut held: BTreeSet<Register> = BTreeSet::new();
    let mut signs = BTreeSet::new();
    for at in steps {
        let step = instructions.get(*at).filter(|_| ring.contains(*at))?;
        signs.insert(sign(ring, step)?);
        held.extend(step.writes.iter().map(|write| write.register));
        held.extend(step.reads.iter().filter(|read| !ring.writers(**read).is_empty()));
    }
    loop {
        let before = held.len();
        for register in held.clone() {
            for at in ring.writers(register).into_iter().filter(|at| !steps.contains(at)) {
                let placed = &instructions[at];
                let copies = placed.instruction.opcode == Opcode::Mov && placed.instruction.guard.is_none();
                held.insert(self::register(placed, 1).filter(|_| copies)?);
            }
        }
        if held.len() == before {
            return (signs.len() == 1 && !steps.is_empty()).then_some(held);
        }
    }
}

/// Whether a step adds something positive or negative that does not change.
fn sign(ring: &Ring<'_, '_, '_>, step: &Placed<'_>) -> Option<bool> {
    let operands = &step.instruction.operands;
    let adds = match step.instruction.opcode {
        Opcode::Add => true,
        Opcode::Sub => false,
        _ => return None,
    };
    if step.instruction.guard.is_some() || operands.len() != 3 {
        return None;
    }
    match operands[2].node.value() {
        Some(0) => None,
        Some(by) => Some((by > 0) == adds),
        None => {
            let fixed = step.reads.iter().filter(|read| ring.writers(**read).is_empty());
            fixed.into_iter().any(|read| is_size(ring.member, *read, 5)).then_some(adds)
        }
    }
}

/// Whether the register holds a number of threads or blocks, a positive constant, or a product of such.
fn is_size(member: &Member<'_, '_>, register: Register, depth: u32) -> bool {
    let [at] = member.writers(register)[..] else { return false };
    let placed = &member.body.instructions[at];
    let sized = |operand: usize| match placed.instruction.operands.get(operand).map(|one| &one.node) {
        Some(Operand::Component(name, _)) => name == "%ntid" || name == "%nctaid",
        Some(Operand::Constant(expr)) => expr.value().is_some_and(|value| value > 0),
        Some(Operand::Name(_)) => {
            depth > 0 && self::register(placed, operand).is_some_and(|one| is_size(member, one, depth - 1))
        }
        _ => false,
    };
    match placed.instruction.opcode {
        Opcode::Mul => sized(1) && sized(2),
        Opcode::Mov | Opcode::Cvt | Opcode::Shl => sized(1),
        _ => false,
    }
}

/// The comparison behind the guard of an exit, in its block.
fn comparison<'c, 'a>(ring: &Ring<'c, '_, 'a>, exit: usize) -> Option<&'c Placed<'a>> {
    let instructions = &ring.member.body.instructions;
    let guard = instructions[exit].instruction.guard.as_ref()?;
    let Meaning::Register(predicate) = instructions[exit].meaning(&guard.register) else { return None };
    let writers = ring.writers(predicate);
    let at = *writers.first().filter(|_| writers.len() == 1)?;
    let near = ring.member.graph.block_of(at) == ring.member.graph.block_of(exit);
    let placed = &instructions[at];
    (near && placed.instruction.opcode == Opcode::Setp && placed.instruction.operands.len() == 3)
        .then_some(placed)
}

fn counted(ring: &Ring<'_, '_, '_>, exit: usize, steps: &BTreeSet<usize>) -> bool {
    let Some(held) = counter(ring, steps) else { return false };
    let Some(setp) = comparison(ring, exit) else { return false };
    let counts = |operand| register(setp, operand).is_some_and(|one| held.contains(&one));
    let fixed = |operand: usize| {
        let constant = setp.instruction.operands[operand].node.value().is_some();
        constant || register(setp, operand).is_some_and(|one| ring.writers(one).is_empty())
    };
    ((counts(1) && fixed(2)) || (counts(2) && fixed(1)))
        && passes(ring, ring.member.graph.block_of(exit), steps)
}

/// The swap's result is compared with what it was to find; equal leaves; unequal tries again with the result.
fn swap(ring: &Ring<'_, '_, '_>, exit: usize, atom: usize) -> bool {
    let instructions = &ring.member.body.instructions;
    let (placed, Some(setp)) = (&instructions[atom], comparison(ring, exit)) else { return false };
    let (Some(old), Some(assumed)) = (register(placed, 0), register(placed, 2)) else { return false };
    let is_swap = placed.instruction.form().starts_with("atom.") && placed.instruction.has("cas");
    let compared = [register(setp, 1), register(setp, 2)];
    let same = compared == [Some(old), Some(assumed)] || compared == [Some(assumed), Some(old)];
    let address = |at: usize| instructions[at].instruction.operands.get(1).map(|one| one.node.to_string());
    let writers = ring.writers(assumed);
    let again = !writers.is_empty()
        && writers.iter().all(|at| match instructions[*at].instruction.opcode {
            Opcode::Mov => register(&instructions[*at], 1) == Some(old),
            Opcode::Ld => address(*at) == address(atom),
            _ => false,
        });
    is_swap
        && same
        && again
        && leaves_when_equal(ring, exit, setp)
        && passes(ring, ring.member.graph.block_of(exit), &BTreeSet::from([atom]))
}

fn leaves_when_equal(ring: &Ring<'_, '_, '_>, exit: usize, setp: &Placed<'_>) -> bool {
    let branch = &ring.member.body.instructions[exit];
    let Some(guard) = &branch.instruction.guard else { return false };
    let equal_gives = match (setp.instruction.has("eq"), setp.instruction.has("ne")) {
        (true, false) => true,
        (false, true) => false,
        _ => return false,
    };
    let taken = equal_gives != guard.negated;
    let target = branch.instruction.operands.first().and_then(|one| one.node.as_name());
    let position = target.and_then(|name| match branch.meaning(name) {
        Meaning::Label(label) => Some(ring.member.body.labels[label.0 as usize].position),
        _ => None,
    });
    let Some(position) = position else { return false };
    let next = if taken { position } else { exit + 1 };
    next >= ring.member.body.instructions.len() || !ring.contains(next)
}

/// The exit depends on the counter's numbers, and on nothing else that others write.
fn ticket(crew: &Crew<'_, '_>, ring: &Ring<'_, '_, '_>, exit: usize, atom: usize) -> bool {
    let placed = &ring.member.body.instructions[atom];
    let form = placed.instruction.form();
    let counts = placed.instruction.opcode == Opcode::Atom
        && (form.contains(".inc")
            || form.contains(".dec")
            || (form.contains(".add") && adds_something(placed)));
    let is_ticket = |placed: &Placed<'_>| {
        let form = placed.instruction.form();
        placed.instruction.opcode == Opcode::Atom
            && (form.contains(".inc")
                || form.contains(".dec")
                || (form.contains(".add") && adds_something(placed)))
    };
    let others: BTreeSet<usize> = ring
        .instructions()
        .filter(|(_, placed)| ring.sees_others(crew, placed) && !is_ticket(placed))
        .map(|(at, _)| at)
        .collect();
    let reads = &ring.member.body.instructions[exit].reads;
    let by = |tainted: BTreeSet<Register>| reads.iter().any(|read| tainted.contains(read));
    counts
        && ring.contains(atom)
        && by(ring.tainted(&BTreeSet::from([atom]), true))
        && !by(ring.tainted(&others, true))
}

fn adds_something(placed: &Placed<'_>) -> bool {
    placed.instruction.operands.get(2).and_then(|by| by.node.value()).is_some_and(|by| by != 0)
}

/// The load that a valid cut of that kind is about.
fn moves(ring: &Ring<'_, '_, '_>, cut: &Cut) -> Option<usize> {
    let Cut::MovingAddress { load, steps } = cut else { return None };
    let (load, steps) = (index(ring.member, load)?, indices(ring.member, steps)?);
    let mut moving = counter(ring, &steps).filter(|_| ring.contains(load))?;
    use Opcode as O;
    loop {
        let before = moving.len();
        for (_, placed) in ring.instructions() {
            let affine = matches!(
                placed.instruction.opcode,
                O::Add | O::Sub | O::Mul | O::Mad | O::Shl | O::Cvt | O::Mov | O::Cvta
            );
            let changing = placed.reads.iter().filter(|read| !ring.writers(**read).is_empty());
            let changing: Vec<&Register> = changing.collect();
            let alone =
                changing.len() == 1 && moving.contains(changing[0]) && placed.instruction.guard.is_none();
            if let ([write], true) = (&placed.writes[..], affine && alone)
                && ring.writers(write.register).len() == 1
            {
                moving.insert(write.register);
            }
        }
        if moving.len() == before {
            break;
        }
    }
    let placed = &ring.member.body.instructions[load];
    let Operand::Address(address) = &placed.instruction.operands.get(1)?.node else { return None };
    let Meaning::Register(base) = placed.meaning(address.base.as_name()?) else { return None };
    (moving.contains(&base) && passes(ring, ring.member.graph.block_of(load), &steps)).then_some(load)
}
