//! The preemptible form: a few persistent workers take the blocks of the grid by ticket, and stop between two of them.
//!
//! A preemptible kernel has one parameter more, [`PreemptControl`], behind those of the original. What the host does:
//!
//! 1. Before the first launch it makes the ticket counter zero (4 bytes, or 8 where tickets are wide), and lowers the stop flag
//!    (4 bytes, zero). Where the slot is global, there are [`SLOT_BYTES`] for each worker, which may hold anything.
//!    Two kernels that may run at the same time have counters and slots of their own.
//! 2. It launches any number of workers up to [`MAX_WORKERS`] as a grid of one axis, `[workers, 1, 1]`, with the blocks (threads in
//!    x, y and z), the dynamic shared memory and the arguments of the original, and the control behind them.
//! 3. To preempt, it makes the flag non-zero, from the host or the GPU. Every worker finishes its block and leaves. The flag is read
//!    before a ticket is taken, and a ticket that was taken is always finished.
//! 4. When the launch has ended, the kernel is complete if and only if the counter is at least [`PreemptControl::blocks`]. If it is
//!    not, the host lowers the flag and launches again with the same counter, whenever it likes, with any number of workers: they
//!    go on with the next ticket. No other state has to be kept; shared memory and registers of a block never outlive a launch.
//! 5. A kernel that is complete is not launched again: each worker would take a ticket that stands for no block. That happens
//!    in the last launch only, so the counter stays below `blocks + MAX_WORKERS` and never wraps.
//!
//! Launches follow one another in one stream, so what a launch wrote is seen by the next.

/// A line of inserted code.
macro_rules! line {
    ($text:ident, $($part:tt)*) => {
        let _ = writeln!($text, $($part)*); // a String takes all
    };
}

mod body;
mod control;
mod define;
mod facts;
mod kernel;
mod skeleton;

use std::collections::BTreeMap;

use super::Rewritten;
use super::clones::Clones;
use super::index::{self, Source};
use crate::ast::FunctionKind;
use crate::legality::{Slot, Verdict, Verdicts};
use crate::verify::{Verified, Violation};

use facts::Facts;

pub use control::{ControlError, MAX_WORKERS, PREEMPT_CONTROL_BYTES, PreemptControl, SLOT_BYTES};

/// How many bits a ticket has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TicketWidth {
    /// 32: enough for every grid up to about four billion blocks.
    #[default]
    Narrow,
    /// 64: for larger grids.
    Wide,
}

impl TicketWidth {
    /// The width that a grid needs.
    pub fn for_grid(grid: [u32; 3]) -> TicketWidth {
        match control::blocks(grid) <= u128::from(TicketWidth::Narrow.most_blocks()) {
            true => TicketWidth::Narrow,
            false => TicketWidth::Wide,
        }
    }

    /// Bits of a ticket.
    pub const fn bits(self) -> u32 {
        match self {
            TicketWidth::Narrow => 32,
            TicketWidth::Wide => 64,
        }
    }

    /// Bytes of a ticket.
    pub const fn bytes(self) -> u64 {
        self.bits() as u64 / 8
    }

    /// The most blocks for which the counter cannot wrap.
    pub const fn most_blocks(self) -> u64 {
        (u64::MAX >> (64 - self.bits())) - MAX_WORKERS as u64 + 1
    }
}

/// A kernel and its preemptible form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreemptibleKernel {
    /// The original's name.
    pub original: String,
    /// The form's name.
    pub name: String,
    /// The place of the control parameter among the parameters, from zero.
    pub control_index: usize,
    /// Where the control parameter starts among the parameters, in bytes.
    pub control_offset: u64,
    /// Bytes of all parameters.
    pub parameter_bytes: u64,
    /// Where the block's index is passed to its threads; a global slot is the host's to give.
    pub slot: Slot,
    /// How wide its tickets are.
    pub width: TicketWidth,
    /// Whether threads that have left stay for the barriers of the others.
    pub retires: bool,
}

/// What the form is to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PreemptOptions {
    /// How wide tickets are.
    pub width: TicketWidth,
    /// A mistake to make, for tests of tests.
    #[doc(hidden)]
    pub fault: Option<Fault>,
}

