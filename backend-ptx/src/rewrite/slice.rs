//! The sliced form: a launch is a part of a larger grid.
//!
//! A sliced kernel has one parameter more, [`super::SliceControl`], behind those of the original. Each read of `%ctaid` becomes the
//! index in the launch plus the launch's offset, each read of `%nctaid` the extent of the whole grid. Functions that read them, or
//! call one that does, are cloned with the same parameter at the end.

use super::clones::Clones;
use super::index::{self, Source};
use super::{Rewritten, SLICE_CONTROL_BYTES};
use crate::legality::{ParameterLayout, Verdict, Verdicts};
use crate::verify::{Verified, Violation};

/// A kernel and its sliced form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlicedKernel {
    /// The original's name.
    pub original: String,
    /// The form's name.
    pub name: String,
    /// Where the control parameter starts among the parameters, in bytes.
    pub control_offset: u64,
    /// Bytes of all parameters.
    pub parameter_bytes: u64,
}

/// Adds the sliced form of every kernel whose verdict lets it. `verdicts` are those of [`crate::legality::judge`] for this module.
///
/// # Errors
///
/// What the verifier says against the new module. That is a mistake in this crate.
pub fn slice(
    verified: &Verified<'_>,
    verdicts: &[Verdicts],
) -> Result<Rewritten<SlicedKernel>, Vec<Violation>> {
    let mut clones = Clones::new(verified.module(), "__slice");
    let mut kernels = Vec::new();
    for one in verdicts {
        let Verdict::Sound { facts, .. } = &one.slice else { continue };
        let Some(function) = verified.module().function(&one.kernel) else { continue };
        let Some(layout) = ParameterLayout::of(function) else { continue };
        let (control_offset, parameter_bytes) = layout.appended(4, SLICE_CONTROL_BYTES);
        let name = clones.kernel(&one.kernel, facts).to_string();
        kernels.push(SlicedKernel { original: one.kernel.clone(), name, control_offset, parameter_bytes });
    }
    let module = clones.module(verified, |clones, function, name| {
        index::clone(clones, verified, function, name, Source::Offset, "%slice")
    })?;
    Ok(Rewritten { module, kernels })
}
