//! Splits and joins: how the lanes of a warp part and meet.

use super::block::Warp;
use super::slab::NONE;
use super::{Machine, Ready};
use crate::code::NOWHERE;

/// What a split is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Ready,
    /// At the barrier of the block of that number.
    Barrier(u32),
    /// At an operation that waits for the lanes of a mask.
    Warp(u32),
}

/// Lanes at the same place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Split {
    pub(crate) pc: u32,
    pub(crate) mask: u32,
    pub(crate) frame: u32,
    /// Where it will wait for the others.
    pub(crate) join: u32,
    pub(crate) state: State,
}

/// A place where lanes wait for each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Join {
    pub(crate) pc: u32,
    pub(crate) frame: u32,
    /// The lanes that will come; those that exit are taken out.
    pub(crate) expected: u32,
    pub(crate) arrived: u32,
    pub(crate) parent: u32,
}

impl Warp {
    /// Moves a split, which then waits if it has come to its join. Gives the splits that may go on because of it.
    pub(crate) fn go_to(&mut self, id: u32, pc: u32) -> Option<u32> {
        let split = &mut self.splits[id];
        split.pc = pc;
        if split.join == NONE {
            return None;
        }
        let join = &self.joins[split.join];
        if join.pc != pc || join.frame != split.frame {
            return None;
        }
        self.arrive(id)
    }

    /// The split has come to its join.
    fn arrive(&mut self, id: u32) -> Option<u32> {
        let split = self.splits.remove(id)?;
        self.joins[split.join].arrived |= split.mask;
        self.release(split.join)
    }

    /// Lets the lanes of a join go on together if all have come; gives their split.
    pub(crate) fn release(&mut self, mut at: u32) -> Option<u32> {
        loop {
            let join = *self.joins.get(at)?;
            if join.arrived != join.expected {
                return None;
            }
            self.joins.remove(at);
            if join.expected == 0 {
                return None;
            }
            let outer = self.joins.get(join.parent).copied();
            match outer {
                Some(outer) if outer.pc == join.pc && outer.frame == join.frame => {
                    self.joins[join.parent].arrived |= join.arrived;
                    at = join.parent;
                }
                _ => {
                    return Some(self.splits.insert(Split {
                        pc: join.pc,
                        mask: join.arrived,
                        frame: join.frame,
                        join: join.parent,
                        state: State::Ready,
                    }));
                }
            }
        }
    }

    /// Takes lanes out of all joins, as those that have exited; gives the splits that may go on because of it.
    pub(crate) fn leave_joins(&mut self, lanes: u32, inside: Option<u32>) -> Vec<u32> {
        let ids: Vec<u32> = self.joins.ids().collect();
        let mut woken = Vec::new();
        for id in ids {
            let Some(join) = self.joins.get_mut(id) else { continue };
            if join.expected & lanes == 0 || inside.is_some_and(|frame| frame != join.frame) {
                continue;
            }
            join.expected &= !lanes;
            join.arrived &= !lanes;
            woken.extend(self.release(id));
        }
        woken
    }
}

impl Machine<'_> {
    /// Parts the lanes of a split: each group goes to its own place. They meet at `join` in lockstep.
    pub(super) fn part(&mut self, warp: &mut Warp, ready: Ready, groups: &[(u32, u32)], join: u32) {
        let split = warp.splits[ready.split];
        let mut outer = split.join;
        if self.is_lockstep() && join != NOWHERE {
            let same = warp.joins.get(outer).is_some_and(|one| one.pc == join && one.frame == split.frame);
            if !same {
                outer = warp.joins.insert(super::split::Join {
                    pc: join,
                    frame: split.frame,
                    expected: split.mask,
                    arrived: 0,
                    parent: outer,
                });
            }
        }
        warp.splits.remove(ready.split);
        // the first group goes on first
        for (pc, mask) in groups.iter().rev() {
            let id = warp.splits.insert(Split { pc: *pc, mask: *mask, join: outer, ..split });
            let joined = warp.go_to(id, *pc);
            let went = warp.splits.get(id).is_some_and(|one| one.mask == *mask && one.pc == *pc);
            match joined {
                Some(woken) => self.wake(ready, woken),
                None if went => self.wake(ready, id),
                None => {}
            }
        }
    }

    /// A split of the same warp may go on.
    pub(super) fn wake(&mut self, like: Ready, split: u32) {
        self.urgent.push_back(Ready { split, ..like });
    }
}
