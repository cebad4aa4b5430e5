//! Registers that may be read before they are written (row 28 of the table).

use super::Fact;
use super::scene::{Family, Findings};
use crate::analysis::Liveness;

/// The loop has to define them at its head: nothing of one block may be seen by the next.
pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let body = family.kernel.body;
    let live = Liveness::of(body, &family.kernel.graph);
    let registers =
        live.at_start_of(0).map(|register| body.registers[register.index()].name.to_string()).collect();
    findings.facts.push(Fact::LiveIn { registers });
}
