//! What the check for races is told.

use super::access::By;
use super::block::Block;
use super::registers::lanes;
use super::{Machine, Ready, Step};
use crate::checks::race::Who;
use crate::fault::Access;
use crate::memory::Space;

impl Machine<'_> {
    fn who(block: &Block, warp: u32, lane: usize) -> Who {
        Who { block: block.linear, thread: warp * 32 + lane as u32 }
    }

    /// An access.
    pub(super) fn saw(&mut self, block: &Block, by: By, access: Access, same: bool) -> Step<()> {
        match &mut self.races {
            Some(races) => races.access(Self::who(block, by.warp, by.lane), by.order, access, same),
            None => Ok(()),
        }
    }

    /// Whether memory holds this word already.
    pub(super) fn holds(
        &mut self,
        block: &Block,
        space: Space,
        address: u64,
        length: usize,
        word: u64,
    ) -> bool {
        match space {
            Space::Shared => block.shared.load(address as usize, length) == Some(word),
            Space::Global | Space::Generic => {
                self.memory.at(address).and_then(|(one, offset)| one.bytes.load(offset, length)) == Some(word)
            }
            Space::Local | Space::Param => false,
        }
    }

    /// A fence.
    pub(super) fn fence(&mut self, block: &Block, ready: Ready, active: u32) {
        let Some(races) = &mut self.races else { return };
        lanes(active).for_each(|lane| races.fence(Self::who(block, ready.warp, lane)));
    }

    /// Lanes of a warp meet.
    pub(super) fn meet(&mut self, block: &Block, warp: u32, active: u32) {
        let Some(races) = &mut self.races else { return };
        let threads: Vec<u32> = lanes(active).map(|lane| warp * 32 + lane as u32).collect();
        races.meet(block.linear, &threads);
    }

    /// Lanes arrive at a barrier.
    pub(super) fn arrive(&mut self, block: &Block, ready: Ready, active: u32, barrier: u32) {
        let Some(races) = &mut self.races else { return };
        lanes(active).for_each(|lane| races.arrive(Self::who(block, ready.warp, lane), barrier));
    }

    /// Lanes go on from a barrier: warps and their lanes.
    pub(super) fn went_on(&mut self, block: &Block, waited: &[(u32, u32)], barrier: u32) {
        let Some(races) = &mut self.races else { return };
        let threads =
            waited.iter().flat_map(|(warp, active)| lanes(*active).map(move |lane| warp * 32 + lane as u32));
        races.complete(block.linear, barrier, threads);
    }
}
