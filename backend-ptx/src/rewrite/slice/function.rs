//! One cloned function.

use super::Plan;
use crate::analysis::Symbols;
use crate::ast::{
    Declarator, Expr, Function, FunctionKind, Instruction, Operand, ScalarType, StateSpace, Statement,
    Variable,
};
use crate::name::Name;
use crate::rewrite::SLICE_CONTROL_BYTES;
use crate::rewrite::clone::{Replace, registers, statements};
use crate::span::{Span, Spanned};
use crate::verify::Verified;

/// The words of [`crate::rewrite::SliceControl`].
const WORDS: u32 = SLICE_CONTROL_BYTES as u32 / 4;

/// The clone of a kernel or function, or of the declaration of a function.
pub(super) fn clone(plan: &mut Plan, verified: &Verified<'_>, function: &Function, name: Name) -> Function {
    let control = plan.names.fresh(&format!("{name}_control"));
    let mut clone = Function { name: Spanned::from(name), body: None, ..function.clone() };
    if function.kind == FunctionKind::Func {
        clone.linkage.clear();
    }
    clone.attributes.retain(|one| one.name != "unified");
    clone.parameters.get_or_insert_default().push(Spanned::from(parameter(control.as_str())));
    let Some(body) = &function.body else { return clone };
    let prefix = plan.names.prefix("%slice");
    let mut replace = Slicing { plan, symbols: verified.symbols(), control, prefix, words: 0, halves: 0 };
    let mut body = statements(body, &mut replace);
    let Slicing { prefix, words, halves, .. } = replace;
    if halves > 0 {
        body.insert(0, registers(ScalarType::B16, &format!("{prefix}h"), halves));
    }
    if words > 0 {
        body.insert(0, registers(ScalarType::B32, &prefix, words));
    }
    clone.body = Some(body);
    clone
}

/// `.param .align 4 .b8 name[24]`
fn parameter(name: &str) -> Variable {
    let mut variable = Variable::new(StateSpace::Param, ScalarType::B8, name);
    variable.align = Some(4);
    variable.names = vec![Declarator {
        dimensions: vec![Some(Expr::from(SLICE_CONTROL_BYTES as i64))],
        ..Declarator::new(name)
    }];
    variable
}

struct Slicing<'p, 'a> {
    plan: &'p mut Plan,
    symbols: &'p Symbols<'a>,
    /// The function's own control parameter.
    control: Name,
    /// The start of the names of inserted registers.
    prefix: String,
    /// Registers given out, of 32 and of 16 bits.
    words: u32,
    halves: u32,
}

impl Replace for Slicing<'_, '_> {
    fn replace(&mut self, instruction: &Instruction, span: Span, out: &mut Vec<Spanned<Statement>>) {
        let mut instruction = instruction.clone();
        let width = instruction.types().next_back().and_then(ScalarType::bits);
        for operand in &mut instruction.operands {
            if let Some(new) = self.operand(&operand.node, width, out) {
                operand.node = new;
            }
        }
        self.call(&mut instruction, out);
        out.push(Spanned::at(Statement::Instruction(instruction), span));
    }
}

impl Slicing<'_, '_> {
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
        let word = match name {
            "%ctaid" => {
                let within = self.word();
                let own = Operand::Component(Name::from(name), Name::from(part));
                push(out, Instruction::new("mov.u32", [Operand::name(&within), own]));
                let offset = self.load(axis, out);
                let sum = self.word();
                let operands = [&sum, &within, &offset].map(|name| Operand::name(name));
                push(out, Instruction::new("add.u32", operands));
                sum
            }
            "%nctaid" => self.load(3 + axis, out),
            _ => return None,
        };
        if width != Some(16) {
            return Some(Operand::name(&word));
        }
        let half = format!("{}h{}", self.prefix, self.halves);
        self.halves += 1;
        push(out, Instruction::new("cvt.u16.u32", [Operand::name(&half), Operand::name(&word)]));
        Some(Operand::name(&half))
    }

    fn word(&mut self) -> String {
        self.words += 1;
        format!("{}{}", self.prefix, self.words - 1)
    }

    /// Loads a word of the control parameter.
    fn load(&mut self, word: u32, out: &mut Vec<Spanned<Statement>>) -> String {
        let to = self.word();
        let from = Operand::address(&self.control, i64::from(word) * 4);
        push(out, Instruction::new("ld.param.u32", [Operand::name(&to), from]));
        to
    }

    /// Turns a call of a function that has a clone into a call of the clone.
    fn call(&mut self, instruction: &mut Instruction, out: &mut Vec<Spanned<Statement>>) {
        let Some(call) = instruction.call() else { return };
        let Some(name) = call.callee.as_name() else { return };
        let Some(function) = self.symbols.function(name) else { return };
        let Some(clone) = self.plan.functions.get(function.name.as_str()).cloned() else { return };
        let argument = self.plan.names.fresh(&format!("{clone}_argument"));
        out.push(Spanned::from(Statement::Variable(parameter(&argument))));
        for word in 0..WORDS {
            let value = self.load(word, out);
            let to = Operand::address(&argument, i64::from(word) * 4);
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
            Some(Operand::List(arguments)) => arguments.push(Operand::Name(argument)),
            _ => instruction.operands.push(Spanned::from(Operand::List(vec![Operand::Name(argument)]))),
        }
    }
}

fn push(out: &mut Vec<Spanned<Statement>>, instruction: Instruction) {
    out.push(Spanned::from(Statement::Instruction(instruction)));
}
