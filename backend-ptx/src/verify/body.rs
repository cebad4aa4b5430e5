//! Checks on the body of a function.

use super::Violation;
use crate::analysis::{Body, Meaning, Placed};
use crate::ast::{Opcode, Operand, ScalarType, Statement, Type};

pub(super) fn check(body: &Body<'_>, violations: &mut Vec<Violation>) {
    for (name, span) in &body.repeated {
        let message = format!("`{name}` is declared twice in one scope");
        violations.push(Violation::new("repeated-name", *span, message));
    }
    for (name, span) in &body.unresolved {
        violations.push(Violation::new("unknown-name", *span, format!("nothing here is named `{name}`")));
    }
    for (statement, meanings) in &body.targets {
        targets(body, statement, meanings, violations);
    }
    for placed in &body.instructions {
        names(placed, violations);
        guard(body, placed, violations);
        branch(placed, violations);
        call(placed, violations);
    }
}

fn names(placed: &Placed<'_>, violations: &mut Vec<Violation>) {
    for (name, meaning) in &placed.names {
        if matches!(meaning, Meaning::Unknown) {
            let message = format!("nothing here is named `{name}`");
            violations.push(Violation::new("unknown-name", placed.span, message));
        }
    }
}

fn guard(body: &Body<'_>, placed: &Placed<'_>, violations: &mut Vec<Violation>) {
    let Some(guard) = &placed.instruction.guard else { return };
    let fits = match placed.meaning(&guard.register) {
        Meaning::Register(register) => {
            body.registers[register.index()].ty == Some(Type::Scalar(ScalarType::Pred))
        }
        Meaning::Unknown => return,
        _ => false,
    };
    if !fits {
        let message = format!("`{}` is no predicate register", guard.register);
        violations.push(Violation::new("not-a-predicate", placed.span, message));
    }
}

/// A branch goes to a label; an indirect one takes its targets from a `.branchtargets`.
fn branch(placed: &Placed<'_>, violations: &mut Vec<Violation>) {
    let operands = &placed.instruction.operands;
    let meaning = |operand: &Operand| operand.as_name().map(|name| placed.meaning(name));
    let fits = match placed.instruction.opcode {
        Opcode::Bra => match operands.first().and_then(|first| meaning(first)) {
            Some(Meaning::Label(_) | Meaning::Register(_) | Meaning::Unknown) => true,
            Some(_) | None => false,
        },
        Opcode::Brx => match operands.get(1).and_then(|list| meaning(list)) {
            Some(Meaning::Targets(statement)) => matches!(statement, Statement::BranchTargets(..)),
            Some(Meaning::Unknown) => true,
            Some(_) | None => false,
        },
        _ => true,
    };
    if !fits {
        violations.push(Violation::new(
            "bad-target",
            placed.span,
            "this does not branch to a label of this function",
        ));
    }
}

/// A call names a function, or a register and the functions that may be in it.
fn call(placed: &Placed<'_>, violations: &mut Vec<Violation>) {
    if placed.instruction.opcode != Opcode::Call {
        return;
    }
    let Some(call) = placed.instruction.call() else {
        violations.push(Violation::new("bad-call", placed.span, "this calls nothing"));
        return;
    };
    let callee = call.callee.as_name().map(|name| placed.meaning(name));
    let fits = match callee {
        Some(Meaning::Function(_) | Meaning::Unknown) => true,
        Some(Meaning::Register(_)) => {
            let listed = call.targets.map(|name| placed.meaning(name));
            matches!(listed, Some(Meaning::Targets(_) | Meaning::Unknown))
        }
        Some(_) | None => false,
    };
    if !fits {
        let message =
            "a call names a function, or a register followed by its prototype or its possible targets";
        violations.push(Violation::new("bad-call", placed.span, message));
    }
}

/// The names in a list of targets are labels or functions.
fn targets(
    body: &Body<'_>,
    statement: &Statement,
    meanings: &[Meaning<'_>],
    violations: &mut Vec<Violation>,
) {
    let (Statement::BranchTargets(_, names) | Statement::CallTargets(_, names)) = statement else { return };
    let labels = matches!(statement, Statement::BranchTargets(..));
    for (name, meaning) in names.iter().zip(meanings) {
        let fits = match meaning {
            Meaning::Label(_) => labels,
            Meaning::Function(_) => !labels,
            _ => false,
        };
        if !fits {
            let message = format!("`{name}` is no {}", if labels { "label here" } else { "function" });
            violations.push(Violation::new("bad-target", body.function.name.span, message));
        }
    }
}
