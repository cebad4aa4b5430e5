//! Asynchronous copies and mbarriers.

use super::access::By;
use super::block::Block;
use super::registers::lanes;
use super::{Machine, Ready, Step};
use crate::code::{Address, Order};
use crate::compute::mask;
use crate::copy::{AsyncCopy, BulkCopy, Landing, WaitGroups};
use crate::fault::{Access, FaultKind};
use crate::mbarrier::{Mbarrier, MbarrierOp, Object};

impl Machine<'_> {
    /// The address in one lane.
    fn address_in(&mut self, block: &Block, ready: Ready, address: Address, lane: usize) -> Step<u64> {
        let own = &block.warps[ready.warp as usize];
        let frame = &own.frames[own.splits[ready.split].frame];
        self.demand(frame, &[address.base], 1 << lane)?;
        Ok(frame.get(address.base, lane).wrapping_add(address.offset as u64))
    }

    /// The word of a slot in one lane.
    fn word_in(&mut self, block: &Block, ready: Ready, slot: u32, lane: usize) -> Step<u64> {
        let own = &block.warps[ready.warp as usize];
        let frame = &own.frames[own.splits[ready.split].frame];
        self.demand(frame, &[slot], 1 << lane)?;
        Ok(frame.get(slot, lane))
    }

    pub(super) fn async_copy(
        &mut self,
        block: &mut Block,
        ready: Ready,
        op: &AsyncCopy,
        active: u32,
    ) -> Step<()> {
        for lane in lanes(active) {
            let by = By { warp: ready.warp, lane, order: Order::Weak };
            let to = self.address_in(block, ready, op.to, lane)?;
            let from = self.address_in(block, ready, op.from, lane)?;
            let mut count = match op.from_bytes {
                Some(slot) => {
                    (self.word_in(block, ready, slot, lane)? & mask(32)).min(u64::from(op.bytes)) as u32
                }
                None => op.bytes,
            };
            if let Some(slot) = op.ignored
                && self.word_in(block, ready, slot, lane)? != 0
            {
                count = 0;
            }
            self.aligned(lane, Access { space: op.to.space, address: to, bytes: op.bytes, writes: true })?;
            if count > 0 {
                self.aligned(
                    lane,
                    Access { space: op.from.space, address: from, bytes: op.bytes, writes: false },
                )?;
            }
            let mut bytes = vec![0; op.bytes as usize];
            for (at, byte) in bytes.iter_mut().enumerate().take(count as usize) {
                *byte = self.read(block, by, op.from.space, from + at as u64, 1)? as u8;
            }
            let landing = Landing { to: op.to, address: to, bytes };
            block.warps[ready.warp as usize].pending[lane].open.push(landing);
        }
        Ok(())
    }

    pub(super) fn wait_groups(
        &mut self,
        block: &mut Block,
        ready: Ready,
        wait: WaitGroups,
        active: u32,
    ) -> Step<()> {
        for lane in lanes(active) {
            let landings = block.warps[ready.warp as usize].pending[lane].take(wait);
            self.land(block, ready, lane, landings)?;
        }
        Ok(())
    }

    fn land(&mut self, block: &mut Block, ready: Ready, lane: usize, landings: Vec<Landing>) -> Step<()> {
        let by = By { warp: ready.warp, lane, order: Order::Weak };
        for landing in landings {
            for (at, byte) in landing.bytes.iter().enumerate() {
                self.write(block, by, landing.to.space, landing.address + at as u64, 1, u64::from(*byte))?;
            }
        }
        Ok(())
    }

    pub(super) fn bulk_copy(
        &mut self,
        block: &mut Block,
        ready: Ready,
        op: &BulkCopy,
        active: u32,
    ) -> Step<()> {
        for lane in lanes(active) {
            let by = By { warp: ready.warp, lane, order: Order::Weak };
            let to = self.address_in(block, ready, op.to, lane)?;
            let from = self.address_in(block, ready, op.from, lane)?;
            let bytes = self.word_in(block, ready, op.bytes, lane)? & mask(32);
            self.aligned(lane, Access { space: op.to.space, address: to, bytes: 16, writes: true })?;
            self.aligned(lane, Access { space: op.from.space, address: from, bytes: 16, writes: false })?;
            if !bytes.is_multiple_of(16) {
                let access = Access { space: op.to.space, address: bytes, bytes: 16, writes: true };
                return Err(FaultKind::Misaligned(access));
            }
            for at in (0..bytes).step_by(8) {
                let word = self.read(block, by, op.from.space, from + at, 8)?;
                self.write(block, by, op.to.space, to + at, 8, word)?;
            }
            if let Some(address) = op.mbarrier {
                let place = self.address_in(block, ready, address, lane)?;
                self.change(block, by, address, place, |object| {
                    object.expect(-(bytes as i64));
                    Some(())
                })?;
            }
        }
        Ok(())
    }

    /// Reads an mbarrier, changes it and writes it back; gives the word before.
    fn change(
        &mut self,
        block: &mut Block,
        by: By,
        address: Address,
        place: u64,
        f: impl FnOnce(&mut Object) -> Option<()>,
    ) -> Step<u64> {
        let by = By { order: Order::AcquireRelease, ..by };
        self.aligned(by.lane, Access { space: address.space, address: place, bytes: 8, writes: true })?;
        let word = self.read(block, by, address.space, place, 8)?;
        let bad = |reason| FaultKind::BadMbarrier { reason };
        let mut object = Object::from_word(word).ok_or(bad("this is no mbarrier"))?;
        f(&mut object).ok_or(bad("more arrive at this mbarrier than it waits for"))?;
        self.write(block, by, address.space, place, 8, object.word())?;
        Ok(word)
    }

    pub(super) fn mbarrier(
        &mut self,
        block: &mut Block,
        ready: Ready,
        op: &Mbarrier,
        active: u32,
    ) -> Step<()> {
        for lane in lanes(active) {
            let by = By { warp: ready.warp, lane, order: Order::AcquireRelease };
            let operand = match op.operand {
                Some(slot) => Some(self.word_in(block, ready, slot, lane)?),
                None => None,
            };
            let place = match op.op {
                MbarrierOp::PendingCount => 0,
                _ => self.address_in(block, ready, op.address, lane)?,
            };
            let count = operand.unwrap_or(1) & mask(32);
            let result = match op.op {
                MbarrierOp::Init => {
                    let bad =
                        FaultKind::BadMbarrier { reason: "an mbarrier waits for 1 to 1048575 arrivals" };
                    self.aligned(
                        lane,
                        Access { space: op.address.space, address: place, bytes: 8, writes: true },
                    )?;
                    if !(1..1 << 20).contains(&count) {
                        return Err(bad);
                    }
                    self.write(block, by, op.address.space, place, 8, Object::new(count).word())?;
                    0
                }
                MbarrierOp::Invalidate => {
                    // twice is undefined, and harmless on a GPU
                    if self.checks.strict {
                        self.change(block, by, op.address, place, |_| Some(()))?;
                    }
                    self.aligned(
                        lane,
                        Access { space: op.address.space, address: place, bytes: 8, writes: true },
                    )?;
                    self.write(block, by, op.address.space, place, 8, 0)?;
                    0
                }
                MbarrierOp::Arrive { drop, expect } => {
                    let (arrivals, bytes) = if expect { (1, count as i64) } else { (count, 0) };
                    self.change(block, by, op.address, place, |object| {
                        object.bytes += bytes;
                        if drop {
                            object.expected = object.expected.checked_sub(arrivals)?;
                        }
                        object.arrive(arrivals)
                    })?
                }
                MbarrierOp::ArriveAfterCopies { raises } => {
                    let landings = block.warps[ready.warp as usize].pending[lane].take(WaitGroups::All);
                    self.land(block, ready, lane, landings)?;
                    self.change(block, by, op.address, place, |object| {
                        object.missing += u64::from(raises);
                        object.arrive(1)
                    })?
                }
                MbarrierOp::Expect | MbarrierOp::Complete => {
                    let sign = if op.op == MbarrierOp::Expect { 1 } else { -1 };
                    self.change(block, by, op.address, place, |object| {
                        object.expect(sign * count as i64);
                        Some(())
                    })?
                }
                MbarrierOp::Test { parity } => {
                    let word = self.change(block, by, op.address, place, |_| Some(()))?;
                    let now = word >> 62 & 1;
                    let then = if parity { count & 1 } else { operand.unwrap_or(0) >> 62 & 1 };
                    u64::from(now != then)
                }
                MbarrierOp::PendingCount => operand.unwrap_or(0) & mask(20),
            };
            let own = &mut block.warps[ready.warp as usize];
            let frame = own.splits[ready.split].frame;
            own.frames[frame].set(op.to, lane, result);
        }
        Ok(())
    }
}
