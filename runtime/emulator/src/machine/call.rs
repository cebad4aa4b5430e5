//! Calls, returns and exits.

use super::block::{Block, Warp};
use super::registers::lanes;
use super::slab::NONE;
use super::split::{Join, Split, State};
use super::{Machine, Ready, Step};
use crate::code::{Call, Callee, Op, Passed};
use crate::compute::mask;
use crate::copy::WaitGroups;
use crate::fault::FaultKind;
use crate::memory::{CODE, WINDOW};

/// The most frames above each other.
const MOST_FRAMES: u32 = 512;

impl Machine<'_> {
    /// The split is whole: all of its lanes call.
    pub(super) fn call(&mut self, block: &mut Block, ready: Ready, call: &Call) -> Step<()> {
        let warp = &mut block.warps[ready.warp as usize];
        let split = warp.splits[ready.split];
        let reads: Vec<u32> = call.arguments.iter().filter_map(|one| one.slot()).collect();
        self.demand(&warp.frames[split.frame], &reads, split.mask)?;
        match &call.callee {
            Callee::System(system) => {
                self.system(block, ready, *system, call)?;
                self.next(block, ready)
            }
            Callee::Function(number) => self.enter(block, ready, call, &[(*number, split.mask)]),
            Callee::Address(slot) => {
                let frame = &warp.frames[split.frame];
                self.demand(frame, &[*slot], split.mask)?;
                let mut groups: Vec<(u32, u32)> = Vec::new();
                for lane in lanes(split.mask) {
                    let address = frame.get(*slot, lane);
                    let number = self.function_at(address).ok_or(FaultKind::BadCall { address })?;
                    match groups.iter_mut().find(|(own, _)| *own == number) {
                        Some((_, mask)) => *mask |= 1 << lane,
                        None => groups.push((number, 1 << lane)),
                    }
                }
                self.enter(block, ready, call, &groups)
            }
        }
    }

    fn function_at(&self, address: u64) -> Option<u32> {
        let distance = address.checked_sub(CODE)?;
        let number = u32::try_from(distance / 16).ok()?;
        let code = self.loaded.functions.get(number as usize)?;
        (distance % 16 == 0 && !code.is_kernel).then_some(number)
    }

    /// Each group of lanes enters its function; they meet after the call.
    fn enter(&mut self, block: &mut Block, ready: Ready, call: &Call, groups: &[(u32, u32)]) -> Step<()> {
        let ctaid = block.ctaid;
        let warp = &mut block.warps[ready.warp as usize];
        let split = warp.splits[ready.split];
        let mut outer = split.join;
        if self.is_lockstep() {
            outer = warp.joins.insert(Join {
                pc: split.pc + 1,
                frame: split.frame,
                expected: split.mask,
                arrived: 0,
                parent: split.join,
            });
        }
        warp.splits.remove(ready.split);
        for (number, mask) in groups.iter().rev() {
            let code = &self.loaded.functions[*number as usize];
            let fits =
                code.parameters.len() == call.arguments.len() && code.results.len() == call.results.len();
            let caller = &warp.frames[split.frame];
            let (base, depth) = (caller.top.next_multiple_of(16), caller.depth + 1);
            if !fits {
                warp.splits.insert(Split { state: State::Ready, ..split });
                return Err(FaultKind::BadCall { address: 0 });
            }
            if depth > MOST_FRAMES || base + code.local > self.config.stack_limit.min(WINDOW) {
                warp.splits.insert(Split { state: State::Ready, ..split });
                return Err(FaultKind::StackOverflow);
            }
            let mut frame = self.make_frame(*number, ctaid, ready.warp, *mask, base);
            frame.parent = split.frame;
            frame.return_pc = split.pc + 1;
            frame.depth = depth;
            warp.make_local(*mask, base, frame.top, self.checks.poison);
            let id = warp.frames.insert(frame);
            for (from, to) in call.arguments.iter().zip(&code.parameters) {
                warp.pass((split.frame, *from), (id, *to), *mask);
            }
            let id =
                warp.splits.insert(Split { pc: 0, mask: *mask, frame: id, join: outer, state: State::Ready });
            self.wake(ready, id);
        }
        Ok(())
    }

    /// `ret` for these lanes: back to the caller, or out of the kernel.
    pub(super) fn give_back(&mut self, block: &mut Block, ready: Ready, active: u32) -> Step<()> {
        let warp = &mut block.warps[ready.warp as usize];
        let split = warp.splits[ready.split];
        let frame = &warp.frames[split.frame];
        let (parent, pc, function) = (frame.parent, frame.return_pc, frame.function);
        if parent == NONE {
            return self.exit(block, ready, active);
        }
        let loaded = self.loaded;
        let caller = &loaded.functions[warp.frames[parent].function as usize];
        if let Some(Op::Call(call)) = caller.insts.get(pc as usize - 1).map(|inst| &inst.op) {
            for (from, to) in loaded.functions[function as usize].results.iter().zip(&call.results) {
                warp.pass((split.frame, *from), (parent, *to), active);
            }
        }
        // joins inside the function will not see these lanes
        for woken in warp.leave_joins(active, Some(split.frame)) {
            self.wake(ready, woken);
        }
        let mut outer = split.join;
        while let Some(join) = warp.joins.get(outer).filter(|join| join.frame == split.frame) {
            outer = join.parent;
        }
        let rest = split.mask & !active;
        match rest {
            0 => {
                warp.splits.remove(ready.split);
            }
            _ => warp.splits[ready.split].mask = rest,
        }
        let frame = &mut warp.frames[split.frame];
        frame.live &= !active;
        if frame.live == 0 {
            warp.frames.remove(split.frame);
        }
        let back = Split { pc, mask: active, frame: parent, join: outer, state: State::Ready };
        let id = warp.splits.insert(back);
        let joined = warp.go_to(id, pc);
        let stays = warp.splits.get(id).is_some_and(|one| one.mask == active && one.frame == parent);
        match joined {
            Some(woken) => self.wake(ready, woken),
            None if stays => self.wake(ready, id),
            None => {}
        }
        match rest {
            0 => Ok(()),
            // those whose guard was false go on
            _ => self.next(block, ready),
        }
    }

    /// These lanes end.
    pub(super) fn exit(&mut self, block: &mut Block, ready: Ready, active: u32) -> Step<()> {
        // copies that nobody waited for still land
        self.wait_groups(block, ready, WaitGroups::All, active)?;
        let warp = &mut block.warps[ready.warp as usize];
        let split = warp.splits[ready.split];
        let rest = split.mask & !active;
        match rest {
            0 => {
                warp.splits.remove(ready.split);
            }
            _ => warp.splits[ready.split].mask = rest,
        }
        warp.live &= !active;
        warp.leave_frames(split.frame, active);
        for woken in warp.leave_joins(active, None) {
            self.wake(ready, woken);
        }
        block.live -= active.count_ones();
        self.after_exit(block, ready)?;
        match rest {
            0 => Ok(()),
            _ => self.next(block, ready),
        }
    }
}

