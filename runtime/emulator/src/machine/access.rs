//! Loads, stores and atomics.

use super::block::Block;
use super::registers::lanes;
use super::{Machine, Ready, Step};
use crate::atomic::Atomic;
use crate::code::{Order, SINK, Transfer};
use crate::compute::{mask, sign_extend};
use crate::fault::{Access, FaultKind};
use crate::memory::bytes::Bytes;
use crate::memory::{Space, resolve};

/// Which lane accesses memory, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct By {
    pub(super) warp: u32,
    pub(super) lane: usize,
    pub(super) order: Order,
}

impl Machine<'_> {
    /// Reads a little-endian word of at most eight bytes.
    pub(super) fn read(
        &mut self,
        block: &mut Block,
        by: By,
        space: Space,
        address: u64,
        bytes: u32,
    ) -> Step<u64> {
        let (space, address) = if space == Space::Generic { resolve(address) } else { (space, address) };
        let access = Access { space, address, bytes, writes: false };
        self.lane = Some(by.lane as u32);
        let length = bytes as usize;
        let place = usize::try_from(address).unwrap_or(usize::MAX);
        let track = self.checks.uninitialised;
        let look =
            |bytes: &Bytes, at: usize| (bytes.load(at, length), !track || bytes.is_written(at, length));
        let (found, written) = match space {
            Space::Shared => look(&block.shared, place),
            Space::Local => look(&block.warps[by.warp as usize].locals[by.lane], place),
            Space::Param => {
                let piece = place.checked_add(length).and_then(|end| self.parameters.get(place..end));
                let word =
                    piece.map(|piece| piece.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
                (word, true)
            }
            Space::Global | Space::Generic => match self.memory.at(address) {
                Some((one, offset)) => look(&one.bytes, offset),
                None => (None, true),
            },
        };
        let Some(word) = found else { return Err(FaultKind::OutOfBounds(access)) };
        if !written {
            return Err(FaultKind::Uninitialised(access));
        }
        self.saw(block, by, access, false)?;
        Ok(word)
    }

    /// Writes the lowest bytes of a word.
    pub(super) fn write(
        &mut self,
        block: &mut Block,
        by: By,
        space: Space,
        address: u64,
        bytes: u32,
        word: u64,
    ) -> Step<()> {
        let (space, address) = if space == Space::Generic { resolve(address) } else { (space, address) };
        let access = Access { space, address, bytes, writes: true };
        self.lane = Some(by.lane as u32);
        let length = bytes as usize;
        let place = usize::try_from(address).unwrap_or(usize::MAX);
        let word = word & mask(bytes * 8);
        let same = self.races.is_some() && self.holds(block, space, address, length, word);
        let done = match space {
            Space::Shared => block.shared.store(place, length, word),
            Space::Local => block.warps[by.warp as usize].locals[by.lane].store(place, length, word),
            Space::Param => return Err(FaultKind::ReadOnly(access)),
            Space::Global | Space::Generic => match self.memory.at(address) {
                Some((one, _)) if one.constant => return Err(FaultKind::ReadOnly(access)),
                Some((one, offset)) => one.bytes.store(offset, length, word),
                None => None,
            },
        };
        if done.is_none() {
            return Err(FaultKind::OutOfBounds(access));
        }
        self.saw(block, by, access, same)
    }

    /// Faults where an address is no multiple of the bytes accessed.
    #[inline]
    pub(super) fn aligned(&mut self, lane: usize, access: Access) -> Step<()> {
        // accesses are powers of two
        if access.address & (u64::from(access.bytes) - 1) == 0 {
            return Ok(());
        }
        self.lane = Some(lane as u32);
        Err(FaultKind::Misaligned(access))
    }

    pub(super) fn load(&mut self, block: &mut Block, ready: Ready, op: &Transfer, active: u32) -> Step<()> {
        let warp = &block.warps[ready.warp as usize];
        let frame = warp.splits[ready.split].frame;
        self.demand(&warp.frames[frame], &[op.address.base], active)?;
        let whole = op.width * op.slots.len() as u32;
        for lane in lanes(active) {
            let base = block.warps[ready.warp as usize].frames[frame].get(op.address.base, lane);
            let address = base.wrapping_add(op.address.offset as u64);
            let space = op.address.space;
            self.aligned(lane, Access { space, address, bytes: whole, writes: false })?;
            let by = By { warp: ready.warp, lane, order: op.order };
            for (at, slot) in op.slots.iter().enumerate() {
                if *slot == SINK {
                    continue;
                }
                let address = address.wrapping_add(at as u64 * u64::from(op.width));
                let mut word = self.read(block, by, space, address, op.width)?;
                if op.signed {
                    word = sign_extend(word, op.width * 8) as u64 & mask(op.extend);
                }
                block.warps[ready.warp as usize].frames[frame].set(*slot, lane, word);
            }
        }
        Ok(())
    }

    pub(super) fn store(&mut self, block: &mut Block, ready: Ready, op: &Transfer, active: u32) -> Step<()> {
        let warp = &block.warps[ready.warp as usize];
        let frame = warp.splits[ready.split].frame;
        self.demand(&warp.frames[frame], &[op.address.base], active)?;
        self.demand(&block.warps[ready.warp as usize].frames[frame], &op.slots, active)?;
        let whole = op.width * op.slots.len() as u32;
        for lane in lanes(active) {
            let own = &block.warps[ready.warp as usize].frames[frame];
            let address = own.get(op.address.base, lane).wrapping_add(op.address.offset as u64);
            let space = op.address.space;
            self.aligned(lane, Access { space, address, bytes: whole, writes: true })?;
            let by = By { warp: ready.warp, lane, order: op.order };
            for (at, slot) in op.slots.iter().enumerate() {
                let word = block.warps[ready.warp as usize].frames[frame].get(*slot, lane);
                let address = address.wrapping_add(at as u64 * u64::from(op.width));
                self.write(block, by, space, address, op.width, word)?;
            }
        }
        Ok(())
    }

    /// Lane by lane: read, compute, write.
    pub(super) fn atomic(&mut self, block: &mut Block, ready: Ready, op: &Atomic, active: u32) -> Step<()> {
        let warp = &block.warps[ready.warp as usize];
        let frame = warp.splits[ready.split].frame;
        self.demand(&warp.frames[frame], &[op.address.base], active)?;
        self.demand(&block.warps[ready.warp as usize].frames[frame], &op.b, active)?;
        self.demand(&block.warps[ready.warp as usize].frames[frame], &op.c, active)?;
        let whole = op.width * op.b.len() as u32;
        for lane in lanes(active) {
            let own = &block.warps[ready.warp as usize].frames[frame];
            let address = own.get(op.address.base, lane).wrapping_add(op.address.offset as u64);
            let space = op.address.space;
            self.aligned(lane, Access { space, address, bytes: whole, writes: true })?;
            let by = By { warp: ready.warp, lane, order: op.order };
            let mut old = [0; 8];
            for (at, word) in old.iter_mut().enumerate().take(op.b.len()) {
                let address = address.wrapping_add(at as u64 * u64::from(op.width));
                *word = self.read(block, by, space, address, op.width)?;
            }
            let own = &block.warps[ready.warp as usize].frames[frame];
            let operands = |at: usize| (own.get(op.b[at], lane), own.get(op.c[at], lane));
            let mut new = [0; 8];
            for at in 0..op.b.len() {
                let (b, c) = operands(at);
                new[at] = (op.compute)(&[old[at], b, c, 0]).0;
            }
            // a wide compare-and-swap needs both halves equal
            if op.whole && op.c.iter().any(|slot| *slot != crate::code::ZERO) {
                let equal = (0..op.b.len()).all(|at| operands(at).0 == old[at]);
                for at in 0..op.b.len() {
                    new[at] = if equal { operands(at).1 } else { old[at] };
                }
            }
            for at in 0..op.b.len() {
                let address = address.wrapping_add(at as u64 * u64::from(op.width));
                self.write(block, by, space, address, op.width, new[at])?;
                block.warps[ready.warp as usize].frames[frame].set(op.to[at], lane, old[at]);
            }
        }
        Ok(())
    }
}
