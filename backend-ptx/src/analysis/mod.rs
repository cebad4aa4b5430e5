//! What a module means and how control and values flow in it.
//!
//! [`Symbols`] are the names of a module. [`Body::resolve`] walks one function, finds what every name in it stands for — scopes
//! may declare a register or a label again — and lays its instructions in one line, each with the registers that it reads and
//! writes. On that stand [`Graph`] (control flow), [`Tree`] (dominators and post-dominators) and [`Liveness`]. [`CallGraph`] and
//! [`Stats`] look at whole modules.
//!
//! ```
//! use tilt_backend_ptx::analysis::{Body, Graph, Liveness, Symbols, Tree};
//! let source = ".version 8.0 .target sm_80 .address_size 64
//!     .entry k() {
//!         .reg .pred %p; .reg .b32 %r<3>;
//!         setp.eq.s32 %p, %r1, 0;   // %r1 is never written
//!         @%p bra end;
//!         mov.b32 %r2, %r1;
//!     end:
//!         ret;
//!     }";
//! let module = tilt_backend_ptx::parse(source).unwrap();
//! let symbols = Symbols::of(&module);
//! let body = Body::resolve(&symbols, module.function("k").unwrap());
//! let graph = Graph::of(&body);
//! assert_eq!(graph.blocks.len(), 3);
//! assert!(Tree::dominators(&graph).dominates(0, 2));
//! let live = Liveness::of(&body, &graph);
//! let names: Vec<_> = live.at_start_of(0).map(|register| body.registers[register.index()].name.as_str()).collect();
//! assert_eq!(names, ["%r1"]);
//! ```

mod calls;
mod cfg;
mod components;
mod control;
mod dominators;
mod effects;
mod liveness;
mod resolve;
mod scope;
mod special;
mod stats;
mod symbols;

pub use calls::{CallGraph, CallNode};
pub use cfg::{BasicBlock, Graph};
pub use components::cycles;
pub use control::ControlDependence;
pub use dominators::Tree;
pub use effects::{Role, roles};
pub use liveness::Liveness;
pub use resolve::{Body, Label, LabelInfo, Placed, Write};
pub use scope::{Meaning, Register, RegisterInfo};
pub use special::is_special;
pub use stats::{FunctionStats, Stats};
pub use symbols::{Symbol, Symbols};
