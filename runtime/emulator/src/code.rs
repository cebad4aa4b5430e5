//! A function as the machine runs it: names are numbers, modifiers are functions.
//!
//! A frame of a function is a row of *slots*, each a word for every lane of the warp. Registers have slots, and so have constants,
//! special registers and addresses of variables: those are filled in when the frame is made ([`Preset`]), so that an instruction
//! reads slots and nothing else.

use tilt_backend_ptx::span::Span;

use crate::atomic::Atomic;
use crate::compute::Compute;
use crate::copy::{AsyncCopy, BulkCopy, WaitGroups};
use crate::matrix::Matrix;
use crate::mbarrier::Mbarrier;
use crate::memory::Space;
use crate::sync::{Barrier, WarpOp};

/// The number of a slot.
pub(crate) type Slot = u32;

/// The slot of the carry flag.
pub(crate) const CARRY: Slot = 0;
/// A slot that is always zero.
pub(crate) const ZERO: Slot = 1;
/// A slot for results that nobody wants.
pub(crate) const SINK: Slot = 2;
/// The first slot of a register.
pub(crate) const FIRST: Slot = 3;

/// No instruction.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// What a slot holds from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Preset {
    /// A constant, or the address of a variable in global memory.
    Word(u64),
    /// A special register.
    Special(Special),
    /// A place in the function's local memory, as an address of local memory.
    Local(u64),
    /// The same, as a generic address.
    LocalGeneric(u64),
    /// A shared variable by its number, plus bytes, plus the window where the address is to be generic.
    Shared { variable: u32, plus: u64 },
}

/// Special registers that stay the same while a thread runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    WarpCount,
    LaneMask(LaneMask),
    SharedBytes,
    DynamicBytes,
    GridId,
    Sm,
    SmCount,
    Rank,
    Environment(u8),
}

/// Which lanes a `%lanemask` names, beside this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LaneMask {
    Equal,
    LessEqual,
    Less,
    GreaterEqual,
    Greater,
}

/// A condition before an instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guard {
    pub(crate) slot: Slot,
    pub(crate) negated: bool,
}

/// One instruction.
pub(crate) struct Inst {
    pub(crate) guard: Option<Guard>,
    pub(crate) op: Op,
    /// Where it comes from, as an index into [`Code::sites`].
    pub(crate) site: u32,
    /// Whether the order of this instruction among those of other threads may be seen.
    pub(crate) choice: bool,
    /// Whether it is a further part of an instruction in the text.
    pub(crate) further: bool,
}

/// What an instruction does.
pub(crate) enum Op {
    Nop,
    /// Registers to registers.
    Pure(Pure),
    /// One register to another.
    Copy {
        from: Slot,
        to: Slot,
    },
    /// `%clock` and its kin.
    Clock {
        to: Slot,
        unit: u64,
        shift: u32,
    },
    Load(Transfer),
    Store(Transfer),
    Atomic(Box<Atomic>),
    AsyncCopy(Box<AsyncCopy>),
    BulkCopy(Box<BulkCopy>),
    WaitGroups(WaitGroups),
    Mbarrier(Box<Mbarrier>),
    Branch {
        target: u32,
        join: u32,
    },
    Switch {
        index: Slot,
        targets: Box<[u32]>,
        join: u32,
    },
    Call(Box<Call>),
    Return,
    Exit,
    Trap,
    Barrier(Box<Barrier>),
    Warp(Box<WarpOp>),
    Matrix(Box<Matrix>),
    /// `alloca`, the size in a slot
    Alloca {
        to: Slot,
        size: Slot,
        align: u64,
    },
    StackSave {
        to: Slot,
    },
    StackRestore {
        from: Slot,
    },
    /// `isspacep`
    IsSpace {
        to: Slot,
        address: Slot,
        space: IsSpace,
    },
    /// Orders memory, which is in order anyway.
    Fence {
        release: bool,
    },
    /// A place where others may go on.
    Pause,
    /// Something that cannot be run, with the reason.
    Unsupported(Box<str>),
}

/// What `isspacep` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IsSpace {
    Space(Space),
    Const,
}

/// A computation on registers.
pub(crate) struct Pure {
    pub(crate) compute: Compute,
    pub(crate) from: [Slot; 4],
    pub(crate) to: Slot,
    pub(crate) second: Slot,
}

/// How strong an access is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Weak,
    /// Volatile and relaxed: does not race with others of its kind.
    Relaxed,
    /// Also sees what the writer had done before a release.
    Acquire,
    Release,
    AcquireRelease,
}

/// An address: a slot and a constant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Address {
    pub(crate) space: Space,
    pub(crate) base: Slot,
    pub(crate) offset: i64,
}

/// A load or store of one to eight elements.
pub(crate) struct Transfer {
    pub(crate) address: Address,
    /// Bytes of one element.
    pub(crate) width: u32,
    /// The registers; [`SINK`] for elements that are not wanted.
    pub(crate) slots: Box<[Slot]>,
    /// Bits that a loaded signed element is extended to.
    pub(crate) extend: u32,
    pub(crate) order: Order,
    /// Whether loaded elements are signed.
    pub(crate) signed: bool,
}

/// What is called.
pub(crate) enum Callee {
    Function(u32),
    Address(Slot),
    System(System),
}

/// Functions that the driver provides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    Print,
    Malloc,
    Free,
    AssertFail,
}

/// Where an argument or a result is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Passed {
    /// In a register of so many bytes.
    Slot(Slot, u32),
    /// In local memory.
    Local { offset: u64, bytes: u64 },
}

/// A call.
pub(crate) struct Call {
    pub(crate) callee: Callee,
    pub(crate) arguments: Box<[Passed]>,
    pub(crate) results: Box<[Passed]>,
}

/// A function.
pub(crate) struct Code {
    pub(crate) name: String,
    pub(crate) insts: Vec<Inst>,
    pub(crate) slots: u32,
    pub(crate) presets: Vec<(Slot, Preset)>,
    /// Bytes of local memory that a frame takes.
    pub(crate) local: u64,
    pub(crate) parameters: Vec<Passed>,
    pub(crate) results: Vec<Passed>,
    pub(crate) sites: Vec<Site>,
    /// Names of the registers, for faults.
    pub(crate) names: Vec<String>,
    /// The functions that it calls by name.
    pub(crate) calls: Vec<u32>,
    /// Whether it calls through a register.
    pub(crate) indirect: bool,
    /// The shared variables that it names.
    pub(crate) shared: Vec<u32>,
    /// Bytes and alignment of a kernel's parameters.
    pub(crate) kernel_parameters: Vec<ParameterLayout>,
    pub(crate) is_kernel: bool,
    /// Whether its blocks come in clusters, which the machine does not have.
    pub(crate) cluster: bool,
}

/// Where a kernel's parameter lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ParameterLayout {
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
}

/// Where an instruction stands in the text.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) span: Span,
    pub(crate) form: String,
}
