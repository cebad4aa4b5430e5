//! Liveness: which registers hold a value that may still be read. Predicates and the carry flag are registers like others.
//!
//! A write under a guard, or of one component of a vector, does not end the life of the old value.

use std::collections::HashMap;

use super::{Body, Graph, Placed, Register};

/// The registers that are live where blocks start and end.
#[derive(Debug, Clone)]
pub struct Liveness {
    /// The registers that are live somewhere between two blocks, or at the start; the bits of the sets are indices into it.
    crossing: Vec<Register>,
    starts: Vec<Bits>,
    ends: Vec<Bits>,
}

type Bits = Vec<u64>;

impl Liveness {
    /// The liveness of a body.
    pub fn of(body: &Body<'_>, graph: &Graph) -> Liveness {
        let summaries: Vec<Summary> = graph
            .blocks
            .iter()
            .map(|block| Summary::of(&body.instructions[block.instructions.clone()]))
            .collect();
        let mut crossing: Vec<Register> =
            summaries.iter().flat_map(|one| &one.reads).chain(&body.results).copied().collect();
        crossing.sort_unstable();
        crossing.dedup();
        let index: HashMap<Register, usize> =
            crossing.iter().enumerate().map(|(at, register)| (*register, at)).collect();
        let bits = |registers: &[Register]| {
            let mut set = vec![0u64; crossing.len().div_ceil(64)];
            for at in registers.iter().filter_map(|register| index.get(register)) {
                set[at / 64] |= 1 << (at % 64);
            }
            set
        };
        let reads: Vec<Bits> = summaries.iter().map(|one| bits(&one.reads)).collect();
        let writes: Vec<Bits> = summaries.iter().map(|one| bits(&one.writes)).collect();
        let results = bits(&body.results);
        let mut starts = reads.clone();
        let mut ends: Vec<Bits> =
            graph.blocks.iter().map(|block| if block.leaves { results.clone() } else { bits(&[]) }).collect();
        let mut open: Vec<usize> = (0..graph.blocks.len()).collect();
        let mut queued = vec![true; open.len()];
        while let Some(at) = open.pop() {
            queued[at] = false;
            for next in &graph.blocks[at].successors {
                for (end, start) in ends[at].iter_mut().zip(&starts[*next]) {
                    *end |= start;
                }
            }
            let mut grew = false;
            for word in 0..ends[at].len() {
                let start = reads[at][word] | (ends[at][word] & !writes[at][word]);
                grew |= start != starts[at][word];
                starts[at][word] = start;
            }
            for before in graph.blocks[at].predecessors.iter().filter(|_| grew) {
                if !std::mem::replace(&mut queued[*before], true) {
                    open.push(*before);
                }
            }
        }
        Liveness { crossing, starts, ends }
    }

    /// The registers that are live where a block starts, in order.
    pub fn at_start_of(&self, block: usize) -> impl Iterator<Item = Register> + '_ {
        self.registers(&self.starts[block])
    }

    /// The registers that are live where a block ends, in order.
    pub fn at_end_of(&self, block: usize) -> impl Iterator<Item = Register> + '_ {
        self.registers(&self.ends[block])
    }

    /// The registers that are live before the instruction of that index, in order.
    pub fn before(&self, body: &Body<'_>, graph: &Graph, instruction: usize) -> Vec<Register> {
        let block = graph.block_of(instruction);
        let mut live: Vec<Register> = self.at_end_of(block).collect();
        let end = graph.blocks[block].instructions.end;
        for placed in body.instructions[instruction.min(end)..end].iter().rev() {
            live.retain(|register| {
                !placed.writes.iter().any(|write| write.whole && write.register == *register)
            });
            live.extend(&placed.reads);
        }
        live.sort_unstable();
        live.dedup();
        live
    }

    fn registers<'a>(&'a self, bits: &'a Bits) -> impl Iterator<Item = Register> + 'a {
        let is_set = |at: usize| bits[at / 64] >> (at % 64) & 1 == 1;
        self.crossing.iter().enumerate().filter(move |(at, _)| is_set(*at)).map(|(_, register)| *register)
    }
}

/// What a block does as a whole.
struct Summary {
    /// Registers that it reads before it writes them.
    reads: Vec<Register>,
    /// Registers that it surely writes.
    writes: Vec<Register>,
}

impl Summary {
    fn of(instructions: &[Placed<'_>]) -> Summary {
        let mut reads = std::collections::HashSet::new();
        let mut writes = std::collections::HashSet::new();
        for placed in instructions {
            reads.extend(placed.reads.iter().filter(|register| !writes.contains(*register)));
            writes.extend(placed.writes.iter().filter(|write| write.whole).map(|write| write.register));
        }
        Summary { reads: reads.into_iter().collect(), writes: writes.into_iter().collect() }
    }
}
