//! Data races: two accesses to one byte, one of them a write, that nothing orders, and not both of them strong.
//!
//! Strong are atomics and volatile, relaxed, acquire and release accesses. Two weak writes of the same value are let pass.
//! A release is a `.release` or `.acq_rel` write, or any strong write after a fence; an acquire is the mirror image, and a barrier
//! of the block is a fence as well. Of each byte the last write and up to [`MOST_READERS`] reads since are remembered.

use std::collections::HashMap;
use std::sync::Arc;

use super::clock::{Clock, Known};
use crate::code::Order;
use crate::fault::{Access, FaultKind};
use crate::memory::Space;

const MOST_READERS: usize = 48;
const PAGE: u64 = 64;

/// An access that was.
#[derive(Debug, Clone, Copy)]
struct Event {
    thread: u64,
    time: u32,
    strong: bool,
}

/// What is remembered of a byte.
#[derive(Debug, Clone, Default)]
struct Cell {
    write: Option<Event>,
    reads: Vec<Event>,
}

/// A piece of memory: global, or shared of the block of that number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Region {
    Global,
    Shared(u64),
}

/// The check of a launch.
#[derive(Debug)]
pub(crate) struct Races {
    threads: u64,
    clocks: HashMap<u64, Vec<Clock>>,
    cells: HashMap<(Region, u64), Vec<Cell>>,
    /// What was released at each flag.
    flags: HashMap<(Region, u64), Known>,
    /// What those who have arrived at a barrier knew: by block and number.
    barriers: HashMap<(u64, u32), Known>,
}

/// Who accesses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Who {
    pub(crate) block: u64,
    /// The number in the block.
    pub(crate) thread: u32,
}

impl Races {
    pub(crate) fn new(threads: u32) -> Races {
        Races {
            threads: u64::from(threads),
            clocks: HashMap::new(),
            cells: HashMap::new(),
            flags: HashMap::new(),
            barriers: HashMap::new(),
        }
    }

    pub(crate) fn start(&mut self, block: u64) {
        let nothing = Arc::new(Known::nothing(block * self.threads, self.threads as usize));
        self.clocks.insert(block, vec![Clock::new(nothing); self.threads as usize]);
    }

    pub(crate) fn end(&mut self, block: u64) {
        self.clocks.remove(&block);
        self.cells.retain(|(region, _), _| *region != Region::Shared(block));
        self.flags.retain(|(region, _), _| *region != Region::Shared(block));
        self.barriers.retain(|(own, _), _| *own != block);
    }

    fn number(&self, who: Who) -> u64 {
        who.block * self.threads + u64::from(who.thread)
    }

    fn clock(&mut self, who: Who) -> Option<&mut Clock> {
        self.clocks.get_mut(&who.block)?.get_mut(who.thread as usize)
    }

    /// An access; `same` says that a write leaves the bytes as they are.
    pub(crate) fn access(
        &mut self,
        who: Who,
        order: Order,
        access: Access,
        same: bool,
    ) -> Result<(), FaultKind> {
        let region = match access.space {
            Space::Global | Space::Generic => Region::Global,
            Space::Shared => Region::Shared(who.block),
            Space::Local | Space::Param => return Ok(()),
        };
        let strong = order != Order::Weak;
        let number = self.number(who);
        let Some(clock) = self.clocks.get(&who.block).and_then(|all| all.get(who.thread as usize)) else {
            return Ok(());
        };
        let own = Event { thread: number, time: clock.now, strong };
        let ordered = |event: &Event| event.thread == number || clock.known.time(event.thread) >= event.time;
        let races = |event: &Event| !(ordered(event) || event.strong && strong);
        for address in access.address..access.address + u64::from(access.bytes) {
            let page = self
                .cells
                .entry((region, address / PAGE))
                .or_insert_with(|| vec![Cell::default(); PAGE as usize]);
            let cell = &mut page[(address % PAGE) as usize];
            let fault = |event: &Event, other_writes| {
                Err(FaultKind::Race { access, other: event.thread, other_writes })
            };
            if let Some(write) = cell.write.as_ref().filter(|write| races(write))
                && !(access.writes && same)
            {
                return fault(write, true);
            }
            if access.writes {
                if let Some(read) = cell.reads.iter().find(|read| races(read))
                    && !same
                {
                    return fault(read, false);
                }
                cell.write = Some(own);
                cell.reads.clear();
            } else {
                cell.reads.retain(|read| read.thread != number && !ordered(read));
                if cell.reads.len() >= MOST_READERS {
                    cell.reads.remove(0);
                }
                cell.reads.push(own);
            }
        }
        if strong {
            self.flag(who, order, (region, access.address), access.writes);
        }
        Ok(())
    }

