//! Verdicts and the facts that they rest on: plain data, which [`crate::recheck`] checks again.

use serde::{Deserialize, Serialize};

use super::Code;

/// A form of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The grid is launched in pieces.
    Slice,
    /// A few persistent workers take blocks by ticket and stop between blocks.
    Preempt,
}

/// An instruction of the module.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Site {
    /// The function it stands in.
    pub function: String,
    /// Its index among the instructions of the function, scopes flattened.
    pub instruction: usize,
    /// Its line; 0 where the module was not read from a text.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// How it is written, shortened.
    pub text: String,
}

/// Why a form is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The kind of hazard.
    pub code: Code,
    /// The instruction, where there is one.
    pub at: Option<Site>,
    /// What is wrong, in words.
    pub message: String,
}

/// What the launch has to keep to for a form to be sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// Every slice starts at and has the extent of a multiple of the cluster, in each axis.
    SlicesOfWholeClusters,
    /// The launch starts after its predecessor has completed: the attribute for programmatic launches is removed.
    NoProgrammaticLaunch,
}

/// Why loads of memory that other blocks may write do not make a loop wait for those blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Cut {
    /// The loop is left when a counter that only this thread steps reaches a bound.
    Counted {
        /// The branch out of the loop.
        exit: Site,
        /// The instructions that step the counter, one of which is on every way round.
        steps: Vec<Site>,
    },
    /// The loop is left when a compare-and-swap with the value read last succeeds: if no other thread interferes, at once.
    CompareAndSwap {
        /// The branch out of the loop.
        exit: Site,
        /// The `atom.cas`.
        atom: Site,
    },
    /// The loop takes numbers from a counter in memory, each greater than the last, up to a bound.
    Tickets {
        /// The branch out of the loop.
        exit: Site,
        /// The `atom.add`, `atom.inc` or `atom.dec`.
        atom: Site,
    },
    /// The load reads another address on every way round.
    MovingAddress {
        /// The load.
        load: Site,
        /// The instructions that step the address, one of which is on every way round.
        steps: Vec<Site>,
    },
}

/// A block barrier: the number of the barrier and the number of threads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BarrierSite {
    /// The instruction.
    pub at: Site,
    /// The number of the barrier; `None` where it is in a register.
    pub id: Option<u32>,
    /// Whether all threads of the block take part.
    pub full: bool,
}

/// A branch that some lanes of a warp take or do not take, and then do no further operation of the warp.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ballot {
    /// The branch.
    pub at: Site,
    /// Whether it is those that take it that go on to further operations; else those that do not.
    pub taken_stays: bool,
}

/// Where the preemptible form passes the ticket from one thread to the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Slot {
    /// In static shared memory.
    Shared,
    /// In global memory, because a static variable would shift the dynamic shared memory, or does not fit.
    Global,
}

/// An mbarrier object with a known address.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MbarrierObject {
    /// The variable in shared memory.
    pub variable: String,
    /// Bytes from its start.
    pub offset: i64,
    /// Whether it is initialised at the end of every block; else at the end of none.
    pub live: bool,
}

/// One thing that holds for a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "fact")]
pub enum Fact {
    /// The kernel runs these functions and no others.
    Closure {
        /// Those with a body, the kernel first.
        functions: Vec<String>,
        /// Those of the CUDA runtime: `vprintf`, `malloc`, `free`, `__assertfail`.
        runtime: Vec<String>,
    },
    /// Every opcode and directive in these functions is known.
    AllKnown,
    /// The special registers that are read, apart from the block index; none depends on the grid.
    SpecialRegisters {
        /// With the percent sign.
        names: Vec<String>,
    },
    /// These instructions read `%ctaid` or `%nctaid`, and no others.
    BlockIndex {
        /// They, in the order of the functions.
        sites: Vec<Site>,
    },
    /// No function that reads the block index is recursive or called through a register.
    BlockIndexByDirectCalls {
        /// Those that read it, or call one that does.
        functions: Vec<String>,
    },
    /// No loop waits for another block. The cuts are for loops that read memory which other blocks may write.
    NoWait {
        /// Why not.
        cuts: Vec<Cut>,
    },
    /// No function has global memory of its own.
    NoStaticVariables,
    /// The parameters with those of the form fit.
    ParameterSpace {
        /// Bytes of the original's parameters.
        original: u64,
        /// Where the form's parameters start.
        offset: u64,
        /// Bytes of all.
        total: u64,
        /// The limit of version and target.
        limit: u64,
    },
    /// The kernel calls runtime functions, or traps, which end in the same way in every form.
    Traps {
        /// The instructions.
        sites: Vec<Site>,
    },
    /// Registers that may be read before they are written: the loop has to define them at its head.
    LiveIn {
        /// Their names; `CC` is the carry flag.
        registers: Vec<String>,
    },
    /// Every thread that takes part in a barrier of the body reaches the end of the body the same way: no retire protocol.
    NoRetire {
        /// Branches that part threads, the same way for all threads of a block.
        uniform: Vec<Site>,
    },
    /// Some threads may leave while others still reach a barrier; all barriers are this one full barrier.
    Retire {
        /// Where threads part.
        parting: Vec<Site>,
        /// The number of the barrier.
        barrier: u32,
    },
    /// The block barriers of the body.
    Barriers {
        /// They.
        sites: Vec<BarrierSite>,
        /// The barrier for the loop: none of the partial ones.
        spare: u32,
    },
    /// Warp operations after some lanes may have left; each has a mask, which is narrowed to the lanes that have not.
    NarrowedMasks {
        /// They.
        sites: Vec<Site>,
        /// Where lanes leave: all that are left come there together.
        ballots: Vec<Ballot>,
    },
    /// The ticket's slot.
    TicketSlot {
        /// Where.
        slot: Slot,
    },
    /// What has to be waited for before the next block, `cp.async`, `cp.async.bulk`, `wgmma`, `tcgen05`, or given back, `alloca`.
    Drains {
        /// The opcodes with their first words.
        kinds: Vec<String>,
    },
    /// The mbarrier objects.
    Mbarriers {
        /// They.
        objects: Vec<MbarrierObject>,
    },
}

/// What is known about a form of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub enum Verdict {
    /// The form computes what the kernel computes.
    Sound {
        /// Because of these.
        facts: Vec<Fact>,
        /// If the launch keeps to these.
        conditions: Vec<Condition>,
    },
    /// It may not.
    Refused {
        /// All that was found, at least one.
        reasons: Vec<Reason>,
    },
}

impl Verdict {
    /// Whether the form is sound.
    pub fn is_sound(&self) -> bool {
        matches!(self, Verdict::Sound { .. })
    }

    /// The reasons of a refusal; none where the form is sound.
    pub fn reasons(&self) -> &[Reason] {
        match self {
            Verdict::Sound { .. } => &[],
            Verdict::Refused { reasons } => reasons,
        }
    }
}

/// The verdicts for a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdicts {
    /// Its name.
    pub kernel: String,
    /// For slices.
    pub slice: Verdict,
    /// For preemptible workers.
    pub preempt: Verdict,
}
