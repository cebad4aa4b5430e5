//! What the preemptible form needs of version and target: it may not ask for higher ones than the module has.

use super::Code;
use super::scene::{Family, Findings};

/// Atomics and reductions of barriers.
pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let module = family.scene.module();
    if module.version() < Some((2, 0)) || module.architecture() < Some(20) {
        let message = "before PTX ISA 2.0 and sm_20 there is nothing to take tickets with";
        findings.refuse(Code::OldTarget, None, message);
    }
}
