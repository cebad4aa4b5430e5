//! Reads of the block index and the grid in a clone, and calls of functions that read them.
//!
//! A function that is cloned has one parameter more, of six words: the index, or what is added to it, and the grid.

use super::clone::{Replace, statements};
use super::clones::{Clones, bytes, head};
use super::inserted::Registers;
use crate::analysis::Symbols;
use crate::ast::{Function, Instruction, Operand, ScalarType, StateSpace, Statement, Variable};
use crate::name::Name;
use crate::span::{Span, Spanned};
use crate::verify::Verified;

/// The words of the parameter of cloned functions.
const WORDS: u32 = 6;

/// Where a clone has the block index from. Each is asked for words 0 to 2, the index in x, y and z, and 3 to 5, the grid.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// This parameter has the words; the index in the launch is added to the first three.
    Offset(Name),
    /// This parameter has the words.
    Given(Name),
    /// A slot has the index, and the parameter the grid.
    Slot(Slot),
}

/// The slot of a worker.
#[derive(Debug, Clone)]
pub(super) enum Slot {
    /// A variable in shared memory.
    Shared { variable: Name, control: Name },
    /// One of many in global memory, whose address stands at `at` in the control parameter.
    Global { control: Name, at: u64, wide_addresses: bool },
}

/// Replaces reads and calls in one function.
pub(super) struct IndexReads<'p, 'a> {
    pub(super) clones: &'p mut Clones,
    pub(super) symbols: &'p Symbols<'a>,
    pub(super) source: Source,
    pub(super) registers: Registers,
}

/// The clone of a function, or of the declaration of one. `source` says what the parameter that it gets is.
pub(super) fn clone(
    clones: &mut Clones,
    verified: &Verified<'_>,
    function: &Function,
    name: Name,
    source: impl FnOnce(Name) -> Source,
    prefix: &str,
) -> Function {
    let control = clones.names.fresh(&format!("{name}_control"));
    let mut clone = head(function, name, argument(&control));
    let Some(body) = &function.body else { return clone };
    let registers = Registers::new(clones.names.prefix(prefix));
    let mut reads = IndexReads { clones, symbols: verified.symbols(), source: source(control), registers };
    let body = statements(body, &mut reads);
    clone.body = Some(reads.registers.declarations().into_iter().chain(body).collect());
    clone
}

/// The parameter or argument that a cloned function has more than its original.
fn argument(name: &str) -> Variable {
    bytes(StateSpace::Param, name, 4, u64::from(WORDS) * 4)
}

impl IndexReads<'_, '_> {
    /// The instruction with what it reads replaced; what that needs goes to `out` before.
    pub(super) fn replaced(
        &mut self,
        instruction: &Instruction,
        out: &mut Vec<Spanned<Statement>>,
    ) -> Instruction {
        let mut instruction = instruction.clone();
        let width = instruction.types().next_back().and_then(ScalarType::bits);
        for operand in &mut instruction.operands {
            if let Some(new) = self.operand(&operand.node, width, out) {
                operand.node = new;
            }
        }
        self.call(&mut instruction, out);
        instruction
    }

    /// What stands for an operand that is the block index or the grid.
    fn operand(
        &mut self,
        operand: &Operand,
        width: Option<u32>,
        out: &mut Vec<Spanned<Statement>>,
    ) -> Option<Operand> {
        match operand {
            Operand::Component(name, part) => self.component(name, part, width, out),
            Operand::Name(name) if matches!(name.as_str(), "%ctaid" | "%nctaid") => {
                let mut all = Vec::new();
                for part in ["x", "y", "z", "w"] {
                    let own = Operand::Component(name.clone(), Name::from(part));
                    all.push(self.component(name, part, width, out).unwrap_or(own));
                }
                all[3] = Operand::integer(0);
                Some(Operand::Vector(all))
            }
            _ => None,
        }
    }

    fn component(
        &mut self,
        name: &str,
        part: &str,
        width: Option<u32>,
        out: &mut Vec<Spanned<Statement>>,
    ) -> Option<Operand> {
        let axis = match part {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return None, // `w` is the same in every launch
        };
        let word = match (name, &self.source) {
            ("%ctaid", Source::Offset(_)) => {
                let within = self.registers.word();
                let own = Operand::Component(Name::from(name), Name::from(part));
                push(out, Instruction::new("mov.u32", [Operand::name(&within), own]));
                let offset = self.load(axis, out);
                let sum = self.registers.word();
                let operands = [&sum, &within, &offset].map(|name| Operand::name(name));
                push(out, Instruction::new("add.u32", operands));
                sum
            }
            ("%ctaid", _) => self.load(axis, out),
            ("%nctaid", _) => self.load(3 + axis, out),
            _ => return None,
        };
        if width != Some(16) {
            return Some(Operand::name(&word));
        }
        let half = self.registers.half();
        push(out, Instruction::new("cvt.u16.u32", [Operand::name(&half), Operand::name(&word)]));
        Some(Operand::name(&half))
    }

