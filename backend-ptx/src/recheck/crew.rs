//! A kernel and all functions that it could run, found by walking over calls.

use std::collections::BTreeSet;

use crate::analysis::{Body, CallGraph, ControlDependence, Graph, Meaning, Placed, Register, Tree};
use crate::ast::{FunctionKind, Opcode};
use crate::legality::Site;
use crate::verify::Verified;

/// A function of the crew.
pub(super) struct Member<'v, 'a> {
    pub(super) body: &'v Body<'a>,
    pub(super) graph: Graph,
    pub(super) control: ControlDependence,
    /// The instructions that write each register.
    writers: Vec<Vec<usize>>,
}

/// The kernel, first, and the functions.
pub(super) struct Crew<'v, 'a> {
    pub(super) verified: &'v Verified<'a>,
    pub(super) calls: CallGraph,
    pub(super) members: Vec<Member<'v, 'a>>,
    /// The functions without a body.
    pub(super) outside: BTreeSet<String>,
}

impl<'v, 'a> Crew<'v, 'a> {
    pub(super) fn of(verified: &'v Verified<'a>, kernel: &str) -> Option<Crew<'v, 'a>> {
        let first = verified.body(kernel).filter(|body| body.function.kind == FunctionKind::Entry)?;
        let calls = CallGraph::of(verified.symbols(), verified.bodies());
        let mut crew = Crew { verified, calls, members: Vec::new(), outside: BTreeSet::new() };
        let mut open = vec![first];
        while let Some(body) = open.pop() {
            let known = crew.members.iter().any(|one| std::ptr::eq(one.body, body));
            if known {
                continue;
            }
            let graph = Graph::of(body);
            let post = Tree::post_dominators(&graph);
            let control = ControlDependence::of(&graph, &post);
            crew.members.push(Member { body, graph, control, writers: writers(body) });
            for name in crew.named(body) {
                match verified.body(&name) {
                    Some(next) => open.push(next),
                    None => {
                        crew.outside.insert(name);
                    }
                }
            }
        }
        Some(crew)
    }

    /// The functions that a body may call: those its calls name, and, for calls through a register, all whose address is taken.
    fn named(&self, body: &Body<'_>) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for placed in body.instructions.iter().filter(|placed| placed.instruction.opcode == Opcode::Call) {
            match named_callee(placed) {
                Some(function) => {
                    names.insert(function.name.to_string());
                }
                None => {
                    let taken = self.calls.nodes.iter().filter(|(_, node)| node.address_taken);
                    names.extend(taken.map(|(name, _)| name.to_string()));
                }
            }
        }
        names
    }

    pub(super) fn kernel(&self) -> &Member<'v, 'a> {
        &self.members[0]
    }

    /// Every instruction with the member it belongs to and its index.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Member<'v, 'a>, usize, &'v Placed<'a>)> {
        self.members.iter().flat_map(|member| {
            member.body.instructions.iter().enumerate().map(move |(at, placed)| (member, at, placed))
        })
    }

    /// The sites, as function and index, of instructions that satisfy `is`.
    pub(super) fn where_(&self, is: impl Fn(&Placed<'_>) -> bool) -> BTreeSet<(String, usize)> {
        let found = self.all().filter(|(.., placed)| is(placed));
        found.map(|(member, at, _)| (member.name().to_owned(), at)).collect()
    }

    pub(super) fn member(&self, name: &str) -> Option<&Member<'v, 'a>> {
        self.members.iter().find(|member| member.name() == name)
    }
}

fn writers(body: &Body<'_>) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); body.registers.len()];
    for (at, placed) in body.instructions.iter().enumerate() {
        for write in &placed.writes {
            all[write.register.index()].push(at);
        }
    }
    all
}

impl Member<'_, '_> {
    /// The instructions that write the register, in order.
    pub(super) fn writers(&self, register: Register) -> &[usize] {
        &self.writers[register.index()]
    }

    pub(super) fn name(&self) -> &str {
        &self.body.function.name
    }

    pub(super) fn last(&self, block: usize) -> Option<(usize, &Placed<'_>)> {
        let at = self.graph.blocks[block].instructions.clone().next_back()?;
        Some((at, &self.body.instructions[at]))
    }

    pub(super) fn ways(&self, block: usize) -> usize {
        self.graph.blocks[block].successors.len() + usize::from(self.graph.blocks[block].leaves)
    }
}

/// The sites of a fact in the form that [`Crew::where_`] gives.
pub(super) fn keys<'s>(sites: impl IntoIterator<Item = &'s Site>) -> BTreeSet<(String, usize)> {
    sites.into_iter().map(|site| (site.function.clone(), site.instruction)).collect()
}

/// The function that a call names.
pub(super) fn named_callee<'a>(placed: &Placed<'a>) -> Option<&'a crate::ast::Function> {
    let name = placed.instruction.call()?.callee.as_name()?;
    match placed.meaning(name) {
        Meaning::Function(function) => Some(function),
        _ => None,
    }
}
