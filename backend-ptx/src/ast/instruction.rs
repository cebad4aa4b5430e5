//! Instructions.

use super::{Modifier, Opcode, Operand, ScalarType, StateSpace};
use crate::name::Name;
use crate::span::Spanned;

/// The predicate before an instruction: `@%p1` or `@!%p1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Guard {
    /// Whether the instruction runs where the predicate is false.
    pub negated: bool,
    /// The predicate register.
    pub register: Name,
}

/// One instruction: `@%p1 ld.global.f32 %f1, [%rd1+4];`
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// Under which condition it runs.
    pub guard: Option<Guard>,
    /// What it does.
    pub opcode: Opcode,
    /// The words after the opcode, in their order.
    pub modifiers: Vec<Modifier>,
    /// What stands between the commas. A call has its results and its arguments as one [`Operand::List`] each.
    pub operands: Vec<Spanned<Operand>>,
}

impl Instruction {
    /// The instruction `form` with these operands, for code that is inserted: `Instruction::new("add.s32", …)`.
    pub fn new(form: &str, operands: impl IntoIterator<Item = Operand>) -> Instruction {
        let mut words = form.split('.');
        let opcode = Opcode::from_spelling(words.next().unwrap_or(""));
        let modifiers = words.map(Modifier::from_spelling).collect();
        Instruction {
            guard: None,
            opcode,
            modifiers,
            operands: operands.into_iter().map(Spanned::from).collect(),
        }
    }

    /// Whether it has this modifier, spelled without the dot.
    pub fn has(&self, spelling: &str) -> bool {
        self.modifiers.iter().any(|one| one.is(spelling))
    }

    /// Its types, in their order: `cvt.f64.s32` has `f64` and `s32`.
    pub fn types(&self) -> impl DoubleEndedIterator<Item = ScalarType> + '_ {
        self.modifiers.iter().filter_map(|one| match one {
            Modifier::Type(scalar) => Some(*scalar),
            Modifier::Space(_) | Modifier::Vector(_) | Modifier::Word(_) => None,
        })
    }

    /// The first state space among its modifiers.
    pub fn space(&self) -> Option<StateSpace> {
        self.modifiers.iter().find_map(|one| match one {
            Modifier::Space(space) => Some(*space),
            Modifier::Type(_) | Modifier::Vector(_) | Modifier::Word(_) => None,
        })
    }

    /// Opcode and modifiers as they are written: `ld.global.f32`.
    pub fn form(&self) -> String {
        let mut text = self.opcode.to_string();
        for one in &self.modifiers {
            text.push('.');
            text.push_str(&one.to_string());
        }
        text
    }

    /// The parts of a call; `None` for other instructions and for a `call` that names nothing.
    pub fn call(&self) -> Option<Call<'_>> {
        if self.opcode != Opcode::Call {
            return None;
        }
        let mut operands = self.operands.iter().map(|one| &one.node).peekable();
        let list = |one: &&'_ Operand| matches!(one, Operand::List(_));
        let results = operands.next_if(list).map_or(&[][..], Operand::elements);
        let callee = operands.next()?;
        let arguments = operands.next_if(list).map_or(&[][..], Operand::elements);
        let targets = operands.next().and_then(Operand::as_name);
        Some(Call { results, callee, arguments, targets })
    }
}

impl Operand {
    /// The elements of a list or vector; nothing for other operands.
    pub fn elements(&self) -> &[Operand] {
        match self {
            Operand::List(all) | Operand::Vector(all) => all,
            _ => &[],
        }
    }
}

/// The parts of a `call`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Call<'a> {
    /// Where the results go.
    pub results: &'a [Operand],
    /// The function, or the register with its address.
    pub callee: &'a Operand,
    /// What is passed.
    pub arguments: &'a [Operand],
    /// The prototype or the list of possible targets, for a call through a register.
    pub targets: Option<&'a Name>,
}