/// A mistake that the rewriter makes when it is told to: each has to be noticed by some test.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// No barrier between the leader's write of the slot and the block's reads.
    NoBroadcastBarrier,
    /// No barrier between the end of one block and the start of the next.
    NoLatchBarrier,
    /// Device functions that read the block index are called as they are.
    FunctionsKept,
    /// `@p ret` and `@p exit` end the thread.
    GuardedReturnsKept,
    /// `exit` ends the thread.
    ExitsKept,
    /// The ticket is compared with the lower half of a wide number of blocks.
    NarrowCount,
    /// Masks of warp operations name lanes that have left.
    MasksKept,
    /// The original's barriers stay as they are beside the reductions of retired threads.
    MixedBarriers,
    /// The flag is read when a ticket has been taken, which is then lost.
    FlagAfterTicket,
    /// Asynchronous work is not waited for.
    NoDrains,
    /// mbarrier objects are not ended.
    NoInvalidation,
    /// The slot is in shared memory, also where that shifts dynamic shared memory.
    SharedSlot,
    /// Registers that are read before they are written keep what the last block left.
    LiveInKept,
    /// Threads that leave early go to the end at once, past the barriers of the others.
    NoRetire,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 14] = [
        Fault::NoBroadcastBarrier,
        Fault::NoLatchBarrier,
        Fault::FunctionsKept,
        Fault::GuardedReturnsKept,
        Fault::ExitsKept,
        Fault::NarrowCount,
        Fault::MasksKept,
        Fault::MixedBarriers,
        Fault::FlagAfterTicket,
        Fault::NoDrains,
        Fault::NoInvalidation,
        Fault::SharedSlot,
        Fault::LiveInKept,
        Fault::NoRetire,
    ];
}

/// Adds the preemptible form of every kernel whose verdict lets it. `verdicts` are those of [`crate::legality::judge`] for this module.
///
/// ```
/// use tilt_backend_ptx::{legality, parse, rewrite, verify};
/// let module = parse(".version 7.0 .target sm_80 .address_size 64 .entry k(.param .u32 n) { ret; }").unwrap();
/// let verified = verify(&module).unwrap();
/// let verdicts = legality::judge(&verified, "");
/// let options = rewrite::PreemptOptions::default();
/// let form = &rewrite::preempt(&verified, &verdicts, options).unwrap().kernels[0];
/// assert_eq!((&*form.name, form.control_index, form.control_offset), ("k__preempt", 1, 8));
/// assert_eq!((form.slot, form.retires), (legality::Slot::Shared, false));
/// ```
///
/// # Errors
///
/// What the verifier says against the new module. That is a mistake in this crate.
pub fn preempt(
    verified: &Verified<'_>,
    verdicts: &[Verdicts],
    options: PreemptOptions,
) -> Result<Rewritten<PreemptibleKernel>, Vec<Violation>> {
    let suffix = match options.width {
        TicketWidth::Narrow => "__preempt",
        TicketWidth::Wide => "__preempt_wide",
    };
    let mut clones = Clones::new(verified.module(), suffix);
    let (mut kernels, mut all_facts) = (Vec::new(), BTreeMap::new());
    for one in verdicts {
        let Verdict::Sound { facts, .. } = &one.preempt else { continue };
        let Some(body) = verified.body(&one.kernel) else { continue };
        let name = clones.kernel(&one.kernel, facts).to_string();
        let mut facts = Facts::of(facts, body);
        if options.fault == Some(Fault::SharedSlot) {
            facts.slot = Slot::Shared;
        }
        kernels.push(PreemptibleKernel {
            original: one.kernel.clone(),
            name,
            control_index: body.function.parameters().len(),
            control_offset: facts.control_offset,
            parameter_bytes: facts.parameter_bytes,
            slot: facts.slot,
            width: options.width,
            retires: facts.retire.is_some(),
        });
        all_facts.insert(one.kernel.as_str(), facts);
    }
    if options.fault == Some(Fault::FunctionsKept) {
        clones.functions.clear();
    }
    let module =
        clones.module(verified, |clones, function, name| match all_facts.get(function.name.as_str()) {
            Some(facts) if function.kind == FunctionKind::Entry => {
                kernel::clone(clones, verified, function, name, *facts, options)
            }
            _ => index::clone(clones, verified, function, name, Source::Given, "%preempt"),
        })?;
    Ok(Rewritten { module, kernels })
}
