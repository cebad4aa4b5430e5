//! Facts of the preemptible form.

use std::collections::BTreeSet;

use super::calls::recurs;
use super::crew::{Crew, Member, keys, named_callee};
use super::{agree, mbarriers};
use crate::analysis::{Liveness, Meaning, Placed};
use crate::ast::{Declarator, FunctionKind, Linkage, Opcode, StateSpace};
use crate::legality::{BarrierSite, Site, Slot};

pub(super) fn is_barrier(placed: &Placed<'_>) -> bool {
    let form = placed.instruction.form();
    let block =
        form.starts_with("bar.") || form.starts_with("barrier.") || form == "bar" || form == "barrier";
    block && !form.contains(".warp") && !form.contains(".cluster")
}

/// Barrier number and whether all threads take part, from the operands without the result of a reduction and its predicate.
fn shape(placed: &Placed<'_>) -> (Option<i64>, bool) {
    let reduces = placed.instruction.has("red");
    let mut operands: Vec<_> = placed.instruction.operands.iter().map(|one| &one.node).collect();
    if reduces && operands.len() >= 2 {
        operands.remove(0);
        operands.pop();
    }
    (operands.first().map_or(Some(0), |id| id.value()), operands.len() < 2)
}

pub(super) fn live_in(crew: &Crew<'_, '_>, registers: &[String], objections: &mut Vec<String>) {
    let member = crew.kernel();
    let live = Liveness::of(member.body, &member.graph);
    for register in live.at_start_of(0) {
        let name = &member.body.registers[register.index()].name;
        if !registers.iter().any(|own| *name == **own) {
            objections.push(format!("`{name}` may be read before it is written"));
        }
    }
}

/// Whether the kernel's instruction is a barrier or calls something that has one.
fn has_barrier(crew: &Crew<'_, '_>, placed: &Placed<'_>) -> bool {
    if is_barrier(placed) {
        return true;
    }
    let inside = |member: &&Member<'_, '_>| member.body.instructions.iter().any(is_barrier);
    match named_callee(placed) {
        Some(function) => {
            let reached = crew.calls.reachable(&function.name);
            crew.members.iter().filter(|one| reached.contains(one.name())).any(|one| inside(&one))
        }
        None => {
            placed.instruction.opcode == Opcode::Call && crew.members.iter().skip(1).any(|one| inside(&one))
        }
    }
}

/// Blocks reachable from these, they included.
pub(super) fn reach(member: &Member<'_, '_>, from: Vec<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = from;
    while let Some(at) = open.pop() {
        if found.insert(at) {
            open.extend(&member.graph.blocks[at].successors);
        }
    }
    found
}

/// Blocks from which one of these can be reached, they included, without passing a block of `stop` before.
pub(super) fn lead_to(member: &Member<'_, '_>, to: Vec<usize>, stop: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = to;
    while let Some(at) = open.pop() {
        if found.insert(at) {
            open.extend(member.graph.blocks[at].predecessors.iter().filter(|before| !stop.contains(before)));
        }
    }
    found
}

/// No branch lets one thread leave without a barrier and another go to a barrier, unless all threads agree on it.
pub(super) fn no_retire(crew: &Crew<'_, '_>, objections: &mut Vec<String>) {
    let member = crew.kernel();
    let blocks = &member.graph.blocks;
    let waits = |block: &usize| {
        let mut all = blocks[*block].instructions.clone();
        all.any(|at| has_barrier(crew, &member.body.instructions[at]))
    };
    let barriers: BTreeSet<usize> = (0..blocks.len()).filter(waits).collect();
    let exits = (0..blocks.len()).filter(|at| blocks[*at].leaves && !barriers.contains(at)).collect();
    let free = lead_to(member, exits, &barriers);
    let meet = lead_to(member, barriers.iter().copied().collect(), &BTreeSet::new());
    for (block, node) in blocks.iter().enumerate().filter(|(block, _)| member.ways(*block) > 1) {
        let leaves = node.leaves || node.successors.iter().any(|next| free.contains(next));
        let meets = node.successors.iter().any(|next| meet.contains(next));
        if leaves && meets && !agree::on_branch(member, block) {
            let at = node.instructions.end.saturating_sub(1);
            objections.push(format!(
                "threads may part around a barrier at instruction {at} of `{}`",
                member.name()
            ));
        }
    }
}

/// All barriers are this one, full, in the kernel.
pub(super) fn retire(crew: &Crew<'_, '_>, barrier: u32, objections: &mut Vec<String>) {
    for (member, at, placed) in crew.all().filter(|(.., placed)| is_barrier(placed)) {
        let one = shape(placed) == (Some(i64::from(barrier)), true);
        if !one || member.body.function.kind == FunctionKind::Func {
            objections.push(format!("instruction {at} of `{}` is another barrier", member.name()));
        }
    }
}

pub(super) fn spare(crew: &Crew<'_, '_>, sites: &[BarrierSite], spare: u32, objections: &mut Vec<String>) {
    let found = crew.where_(is_barrier);
    for (function, at) in found.symmetric_difference(&keys(sites.iter().map(|one| &one.at))) {
        objections.push(format!("the list of barriers is wrong at instruction {at} of `{function}`"));
    }
    for (member, at, placed) in crew.all().filter(|(.., placed)| is_barrier(placed)) {
        let (id, full) = shape(placed);
        let apart = full || id.is_some_and(|id| id != i64::from(spare));
        if !apart || spare > 15 || placed.instruction.has("arrive") {
            objections.push(format!("instruction {at} of `{}` may meet the loop's barrier", member.name()));
        }
    }
}

