//! Clones of functions, statement by statement.

use std::collections::HashSet;

use crate::ast::{Instruction, Statement};
use crate::span::{Span, Spanned};

/// How a clone differs from its original: what stands in the place of each instruction.
pub(super) trait Replace {
    /// Pushes what replaces `instruction` to `out`.
    fn replace(&mut self, instruction: &Instruction, span: Span, out: &mut Vec<Spanned<Statement>>);
}

/// The statements of a clone. Labels that no instruction names, debug data and line directives that belong to one place are left out:
/// sections of debug data name them, and there may be one of each only.
pub(super) fn statements(body: &[Spanned<Statement>], replace: &mut dyn Replace) -> Vec<Spanned<Statement>> {
    let used = used_names(body);
    scope(body, &used, replace)
}

fn scope(
    statements: &[Spanned<Statement>],
    used: &HashSet<&str>,
    replace: &mut dyn Replace,
) -> Vec<Spanned<Statement>> {
    let mut out = Vec::with_capacity(statements.len());
    for one in statements {
        match &one.node {
            Statement::Instruction(instruction) => replace.replace(instruction, one.span, &mut out),
            Statement::Block(inner) => {
                let inner = scope(inner, used, replace);
                out.push(Spanned::at(Statement::Block(inner), one.span));
            }
            Statement::Label(name) if !used.contains(name.as_str()) => {}
            Statement::Section(_) | Statement::File(_) => {}
            Statement::Label(_) | Statement::Variable(_) | Statement::Pragma(_) | Statement::Loc(_) => {
                out.push(one.clone());
            }
            Statement::BranchTargets(..) | Statement::CallTargets(..) | Statement::CallPrototype(..) => {
                out.push(one.clone());
            }
            Statement::Line(_) | Statement::Unknown(_) => out.push(one.clone()),
        }
    }
    out
}

fn used_names(body: &[Spanned<Statement>]) -> HashSet<&str> {
    let mut used = HashSet::new();
    let mut open = vec![body];
    while let Some(statements) = open.pop() {
        for one in statements {
            match &one.node {
                Statement::Block(inner) => open.push(inner),
                Statement::BranchTargets(_, names) => used.extend(names.iter().map(|name| name.as_str())),
                Statement::Instruction(instruction) => {
                    for operand in &instruction.operands {
                        operand.node.names(&mut |name| {
                            used.insert(name.as_str());
                        });
                    }
                }
                _ => {}
            }
        }
    }
    used
}
