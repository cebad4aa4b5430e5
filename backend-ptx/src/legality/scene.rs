//! What the rules look at: a kernel with the functions it may run.

use std::collections::BTreeMap;

use super::{Code, Condition, Fact, Reason, Site};
use crate::analysis::{Body, CallGraph, ControlDependence, Graph, Register, Tree};
use crate::ast::{FunctionKind, Module};
use crate::span::{Place, Span};
use crate::verify::Verified;

/// A function with its control flow.
pub(super) struct Routine<'v, 'a> {
    pub(super) body: &'v Body<'a>,
    pub(super) graph: Graph,
    pub(super) control: ControlDependence,
    /// The instructions that write each register, in order.
    writers: Vec<Vec<usize>>,
}

impl<'v, 'a> Routine<'v, 'a> {
    fn of(body: &'v Body<'a>) -> Routine<'v, 'a> {
        let graph = Graph::of(body);
        let post = Tree::post_dominators(&graph);
        let control = ControlDependence::of(&graph, &post);
        let mut writers = vec![Vec::new(); body.registers.len()];
        for (at, placed) in body.instructions.iter().enumerate() {
            for write in &placed.writes {
                writers[write.register.index()].push(at);
            }
        }
        Routine { body, graph, control, writers }
    }

    /// The instructions that write the register, in order.
    pub(super) fn writers(&self, register: Register) -> &[usize] {
        &self.writers[register.index()]
    }

    pub(super) fn name(&self) -> &'v str {
        self.body.function.name.as_str()
    }
}

/// A module, analysed once for all its kernels.
pub(super) struct Scene<'v, 'a> {
    pub(super) verified: &'v Verified<'a>,
    pub(super) calls: CallGraph,
    pub(super) routines: BTreeMap<&'v str, Routine<'v, 'a>>,
    lines: Lines,
}

impl<'v, 'a> Scene<'v, 'a> {
    pub(super) fn of(verified: &'v Verified<'a>, source: &str) -> Scene<'v, 'a> {
        let calls = CallGraph::of(verified.symbols(), verified.bodies());
        let routines = verified.bodies().iter().map(|body| (body.function.name.as_str(), Routine::of(body)));
        Scene { verified, calls, routines: routines.collect(), lines: Lines::of(source) }
    }

    pub(super) fn module(&self) -> &'a Module {
        self.verified.module()
    }

    /// The kernels that have a body.
    pub(super) fn kernels(&self) -> impl Iterator<Item = &'v str> + '_ {
        let entries = self.verified.bodies().iter().filter(|body| body.function.kind == FunctionKind::Entry);
        entries.map(|body| body.function.name.as_str())
    }

    pub(super) fn site(&self, body: &Body<'_>, instruction: usize) -> Site {
        let placed = &body.instructions[instruction];
        let Place { line, column } = self.lines.place(placed.span);
        let mut text: String = placed.instruction.to_string();
        if let Some((end, _)) = text.char_indices().nth(100) {
            text.truncate(end);
            text.push('…');
        }
        Site { function: body.function.name.to_string(), instruction, line, column, text }
    }
}

/// A kernel and what it runs.
pub(super) struct Family<'s, 'v, 'a> {
    pub(super) scene: &'s Scene<'v, 'a>,
    /// The kernel.
    pub(super) kernel: &'s Routine<'v, 'a>,
    /// The kernel and the functions with a body that it may run, the kernel first.
    pub(super) members: Vec<&'s Routine<'v, 'a>>,
}

impl<'s, 'v, 'a> Family<'s, 'v, 'a> {
    pub(super) fn of(scene: &'s Scene<'v, 'a>, kernel: &str) -> Option<Family<'s, 'v, 'a>> {
        let first = scene.routines.get(kernel)?;
        let reachable = scene.calls.reachable(kernel);
        let others = reachable.iter().filter(|name| **name != kernel);
        let mut members = vec![first];
        members.extend(others.filter_map(|name| scene.routines.get(name.as_str())));
        Some(Family { scene, kernel: first, members })
    }

    pub(super) fn site(&self, routine: &Routine<'_, '_>, instruction: usize) -> Site {
        self.scene.site(routine.body, instruction)
    }

    /// Every instruction of every member with its index.
    pub(super) fn instructions(
        &self,
    ) -> impl Iterator<Item = (&'s Routine<'v, 'a>, usize, &'s crate::analysis::Placed<'a>)> + '_ {
        self.members.iter().flat_map(|routine| {
            let placed = routine.body.instructions.iter().enumerate();
            placed.map(|(at, placed)| (*routine, at, placed))
        })
    }
}

/// What the rules have found about a form.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) facts: Vec<Fact>,
    pub(super) conditions: Vec<Condition>,
    pub(super) reasons: Vec<Reason>,
}

impl Findings {
    pub(super) fn refuse(&mut self, code: Code, at: Option<Site>, message: impl Into<String>) {
        self.reasons.push(Reason { code, at, message: message.into() });
    }

    pub(super) fn under(&mut self, condition: Condition) {
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }
}

/// Where the lines of a text start.
struct Lines {
    starts: Vec<u32>,
    /// The text, where it is not ASCII, whose columns are bytes.
    wide: Option<String>,
}

impl Lines {
    fn of(source: &str) -> Lines {
        if source.is_empty() {
            return Lines { starts: Vec::new(), wide: None };
        }
        let ends = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        Lines { starts, wide: (!source.is_ascii()).then(|| source.to_owned()) }
    }

    /// Line 0 where there is no text.
    fn place(&self, span: Span) -> Place {
        if span == Span::NONE || self.starts.is_empty() {
            return Place { line: 0, column: 0 };
        }
        if let Some(text) = &self.wide {
            return Place::of(text, span.start);
        }
        let line = self.starts.partition_point(|start| *start <= span.start);
        let start = self.starts[line.saturating_sub(1)];
        Place { line: line as u32, column: span.start - start + 1 }
    }
}