    /// Loads a word of the source.
    fn load(&mut self, word: u32, out: &mut Vec<Spanned<Statement>>) -> String {
        let to = self.registers.word();
        let at = i64::from(word) * 4;
        let (form, from) = match &self.source {
            Source::Offset(control) | Source::Given(control) => {
                ("ld.param.u32", Operand::address(control, at))
            }
            Source::Slot(slot) if word < 3 => {
                let (space, base) = slot.base(&mut self.registers, out);
                let form = if space == StateSpace::Shared { "ld.shared.u32" } else { "ld.global.u32" };
                (form, Operand::address(&base, at))
            }
            Source::Slot(Slot::Shared { control, .. } | Slot::Global { control, .. }) => {
                ("ld.param.u32", Operand::address(control, at - 12))
            }
        };
        push(out, Instruction::new(form, [Operand::name(&to), from]));
        to
    }

    /// Turns a call of a function that has a clone into a call of the clone.
    fn call(&mut self, instruction: &mut Instruction, out: &mut Vec<Spanned<Statement>>) {
        let Some(call) = instruction.call() else { return };
        let Some(name) = call.callee.as_name() else { return };
        let Some(function) = self.symbols.function(name) else { return };
        let Some(clone) = self.clones.functions.get(function.name.as_str()).cloned() else { return };
        let passed = self.clones.names.fresh(&format!("{clone}_argument"));
        out.push(Spanned::from(Statement::Variable(argument(&passed))));
        for word in 0..WORDS {
            let value = self.load(word, out);
            let to = Operand::address(&passed, i64::from(word) * 4);
            // never under the guard of the call: ptxas does not take that
            push(out, Instruction::new("st.param.b32", [to, Operand::name(&value)]));
        }
        let (has_results, callee) = (!call.results.is_empty(), Operand::Name(clone));
        let callee_at = instruction
            .operands
            .iter()
            .position(|one| !matches!(one.node, Operand::List(_)))
            .unwrap_or(usize::from(has_results));
        instruction.operands[callee_at].node = callee;
        match instruction.operands.get_mut(callee_at + 1).map(|one| &mut one.node) {
            Some(Operand::List(arguments)) => arguments.push(Operand::Name(passed)),
            _ => instruction.operands.push(Spanned::from(Operand::List(vec![Operand::Name(passed)]))),
        }
    }
}

impl Replace for IndexReads<'_, '_> {
    fn replace(&mut self, instruction: &Instruction, span: Span, out: &mut Vec<Spanned<Statement>>) {
        let instruction = self.replaced(instruction, out);
        out.push(Spanned::at(Statement::Instruction(instruction), span));
    }
}

impl Slot {
    /// The space of the slot and what its address is added to; pushes what computes that.
    pub(super) fn base(
        &self,
        registers: &mut Registers,
        out: &mut Vec<Spanned<Statement>>,
    ) -> (StateSpace, String) {
        match self {
            Slot::Shared { variable, .. } => (StateSpace::Shared, variable.to_string()),
            Slot::Global { control, at, wide_addresses } => {
                let worker = registers.word();
                let own = Operand::Component(Name::from("%ctaid"), Name::from("x"));
                push(out, Instruction::new("mov.u32", [Operand::name(&worker), own]));
                let (load, scale) = match wide_addresses {
                    true => ("ld.param.u64", "mad.wide.u32"),
                    false => ("ld.param.u32", "mad.lo.u32"),
                };
                let mut address = || if *wide_addresses { registers.long() } else { registers.word() };
                let (first, own) = (address(), address());
                let from = Operand::address(control, *at as i64);
                push(out, Instruction::new(load, [Operand::name(&first), from]));
                let bytes = Operand::integer(super::SLOT_BYTES as i64);
                let operands = [Operand::name(&own), Operand::name(&worker), bytes, Operand::name(&first)];
                push(out, Instruction::new(scale, operands));
                (StateSpace::Global, own)
            }
        }
    }
}

fn push(out: &mut Vec<Spanned<Statement>>, instruction: Instruction) {
    out.push(Spanned::from(Statement::Instruction(instruction)));
}
