//! Forms of kernels, added to a module beside the originals.
//!
//! The module keeps everything it has: one copy of its variables for the originals and the forms. Functions that a form needs in
//! another shape are cloned. Nothing that is inserted needs a higher `.version` or `.target`.
//!
//! ```
//! use tilt_backend_ptx::{legality, parse, print, rewrite, verify};
//! let source = ".version 7.0 .target sm_80 .address_size 64
//!     .visible .entry k(.param .u64 out) {
//!         .reg .b32 %r<2>; .reg .b64 %rd<2>;
//!         ld.param.u64 %rd1, [out];
//!         mov.u32 %r1, %ctaid.x;
//!         st.global.u32 [%rd1], %r1;
//!         ret;
//!     }";
//! let module = parse(source).unwrap();
//! let verified = verify(&module).unwrap();
//! let verdicts = legality::judge(&verified, source);
//! let sliced = rewrite::slice(&verified, &verdicts).unwrap();
//! assert_eq!((&*sliced.kernels[0].name, sliced.kernels[0].control_offset), ("k__slice", 8));
//! assert!(print(&sliced.module).contains("ld.param.u32 %slice1, [k__slice_control];"));
//! ```

mod clone;
mod clones;
mod control;
mod flat;
mod index;
mod inserted;
mod names;
pub mod preempt;
mod slice;

pub use control::{SLICE_CONTROL_BYTES, SliceControl};
pub use preempt::{
    ControlError, MAX_WORKERS, PREEMPT_CONTROL_BYTES, PreemptControl, PreemptOptions, PreemptibleKernel,
    SLOT_BYTES, TicketWidth, preempt,
};
pub use slice::{SlicedKernel, slice};

use crate::ast::Module;

/// A module with forms of its kernels.
#[derive(Debug, Clone, PartialEq)]
pub struct Rewritten<Kernel> {
    /// The module: all that was there, and the forms.
    pub module: Module,
    /// The kernels that have the form, in the order of the text.
    pub kernels: Vec<Kernel>,
}
