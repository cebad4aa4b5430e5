//! Instructions that only touch registers, lane by lane.

use super::frame::Frame;
use super::{Machine, Step};
use crate::code::{Pure, SINK, Slot, ZERO};
use crate::fault::FaultKind;

/// The lanes of a mask, in order.
pub(crate) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| mask >> lane & 1 == 1)
}

impl Frame {
    pub(super) fn pure(&mut self, op: &Pure, active: u32) {
        let [a, b, c, d] = op.from.map(|slot| slot as usize);
        let (to, second) = (op.to as usize, op.second as usize);
        let slots = &mut self.slots[..];
        let mut lane = 0;
        let mut rest = active;
        while rest != 0 {
            if rest & 1 == 1 {
                let inputs = [slots[a][lane], slots[b][lane], slots[c][lane], slots[d][lane]];
                let (first, other) = (op.compute)(&inputs);
                slots[to][lane] = first;
                if op.second != SINK {
                    slots[second][lane] = other;
                }
            }
            rest >>= 1;
            lane += 1;
        }
    }

    /// Gives the slot a word in one lane.
    pub(super) fn set(&mut self, slot: Slot, lane: usize, word: u64) {
        self.slots[slot as usize][lane] = word;
        if let Some(defined) = self.defined.get_mut(slot as usize) {
            *defined |= 1 << lane;
        }
    }

    pub(super) fn get(&self, slot: Slot, lane: usize) -> u64 {
        self.slots[slot as usize][lane]
    }

    /// Marks a slot as written in these lanes.
    pub(super) fn define(&mut self, slot: Slot, active: u32) {
        if let Some(defined) = self.defined.get_mut(slot as usize) {
            *defined |= active;
        }
    }
}

impl Machine<'_> {
    /// Faults if one of the slots was not written in all of the lanes.
    #[inline]
    pub(super) fn demand(&mut self, frame: &Frame, slots: &[Slot], active: u32) -> Step<()> {
        match frame.defined.is_empty() {
            true => Ok(()),
            false => self.demanded(frame, slots, active),
        }
    }

    #[cold]
    fn demanded(&mut self, frame: &Frame, slots: &[Slot], active: u32) -> Step<()> {
        for slot in slots.iter().filter(|slot| **slot != ZERO) {
            let missing = active & !frame.defined[*slot as usize];
            if missing != 0 {
                self.lane = Some(missing.trailing_zeros());
                let names = &self.loaded.functions[frame.function as usize].names;
                let register = names.get(*slot as usize).cloned().unwrap_or_default();
                return Err(FaultKind::UninitialisedRegister { register });
            }
        }
        Ok(())
    }
}
