//! Special registers that name the grid, the launch or the machine (rows 1, 7 and 48 of the table).

use std::collections::BTreeSet;

use super::scene::{Family, Findings, Routine};
use super::{Code, Fact};
use crate::analysis::{Meaning, Placed, Register};
use crate::ast::{Opcode, StateSpace};
use crate::name::Name;

/// What a special register says.
enum Says {
    /// The block index and the size of the grid, which the form replaces.
    BlockIndex,
    /// Something about the thread, the block, the machine or the time.
    Harmless,
    /// The position in a cluster, or its size: clusters have a rule of their own.
    Cluster,
    /// The number of the launch.
    Launch,
    /// Memory with which the driver lets all blocks of a cooperative launch wait for each other.
    Workspace,
    /// Something of the driver's.
    Driver,
}

fn says(name: &str) -> Says {
    match name.trim_start_matches('%') {
        "ctaid" | "nctaid" => Says::BlockIndex,
        "gridid" | "gridid32" => Says::Launch,
        "envreg1" | "envreg2" => Says::Workspace,
        "current_graph_exec" => Says::Driver,
        name if name.starts_with("envreg") => Says::Driver,
        name if name.contains("cluster") => Says::Cluster,
        _ => Says::Harmless,
    }
}

pub(super) fn specials<'p>(placed: &'p Placed<'_>) -> impl Iterator<Item = &'p Name> {
    placed.names.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Special)).map(|(name, _)| *name)
}

pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let mut names = BTreeSet::new();
    for (routine, at, placed) in family.instructions() {
        for name in specials(placed) {
            let mut refuse = |code, what| {
                let message = format!("`{name}` {what}");
                findings.refuse(code, Some(family.site(routine, at)), message);
            };
            match says(name) {
                Says::BlockIndex => continue,
                Says::Harmless | Says::Cluster => {}
                Says::Launch if is_dead(routine, placed) => {}
                Says::Launch => refuse(Code::GridIdentity, "is another in every launch of the form"),
                Says::Workspace => refuse(Code::CooperativeLaunch, "is for blocks that wait for one another"),
                Says::Driver => refuse(Code::EnvironmentRegister, "is set by the driver"),
            }
            names.insert(name.to_string());
        }
    }
    findings.facts.push(Fact::SpecialRegisters { names: names.into_iter().collect() });
}

/// Whether nobody reads what the instruction writes.
fn is_dead(routine: &Routine<'_, '_>, placed: &Placed<'_>) -> bool {
    let reads =
        |register: Register| routine.body.instructions.iter().any(|other| other.reads.contains(&register));
    placed.instruction.opcode == Opcode::Mov && !placed.writes.iter().any(|write| reads(write.register))
}

/// Memory that belongs to whoever sits in a warp slot is used by one block after another; that a worker's blocks
/// leave it to each other as different blocks would is not known.
pub(super) fn check_preempt(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    for routine in &family.members {
        let sources: Vec<Register> = routine
            .body
            .instructions
            .iter()
            .filter(|placed| specials(placed).any(|name| name == "%warpid"))
            .flat_map(|placed| placed.writes.iter().map(|write| write.register))
            .collect();
        if sources.is_empty() {
            continue;
        }
        let derived = derived(routine, &sources);
        for (at, placed) in routine.body.instructions.iter().enumerate() {
            if reaches_global(placed) && placed.reads.iter().any(|read| derived.contains(read)) {
                let message = "this address depends on the number of the warp slot";
                findings.refuse(Code::MachineIndex, Some(family.site(routine, at)), message);
                break;
            }
        }
    }
}

fn reaches_global(placed: &Placed<'_>) -> bool {
    let memory = matches!(placed.instruction.opcode, Opcode::Ld | Opcode::St | Opcode::Atom | Opcode::Red);
    memory && matches!(placed.instruction.space(), Some(StateSpace::Global) | None)
}

/// The registers that may hold something computed from these.
fn derived(routine: &Routine<'_, '_>, sources: &[Register]) -> BTreeSet<Register> {
    let mut all: BTreeSet<Register> = sources.iter().copied().collect();
    loop {
        let before = all.len();
        for placed in &routine.body.instructions {
            let is_load = placed.instruction.opcode == Opcode::Ld;
            if !is_load && placed.reads.iter().any(|read| all.contains(read)) {
                all.extend(placed.writes.iter().map(|write| write.register));
            }
        }
        if all.len() == before {
            return all;
        }
    }
}
