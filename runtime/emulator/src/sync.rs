//! What threads do together: barriers of the block, and operations of a warp.

use crate::code::Slot;
use crate::compute::Compute;

/// How a barrier is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarrierKind {
    Sync,
    Arrive,
    Popc,
    And,
    Or,
}

/// `bar` and `barrier`.
pub(crate) struct Barrier {
    pub(crate) kind: BarrierKind,
    pub(crate) aligned: bool,
    pub(crate) number: Slot,
    pub(crate) count: Option<Slot>,
    /// The predicate of a `.red` and whether it is negated.
    pub(crate) predicate: (Slot, bool),
    pub(crate) to: Slot,
}

/// What the lanes of a warp exchange.
pub(crate) enum WarpKind {
    /// `shfl`
    Shuffle(Shuffle),
    VoteAll,
    VoteAny,
    VoteUniform,
    Ballot,
    MatchAny {
        bits: u32,
    },
    MatchAll {
        bits: u32,
    },
    /// `redux`: the operation, and the result for a single lane
    Reduce(Compute),
    Elect,
    /// `bar.warp.sync`
    Sync,
    /// `activemask`, which waits for nobody
    ActiveMask,
}

/// Whose value a lane gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// An operation of a warp.
pub(crate) struct WarpOp {
    pub(crate) kind: WarpKind,
    /// Whether the lanes of `mask` wait for each other; `vote.ballot` without `.sync` does not.
    pub(crate) sync: bool,
    pub(crate) to: Slot,
    pub(crate) second: Slot,
    pub(crate) a: Slot,
    pub(crate) negated: bool,
    pub(crate) b: Slot,
    pub(crate) c: Slot,
    pub(crate) mask: Slot,
}