impl Warp {
    /// Takes lanes out of a frame and its callers.
    fn leave_frames(&mut self, mut frame: u32, lanes: u32) {
        while let Some(own) = self.frames.get_mut(frame) {
            own.live &= !lanes;
            let (live, parent) = (own.live, own.parent);
            if live == 0 {
                self.frames.remove(frame);
            }
            frame = parent;
        }
    }

    /// Copies an argument or a result.
    fn pass(&mut self, (from_frame, from): (u32, Passed), (to_frame, to): (u32, Passed), active: u32) {
        for lane in lanes(active) {
            let bytes = match from {
                Passed::Slot(slot, _) => self.frames[from_frame].get(slot, lane).to_le_bytes().to_vec(),
                Passed::Local { offset, bytes } => {
                    let at = (self.frames[from_frame].base + offset) as usize;
                    self.locals[lane].slice(at, bytes as usize).unwrap_or(&[]).to_vec()
                }
            };
            match to {
                Passed::Slot(slot, width) => {
                    let mut word = [0; 8];
                    let length = bytes.len().min(8);
                    word[..length].copy_from_slice(&bytes[..length]);
                    let word = u64::from_le_bytes(word) & mask(width * 8);
                    self.frames[to_frame].set(slot, lane, word);
                }
                Passed::Local { offset, bytes: room } => {
                    let at = (self.frames[to_frame].base + offset) as usize;
                    let length = bytes.len().min(room as usize);
                    self.locals[lane].put(at, &bytes[..length]);
                }
            }
        }
    }
}

impl Passed {
    fn slot(self) -> Option<u32> {
        match self {
            Passed::Slot(slot, _) => Some(slot),
            Passed::Local { .. } => None,
        }
    }
}
