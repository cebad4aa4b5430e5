//! Passes: rewrites of TiLT IR that keep its meaning, bit for bit.
//!
//! A pass is one file, one function, one name; the file, the `-p` flag and the lit folder share the name. It takes a
//! [`Query`], changes it in place and says whether it changed anything.
//!
//! ```text
//! inline   d is x.v[t] * 2.0;  at d[t-1s]         →  x.v[t-1s] * 2.0
//! fuse     reduce … { at d[t] }                   →  reduce … { x.v[t] * 2.0 }
//! fold     (1 + 2) * x.v[t] * 1                   →  3 * x.v[t]
//! cse      x.v[t] * x.v[t]                        →  let a = x.v[t]; a * a
//! dce      what no output needs                   →  nothing
//! ```
//!
//! What every pass keeps:
//!
//! - the rows of every output, to the last bit; so the grouping of a reduction never changes, whatever happens around it;
//! - an error that reaches an output. An error in a value that no output needs may vanish, none may be added.
//!
//! To add a pass: write its file with a `pub const` of type [`Pass`], list it in [`ALL`] and, where it pays, in [`O2`].

mod cse;
mod dce;
mod fold;
mod fuse;
mod inline;
mod lookups;
mod rebuild;
mod view;

#[cfg(test)]
mod tests;

use tilt_ir::tir::{Query, verify};

pub use cse::CSE;
pub use dce::DCE;
pub use fold::FOLD;
pub use fuse::FUSE;
pub use inline::INLINE;

/// A rewrite of TiLT IR that keeps the meaning of the query.
#[derive(Debug)]
pub struct Pass {
    /// Its name: of the file, of the `-p` flag, of the lit folder.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Rewrites the query and says whether it changed.
    pub run: fn(&mut Query) -> bool,
}

/// Every pass there is.
pub const ALL: &[&Pass] = &[&INLINE, &FUSE, &FOLD, &CSE, &DCE];

/// The passes of `-O2`, in order. Folding and cleaning come first, so that `inline` and `fuse` see what a body costs and
/// who needs it; what they leave behind is folded and cleaned again.
pub const O2: &[&Pass] = &[&FOLD, &CSE, &DCE, &INLINE, &FUSE, &FOLD, &CSE, &DCE];

/// The pass of this name.
///
/// ```
/// use tilt::passes::by_name;
/// assert_eq!(by_name("dce").map(|pass| pass.name), Some("dce"));
/// assert!(by_name("vectorise").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static Pass> {
    ALL.iter().copied().find(|pass| pass.name == name)
}

/// Runs passes in order. With `verify_each` the verifier looks at the query after each.
///
/// # Panics
///
/// If a pass breaks the IR (with `verify_each`), or says that it changed nothing and did (in debug builds): bugs of the
/// pass, named together with the query they leave.
pub fn run(query: &mut Query, passes: &[&Pass], verify_each: bool) {
    for pass in passes {
        let before = cfg!(debug_assertions).then(|| query.clone());
        let changed = (pass.run)(query);
        if let Some(before) = before {
            let honest = changed || before == *query;
            assert!(honest, "pass `{}` claims no change, but made one:\n{query}", pass.name);
        }
        if verify_each && let Err(bugs) = verify(query) {
            panic!("pass `{}` broke the IR: {}\n{query}", pass.name, bugs[0]);
        }
    }
}
