//! Copies that are under way and mbarrier objects at the end of a block, and the ticket's slot (rows 23, 24 and 27).

use std::collections::{BTreeMap, BTreeSet};

use super::constants::{Place, address};
use super::scene::{Family, Findings, Routine};
use super::uniform::Uniformity;
use super::{Code, Fact, MbarrierObject, Slot};
use crate::analysis::{Meaning, Placed, Tree};
use crate::ast::{FunctionKind, Opcode, Operand, StateSpace};
use crate::rewrite::SLOT_BYTES;

pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    mbarriers(family, findings);
    drains(family, findings);
    let dynamic = family.instructions().any(|(.., placed)| names_dynamic_shared(placed));
    let full = static_shared(family).saturating_add(SLOT_BYTES) > MOST_STATIC_SHARED;
    let slot = if dynamic || full { Slot::Global } else { Slot::Shared };
    findings.facts.push(Fact::TicketSlot { slot });
}

/// The most static shared memory that a kernel may have, whatever the target.
const MOST_STATIC_SHARED: u64 = 48 << 10;

/// The bytes of static shared memory that the family names, at most.
fn static_shared(family: &Family<'_, '_, '_>) -> u64 {
    let mut bytes = BTreeMap::new();
    for (name, meaning) in family.instructions().flat_map(|(.., placed)| &placed.names) {
        let Meaning::Variable(variable, one) = meaning else { continue };
        if matches!(variable.space, StateSpace::Shared | StateSpace::SharedCta) {
            let align = variable.align.map_or(SLOT_BYTES, u64::from).max(SLOT_BYTES);
            let room = variable.bytes(one).and_then(|bytes| bytes.checked_next_multiple_of(align));
            bytes.insert((name.as_str(), std::ptr::from_ref(*one)), room.unwrap_or(0));
        }
    }
    bytes.into_values().fold(0, u64::saturating_add)
}

/// Whether the instruction names shared memory whose length is left to the launch.
pub(crate) fn names_dynamic_shared(placed: &Placed<'_>) -> bool {
    placed.names.iter().any(|(_, meaning)| match meaning {
        Meaning::Variable(variable, one) => {
            let shared = matches!(variable.space, StateSpace::Shared | StateSpace::SharedCta);
            let open = one.dimensions.iter().any(Option::is_none) && one.init.is_none();
            let external = variable.linkage.contains(&crate::ast::Linkage::Extern);
            shared && (open || external)
        }
        _ => false,
    })
}

/// What has to be waited for, or given back, before the next block.
fn drains(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let mut kinds = BTreeSet::new();
    let mut waits = false;
    let mut bulk_load = None;
    for (routine, at, placed) in family.instructions() {
        let instruction = placed.instruction;
        match instruction.opcode {
            Opcode::Cp if instruction.has("bulk") => {
                kinds.insert("cp.async.bulk".to_owned());
                let completes = instruction.has("mbarrier::complete_tx::bytes");
                if completes && bulk_load.is_none() {
                    bulk_load = Some((routine, at));
                }
            }
            Opcode::Cp => {
                kinds.insert("cp.async".to_owned());
            }
            Opcode::Wgmma => {
                kinds.insert("wgmma".to_owned());
            }
            Opcode::Tcgen05 => {
                kinds.insert("tcgen05".to_owned());
            }
            // a function gives its stack back, the kernel does so only at its end
            Opcode::Alloca if routine.body.function.kind == FunctionKind::Entry => {
                kinds.insert("alloca".to_owned());
            }
            Opcode::Mbarrier => waits |= instruction.has("try_wait") || instruction.has("test_wait"),
            _ => {}
        }
    }
    if let Some((routine, at)) = bulk_load.filter(|_| !waits) {
        let message = "this completes on an mbarrier object that nobody waits for";
        findings.refuse(Code::UnawaitedCopy, Some(family.site(routine, at)), message);
    }
    if !kinds.is_empty() {
        findings.facts.push(Fact::Drains { kinds: kinds.into_iter().collect() });
    }
}

fn operation(placed: &Placed<'_>, word: &str) -> bool {
    placed.instruction.opcode == Opcode::Mbarrier && placed.instruction.has(word)
}

/// Each object has a known address, and is initialised at the end of the block on all paths or on none.
fn mbarriers(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let mut inits: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
    let mut invals: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
    let before = findings.reasons.len();
    for (routine, at, placed) in family.instructions() {
        let (init, inval) = (operation(placed, "init"), operation(placed, "inval"));
        if !init && !inval {
            continue;
        }
        let in_kernel = routine.body.function.kind == FunctionKind::Entry;
        let operand: Option<&Operand> = placed.instruction.operands.first().map(|one| &one.node);
        match operand.and_then(|one| address(routine, at, one)).filter(|_| in_kernel) {
            Some(place) if init => inits.entry(place).or_default().push(at),
            Some(place) => invals.entry(place).or_default().push(at),
            None => {
                let message = "the address of this mbarrier object is not known";
                findings.refuse(Code::MbarrierAddress, Some(family.site(routine, at)), message);
            }
        }
    }
    let paths = Paths::of(family.kernel);
    let mut objects = Vec::new();
    for (place, sites) in &inits {
        let ended = invals.get(place).map_or(&[][..], Vec::as_slice);
        match (paths.on_all(sites), ended.is_empty(), paths.on_all(ended)) {
            (true, true, _) => objects.push(object(place, true)),
            (true, false, true) => objects.push(object(place, false)),
            _ => {
                let message = "this mbarrier object is initialised on some paths only";
                findings.refuse(Code::MbarrierPaths, Some(family.site(family.kernel, sites[0])), message);
            }
        }
    }
    if findings.reasons.len() == before && !objects.is_empty() {
        findings.facts.push(Fact::Mbarriers { objects });
    }
}

fn object(place: &Place, live: bool) -> MbarrierObject {
    MbarrierObject { variable: place.variable.clone(), offset: place.offset, live }
}

/// Which instructions every block passes: an elected thread's count for the block.
struct Paths<'r, 'v, 'a> {
    routine: &'r Routine<'v, 'a>,
    uniform: Uniformity,
    dominators: Tree,
}

impl<'r, 'v, 'a> Paths<'r, 'v, 'a> {
    fn of(routine: &'r Routine<'v, 'a>) -> Self {
        Paths { routine, uniform: Uniformity::of(routine), dominators: Tree::dominators(&routine.graph) }
    }

    /// Whether one of the instructions is on every way out of the kernel.
    fn on_all(&self, sites: &[usize]) -> bool {
        let blocks = &self.routine.graph.blocks;
        sites.iter().any(|at| {
            let block = self.block_for_all(self.routine.graph.block_of(*at));
            let mut exits = (0..blocks.len()).filter(|exit| blocks[*exit].leaves);
            exits.all(|exit| self.dominators.dominates(block, exit) || !self.dominators.contains(exit))
        })
    }

    /// The block where the whole thread block decides to send an elected thread here.
    fn block_for_all(&self, mut block: usize) -> usize {
        for _ in 0..self.routine.graph.blocks.len() {
            let by = self.routine.control.of_block(block).iter();
            let chosen = by.copied().find(|by| self.uniform.divides(self.routine, *by) && *by != block);
            match chosen {
                Some(above) if self.dominators.dominates(above, block) => block = above,
                _ => break,
            }
        }
        block
    }
}