    /// What a strong access hands on.
    fn flag(&mut self, who: Who, order: Order, at: (Region, u64), writes: bool) {
        let number = self.number(who);
        let Some(clock) = self.clocks.get_mut(&who.block).and_then(|all| all.get_mut(who.thread as usize))
        else {
            return;
        };
        if writes {
            let released = match order {
                Order::Release | Order::AcquireRelease => Some(clock.all(number)),
                Order::Weak | Order::Relaxed | Order::Acquire => clock.fenced.clone(),
            };
            if let Some(released) = released {
                clock.now += 1;
                self.flags.entry(at).and_modify(|flag| flag.join(&released)).or_insert(released);
            }
        } else if let Some(flag) = self.flags.get(&at) {
            match order {
                Order::Acquire | Order::AcquireRelease => clock.acquire(flag),
                Order::Weak | Order::Relaxed | Order::Release => match &mut clock.seen {
                    Some(seen) => seen.join(flag),
                    None => clock.seen = Some(flag.clone()),
                },
            }
        }
    }

    /// A fence by one thread.
    pub(crate) fn fence(&mut self, who: Who) {
        let number = self.number(who);
        let Some(clock) = self.clock(who) else { return };
        if let Some(seen) = clock.seen.take() {
            clock.acquire(&seen);
        }
        clock.fenced = Some(clock.all(number));
        clock.now += 1;
    }

    /// A thread arrives at a barrier of its block.
    pub(crate) fn arrive(&mut self, who: Who, barrier: u32) {
        let number = self.number(who);
        let (first, threads) = (who.block * self.threads, self.threads as usize);
        let Some(clock) = self.clocks.get_mut(&who.block).and_then(|all| all.get_mut(who.thread as usize))
        else {
            return;
        };
        if let Some(seen) = clock.seen.take() {
            clock.acquire(&seen);
        }
        let all = self.barriers.entry((who.block, barrier)).or_insert_with(|| Known::nothing(first, threads));
        all.join(&clock.known);
        all.learn(number, clock.now);
        clock.now += 1;
    }

    /// The threads that waited at a barrier go on.
    pub(crate) fn complete(&mut self, block: u64, barrier: u32, waited: impl Iterator<Item = u32>) {
        let Some(all) = self.barriers.remove(&(block, barrier)) else { return };
        let all = Arc::new(all);
        for thread in waited {
            if let Some(clock) = self.clock(Who { block, thread }) {
                clock.known = Arc::clone(&all);
            }
        }
    }

    /// These threads of a warp meet.
    pub(crate) fn meet(&mut self, block: u64, threads: &[u32]) {
        let first = block * self.threads;
        let mut all = Known::nothing(first, self.threads as usize);
        for thread in threads {
            if let Some(clock) = self.clock(Who { block, thread: *thread }) {
                all.join(&clock.known);
                all.learn(first + u64::from(*thread), clock.now);
                clock.now += 1;
            }
        }
        let all = Arc::new(all);
        for thread in threads {
            if let Some(clock) = self.clock(Who { block, thread: *thread }) {
                clock.known = Arc::clone(&all);
            }
        }
    }
}
