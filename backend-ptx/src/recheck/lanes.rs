//! Warp operations after some lanes may have left, and the ballots by which the others know.

use std::collections::BTreeSet;

use super::agree;
use super::barriers::{lead_to, reach};
use super::crew::{Crew, Member, named_callee};
use super::reads::not_among;
use crate::analysis::{ControlDependence, Graph, Meaning, Placed, Tree};
use crate::ast::{FunctionKind, Opcode};
use crate::legality::{Ballot, Site};

/// Operations of the warp, and whether the lanes are given by a mask.
fn warp_operation(placed: &Placed<'_>) -> Option<bool> {
    let form = placed.instruction.form();
    let first = form.split('.').next().unwrap_or("");
    match first {
        "shfl" | "vote" | "match" | "redux" => Some(form.contains(".sync")),
        "elect" => Some(true),
        "bar" | "barrier" if form.contains(".warp") => Some(true),
        "activemask" | "mma" | "wmma" | "wgmma" | "ldmatrix" | "stmatrix" | "movmatrix" => Some(false),
        "tcgen05" if form.contains(".aligned") => Some(false),
        _ => None,
    }
}

fn misses(one: String) -> String {
    format!("{one} may miss lanes that have left")
}

/// What the facts leave out or get wrong.
pub(super) fn wrong(crew: &Crew<'_, '_>, sites: &[Site], ballots: &[Ballot]) -> Vec<String> {
    let member = crew.kernel();
    let map = Map::of(crew);
    let partings: Vec<usize> = (0..member.graph.blocks.len()).filter(|block| map.parts(*block)).collect();
    let claimed = |block: usize| {
        let end = member.graph.blocks[block].instructions.end;
        ballots.iter().find(|one| one.at.function == member.name() && one.at.instruction + 1 == end)
    };
    let mut wrong = Vec::new();
    for ballot in ballots.iter().filter(|one| !partings.iter().any(|at| claimed(*at) == Some(*one))) {
        wrong.push(format!("no lanes leave at instruction {} alone", ballot.at.instruction));
    }
    for block in &partings {
        let balloted = |by: usize| claimed(by).is_some();
        let fine =
            claimed(*block).is_some_and(|one| map.is_fair(*block, one)) && map.in_step(*block, balloted);
        // nobody may count on lanes that part elsewhere
        let after = reach(member, member.graph.blocks[*block].successors.clone());
        if !fine && after.iter().any(|block| map.operates(*block)) {
            let at = member.graph.blocks[*block].instructions.end - 1;
            wrong.push(format!("which lanes stay at instruction {at} is not known"));
        }
    }
    if partings.is_empty() {
        return wrong;
    }
    let starts = partings.iter().flat_map(|block| member.graph.blocks[*block].successors.clone()).collect();
    let after = reach(member, starts);
    let mut masked = BTreeSet::new();
    for (other, at, placed) in crew.all() {
        let function = other.body.function.kind == FunctionKind::Func;
        if !function && !after.contains(&member.graph.block_of(at)) {
            continue;
        }
        match warp_operation(placed) {
            Some(true) if !function => {
                masked.insert((other.name().to_owned(), at));
            }
            Some(_) => wrong.push(misses(format!("instruction {at} of `{}`", other.name()))),
            None => {}
        }
    }
    wrong.extend(not_among(&masked, sites).into_iter().map(misses));
    wrong
}

/// The kernel as its lanes see it. Ways that only lead to a trap lead nowhere.
struct Map<'m, 'v, 'a> {
    crew: &'m Crew<'v, 'a>,
    member: &'m Member<'v, 'a>,
    post: Tree,
    control: ControlDependence,
    /// Blocks from which an operation of the warp can be reached, and from which the end can.
    to_operation: BTreeSet<usize>,
    to_end: BTreeSet<usize>,
}

