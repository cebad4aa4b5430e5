//! The body of a kernel in the loop: ends lead to the latch, barriers wait for threads that have left, masks do not name them.

use super::define::zeros;
use super::facts::Facts;
use super::kernel::{Labels, Returns};
use super::{Fault, PreemptOptions};
use crate::analysis::RegisterInfo;
use crate::ast::{Guard, Instruction, Opcode, Operand, Statement};
use crate::name::Name;
use crate::rewrite::clone::Replace;
use crate::rewrite::index::IndexReads;
use crate::rewrite::inserted::code;
use crate::span::{Span, Spanned};

/// Replaces the instructions of a body.
pub(super) struct Body<'p, 'a, 'f> {
    pub(super) reads: IndexReads<'p, 'a>,
    facts: Facts<'f>,
    options: PreemptOptions,
    latch: Name,
    meet: Name,
    /// The index of the next instruction in the original.
    at: usize,
    pub(super) returns: Returns,
    /// For each barrier, what is live behind another one and not behind it.
    behind: &'p [Vec<RegisterInfo>],
    /// Holds the lanes of the warp that have not left, where masks are narrowed.
    pub(super) live: Option<String>,
}

impl<'p, 'a, 'f> Body<'p, 'a, 'f> {
    pub(super) fn new(
        mut reads: IndexReads<'p, 'a>,
        facts: Facts<'f>,
        options: PreemptOptions,
        labels: &Labels,
        behind: &'p [Vec<RegisterInfo>],
    ) -> Self {
        let registers = &mut reads.registers;
        let returns = Returns {
            at: registers.word(),
            value: facts.reduces.then(|| registers.predicate()),
            counts: [registers.word(), registers.word()],
            labels: Vec::new(),
        };
        let live = (!facts.narrowed.is_empty()).then(|| registers.word());
        let (latch, meet) = (labels.latch.clone(), labels.meet.clone());
        Body { reads, facts, options, latch, meet, at: 0, returns, behind, live }
    }

    fn makes(&self, fault: Fault) -> bool {
        self.options.fault == Some(fault)
    }

    /// A barrier becomes a visit of the one barrier of the form.
    fn barrier(&mut self, instruction: &Instruction, span: Span, out: &mut Vec<Spanned<Statement>>) {
        let number = self.returns.labels.len() + 1;
        let back = self.reads.clones.names.fresh(&format!("$preempt_back{number}"));
        let mut push =
            |instruction: Instruction| out.push(Spanned::at(Statement::Instruction(instruction), span));
        let skip = instruction.guard.as_ref().map(|guard| {
            let skip = self.reads.clones.names.fresh(&format!("$preempt_skip{number}"));
            let not = Guard { negated: !guard.negated, register: guard.register.clone() };
            push(Instruction { guard: Some(not), ..jump(&skip) });
            skip
        });
        let (at, reduces) = (self.returns.at.clone(), instruction.has("red"));
        push(Instruction::new("mov.u32", [Operand::name(&at), Operand::integer(number as i64)]));
        if let Some(value) = &self.returns.value {
            let value = Operand::name(value);
            push(match instruction.operands.last().filter(|_| reduces).map(|one| &one.node) {
                None => Instruction::new("setp.ne.u32", [value, Operand::name(&at), Operand::name(&at)]),
                Some(Operand::Not(of)) if instruction.has("and") => copy(value, of),
                Some(of) if instruction.has("and") => Instruction::new("not.pred", [value, of.clone()]),
                Some(Operand::Not(of)) => Instruction::new("not.pred", [value, (**of).clone()]),
                Some(of) => copy(value, of),
            });
        }
        if let Some(others) = self.behind.get(number - 1) {
            out.extend(code(&zeros(others, &mut self.reads.registers)));
        }
        out.push(Spanned::at(Statement::Instruction(jump(&self.meet)), span));
        out.push(Spanned::at(Statement::Label(back.clone()), span));
        if let Some(to) = instruction.operands.first().filter(|one| reduces && one.node != Operand::Sink) {
            let (to, count) = (to.node.clone(), Operand::name(&self.returns.counts[1]));
            let result = match (instruction.has("popc"), instruction.has("and")) {
                (true, _) => Instruction::new("mov.b32", [to, count]),
                (false, true) => Instruction::new("setp.eq.u32", [to, count, Operand::integer(0)]),
                (false, false) => Instruction::new("setp.ne.u32", [to, count, Operand::integer(0)]),
            };
            out.push(Spanned::at(Statement::Instruction(result), span));
        }
        out.extend(skip.map(|skip| Spanned::at(Statement::Label(skip), span)));
        self.returns.labels.push(back);
    }

    /// The mask of a warp operation without the lanes that have left.
    fn narrow(&mut self, instruction: &mut Instruction, out: &mut Vec<Spanned<Statement>>) {
        let Some(live) = self.live.as_ref().filter(|_| !self.makes(Fault::MasksKept)) else { return };
        let Some(mask) = instruction.operands.last_mut() else { return };
        let narrowed = self.reads.registers.word();
        let operands = [Operand::name(&narrowed), mask.node.clone(), Operand::name(live)];
        out.push(Spanned::from(Statement::Instruction(Instruction::new("and.b32", operands))));
        mask.node = Operand::name(&narrowed);
    }

    /// Before a branch at which some lanes leave: those that stay.
    fn ballot(&mut self, instruction: &Instruction, taken_stays: bool, out: &mut Vec<Spanned<Statement>>) {
        let (Some(live), Some(guard)) = (&self.live, &instruction.guard) else { return };
        let not = if guard.negated == taken_stays { "!" } else { "" };
        let text = format!("vote.sync.ballot.b32 {live}, {not}{}, {live};", guard.register);
        out.extend(code(&text));
    }

    fn is_end(&self, instruction: &Instruction) -> bool {
        match instruction.opcode {
            Opcode::Ret | Opcode::Exit
                if instruction.guard.is_some() && self.makes(Fault::GuardedReturnsKept) =>
            {
                false
            }
            Opcode::Exit => !self.makes(Fault::ExitsKept),
            Opcode::Ret => true,
            _ => false,
        }
    }
}

impl Replace for Body<'_, '_, '_> {
    fn replace(&mut self, instruction: &Instruction, span: Span, out: &mut Vec<Spanned<Statement>>) {
        let at = self.at;
        self.at += 1;
        if let Some(taken_stays) = self.facts.ballot(at) {
            self.ballot(instruction, taken_stays, out);
        }
        let joins = self.facts.retire.is_some()
            && ![Fault::NoRetire, Fault::MixedBarriers].into_iter().any(|fault| self.makes(fault));
        if joins && crate::legality::is_block_barrier(instruction) {
            return self.barrier(instruction, span, out);
        }
        let new = match self.is_end(instruction) {
            true => Instruction { guard: instruction.guard.clone(), ..jump(&self.latch) },
            false => {
                let mut new = self.reads.replaced(instruction, out);
                if self.facts.narrows(at) {
                    self.narrow(&mut new, out);
                }
                new
            }
        };
        out.push(Spanned::at(Statement::Instruction(new), span));
    }
}

fn jump(to: &Name) -> Instruction {
    Instruction::new("bra", [Operand::Name(to.clone())])
}

fn copy(to: Operand, from: &Operand) -> Instruction {
    Instruction::new("mov.pred", [to, from.clone()])
}
