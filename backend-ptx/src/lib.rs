//! PTX as data: read it, ask about it, write it.
//!
//! This crate takes PTX from any compiler — nvcc, NVRTC, clang, Triton, numba, hand-written — of any version of the ISA and
//! makes of it a tree that keeps every directive and instruction, a printer that `ptxas` accepts wherever it accepted
//! the original, and the analyses that a rewriter or an interpreter needs: what names mean, control flow, dominators,
//! liveness, calls. It knows nothing of queries or streams.
//!
//! ```
//! let source = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n\tret;\n}\n";
//! let module = tilt_backend_ptx::parse(source).unwrap();
//! let text = tilt_backend_ptx::print(&module);
//! assert_eq!(tilt_backend_ptx::parse(&text).unwrap(), module);
//! ```

pub mod analysis;
pub mod ast;
pub mod error;
pub mod legality;
pub mod name;
pub mod recheck;
pub mod rewrite;
pub mod span;

mod lex;
mod parse;
mod print;
mod spelled;
mod verify;

pub use error::ParseError;
pub use name::Name;
pub use parse::{MAX_NESTING, MAX_SCOPES, parse, parse_bytes};
pub use print::print;
pub use verify::{Verified, Violation, verify};
