//! Runs PTX on the CPU: an interpreter with an answer to every question that a GPU leaves open.
//!
//! A [`Device`] has memory; [`Device::load`] lays out a module and decodes it; [`Device::launch`] runs a kernel over a grid. Which
//! block and which group of lanes goes on is asked of a [`Schedule`], so a launch can be repeated, drawn at random or enumerated.
//! [`Checks`] turn on faults for what a GPU lets pass: races, reads of what nobody wrote, divergence at aligned instructions. A
//! launch ends with a [`Report`] or a [`Fault`] that says what happened, in which line and which thread; an instruction that the
//! emulator does not know is a fault too, never a wrong result.
//!
//! `docs/emulator.md` says what runs, how the open questions are answered, and how to add an instruction.

mod atomic;
mod checks;
mod code;
mod compute;
mod convert;
mod copy;
mod decode;
mod device;
mod fault;
mod float;
mod form;
mod integer;
mod load;
mod machine;
mod matrix;
mod mbarrier;
mod memory;
mod schedule;
mod sync;

pub use checks::Checks;
pub use device::{Arg, Convergence, Device, LaunchConfig, Report};
pub use fault::{Access, Fault, FaultKind, Place};
pub use load::{LoadError, Loaded};
pub use memory::{BadAddress, Memory, Space};
pub use schedule::{Choice, Exhaustive, InOrder, Reversed, Schedule, Seeded};
