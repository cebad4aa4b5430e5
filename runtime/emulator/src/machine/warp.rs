//! Operations of a warp: lanes that wait for each other, and what they exchange.

use super::block::Block;
use super::exchange::{Group, reduce, result};
use super::registers::lanes;
use super::split::{Split, State};
use super::{Machine, Ready, Step};
use crate::code::{Op, Slot};
use crate::compute::mask;
use crate::fault::FaultKind;
use crate::sync::{WarpKind, WarpOp};

impl Machine<'_> {
    pub(super) fn warp(&mut self, block: &mut Block, ready: Ready, op: &WarpOp, active: u32) -> Step<()> {
        let own = &block.warps[ready.warp as usize];
        let split = own.splits[ready.split];
        let frame = &own.frames[split.frame];
        self.demand(frame, &[op.a, op.b, op.c, op.mask], active)?;
        if !op.sync || matches!(op.kind, WarpKind::ActiveMask) {
            self.exchange(block, ready, &[ready.split], active);
            return self.next(block, ready);
        }
        // lanes with different masks form groups that know nothing of each other
        let mut groups: Vec<(u32, u32)> = Vec::new();
        for lane in lanes(active) {
            let named = (frame.get(op.mask, lane) & mask(32)) as u32;
            match groups.iter_mut().find(|(own, _)| *own == named) {
                Some((_, members)) => *members |= 1 << lane,
                None => groups.push((named, 1 << lane)),
            }
        }
        if groups.len() > 1 {
            let outside = groups.iter().find(|(named, members)| members & !named != 0);
            if let Some((named, members)) = outside.filter(|_| self.checks.strict) {
                return Err(FaultKind::BadMask { mask: *named, lanes: *members });
            }
            let parts: Vec<(u32, u32)> = groups.iter().map(|(_, members)| (split.pc, *members)).collect();
            self.uncount(active);
            let warp = &mut block.warps[ready.warp as usize];
            self.part(warp, ready, &parts, split.pc + 1);
            return Ok(());
        }
        let named = groups.first().map_or(0, |(named, _)| *named);
        if self.checks.strict && active & !named != 0 {
            return Err(FaultKind::BadMask { mask: named, lanes: active });
        }
        let named = named | active;
        let needed = named & own.live;
        if needed & !split.mask == 0 {
            if let WarpKind::Sync = op.kind {
                self.meet(block, ready.warp, split.mask & named);
            }
            self.exchange(block, ready, &[ready.split], split.mask);
            return self.next(block, ready);
        }
        block.warps[ready.warp as usize].splits[ready.split].state = State::Warp(named);
        self.gather(block, ready, named)
    }

    /// Goes on if all lanes of the mask that have not exited wait with it.
    fn gather(&mut self, block: &mut Block, ready: Ready, named: u32) -> Step<()> {
        let own = &block.warps[ready.warp as usize];
        let mut group = Vec::new();
        let mut there = 0;
        let mut parked = 0;
        for id in own.splits.ids() {
            let one = &own.splits[id];
            match one.state {
                State::Warp(mask) if mask == named && self.is_like(own.splits[id], block, ready) => {
                    group.push(id);
                    there |= one.mask;
                }
                State::Warp(_) | State::Barrier(_) => parked |= one.mask & named,
                State::Ready => {}
            }
        }
        let joined = own.joins.ids().fold(0, |all, id| all | own.joins[id].arrived);
        parked |= joined & named;
        if self.checks.strict && parked & own.live != 0 {
            return Err(FaultKind::ParkedElsewhere { mask: named, parked });
        }
        if named & own.live & !there != 0 {
            return Ok(());
        }
        if self.is_sync(block, ready) {
            self.meet(block, ready.warp, there);
        }
        self.exchange(block, ready, &group, there);
        let group = if self.is_lockstep() { group } else { merge(block, ready, &group) };
        for id in group.into_iter().rev() {
            let there = Ready { split: id, ..ready };
            let one = &mut block.warps[ready.warp as usize].splits[id];
            one.state = State::Ready;
            let lanes = one.mask;
            self.next(block, there)?;
            let still = block.warps[ready.warp as usize].splits.get(id).is_some_and(|now| now.mask == lanes);
            if id != ready.split && still {
                self.wake(there, id);
            }
        }
        Ok(())
    }

    /// Whether the split stands at a `bar.warp.sync`, which orders memory as well.
    fn is_sync(&self, block: &Block, ready: Ready) -> bool {
        let own = &block.warps[ready.warp as usize];
        let split = &own.splits[ready.split];
        let code = &self.loaded.functions[own.frames[split.frame].function as usize];
        matches!(&code.insts[split.pc as usize].op, Op::Warp(op) if matches!(op.kind, WarpKind::Sync))
    }

    /// Whether a split waits at the same kind of operation as the one that has just come.
    fn is_like(&self, one: Split, block: &Block, ready: Ready) -> bool {
        let own = &block.warps[ready.warp as usize];
        let op = |split: &Split| {
            let frame = &own.frames[split.frame];
            &self.loaded.functions[frame.function as usize].insts[split.pc as usize].op
        };
        let Some(came) = own.splits.get(ready.split) else { return true };
        match (op(&one), op(came)) {
            (Op::Warp(a), Op::Warp(b)) => std::mem::discriminant(&a.kind) == std::mem::discriminant(&b.kind),
            _ => one.pc == came.pc,
        }
    }

    /// Exchanges values among the lanes of several splits that stand at the same kind of operation.
    fn exchange(&mut self, block: &mut Block, ready: Ready, splits: &[u32], active: u32) {
        let own = &mut block.warps[ready.warp as usize];
        let loaded = self.loaded;
        let op_of = |split: &Split, function: u32| match &loaded.functions[function as usize].insts
            [split.pc as usize]
            .op
        {
            Op::Warp(op) => Some(&**op),
            _ => None,
        };
        let mut group = Group { lanes: 0, a: [0; 32], b: [0; 32], c: [0; 32] };
        for id in splits {
            let split = own.splits[*id];
            let frame = &own.frames[split.frame];
            let Some(op) = op_of(&split, frame.function) else { continue };
            for lane in lanes(split.mask & active) {
                group.lanes |= 1 << lane;
                group.a[lane] = frame.get(op.a, lane) ^ u64::from(op.negated);
                group.b[lane] = frame.get(op.b, lane);
                group.c[lane] = frame.get(op.c, lane);
            }
        }
        for id in splits {
            let split = own.splits[*id];
            let frame = &mut own.frames[split.frame];
            let Some(op) = op_of(&split, frame.function) else { continue };
            let whole = match op.kind {
                WarpKind::Reduce(_) => reduce(op, &group),
                _ => 0,
            };
            for lane in lanes(split.mask & active) {
                let (first, second) = result(op, &group, lane, whole);
                let mut put = |slot: Slot, word| frame.set(slot, lane, word);
                put(op.to, first);
                put(op.second, second);
            }
        }
    }

    /// Brings all lanes of a warp together for an instruction that they execute as one; `false` if some are still missing.
    pub(super) fn assemble(&mut self, block: &mut Block, ready: Ready) -> Step<bool> {
        let own = &mut block.warps[ready.warp as usize];
        let split = own.splits[ready.split];
        if split.mask == own.live {
            return Ok(true);
        }
        if self.is_lockstep() {
            if !self.checks.strict {
                return Ok(true);
            }
            // those that still run may be about to leave
            let runs = |id: u32| id != ready.split && own.splits[id].state == State::Ready;
            if !own.splits.ids().any(runs) {
                return Err(FaultKind::Diverged { lanes: split.mask, live: own.live });
            }
            own.splits[ready.split].state = State::Warp(own.live);
            return Ok(false);
        }
        own.splits[ready.split].state = State::Warp(own.live);
        let own = &block.warps[ready.warp as usize];
        let here: Vec<u32> = own
            .splits
            .ids()
            .filter(|id| {
                let one = &own.splits[*id];
                matches!(one.state, State::Warp(_)) && one.pc == split.pc && one.frame == split.frame
            })
            .collect();
        let there = here.iter().fold(0, |all, id| all | own.splits[*id].mask);
        if own.live & !there != 0 {
            return Ok(false);
        }
        let others: Vec<u32> = here.into_iter().filter(|id| *id != ready.split).collect();
        let own = &mut block.warps[ready.warp as usize];
        others.iter().for_each(|id| {
            own.splits.remove(*id);
        });
        let one = &mut own.splits[ready.split];
        one.mask = there;
        one.state = State::Ready;
        Ok(true)
    }

    /// Lets lanes of a warp go on that waited only for lanes that have exited.
    pub(super) fn regroup(&mut self, block: &mut Block, ready: Ready) -> Step<()> {
        let own = &block.warps[ready.warp as usize];
        let waiting: Vec<(u32, u32)> = own
            .splits
            .ids()
            .filter_map(|id| match own.splits[id].state {
                State::Warp(named) => Some((id, named)),
                State::Ready | State::Barrier(_) => None,
            })
            .collect();
        for (id, named) in waiting {
            let own = &mut block.warps[ready.warp as usize];
            let Some(split) = own.splits.get(id).copied() else { continue };
            if split.state != State::Warp(named) {
                continue;
            }
            let there = Ready { split: id, ..ready };
            let frame = &own.frames[split.frame];
            let op = &self.loaded.functions[frame.function as usize].insts[split.pc as usize].op;
            // it executes its instruction again, and sees who is left
            let again = match op {
                Op::Warp(_) => {
                    let same = |one: &Split| one.state == State::Warp(named);
                    let ids = own.splits.ids().filter(|id| same(&own.splits[*id]));
                    let there = ids.fold(0, |all, id| all | own.splits[id].mask);
                    named & own.live & !there == 0
                }
                _ => split.mask == own.live || !self.is_lockstep(),
            };
            if again {
                self.uncount(split.mask);
                own.splits[id].state = State::Ready;
                self.wake(there, id);
            }
        }
        Ok(())
    }
}

/// Makes one split of those that stand at the same place.
fn merge(block: &mut Block, ready: Ready, group: &[u32]) -> Vec<u32> {
    let own = &mut block.warps[ready.warp as usize];
    let mut kept: Vec<u32> = Vec::new();
    // the one that runs stays
    let mut order = group.to_vec();
    order.sort_by_key(|id| *id != ready.split);
    for id in order {
        let split = own.splits[id];
        let same = kept.iter().copied().find(|other| {
            let other = &own.splits[*other];
            other.pc == split.pc && other.frame == split.frame
        });
        match same {
            Some(other) => {
                own.splits[other].mask |= split.mask;
                own.splits.remove(id);
            }
            None => kept.push(id),
        }
    }
    kept
}
