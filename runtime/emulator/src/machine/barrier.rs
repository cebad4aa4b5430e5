//! Barriers of a block.
//!
//! Each of the sixteen is in one phase at a time. Lanes arrive; those of `.sync` and `.red` wait. A barrier without a count is
//! complete when every thread that has not exited has arrived, one with a count when that many have: a warp that is there as a whole
//! counts as 32, however many of its lanes are left.

use super::block::Block;
use super::registers::lanes;
use super::split::State;
use super::{Machine, Ready, Step};
use crate::code::Op;
use crate::compute::mask;
use crate::fault::FaultKind;
use crate::sync::{Barrier, BarrierKind};

/// What a barrier has seen since it was last complete.
#[derive(Debug, Clone, Default)]
pub(crate) struct Phase {
    /// The first use, which the others have to be like.
    kind: Option<BarrierKind>,
    count: Option<u32>,
    /// The lanes of each warp that have arrived.
    arrived: Vec<u32>,
    /// Arrivals of lanes that had arrived already.
    again: u32,
    /// Threads whose predicate is true, and all that gave one.
    yes: u32,
    asked: u32,
    waiting: Vec<(u32, u32)>,
}

impl Machine<'_> {
    /// All lanes of the split arrive.
    pub(super) fn barrier(&mut self, block: &mut Block, ready: Ready, op: &Barrier) -> Step<()> {
        if op.aligned && !self.assemble(block, ready)? {
            return Ok(());
        }
        let warp = &block.warps[ready.warp as usize];
        let split = warp.splits[ready.split];
        let frame = &warp.frames[split.frame];
        let mut slots = vec![op.number, op.predicate.0];
        slots.extend(op.count);
        self.demand(frame, &slots, split.mask)?;
        let lane = split.mask.trailing_zeros() as usize & 31;
        let number = (frame.get(op.number, lane) & mask(32)) as u32;
        let count = op.count.map(|slot| (frame.get(slot, lane) & mask(32)) as u32);
        if number > 15 || count.is_some_and(|count| count == 0 || count % 32 != 0) {
            return Err(FaultKind::BadBarrier { barrier: number, count });
        }
        let said = |lane: usize| (frame.get(op.predicate.0, lane) != 0) != op.predicate.1;
        let yes = lanes(split.mask).filter(|lane| said(*lane)).count() as u32;
        let warps = block.warps.len();
        let phase = &mut block.barriers[number as usize];
        let class = |kind: BarrierKind| match kind {
            BarrierKind::Sync | BarrierKind::Arrive => None,
            BarrierKind::Popc | BarrierKind::And | BarrierKind::Or => Some(kind),
        };
        match phase.kind {
            None => {
                phase.kind = Some(op.kind);
                phase.count = count;
                phase.arrived = vec![0; warps];
            }
            Some(kind) if self.checks.strict && (class(kind) != class(op.kind) || phase.count != count) => {
                return Err(FaultKind::MixedBarrier { barrier: number });
            }
            Some(_) => phase.count = phase.count.max(count),
        }
        let arrived = &mut phase.arrived[ready.warp as usize];
        if *arrived & split.mask != 0 {
            phase.again += 32;
        }
        *arrived |= split.mask;
        phase.yes += yes;
        phase.asked += split.mask.count_ones();
        self.arrive(block, ready, split.mask, number);
        if op.kind == BarrierKind::Arrive {
            self.next(block, ready)?;
        } else {
            block.warps[ready.warp as usize].splits[ready.split].state = State::Barrier(number);
            block.barriers[number as usize].waiting.push((ready.warp, ready.split));
        }
        self.complete(block, ready, number)
    }

    /// Lets the waiting lanes go on if the barrier is complete.
    pub(super) fn complete(&mut self, block: &mut Block, ready: Ready, number: u32) -> Step<()> {
        let phase = &block.barriers[number as usize];
        if phase.kind.is_none() {
            return Ok(());
        }
        let pairs = || block.warps.iter().zip(&phase.arrived);
        let done = match phase.count {
            None => pairs().all(|(warp, arrived)| warp.live & !arrived == 0),
            Some(count) => {
                let whole = |live: u32, arrived: u32| live & !arrived == 0 && arrived != 0;
                let threads: u32 = pairs()
                    .map(|(warp, arrived)| if whole(warp.live, *arrived) { 32 } else { arrived.count_ones() })
                    .sum();
                threads + phase.again >= count
            }
        };
        if !done {
            return Ok(());
        }
        let phase = std::mem::take(&mut block.barriers[number as usize]);
        let waited: Vec<(u32, u32)> = phase
            .waiting
            .iter()
            .filter_map(|(warp, split)| Some((*warp, block.warps[*warp as usize].splits.get(*split)?.mask)))
            .collect();
        self.went_on(block, &waited, number);
        for (warp, split) in phase.waiting.iter().rev() {
            let own = &mut block.warps[*warp as usize];
            let Some(one) = own.splits.get_mut(*split) else { continue };
            one.state = State::Ready;
            let one = *one;
            let frame = &mut own.frames[one.frame];
            let inst = &self.loaded.functions[frame.function as usize].insts[one.pc as usize];
            if let Op::Barrier(op) = &inst.op {
                let result = match op.kind {
                    BarrierKind::Sync | BarrierKind::Arrive => None,
                    BarrierKind::Popc => Some(phase.yes),
                    BarrierKind::And => Some(u32::from(phase.yes == phase.asked)),
                    BarrierKind::Or => Some(u32::from(phase.yes != 0)),
                };
                if let Some(result) = result {
                    lanes(one.mask).for_each(|lane| frame.set(op.to, lane, u64::from(result)));
                }
            }
            let there = Ready { block: ready.block, warp: *warp, split: *split };
            self.next(block, there)?;
            let own = &block.warps[*warp as usize];
            if there != ready && own.splits.get(*split).is_some_and(|now| now.mask == one.mask) {
                self.wake(there, *split);
            }
        }
        Ok(())
    }

    /// What may be complete now that lanes of a warp have exited.
    pub(super) fn after_exit(&mut self, block: &mut Block, ready: Ready) -> Step<()> {
        for number in 0..16 {
            self.complete(block, ready, number)?;
        }
        self.regroup(block, ready)
    }
}
