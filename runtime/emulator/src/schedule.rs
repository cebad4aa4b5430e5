//! Who runs next: the oracle that a launch asks.
//!
//! A launch is deterministic up to two kinds of choices: which pending block becomes resident next, and which group of lanes goes
//! on where the order may be seen: before an atomic, before a read or write of a flag (volatile, relaxed, acquire, release) and
//! before a wait of an mbarrier. Everything else runs as far as it can without asking. A [`Schedule`] makes them. [`InOrder`] takes turns, [`Seeded`] draws, [`Exhaustive`] goes
//! through every sequence of choices.
//!
//! ```
//! use ptx_emulator::{Choice, Exhaustive, Schedule};
//! let mut every = Exhaustive::new(100);
//! let mut seen = Vec::new();
//! while every.start() {
//!     let first = every.choose(Choice::Block, 2);
//!     let second = every.choose(Choice::Step, 2 - first);
//!     seen.push((first, second));
//! }
//! assert_eq!(seen, [(0, 0), (0, 1), (1, 0)]);
//! ```

use crate::memory::Memory;

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The pending block that becomes resident, counted in the order of the launch. Not asked when there is room for all.
    Block,
    /// The group of lanes that goes on; 0 is the one that has waited longest.
    Step,
}

/// Makes the choices of a launch.
pub trait Schedule {
    /// A number below `count`, which is at least 1. Larger answers count modulo `count`.
    fn choose(&mut self, what: Choice, count: usize) -> usize;

    /// How many blocks may be resident at a time; the launch's own limit holds as well.
    fn residency(&mut self) -> usize {
        usize::MAX
    }

    /// Called before each step choice: what the world outside does to memory meanwhile, such as raising a flag.
    fn world(&mut self, memory: &mut Memory) {
        let _ = memory;
    }
}

/// Blocks in the order of the launch; groups of lanes take turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InOrder;

impl Schedule for InOrder {
    fn choose(&mut self, _: Choice, _: usize) -> usize {
        0
    }
}

/// Blocks in the reverse of the launch's order; the group that came last goes on first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reversed {
    turns: usize,
}

impl Schedule for Reversed {
    fn choose(&mut self, what: Choice, count: usize) -> usize {
        self.turns = self.turns.wrapping_add(1);
        // every 64th turn goes to whoever waits longest, so that nobody starves
        match what {
            Choice::Step if self.turns.is_multiple_of(64) => 0,
            Choice::Step | Choice::Block => count - 1,
        }
    }
}

/// Draws every choice from a generator with a seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeded {
    state: u64,
}

impl Seeded {
    /// The same seed makes the same choices.
    pub fn new(seed: u64) -> Seeded {
        Seeded { state: seed }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }
}

impl Schedule for Seeded {
    fn choose(&mut self, _: Choice, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }
}

/// Goes through every sequence of choices, one launch after another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exhaustive {
    /// The choices of this launch and how many there were.
    path: Vec<(usize, usize)>,
    at: usize,
    depth: usize,
    started: bool,
    /// Whether a launch made more choices than `depth`.
    truncated: bool,
}

impl Exhaustive {
    /// Only the first `depth` choices of each launch vary; later ones take turns.
    pub fn new(depth: usize) -> Exhaustive {
        Exhaustive { path: Vec::new(), at: 0, depth, started: false, truncated: false }
    }

    /// Prepares the next launch; `false` when every sequence was there.
    pub fn start(&mut self) -> bool {
        self.at = 0;
        if !std::mem::replace(&mut self.started, true) {
            return true;
        }
        while let Some((chosen, count)) = self.path.pop() {
            if chosen + 1 < count {
                self.path.push((chosen + 1, count));
                return true;
            }
        }
        false
    }

    /// Whether some launch made more choices than could vary.
    pub fn truncated(&self) -> bool {
        self.truncated
    }
}

impl Schedule for Exhaustive {
    fn choose(&mut self, _: Choice, count: usize) -> usize {
        if count <= 1 {
            return 0;
        }
        let at = self.at;
        self.at += 1;
        if at >= self.depth {
            self.truncated = true;
            return 0;
        }
        match self.path.get(at) {
            Some((chosen, _)) => *chosen,
            None => {
                self.path.push((0, count));
                0
            }
        }
    }
}
