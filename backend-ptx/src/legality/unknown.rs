//! What is not known may do anything: it is refused.

use super::scene::{Family, Findings};
use super::{Code, Fact};
use crate::ast::{Opcode, Operand, Statement};
use crate::span::Spanned;

pub(super) fn check(family: &Family<'_, '_, '_>, findings: &mut Findings) {
    let before = findings.reasons.len();
    for (routine, at, placed) in family.instructions() {
        let text = placed.instruction.operands.iter().any(|one| matches!(one.node, Operand::Text(_)));
        if text || matches!(placed.instruction.opcode, Opcode::Other(_)) {
            let message = format!("`{}` is not known", placed.instruction.opcode);
            findings.refuse(Code::UnknownInstruction, Some(family.site(routine, at)), message);
        }
    }
    for routine in &family.members {
        directives(routine.body.function.body.as_deref().unwrap_or(&[]), findings);
    }
    if findings.reasons.len() == before {
        findings.facts.push(Fact::AllKnown);
    }
}

fn directives(statements: &[Spanned<Statement>], findings: &mut Findings) {
    let mut open = vec![statements];
    while let Some(scope) = open.pop() {
        for one in scope {
            match &one.node {
                Statement::Block(inner) => open.push(inner),
                Statement::Unknown(text) => {
                    let message = format!("the directive `{text}` is not known");
                    findings.refuse(Code::UnknownDirective, None, message);
                }
                Statement::Label(_) | Statement::Variable(_) | Statement::Instruction(_) => {}
                Statement::BranchTargets(..) | Statement::CallTargets(..) | Statement::CallPrototype(..) => {}
                Statement::Pragma(_) | Statement::Loc(_) | Statement::File(_) => {}
                Statement::Section(_) | Statement::Line(_) => {}
            }
        }
    }
}
