//! Registers that may be read before they are written: each block finds zero in them, as nothing of another block.

use std::fmt::Write;

use crate::ast::{ScalarType, StateSpace, Statement, Variable};
use crate::rewrite::inserted::Registers;
use crate::span::Spanned;

/// Moves the declarations of registers to the front, where the head of the loop sees them. There are no scopes in `body`.
pub(super) fn hoisted(body: Vec<Spanned<Statement>>) -> Vec<Spanned<Statement>> {
    let is_register = |one: &Spanned<Statement>| matches!(&one.node, Statement::Variable(variable) if variable.space == StateSpace::Reg);
    let (mut front, rest): (Vec<_>, Vec<_>) = body.into_iter().partition(is_register);
    front.extend(rest);
    front
}

/// Defines the registers of these names that `body` declares, and the carry flag if it is among them. `original` gives the name
/// that a declared one had before scopes were made flat.
pub(super) fn definitions(
    body: &[Spanned<Statement>],
    names: &[String],
    original: impl Fn(&str) -> String,
    registers: &mut Registers,
) -> String {
    let mut text = String::new();
    if names.iter().any(|name| name == "CC") {
        let zero = registers.word();
        let _ = writeln!(text, "mov.u32 {zero}, 0; add.cc.u32 {zero}, {zero}, {zero};"); // a String takes all
    }
    for one in body {
        let Statement::Variable(variable) = &one.node else { continue };
        if variable.space != StateSpace::Reg {
            continue;
        }
        for declared in &variable.names {
            let before = original(&declared.name);
            for name in names {
                let rest = match declared.count {
                    None => (*name == before).then_some(""),
                    Some(count) => name.strip_prefix(&before).filter(|digits| is_below(digits, count)),
                };
                if let Some(rest) = rest {
                    define(variable, &format!("{}{rest}", declared.name), registers, &mut text);
                }
            }
        }
    }
    text
}

/// Whether the text is a number below `count`.
fn is_below(digits: &str, count: u32) -> bool {
    digits.bytes().all(|digit| digit.is_ascii_digit())
        && digits.parse::<u32>().is_ok_and(|number| number < count)
}

fn define(variable: &Variable, name: &str, registers: &mut Registers, text: &mut String) {
    let parts = ["x", "y", "z", "w"];
    let length = usize::from(variable.vector.unwrap_or(1)).min(parts.len());
    let places: Vec<String> = match variable.vector {
        None => vec![name.to_owned()],
        Some(_) => parts[..length].iter().map(|part| format!("{name}.{part}")).collect(),
    };
    let bits = variable.ty.scalar().and_then(ScalarType::bits);
    for place in places {
        let line = match bits {
            None => {
                let zero = registers.word();
                format!("mov.u32 {zero}, 0; setp.ne.u32 {place}, {zero}, 0;")
            }
            Some(8) => {
                let zero = registers.half();
                format!("mov.b16 {zero}, 0; cvt.u8.u16 {place}, {zero};")
            }
            Some(128) => {
                let zero = registers.long();
                format!("mov.b64 {zero}, 0; mov.b128 {place}, {{{zero}, {zero}}};")
            }
            Some(bits) => format!("mov.b{bits} {place}, 0;"),
        };
        let _ = writeln!(text, "{line}"); // a String takes all
    }
}
