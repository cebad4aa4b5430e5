//! Vector clocks: what a thread knows of the others.
//!
//! Each thread counts its own times. It *knows* another thread up to a time if something ordered all that the other did until then
//! before what it does now: a barrier of the block or the warp, or an acquire that saw a release.

use std::collections::HashMap;
use std::sync::Arc;

/// Up to which time each thread is known. Shared between threads that met at a barrier.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// Threads of one block, by the first thread's number.
    first: u64,
    block: Vec<u32>,
    /// Threads of other blocks.
    others: HashMap<u64, u32>,
}

impl Known {
    /// Nothing known, of a block whose first thread has that number.
    pub(crate) fn nothing(first: u64, threads: usize) -> Known {
        Known { first, block: vec![0; threads], others: HashMap::new() }
    }

    pub(crate) fn time(&self, thread: u64) -> u32 {
        match self.block.get(thread.wrapping_sub(self.first) as usize) {
            Some(time) => *time,
            None => self.others.get(&thread).copied().unwrap_or(0),
        }
    }

    pub(crate) fn learn(&mut self, thread: u64, time: u32) {
        let own = match self.block.get_mut(thread.wrapping_sub(self.first) as usize) {
            Some(own) => own,
            None => self.others.entry(thread).or_default(),
        };
        *own = time.max(*own);
    }

    pub(crate) fn join(&mut self, other: &Known) {
        if self.first == other.first && self.block.len() == other.block.len() {
            for (own, time) in self.block.iter_mut().zip(&other.block) {
                *own = (*own).max(*time);
            }
        } else {
            for (thread, time) in (other.first..).zip(&other.block).filter(|(_, time)| **time > 0) {
                self.learn(thread, *time);
            }
        }
        other.others.iter().for_each(|(thread, time)| self.learn(*thread, *time));
    }
}

/// One thread's clock.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    pub(crate) known: Arc<Known>,
    pub(crate) now: u32,
    /// What it knew at its last fence, itself included: what its later flag writes release.
    pub(crate) fenced: Option<Known>,
    /// What its flag reads since the last fence have seen: what the next fence acquires.
    pub(crate) seen: Option<Known>,
}

impl Clock {
    pub(crate) fn new(known: Arc<Known>) -> Clock {
        Clock { known, now: 1, fenced: None, seen: None }
    }

    /// What it knows, itself included.
    pub(crate) fn all(&self, thread: u64) -> Known {
        let mut all = (*self.known).clone();
        all.learn(thread, self.now);
        all
    }

    pub(crate) fn acquire(&mut self, other: &Known) {
        Arc::make_mut(&mut self.known).join(other);
    }
}
