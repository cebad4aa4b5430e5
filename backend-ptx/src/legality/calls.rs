//! Calls: what is called must be here, or be known; and what reads the block index is called by name and not recursively
//! (rows 10 to 17 and 19 of the table).

use std::collections::BTreeSet;

use super::block_index::reads_block_index;
use super::parameters::RUNTIME_FUNCTIONS;
use super::scene::{Family, Findings, Routine};
use super::{Code, Fact};
use crate::analysis::Placed;
use crate::ast::{FunctionKind, Opcode, StateSpace, Statement};

pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let scene = family.scene;
    let reachable = scene.calls.reachable(family.kernel.name());
    let outside = reachable.iter().filter(|name| !scene.routines.contains_key(name.as_str()));
    let mut runtime = Vec::new();
    for name in outside {
        if RUNTIME_FUNCTIONS.contains(&name.as_str()) {
            runtime.push(name.to_string());
            continue;
        }
        let site = first_call(family, name);
        findings.refuse(outside_code(name), site, format!("`{name}` is not in this module"));
    }
    let functions = family.members.iter().map(|one| one.name().to_owned()).collect();
    findings.facts.push(Fact::Closure { functions, runtime });
    by_direct_calls(family, findings);
    static_variables(family, findings);
    griddep(family, findings);
    traps(family, findings);
}

fn outside_code(name: &str) -> Code {
    match name {
        _ if name.starts_with("cudaCG") => Code::CooperativeLaunch,
        _ if name.starts_with("cuda") => Code::DynamicParallelism,
        _ => Code::ExternalFunction,
    }
}

fn first_call(family: &Family<'_, '_, '_>, name: &str) -> Option<super::Site> {
    let calls = |placed: &Placed<'_>| placed.names.iter().any(|(own, _)| *own == name);
    family.instructions().find(|(.., placed)| calls(placed)).map(|(routine, at, _)| family.site(routine, at))
}

/// The functions that may run an instruction of the kind, directly or through a call by name or register.
pub(super) fn closure_of(family: &Family<'_, '_, '_>, kind: fn(&Placed<'_>) -> bool) -> BTreeSet<String> {
    let own = |routine: &Routine<'_, '_>| routine.body.instructions.iter().any(kind);
    let having: BTreeSet<&str> = family.members.iter().filter(|one| own(one)).map(|one| one.name()).collect();
    let leads =
        |name: &str| family.scene.calls.reachable(name).iter().any(|callee| having.contains(callee.as_str()));
    family.members.iter().map(|one| one.name()).filter(|name| leads(name)).map(str::to_owned).collect()
}

fn by_direct_calls(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let calls = &family.scene.calls;
    let functions = closure_of(family, reads_block_index);
    let before = findings.reasons.len();
    for name in functions.iter().filter(|name| **name != family.kernel.name()) {
        not_recursive(family, name, "reads the block index", findings);
        if calls.nodes.get(name.as_str()).is_some_and(|node| node.address_taken)
            && is_called_indirectly(family)
        {
            let site = indirect_call(family);
            let message = format!("`{name}` reads the block index and may be called through a register");
            findings.refuse(Code::IndirectBlockIndex, site, message);
        }
    }
    if findings.reasons.len() == before {
        findings.facts.push(Fact::BlockIndexByDirectCalls { functions: functions.into_iter().collect() });
    }
}

fn not_recursive(family: &Family<'_, '_, '_>, name: &str, does: &str, findings: &mut Findings) {
    if family.scene.calls.is_recursive(name) {
        let message = format!("`{name}` {does} and may call itself");
        findings.refuse(Code::Recursion, first_call(family, name), message);
    }
}

fn is_called_indirectly(family: &Family<'_, '_, '_>) -> bool {
    let nodes = &family.scene.calls.nodes;
    family.members.iter().any(|one| nodes.get(one.name()).is_some_and(|node| node.indirect))
}

fn indirect_call(family: &Family<'_, '_, '_>) -> Option<super::Site> {
    let indirect = |placed: &Placed<'_>| placed.instruction.call().is_some_and(|call| call.targets.is_some());
    family
        .instructions()
        .find(|(.., placed)| indirect(placed))
        .map(|(routine, at, _)| family.site(routine, at))
}

/// A clone of a function with a global variable of its own would have a second one.
fn static_variables(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let before = findings.reasons.len();
    for routine in &family.members {
        let mut open = vec![routine.body.function.body.as_deref().unwrap_or(&[])];
        while let Some(scope) = open.pop() {
            for one in scope {
                match &one.node {
                    Statement::Block(inner) => open.push(inner),
                    Statement::Variable(variable) if variable.space == StateSpace::Global => {
                        let message = format!("`{}` has global memory of its own", routine.name());
                        findings.refuse(Code::StaticVariable, None, message);
                    }
                    _ => {}
                }
            }
        }
    }
    if findings.reasons.len() == before {
        findings.facts.push(Fact::NoStaticVariables);
    }
}

/// Programmatic dependent launches (row 13).
fn griddep(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    if family.instructions().any(|(.., placed)| placed.instruction.opcode == Opcode::GridDepControl) {
        findings.under(super::Condition::NoProgrammaticLaunch);
    }
}

fn traps(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let ends = |placed: &Placed<'_>| {
        let callee = placed.instruction.call().and_then(|call| call.callee.as_name());
        matches!(placed.instruction.opcode, Opcode::Trap | Opcode::Brkpt)
            || callee.is_some_and(|name| RUNTIME_FUNCTIONS.contains(&name.as_str()))
    };
    let found = family.instructions().filter(|(.., placed)| ends(placed));
    let sites: Vec<_> = found.map(|(routine, at, _)| family.site(routine, at)).collect();
    if !sites.is_empty() {
        findings.facts.push(Fact::Traps { sites });
    }
}

/// In the preemptible form a function that ends the thread would end the worker.
pub(super) fn check_preempt(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    for (routine, at, placed) in family.instructions() {
        let is_function = routine.body.function.kind == FunctionKind::Func;
        if is_function && placed.instruction.opcode == Opcode::Exit {
            let message = format!("`{}` ends the thread", routine.name());
            findings.refuse(Code::ExitInFunction, Some(family.site(routine, at)), message);
        }
    }
    let barriers = closure_of(family, |placed| super::is_block_barrier(placed.instruction));
    for name in barriers.iter().filter(|name| **name != family.kernel.name()) {
        not_recursive(family, name, "waits at a barrier", findings);
    }
}
