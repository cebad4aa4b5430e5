//! Reads of `%ctaid` and `%nctaid`: the form gives them new values (rows 3, 4, 8, 9 and 10 of the table).

use super::scene::{Family, Findings};
use super::{Code, Fact};
use crate::analysis::{Meaning, Placed};
use crate::ast::{Opcode, Operand};

/// Whether the instruction reads the block index or the size of the grid.
pub(super) fn reads_block_index(placed: &Placed<'_>) -> bool {
    placed.names.iter().any(|(name, meaning)| {
        matches!(meaning, Meaning::Special) && matches!(name.as_str(), "%ctaid" | "%nctaid")
    })
}

pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let mut sites = Vec::new();
    let before = findings.reasons.len();
    for (routine, at, placed) in family.instructions().filter(|(.., placed)| reads_block_index(placed)) {
        let site = family.site(routine, at);
        if !is_replaceable(placed) {
            let message = "the block index is read in a form that is not known";
            findings.refuse(Code::BlockIndexForm, Some(site.clone()), message);
        }
        sites.push(site);
    }
    if findings.reasons.len() == before {
        findings.facts.push(Fact::BlockIndex { sites });
    }
}

/// Whether every read is of one component as an operand of its own, or the whole vector is moved.
fn is_replaceable(placed: &Placed<'_>) -> bool {
    let operands = &placed.instruction.operands;
    let reads = placed.names.iter().filter(|(name, meaning)| {
        matches!(meaning, Meaning::Special) && matches!(name.as_str(), "%ctaid" | "%nctaid")
    });
    let components = operands.iter().filter(|operand| is_component(&operand.node)).count();
    let is_vector_move = placed.instruction.opcode == Opcode::Mov
        && operands.len() == 2
        && operands[0].elements().len() == 4
        && matches!(&operands[1].node, Operand::Name(_));
    components == reads.count() || is_vector_move
}

fn is_component(operand: &Operand) -> bool {
    match operand {
        Operand::Component(name, part) => {
            matches!(name.as_str(), "%ctaid" | "%nctaid") && matches!(part.as_str(), "x" | "y" | "z" | "w")
        }
        _ => false,
    }
}
