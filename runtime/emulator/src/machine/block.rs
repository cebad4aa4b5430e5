//! A resident block and its warps.

use super::frame::Frame;
use super::slab::{NONE, Slab};
use super::split::{Join, Split, State};
use super::{Machine, barrier};
use crate::copy::Pending;
use crate::memory::bytes::Bytes;

/// A resident block.
pub(crate) struct Block {
    pub(crate) linear: u64,
    pub(crate) ctaid: [u32; 3],
    pub(crate) shared: Bytes,
    pub(crate) warps: Vec<Warp>,
    pub(crate) barriers: [barrier::Phase; 16],
    /// Threads that have not exited.
    pub(crate) live: u32,
}

/// A warp of a block.
pub(crate) struct Warp {
    pub(crate) splits: Slab<Split>,
    pub(crate) joins: Slab<Join>,
    pub(crate) frames: Slab<Frame>,
    /// Lanes that have not exited.
    pub(crate) live: u32,
    /// Local memory of each lane.
    pub(crate) locals: Vec<Bytes>,
    /// Copies of each lane that are not done.
    pub(crate) pending: Vec<Pending>,
}

impl Block {
    pub(crate) fn is_done(&self) -> bool {
        self.live == 0
    }
}

impl Machine<'_> {
    /// The block of that linear index, its threads before the first instruction.
    pub(super) fn make_block(&mut self, linear: u64) -> Block {
        let [x, y, _] = self.config.grid.map(u64::from);
        let ctaid = [(linear % x) as u32, (linear / x % y) as u32, (linear / (x * y)) as u32];
        let threads: u32 = self.config.block.iter().product();
        let mut shared = Bytes::new(self.shared.total as usize);
        if let Some(pattern) = self.checks.poison {
            shared.poison(pattern);
        }
        let warps = (0..threads.div_ceil(32)).map(|warp| {
            let count = (threads - warp * 32).min(32);
            let live = if count == 32 { u32::MAX } else { (1 << count) - 1 };
            let mut own = Warp {
                splits: Slab::default(),
                joins: Slab::default(),
                frames: Slab::default(),
                live,
                locals: vec![Bytes::default(); 32],
                pending: vec![Pending::default(); 32],
            };
            let frame = self.make_frame(self.kernel, ctaid, warp, live, 0);
            own.make_local(live, 0, frame.top, self.checks.poison);
            let frame = own.frames.insert(frame);
            own.splits.insert(Split { pc: 0, mask: live, frame, join: NONE, state: State::Ready });
            own
        });
        let warps = warps.collect();
        Block { linear, ctaid, shared, warps, barriers: Default::default(), live: threads }
    }
}

impl Warp {
    /// Makes local memory of these lanes fresh from `from` up to `to`.
    pub(crate) fn make_local(&mut self, lanes: u32, from: u64, to: u64, poison: Option<u8>) {
        if from == to {
            return;
        }
        for (lane, local) in self.locals.iter_mut().enumerate() {
            if lanes >> lane & 1 == 1 {
                local.grow(to as usize);
                if let Some(pattern) = poison {
                    let fill = vec![pattern; (to - from) as usize];
                    local.put(from as usize, &fill);
                }
                local.forget(from as usize, to as usize);
            }
        }
    }
}
