//! Facts about who runs.

use std::collections::BTreeSet;

use super::crew::{Crew, named_callee};
use crate::analysis::{Meaning, Placed};
use crate::ast::Opcode;

pub(super) fn closure(
    crew: &Crew<'_, '_>,
    functions: &[String],
    runtime: &[String],
    objections: &mut Vec<String>,
) {
    for member in &crew.members {
        if !functions.iter().any(|name| name == member.name()) && is_called(crew, member.name()) {
            objections.push(format!("`{}` may run and is not listed", member.name()));
        }
    }
    for name in &crew.outside {
        let known = matches!(name.as_str(), "vprintf" | "malloc" | "free" | "__assertfail");
        if !(known && runtime.contains(name)) && is_called(crew, name) {
            objections.push(format!("`{name}` is not in this module"));
        }
    }
}

/// Whether a call of the crew names the function, or a call goes through a register and its address is taken.
fn is_called(crew: &Crew<'_, '_>, name: &str) -> bool {
    let taken = crew.calls.nodes.get(name).is_some_and(|node| node.address_taken);
    name == crew.kernel().name()
        || crew.all().any(|(.., placed)| match named_callee(placed) {
            Some(function) => function.name.node == *name,
            None => placed.instruction.opcode == Opcode::Call && taken,
        })
}

pub(super) fn names_block(placed: &Placed<'_>) -> bool {
    let special = |name: &str| name == "%ctaid" || name == "%nctaid";
    placed.names.iter().any(|(name, meaning)| special(name) && matches!(meaning, Meaning::Special))
}

/// Everything that reads the block index, or calls something that does, is listed, calls by name and does not recur.
pub(super) fn direct(crew: &Crew<'_, '_>, functions: &[String], objections: &mut Vec<String>) {
    let listed: BTreeSet<&str> = functions.iter().map(String::as_str).collect();
    let indirect = crew
        .all()
        .any(|(.., placed)| placed.instruction.opcode == Opcode::Call && named_callee(placed).is_none());
    for (member, _, placed) in crew.all() {
        let calls_reader =
            named_callee(placed).is_some_and(|function| listed.contains(function.name.as_str()));
        if (names_block(placed) || calls_reader) && !listed.contains(member.name()) {
            objections.push(format!("`{}` depends on the block index and is not listed", member.name()));
        }
    }
    for name in functions.iter().filter(|name| **name != crew.kernel().name()) {
        let taken = crew.calls.nodes.get(name.as_str()).is_some_and(|node| node.address_taken);
        if indirect && taken {
            objections.push(format!("`{name}` may be called through a register"));
        }
        if recurs(crew, name) {
            objections.push(format!("`{name}` may call itself"));
        }
    }
}

/// Whether a way along calls leads from the function back to it.
pub(super) fn recurs(crew: &Crew<'_, '_>, name: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(at) = open.pop() {
        for callee in crew.calls.callees(&at) {
            if *callee == *name {
                return true;
            }
            if seen.insert(callee.to_string()) {
                open.push(callee.to_string());
            }
        }
    }
    false
}
