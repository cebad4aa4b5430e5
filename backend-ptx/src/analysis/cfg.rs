//! Control flow between basic blocks.

use std::ops::Range;

use super::{Body, Meaning, Placed};
use crate::ast::Opcode;

/// Instructions that run one after another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasicBlock {
    /// Indices into [`Body::instructions`]; empty only for a label at the end of a body or for an empty body.
    pub instructions: Range<usize>,
    /// The blocks that may run next, each once.
    pub successors: Vec<usize>,
    /// The blocks that may run before, each once.
    pub predecessors: Vec<usize>,
    /// Whether the thread may leave the function at its end: by `ret`, `exit` or `trap`, or past the last instruction.
    pub leaves: bool,
    /// Whether it ends with a branch through a register with no list of targets; its successors are then all labels.
    pub unknown_targets: bool,
}

/// The basic blocks of a function; the first is where it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The blocks, in the order of the text.
    pub blocks: Vec<BasicBlock>,
}

/// Where control goes after an instruction.
struct Exit {
    /// Indices of instructions.
    targets: Vec<usize>,
    falls_through: bool,
    leaves: bool,
    unknown: bool,
}

impl Graph {
    /// The graph of a body.
    pub fn of(body: &Body<'_>) -> Graph {
        let count = body.instructions.len();
        let mut starts = vec![0];
        starts.extend(body.labels.iter().map(|label| label.position).filter(|position| *position <= count));
        starts.extend(
            (0..count)
                .filter(|at| ends_block(&body.instructions[*at]))
                .map(|at| at + 1)
                .filter(|at| *at < count),
        );
        starts.sort_unstable();
        starts.dedup();
        let mut blocks: Vec<BasicBlock> = Vec::with_capacity(starts.len());
        for (place, start) in starts.iter().enumerate() {
            let end = starts.get(place + 1).copied().unwrap_or(count);
            let exit = match end > *start {
                true => exit(body, &body.instructions[end - 1]),
                false => Exit { targets: Vec::new(), falls_through: true, leaves: false, unknown: false },
            };
            let mut successors: Vec<usize> =
                exit.targets.iter().filter_map(|target| starts.binary_search(target).ok()).collect();
            let last = place + 1 == starts.len();
            if exit.falls_through && !last {
                successors.push(place + 1);
            }
            successors.sort_unstable();
            successors.dedup();
            blocks.push(BasicBlock {
                instructions: *start..end,
                successors,
                predecessors: Vec::new(),
                leaves: exit.leaves || (exit.falls_through && last),
                unknown_targets: exit.unknown,
            });
        }
        for at in 0..blocks.len() {
            for next in blocks[at].successors.clone() {
                blocks[next].predecessors.push(at);
            }
        }
        Graph { blocks }
    }

    /// The block that holds the instruction of that index.
    pub fn block_of(&self, instruction: usize) -> usize {
        self.blocks.partition_point(|block| block.instructions.end <= instruction).min(self.blocks.len() - 1)
    }

    /// Whether each block can run at all.
    pub fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.blocks.len()];
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(&self.blocks[at].successors);
            }
        }
        seen
    }
}

fn ends_block(placed: &Placed<'_>) -> bool {
    matches!(placed.instruction.opcode, Opcode::Bra | Opcode::Brx | Opcode::Ret | Opcode::Exit | Opcode::Trap)
}

fn exit(body: &Body<'_>, placed: &Placed<'_>) -> Exit {
    let guarded = placed.instruction.guard.is_some();
    match placed.instruction.opcode {
        Opcode::Ret | Opcode::Exit | Opcode::Trap => {
            Exit { targets: Vec::new(), falls_through: guarded, leaves: true, unknown: false }
        }
        Opcode::Bra | Opcode::Brx => branch(body, placed, guarded),
        _ => Exit { targets: Vec::new(), falls_through: true, leaves: false, unknown: false },
    }
}

fn branch(body: &Body<'_>, placed: &Placed<'_>, guarded: bool) -> Exit {
    let position = |meaning: &Meaning<'_>| match meaning {
        Meaning::Label(label) => Some(body.labels[label.0 as usize].position),
        _ => None,
    };
    let mut targets = Vec::new();
    let mut known = true;
    for operand in &placed.instruction.operands {
        let Some(name) = operand.as_name() else { continue };
        match placed.meaning(name) {
            meaning @ Meaning::Label(_) => targets.extend(position(&meaning)),
            Meaning::Targets(list) => {
                let found = body.targets.iter().find(|(own, _)| std::ptr::eq(*own, list));
                targets.extend(found.into_iter().flat_map(|(_, meanings)| meanings).filter_map(position));
            }
            _ => {}
        }
    }
    if targets.is_empty() {
        known = false;
        targets = body.labels.iter().map(|label| label.position).collect();
    }
    Exit { targets, falls_through: guarded, leaves: !known, unknown: !known }
}
