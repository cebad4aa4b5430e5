//! A frame: the slots of a function that lanes are in.

use super::Machine;
use super::slab::NONE;
use crate::code::{LaneMask, Preset, Special};
use crate::memory::LOCAL;

/// A function that some lanes are in.
pub(crate) struct Frame {
    pub(crate) function: u32,
    pub(crate) slots: Vec<[u64; 32]>,
    /// The lanes that have written each slot; empty where that is not checked.
    pub(crate) defined: Vec<u32>,
    /// The caller's frame.
    pub(crate) parent: u32,
    /// Where the caller goes on.
    pub(crate) return_pc: u32,
    /// The lanes that are in it.
    pub(crate) live: u32,
    /// Where its local memory starts and ends.
    pub(crate) base: u64,
    pub(crate) top: u64,
    pub(crate) depth: u32,
}

impl Machine<'_> {
    pub(super) fn make_frame(
        &self,
        function: u32,
        ctaid: [u32; 3],
        warp: u32,
        live: u32,
        base: u64,
    ) -> Frame {
        let code = &self.loaded.functions[function as usize];
        let mut slots = vec![[0; 32]; code.slots as usize];
        let mut defined = Vec::new();
        if self.checks.registers {
            defined = vec![0; code.slots as usize];
            defined[0] = u32::MAX;
            defined[1] = u32::MAX;
            defined[2] = u32::MAX;
        }
        for (slot, preset) in &code.presets {
            if let Some(row) = defined.get_mut(*slot as usize) {
                *row = u32::MAX;
            }
            let row = &mut slots[*slot as usize];
            match *preset {
                Preset::Word(word) => row.fill(word),
                Preset::Local(offset) => row.fill(base + offset),
                Preset::LocalGeneric(offset) => row.fill(LOCAL + base + offset),
                Preset::Shared { variable, plus } => {
                    let offset = self.shared.offsets[variable as usize].unwrap_or(0);
                    row.fill(offset.wrapping_add(plus));
                }
                Preset::Special(special) => {
                    for (lane, word) in row.iter_mut().enumerate() {
                        *word = self.special(special, ctaid, warp, lane as u32);
                    }
                }
            }
        }
        let top = base + code.local;
        Frame { function, slots, defined, parent: NONE, return_pc: 0, live, base, top, depth: 0 }
    }

    fn special(&self, special: Special, ctaid: [u32; 3], warp: u32, lane: u32) -> u64 {
        let block = self.config.block;
        let thread = warp * 32 + lane;
        u64::from(match special {
            Special::Tid(0) => thread % block[0],
            Special::Tid(1) => thread / block[0] % block[1],
            Special::Tid(2) => thread / (block[0] * block[1]),
            Special::Ntid(axis @ 0..=2) => block[axis as usize],
            Special::Ctaid(axis @ 0..=2) => ctaid[axis as usize],
            Special::Nctaid(axis @ 0..=2) => self.config.grid[axis as usize],
            Special::Tid(_) | Special::Ctaid(_) => 0,
            Special::Ntid(_) | Special::Nctaid(_) => 1,
            Special::LaneId => lane,
            Special::WarpId => warp,
            Special::WarpCount => block.iter().product::<u32>().div_ceil(32),
            Special::LaneMask(LaneMask::Equal) => 1 << lane,
            Special::LaneMask(LaneMask::Less) => (1 << lane) - 1,
            Special::LaneMask(LaneMask::LessEqual) => ((1 << lane) - 1) | (1 << lane),
            Special::LaneMask(LaneMask::GreaterEqual) => u32::MAX << lane,
            Special::LaneMask(LaneMask::Greater) => (u32::MAX << lane) & !(1 << lane),
            Special::SharedBytes => self.shared.total as u32,
            Special::DynamicBytes => self.config.dynamic_shared,
            Special::SmCount => 1,
            Special::GridId | Special::Sm | Special::Rank | Special::Environment(_) => 0,
        })
    }
}
