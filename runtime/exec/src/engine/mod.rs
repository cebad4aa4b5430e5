//! Running a [`Schedule`]: events, keys and grids, piece by piece.
//!
//! A *world* is what one key sees: its rows of the keyed inputs and all rows of the others. The rows of an output's clock are
//! cut in pieces; a *unit* is one piece of one world. What a unit needs of each step is told from the outputs backward
//! (`demand`), then the steps are computed forward (`unit`). Units need no word of each other and run on all
//! threads, but for what is computed *whole* before: recursive definitions, in order, and unkeyed streams that keyed ones look at.
//!
//! A unit whose kernels or reductions raise a flag (an integer may be out of range) is left to the exact definition.

mod apply;
mod assemble;
mod clocks;
mod demand;
mod driver;
mod flat;
mod keys;
mod schedule;
mod unit;
mod whole;
mod world;

pub use assemble::{KeyedPart, Part, Rows, When, in_order};
pub use driver::{Exact, KernelSpec, Options, Run, Stats};
pub use keys::{OutputParts, Worlds};
pub use schedule::{Call, Clock, ClockId, Feed, InputSpec, OutputStep, Schedule, Side, Step, StepId, What};
pub use world::{Slab, World, WorldInput};
