//! One instruction of one split.

use super::block::Block;
use super::registers::lanes;
use super::{Machine, Ready, Step};
use crate::code::{Inst, IsSpace, NOWHERE, Op};
use crate::compute::mask;
use crate::fault::FaultKind;
use crate::memory::{WINDOW, resolve};

impl Machine<'_> {
    /// Executes the instruction for the active lanes and moves the split.
    pub(super) fn step(&mut self, block: &mut Block, ready: Ready, inst: &Inst, active: u32) -> Step<()> {
        let warp = &mut block.warps[ready.warp as usize];
        let split = warp.splits[ready.split];
        if active == 0 {
            return self.next(block, ready);
        }
        match &inst.op {
            Op::Nop | Op::Pause | Op::Fence { .. } => {
                if let Op::Fence { release: true } = inst.op {
                    self.fence(block, ready, active);
                }
                self.next(block, ready)
            }
            Op::Pure(op) => {
                let frame = &mut warp.frames[split.frame];
                if !frame.defined.is_empty() {
                    self.demand(frame, &op.from, active)?;
                    frame.define(op.to, active);
                    frame.define(op.second, active);
                }
                frame.pure(op, active);
                self.next(block, ready)
            }
            Op::Copy { from, to } => {
                let frame = &mut warp.frames[split.frame];
                self.demand(frame, &[*from], active)?;
                lanes(active).for_each(|lane| frame.set(*to, lane, frame.get(*from, lane)));
                self.next(block, ready)
            }
            Op::Clock { to, unit, shift } => {
                let frame = &mut warp.frames[split.frame];
                let now = self.clock.wrapping_mul(*unit) >> shift;
                // a 32-bit register takes the lower half
                lanes(active).for_each(|lane| frame.set(*to, lane, now));
                self.next(block, ready)
            }
            Op::Load(op) => {
                self.load(block, ready, op, active)?;
                self.next(block, ready)
            }
            Op::Store(op) => {
                self.store(block, ready, op, active)?;
                self.next(block, ready)
            }
            Op::Atomic(op) => {
                self.atomic(block, ready, op, active)?;
                self.next(block, ready)
            }
            Op::Branch { target, join } => {
                let rest = split.mask & !active;
                if rest == 0 {
                    return self.jump(block, ready, *target);
                }
                self.part(warp, ready, &[(*target, active), (split.pc + 1, rest)], *join);
                Ok(())
            }
            Op::Switch { index, targets, join } => {
                self.switch(block, ready, (*index, targets, *join), active)
            }
            Op::IsSpace { to, address, space } => {
                let frame = &mut warp.frames[split.frame];
                self.demand(frame, &[*address], active)?;
                for lane in lanes(active) {
                    let address = frame.get(*address, lane);
                    let yes = match space {
                        IsSpace::Space(space) => resolve(address).0 == *space,
                        IsSpace::Const => self.memory.at(address).is_some_and(|(one, _)| one.constant),
                    };
                    frame.set(*to, lane, u64::from(yes));
                }
                self.next(block, ready)
            }
            Op::StackSave { to } => {
                let frame = &mut warp.frames[split.frame];
                let top = frame.top;
                lanes(active).for_each(|lane| frame.set(*to, lane, top));
                self.next(block, ready)
            }
            Op::StackRestore { from } => {
                let frame = &mut warp.frames[split.frame];
                let code = &self.loaded.functions[frame.function as usize];
                // lanes that are elsewhere may still need theirs
                if active == frame.live {
                    let top = lanes(active).map(|lane| frame.get(*from, lane)).max().unwrap_or(frame.top);
                    frame.top = top.clamp(frame.base + code.local, frame.top);
                }
                self.next(block, ready)
            }
            Op::Alloca { to, size, align } => {
                let frame = &mut warp.frames[split.frame];
                self.demand(frame, &[*size], active)?;
                let most = lanes(active).map(|lane| frame.get(*size, lane) & mask(32)).max().unwrap_or(0);
                let start = frame.top.next_multiple_of(*align);
                let end = start.saturating_add(most);
                if end > self.config.stack_limit.min(WINDOW) {
                    return Err(FaultKind::StackOverflow);
                }
                frame.top = end;
                lanes(active).for_each(|lane| frame.set(*to, lane, start));
                warp.make_local(active, start, end, self.checks.poison);
                self.next(block, ready)
            }
            Op::Trap => Err(FaultKind::Trap),
            Op::Unsupported(instruction) => {
                Err(FaultKind::Unsupported { instruction: instruction.to_string() })
            }
            // what follows takes all lanes of a split or makes two of it
            Op::Return => self.give_back(block, ready, active),
            Op::Exit => self.exit(block, ready, active),
            Op::Call(_) | Op::Barrier(_) | Op::Matrix(_) if active != split.mask => {
                let rest = split.mask & !active;
                self.uncount(active);
                self.part(warp, ready, &[(split.pc, active), (split.pc + 1, rest)], split.pc + 1);
                Ok(())
            }
            Op::Warp(op) if active != split.mask && op.sync => {
                let rest = split.mask & !active;
                self.uncount(active);
                self.part(warp, ready, &[(split.pc, active), (split.pc + 1, rest)], split.pc + 1);
                Ok(())
            }
            Op::Call(call) => self.call(block, ready, call),
            Op::Barrier(op) => self.barrier(block, ready, op),
            Op::Warp(op) => self.warp(block, ready, op, active),
            Op::Matrix(op) => self.matrix(block, ready, op),
            Op::AsyncCopy(op) => {
                self.async_copy(block, ready, op, active)?;
                self.next(block, ready)
            }
            Op::BulkCopy(op) => {
                self.bulk_copy(block, ready, op, active)?;
                self.next(block, ready)
            }
            Op::WaitGroups(wait) => {
                self.wait_groups(block, ready, *wait, active)?;
                self.next(block, ready)
            }
            Op::Mbarrier(op) => {
                self.mbarrier(block, ready, op, active)?;
                self.next(block, ready)
            }
        }
    }

    /// Takes back the count of an instruction that will be executed again.
    pub(super) fn uncount(&mut self, active: u32) {
        let report = &mut self.report;
        report.warp_instructions = report.warp_instructions.saturating_sub(1);
        report.thread_instructions = report.thread_instructions.saturating_sub(active.count_ones().into());
    }

    /// On to the next instruction.
    pub(super) fn next(&mut self, block: &mut Block, ready: Ready) -> Step<()> {
        let warp = &mut block.warps[ready.warp as usize];
        let pc = warp.splits[ready.split].pc + 1;
        if let Some(woken) = warp.go_to(ready.split, pc) {
            self.wake(ready, woken);
        }
        Ok(())
    }

    fn jump(&mut self, block: &mut Block, ready: Ready, target: u32) -> Step<()> {
        let warp = &mut block.warps[ready.warp as usize];
        if let Some(woken) = warp.go_to(ready.split, target) {
            self.wake(ready, woken);
        }
        Ok(())
    }

    /// `brx.idx`
    fn switch(
        &mut self,
        block: &mut Block,
        ready: Ready,
        (index, targets, join): (u32, &[u32], u32),
        active: u32,
    ) -> Step<()> {
        let warp = &mut block.warps[ready.warp as usize];
        let split = warp.splits[ready.split];
        let frame = &warp.frames[split.frame];
        self.demand(frame, &[index], active)?;
        let mut groups: Vec<(u32, u32)> = Vec::new();
        let mut add = |pc: u32, lanes: u32| match groups.iter_mut().find(|(own, _)| *own == pc) {
            Some((_, mask)) => *mask |= lanes,
            None => groups.push((pc, lanes)),
        };
        for lane in lanes(active) {
            let index = frame.get(index, lane) & mask(32);
            match targets.get(index as usize) {
                Some(target) if *target != NOWHERE => add(*target, 1 << lane),
                Some(_) | None => {
                    self.lane = Some(lane as u32);
                    return Err(FaultKind::BadIndex { index });
                }
            }
        }
        if active != split.mask {
            add(split.pc + 1, split.mask & !active);
        }
        match groups[..] {
            [(target, _)] => self.jump(block, ready, target),
            _ => {
                self.part(warp, ready, &groups, join);
                Ok(())
            }
        }
    }
}
