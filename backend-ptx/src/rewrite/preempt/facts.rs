//! What the facts of a verdict ask of the form.

use crate::analysis::Body;
use crate::legality::{Ballot, Fact, MbarrierObject, Site, Slot, is_block_barrier};

/// The facts of the preemptible form of one kernel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts<'f> {
    /// Registers to be defined at the head of the loop.
    pub(super) live_in: &'f [String],
    /// The barrier at which threads that have left take part.
    pub(super) retire: Option<u32>,
    /// Whether some of the barriers reduce.
    pub(super) reduces: bool,
    /// The barrier of the loop.
    pub(super) barrier: u32,
    /// Warp operations whose masks are narrowed.
    pub(super) narrowed: &'f [Site],
    /// Branches at which lanes leave.
    ballots: &'f [Ballot],
    pub(super) slot: Slot,
    /// What has to be waited for.
    pub(super) drains: &'f [String],
    pub(super) mbarriers: &'f [MbarrierObject],
    /// Where the control parameter starts, and the bytes of all parameters.
    pub(super) control_offset: u64,
    pub(super) parameter_bytes: u64,
}

impl<'f> Facts<'f> {
    /// The facts of the kernel of that body.
    pub(super) fn of(facts: &'f [Fact], body: &Body<'_>) -> Facts<'f> {
        let mut instructions = body.instructions.iter().map(|placed| placed.instruction);
        let mut all = Facts {
            live_in: &[],
            retire: None,
            reduces: instructions.any(|one| is_block_barrier(one) && one.has("red")),
            barrier: 0,
            narrowed: &[],
            ballots: &[],
            slot: Slot::Global,
            drains: &[],
            mbarriers: &[],
            control_offset: 0,
            parameter_bytes: 0,
        };
        for fact in facts {
            match fact {
                Fact::LiveIn { registers } => all.live_in = registers,
                Fact::Retire { barrier, .. } => all.retire = Some(*barrier),
                Fact::Barriers { spare, .. } => all.barrier = *spare,
                Fact::NarrowedMasks { sites, ballots } => {
                    (all.narrowed, all.ballots) = (sites, ballots);
                }
                Fact::TicketSlot { slot } => all.slot = *slot,
                Fact::Drains { kinds } => all.drains = kinds,
                Fact::Mbarriers { objects } => all.mbarriers = objects,
                Fact::ParameterSpace { offset, total, .. } => {
                    (all.control_offset, all.parameter_bytes) = (*offset, *total);
                }
                Fact::Closure { .. } | Fact::AllKnown | Fact::SpecialRegisters { .. } => {}
                Fact::BlockIndex { .. } | Fact::BlockIndexByDirectCalls { .. } => {}
                Fact::NoWait { .. } | Fact::NoStaticVariables | Fact::Traps { .. } => {}
                Fact::NoRetire { .. } => {}
            }
        }
        // reductions and plain waits never share a barrier
        if all.retire == Some(all.barrier) {
            all.barrier = u32::from(all.barrier == 0);
        }
        all
    }

    /// Whether the mask of the instruction of that index is narrowed.
    pub(super) fn narrows(&self, instruction: usize) -> bool {
        self.narrowed.iter().any(|site| site.instruction == instruction)
    }

    /// Whether lanes leave at the branch of that index, and if they do, whether those stay that take it.
    pub(super) fn ballot(&self, instruction: usize) -> Option<bool> {
        self.ballots.iter().find(|one| one.at.instruction == instruction).map(|one| one.taken_stays)
    }

    pub(super) fn drains(&self, kind: &str) -> bool {
        self.drains.iter().any(|own| own == kind)
    }
}