impl<'m, 'v, 'a> Map<'m, 'v, 'a> {
    fn of(crew: &'m Crew<'v, 'a>) -> Self {
        let member = crew.kernel();
        let traps = |block: usize| {
            member.last(block).is_some_and(|(_, last)| last.instruction.opcode == Opcode::Trap)
        };
        let blocks = member.graph.blocks.iter().cloned().enumerate();
        let blocks = blocks.map(|(at, mut block)| {
            block.leaves = block.leaves && !traps(at);
            block
        });
        let graph = Graph { blocks: blocks.collect() };
        let post = Tree::post_dominators(&graph);
        let control = ControlDependence::of(&graph, &post);
        let all = || 0..graph.blocks.len();
        let mut map =
            Map { crew, member, post, control, to_operation: BTreeSet::new(), to_end: BTreeSet::new() };
        map.to_operation = lead_to(member, all().filter(|at| map.operates(*at)).collect(), &BTreeSet::new());
        let ends = all().filter(|at| graph.blocks[*at].leaves).collect();
        map.to_end = lead_to(member, ends, &BTreeSet::new());
        map
    }

    /// Whether the block has an operation of the warp, or calls what has one.
    fn operates(&self, block: usize) -> bool {
        let range = self.member.graph.blocks[block].instructions.clone();
        self.member.body.instructions[range].iter().any(|placed| {
            let called = match (named_callee(placed), placed.instruction.opcode == Opcode::Call) {
                (Some(function), _) => self.crew.calls.reachable(&function.name),
                (None, true) => self.crew.members.iter().skip(1).map(|one| one.name().into()).collect(),
                (None, false) => BTreeSet::new(),
            };
            let inside =
                |one: &Member<'_, '_>| one.body.instructions.iter().any(|one| warp_operation(one).is_some());
            warp_operation(placed).is_some()
                || self.crew.members.iter().any(|one| called.contains(one.name()) && inside(one))
        })
    }

    /// Whether lanes may go two ways at the end of the block, one of which has further operations, and not all ways meet before
    /// the last.
    fn parts(&self, block: usize) -> bool {
        let node = &self.member.graph.blocks[block];
        let on = node.successors.iter().filter(|next| self.to_operation.contains(next)).count();
        let off = node
            .successors
            .iter()
            .any(|next| !self.to_operation.contains(next) && self.to_end.contains(next));
        let ends = node.leaves
            && self.member.last(block).is_none_or(|(_, last)| last.instruction.opcode != Opcode::Trap);
        let meets = self.post.immediate(block).is_some_and(|join| self.to_operation.contains(&join));
        let ways = on + usize::from(off) + usize::from(ends);
        on > 0 && ways > 1 && !meets && !agree::on_direction(self.member, block)
    }

    /// Whether exactly one way leads to further operations, and the ballot says which.
    fn is_fair(&self, block: usize, ballot: &Ballot) -> bool {
        let Some((at, last)) = self.member.last(block) else { return false };
        let position = last
            .instruction
            .operands
            .first()
            .and_then(|one| one.node.as_name())
            .map(|name| last.meaning(name));
        let taken = match position {
            Some(Meaning::Label(label)) => Some(self.member.body.labels[label.0 as usize].position),
            _ => None,
        };
        let goes_on = |position: usize| {
            position < self.member.body.instructions.len()
                && self.to_operation.contains(&self.member.graph.block_of(position))
        };
        let taken = matches!(last.instruction.opcode, Opcode::Bra) && taken.is_some_and(goes_on);
        let plain = matches!(last.instruction.opcode, Opcode::Bra | Opcode::Ret | Opcode::Exit);
        plain && last.instruction.guard.is_some() && taken == ballot.taken_stays && goes_on(at + 1) != taken
    }

    /// Whether every branch that decides how often a lane comes here is one on which all agree, or one with a ballot.
    fn in_step(&self, block: usize, balloted: impl Fn(usize) -> bool) -> bool {
        let mut above = BTreeSet::new();
        let mut open = vec![block];
        while let Some(at) = open.pop() {
            open.extend(self.control.of_block(at).iter().filter(|by| above.insert(**by)));
        }
        above.into_iter().all(|by| balloted(by) || agree::on_direction(self.member, by))
    }
}
