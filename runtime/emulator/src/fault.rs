//! What can go wrong in a launch, and where.

use std::fmt;

use crate::memory::Space;

/// Where in the module and by which thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The function.
    pub function: String,
    /// The line of the text; `None` for an instruction that no text contains.
    pub line: Option<u32>,
    /// The instruction, without its operands.
    pub instruction: String,
    /// The block.
    pub block: [u32; 3],
    /// The lowest thread of those that were executing it.
    pub thread: [u32; 3],
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` in `{}`", self.instruction, self.function)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ", block {:?}, thread {:?}", self.block, self.thread)
    }
}

/// An access to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The state space that the address belongs to.
    pub space: Space,
    /// The address, in that space.
    pub address: u64,
    /// How many bytes.
    pub bytes: u32,
    /// Whether it writes.
    pub writes: bool,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.writes { "write" } else { "read" };
        write!(f, "{verb} of {} bytes at {:#x} ({})", self.bytes, self.address, self.space)
    }
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// The emulator does not run this instruction.
    Unsupported {
        /// The instruction and why.
        instruction: String,
    },
    /// The launch makes no sense.
    BadLaunch {
        /// Why.
        reason: String,
    },
    /// An access beyond memory that is there.
    OutOfBounds(Access),
    /// An address that is no multiple of what is accessed.
    Misaligned(Access),
    /// A write to constant memory or parameters.
    ReadOnly(Access),
    /// A read of bytes that nobody wrote.
    Uninitialised(Access),
    /// A read of a register that nobody wrote.
    UninitialisedRegister {
        /// The register.
        register: String,
    },
    /// Two accesses that nothing orders, one of them a write.
    Race {
        /// This one.
        access: Access,
        /// The number of the other thread in the grid.
        other: u64,
        /// Whether the other one wrote.
        other_writes: bool,
    },
    /// No thread can go on.
    Deadlock {
        /// Where threads wait.
        waiting: Vec<Place>,
    },
    /// More steps than allowed.
    StepLimit {
        /// How many.
        limit: u64,
    },
    /// An `.aligned` instruction reached by part of a warp.
    Diverged {
        /// The lanes that reached it.
        lanes: u32,
        /// The lanes that have not exited.
        live: u32,
    },
    /// `.red` and `.sync` or `.arrive`, or different counts, on one barrier at the same time.
    MixedBarrier {
        /// The barrier.
        barrier: u32,
    },
    /// A barrier number above 15, or a count that is no multiple of the warp size.
    BadBarrier {
        /// The barrier.
        barrier: u32,
        /// The count.
        count: Option<u32>,
    },
    /// A mask that leaves out an executing lane, or names different lanes in different lanes.
    BadMask {
        /// The mask.
        mask: u32,
        /// The lanes that executed with it.
        lanes: u32,
    },
    /// A mask that names a lane which waits somewhere else.
    ParkedElsewhere {
        /// The mask.
        mask: u32,
        /// The lanes that wait elsewhere.
        parked: u32,
    },
    /// An mbarrier operation on something that is no mbarrier, or with more arrivals than it expects.
    BadMbarrier {
        /// What is wrong.
        reason: &'static str,
    },
    /// `trap`
    Trap,
    /// A failed `assert`.
    Assert {
        /// What was asserted, and where.
        message: String,
    },
    /// Too many nested calls or too much local memory.
    StackOverflow,
    /// A call to something that is no function, or with other parameters than it has.
    BadCall {
        /// The address; zero for a direct call.
        address: u64,
    },
    /// `brx.idx` beyond its list.
    BadIndex {
        /// The index.
        index: u64,
    },
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::Unsupported { instruction } => write!(f, "the emulator does not run `{instruction}`"),
            FaultKind::BadLaunch { reason } => write!(f, "this cannot be launched: {reason}"),
            FaultKind::OutOfBounds(access) => write!(f, "{access} out of bounds"),
            FaultKind::Misaligned(access) => write!(f, "{access} not aligned"),
            FaultKind::ReadOnly(access) => write!(f, "{access}, which is read-only"),
            FaultKind::Uninitialised(access) => write!(f, "{access}, which nobody wrote"),
            FaultKind::UninitialisedRegister { register } => {
                write!(f, "read of register `{register}`, which nobody wrote")
            }
            FaultKind::Race { access, other, other_writes } => {
                let verb = if *other_writes { "write" } else { "read" };
                write!(f, "{access} races with a {verb} by thread {other} of the grid")
            }
            FaultKind::Deadlock { waiting } => {
                write!(f, "no thread can go on; {} wait", waiting.len())?;
                waiting.iter().take(4).try_for_each(|place| write!(f, "; at {place}"))
            }
            FaultKind::StepLimit { limit } => write!(f, "more than {limit} steps"),
            FaultKind::Diverged { lanes, live } => {
                write!(f, "aligned instruction reached by lanes {lanes:#010x} of {live:#010x}")
            }
            FaultKind::MixedBarrier { barrier } => {
                write!(f, "barrier {barrier} is used in two ways at the same time")
            }
            FaultKind::BadBarrier { barrier, count } => {
                write!(f, "there is no barrier {barrier} with count {count:?}")
            }
            FaultKind::BadMask { mask, lanes } => {
                write!(f, "mask {mask:#010x} does not fit the executing lanes {lanes:#010x}")
            }
            FaultKind::ParkedElsewhere { mask, parked } => {
                write!(f, "mask {mask:#010x} names lanes {parked:#010x}, which wait elsewhere")
            }
            FaultKind::BadMbarrier { reason } => f.write_str(reason),
            FaultKind::Trap => f.write_str("trap"),
            FaultKind::Assert { message } => f.write_str(message),
            FaultKind::StackOverflow => f.write_str("the stack of device calls is too deep"),
            FaultKind::BadCall { address } => write!(f, "no function to call fits at {address:#x}"),
            FaultKind::BadIndex { index } => write!(f, "index {index} is beyond the branch's targets"),
        }
    }
}

/// What ended a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Where, if it was an instruction.
    pub place: Option<Box<Place>>,
}

impl Fault {
    pub(crate) fn launch(reason: impl Into<String>) -> Fault {
        Fault { kind: FaultKind::BadLaunch { reason: reason.into() }, place: None }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{} (at {place})", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

impl std::error::Error for Fault {}