pub(super) fn masks(crew: &Crew<'_, '_>, sites: &[Site], objections: &mut Vec<String>) {
    for site in sites.iter().filter(|site| crew.member(&site.function).is_none()) {
        objections.push(format!("`{}` does not run", site.function));
    }
}

/// What may only happen once in the life of a thread, and what lanes that have left would have to take part in.
pub(super) fn once_only(crew: &Crew<'_, '_>, objections: &mut Vec<String>) {
    let module = crew.verified.module();
    if module.version().is_none_or(|(major, _)| major < 2) || module.architecture().is_none_or(|sm| sm < 20) {
        objections.push("the target is too old for tickets".to_owned());
    }
    for (member, at, placed) in crew.all() {
        let form = placed.instruction.form();
        let function = member.body.function.kind == FunctionKind::Func;
        let once = form.contains("relinquish_alloc_permit") || form.starts_with("setmaxnreg");
        if once || (function && placed.instruction.opcode == Opcode::Exit) {
            objections.push(format!("instruction {at} of `{}` can run once only", member.name()));
        }
        if function && is_barrier(placed) && recurs(crew, member.name()) {
            objections.push(format!("`{}` has a barrier and may call itself", member.name()));
        }
    }
}

/// Accesses to global memory whose address comes from the number of the warp slot.
pub(super) fn by_warp_slot(crew: &Crew<'_, '_>) -> Vec<String> {
    let mut wrong = Vec::new();
    for member in &crew.members {
        let mut held: BTreeSet<crate::analysis::Register> = BTreeSet::new();
        loop {
            let before = held.len();
            for placed in &member.body.instructions {
                let source = placed.names.iter().any(|(name, _)| *name == "%warpid");
                let passes_on = !placed.instruction.form().starts_with("ld.")
                    && placed.reads.iter().any(|read| held.contains(read));
                if source || passes_on {
                    held.extend(placed.writes.iter().map(|write| write.register));
                }
            }
            if held.len() == before {
                break;
            }
        }
        let memory = |placed: &&Placed<'_>| {
            let space = placed.instruction.space().is_none_or(|space| space == StateSpace::Global);
            let form = placed.instruction.form();
            space && ["ld", "st", "atom", "red"].contains(&form.split('.').next().unwrap_or(""))
        };
        let mut all = member.body.instructions.iter().filter(memory);
        if all.any(|placed| placed.reads.iter().any(|read| held.contains(read))) {
            wrong.push(format!("memory of `{}` belongs to a warp slot", member.name()));
        }
    }
    wrong
}

pub(super) fn slot(crew: &Crew<'_, '_>, slot: Slot, objections: &mut Vec<String>) {
    let dynamic = |placed: &Placed<'_>| {
        placed.names.iter().any(|(_, meaning)| match meaning {
            Meaning::Variable(variable, _) => {
                variable.linkage.contains(&Linkage::Extern)
                    && matches!(variable.space, StateSpace::Shared | StateSpace::SharedCta)
            }
            _ => false,
        })
    };
    if slot == Slot::Shared && crew.all().any(|(.., placed)| dynamic(placed)) {
        objections.push("a static slot would shift the dynamic shared memory".to_owned());
    }
    let mut seen: Vec<&Declarator> = Vec::new();
    let mut total: u64 = 16;
    for (_, meaning) in crew.all().flat_map(|(.., placed)| &placed.names) {
        let Meaning::Variable(variable, one) = meaning else { continue };
        let is_shared = matches!(variable.space, StateSpace::Shared | StateSpace::SharedCta);
        if is_shared && !seen.iter().any(|own| std::ptr::eq(*own, *one)) {
            seen.push(*one);
            total = total.saturating_add(variable.bytes(one).unwrap_or(0));
        }
    }
    if slot == Slot::Shared && total > 0xc000 {
        objections.push("a static slot does not fit into shared memory".to_owned());
    }
}

pub(super) fn drains(crew: &Crew<'_, '_>, objections: &mut Vec<String>) {
    let waits = crew.all().any(|(.., placed)| placed.instruction.form().contains("_wait"));
    for (member, at, placed) in crew.all() {
        let form = placed.instruction.form();
        if form.starts_with("cp.async.bulk") && form.contains("complete_tx") && !waits {
            objections.push(format!("nobody waits for instruction {at} of `{}`", member.name()));
        }
    }
}

/// The kinds of asynchronous work that are not in the list.
pub(super) fn undrained(crew: &Crew<'_, '_>, kinds: &[String]) -> Vec<String> {
    let all = ["cp.async.bulk", "cp.async", "wgmma", "tcgen05"];
    let used = crew.all().filter_map(|(member, _, placed)| {
        let form = placed.instruction.form();
        if form.starts_with("alloca") && member.body.function.kind == FunctionKind::Entry {
            return Some("alloca");
        }
        let reduces = form.starts_with("cp.reduce.async.bulk").then_some("cp.async.bulk");
        all.into_iter().find(|kind| form.starts_with(kind)).or(reduces)
    });
    let missing: BTreeSet<&str> = used.filter(|kind| !kinds.iter().any(|own| own == kind)).collect();
    missing.into_iter().map(|kind| format!("`{kind}` is not drained")).collect()
}

/// The facts that are needed only if something is there.
pub(super) fn needed(crew: &Crew<'_, '_>, kinds: &[String], objects: bool) -> Vec<String> {
    let mut wrong = undrained(crew, kinds);
    wrong.extend(by_warp_slot(crew));
    if !objects && mbarriers::any(crew) {
        wrong.push("the fact `mbarriers` is missing".to_owned());
    }
    wrong
}
