//! What ends a loop, or moves it on, whatever other blocks do.

use std::collections::BTreeSet;

use super::Cycle;
use super::suspects::Suspect;
use crate::analysis::{Meaning, Placed, Register};
use crate::ast::{Opcode, Operand};
use crate::legality::{Cut, Site};

impl Cycle<'_, '_, '_> {
    /// A cut of the cycle, and the blocks that are taken out with it.
    pub(super) fn cut(&self) -> Option<(Cut, Vec<usize>)> {
        self.exits().into_iter().find_map(|exit| {
            self.counted(exit).or_else(|| self.compare_and_swap(exit)).or_else(|| self.tickets(exit))
        })
    }

    /// The branches with one way out of the cycle and one that stays.
    fn exits(&self) -> Vec<usize> {
        let leaves = |block: &usize| {
            let block = &self.routine.graph.blocks[*block];
            block.leaves || block.successors.iter().any(|next| !self.contains(*next))
        };
        let last = |block: &usize| self.routine.graph.blocks[*block].instructions.end - 1;
        self.blocks.iter().filter(|block| leaves(block)).map(last).filter(|at| self.is_branch(*at)).collect()
    }

    fn placed(&self, at: usize) -> &Placed<'_> {
        &self.routine.body.instructions[at]
    }

    fn site(&self, at: usize) -> Site {
        self.family.site(self.routine, at)
    }

    /// The comparison that gives the guard of a branch, in the branch's own block.
    fn comparison(&self, exit: usize) -> Option<usize> {
        let guard = &self.placed(exit).instruction.guard.as_ref()?.register;
        let Meaning::Register(predicate) = self.placed(exit).meaning(guard) else { return None };
        let [setp] = self.writers(predicate)[..] else { return None };
        let same_block = self.block_of(setp) == self.block_of(exit) && setp < exit;
        let plain = self.placed(setp).instruction.opcode == Opcode::Setp
            && self.placed(setp).instruction.operands.len() == 3
            && self.placed(setp).instruction.guard.is_none();
        (same_block && plain).then_some(setp)
    }

    /// A counter that is stepped on every way round, compared with what the cycle does not change.
    fn counted(&self, exit: usize) -> Option<(Cut, Vec<usize>)> {
        let setp = self.comparison(exit)?;
        let operands = &self.placed(setp).instruction.operands;
        let pairs = [(1, 2), (2, 1)];
        let steps = pairs.iter().find_map(|(counter, bound)| {
            self.is_invariant(setp, &operands[*bound].node).then_some(())?;
            self.steps(self.register(setp, &operands[*counter].node)?)
        })?;
        let blocks: Vec<usize> = steps.iter().map(|at| self.block_of(*at)).collect();
        let exit_block = self.block_of(exit);
        self.always_passes(exit_block, &blocks).then(|| {
            let steps = steps.iter().map(|at| self.site(*at)).collect();
            (Cut::Counted { exit: self.site(exit), steps }, vec![exit_block])
        })
    }

    fn register(&self, at: usize, operand: &Operand) -> Option<Register> {
        match self.placed(at).meaning(operand.as_name()?) {
            Meaning::Register(register) => Some(register),
            _ => None,
        }
    }

    fn is_invariant(&self, at: usize, operand: &Operand) -> bool {
        match operand {
            Operand::Constant(_) => true,
            Operand::Name(_) => {
                self.register(at, operand).is_some_and(|register| self.writers(register).is_empty())
            }
            _ => false,
        }
    }

    /// The instructions that step a counter, if nothing else in the cycle writes it: additions of one sign, and copies between
    /// the registers that hold it.
    fn steps(&self, counter: Register) -> Option<Vec<usize>> {
        let (mut open, mut seen) = (vec![counter], BTreeSet::from([counter]));
        let (mut steps, mut signs) = (Vec::new(), BTreeSet::new());
        while let Some(register) = open.pop() {
            for at in self.writers(register) {
                let instruction = self.placed(at).instruction;
                let operands: Vec<&Operand> = instruction.operands.iter().map(|one| &one.node).collect();
                let from = match (&instruction.opcode, &operands[..]) {
                    (Opcode::Mov, [_, from]) if instruction.guard.is_none() => self.register(at, from)?,
                    (Opcode::Add | Opcode::Sub, [_, from, by]) if instruction.guard.is_none() => {
                        let (from, sign) = self.addition(at, from, by)?;
                        signs.insert(if instruction.opcode == Opcode::Add { sign } else { -sign });
                        steps.push(at);
                        from
                    }
                    _ => return None,
                };
                if seen.insert(from) {
                    open.push(from);
                }
            }
        }
        (signs.len() == 1).then_some(steps)
    }

    /// The register that is added to, and the sign of what is added.
    fn addition(&self, at: usize, a: &Operand, b: &Operand) -> Option<(Register, i64)> {
        if let Some(by) = b.value().filter(|by| *by != 0) {
            return Some((self.register(at, a)?, by.signum()));
        }
        let (a, b) = (self.register(at, a)?, self.register(at, b)?);
        match (self.is_positive(b, 4), self.is_positive(a, 4)) {
            (true, _) => Some((a, 1)),
            (_, true) => Some((b, 1)),
            _ => None,
        }
    }

    /// Whether a register that the cycle does not write is the number of threads or blocks, or a product of such.
    fn is_positive(&self, register: Register, depth: u32) -> bool {
        let is_size = |name: &str| matches!(name, "%ntid" | "%nctaid");
        let [at] = self.routine.writers(register)[..] else { return false };
        let placed = self.placed(at);
        if depth == 0 || self.contains(self.block_of(at)) || placed.instruction.guard.is_some() {
            return false;
        }
        let operands = &placed.instruction.operands;
        let positive = |operand: &Operand| match operand {
            Operand::Constant(_) => operand.value().is_some_and(|value| value > 0),
            Operand::Component(name, _) => is_size(name),
            Operand::Name(_) => {
                self.register(at, operand).is_some_and(|one| self.is_positive(one, depth - 1))
            }
            _ => false,
        };
        match placed.instruction.opcode {
            Opcode::Mov | Opcode::Cvt => operands.get(1).is_some_and(|one| positive(&one.node)),
            Opcode::Shl => operands.get(1).is_some_and(|one| positive(&one.node)),
            Opcode::Mul => operands.iter().skip(1).all(|one| positive(&one.node)),
            _ => false,
        }
    }

    /// `old = atom.cas(address, assumed, …); if (old == assumed) leave; assumed = old`
    fn compare_and_swap(&self, exit: usize) -> Option<(Cut, Vec<usize>)> {
        let setp = self.comparison(exit)?;
        let operands = &self.placed(setp).instruction.operands;
        let a = self.register(setp, &operands[1].node)?;
        let b = self.register(setp, &operands[2].node)?;
        let found = [(a, b), (b, a)].into_iter().find_map(|(old, assumed)| {
            let is_swap = |at: &usize| self.is_swap(*at, old, assumed);
            let atom = self.writers(old).into_iter().find(is_swap)?;
            self.is_read_from(assumed, old, atom).then_some(atom)
        })?;
        let (exit_block, block) = (self.block_of(exit), self.block_of(found));
        let exits_when_equal = self.exits_when_equal(setp, exit)?;
        (exits_when_equal && self.always_passes(exit_block, &[block])).then(|| {
            (Cut::CompareAndSwap { exit: self.site(exit), atom: self.site(found) }, vec![exit_block])
        })
    }

    fn is_swap(&self, at: usize, old: Register, assumed: Register) -> bool {
        let instruction = self.placed(at).instruction;
        let operand =
            |place: usize| instruction.operands.get(place).and_then(|one| self.register(at, &one.node));
        instruction.opcode == Opcode::Atom
            && instruction.has("cas")
            && instruction.guard.is_none()
            && operand(0) == Some(old)
            && operand(2) == Some(assumed)
    }

    /// Whether the cycle writes `assumed` only by copying `old` into it, or by loading it from where `swap` swaps.
    fn is_read_from(&self, assumed: Register, old: Register, swap: usize) -> bool {
        let writers = self.writers(assumed);
        let address = |at: usize| self.placed(at).instruction.operands.get(1).map(|one| &one.node);
        let reads = writers.iter().all(|at| match self.placed(*at).instruction.opcode {
            Opcode::Mov => address(*at).and_then(|from| self.register(*at, from)) == Some(old),
            Opcode::Ld => address(*at) == address(swap),
            _ => false,
        });
        reads && !writers.is_empty()
    }

    /// Whether the branch leaves the cycle when its comparison finds equal operands.
    fn exits_when_equal(&self, setp: usize, exit: usize) -> Option<bool> {
        let compare = self.placed(setp).instruction;
        let negated = self.placed(exit).instruction.guard.as_ref()?.negated;
        let when_true = match (compare.has("eq"), compare.has("ne")) {
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        };
        let block = self.block_of(exit);
        let target = self.placed(exit).instruction.operands.first().and_then(|one| one.node.as_name());
        let taken_stays = target.is_some_and(|name| match self.placed(exit).meaning(name) {
            Meaning::Label(label) => {
                let position = self.routine.body.labels[label.0 as usize].position;
                let at = self.routine.graph.blocks.iter().position(|one| one.instructions.start == position);
                at.is_some_and(|at| {
                    self.contains(at) && self.routine.graph.blocks[block].successors.contains(&at)
                })
            }
            _ => false,
        });
        // the branch is taken when the predicate is `!negated`; it leaves when taken unless the target is in the cycle
        Some((when_true != negated) != taken_stays)
    }

    /// An exit that depends on numbers from a counter and on nothing else that others write.
    fn tickets(&self, exit: usize) -> Option<(Cut, Vec<usize>)> {
        let behind = self.all_behind(exit);
        let (tickets, others): (Vec<Suspect>, Vec<Suspect>) = self
            .suspects()
            .into_iter()
            .filter(|one| behind.contains(&one.at))
            .partition(|one| one.takes_ticket);
        let atom = tickets.first().filter(|_| others.is_empty())?;
        let cut = Cut::Tickets { exit: self.site(exit), atom: self.site(atom.at) };
        Some((cut, vec![self.block_of(exit)]))
    }

    /// A load whose address is stepped on every way round by numbers of one sign.
    pub(super) fn moving(&self, suspect: &Suspect) -> Option<Cut> {
        let placed = self.placed(suspect.at);
        if !matches!(placed.instruction.opcode, Opcode::Ld | Opcode::Atom) {
            return None;
        }
        let Operand::Address(address) = &placed.instruction.operands.get(1)?.node else { return None };
        let base = self.register(suspect.at, &address.base)?;
        let steps = self.steps_behind(base, 6)?;
        let blocks: Vec<usize> = steps.iter().map(|at| self.block_of(*at)).collect();
        self.always_passes(self.block_of(suspect.at), &blocks).then(|| {
            let steps = steps.iter().map(|at| self.site(*at)).collect();
            Cut::MovingAddress { load: self.site(suspect.at), steps }
        })
    }

    /// The steps of the counter from which an address is computed by additions, shifts and products with constants.
    fn steps_behind(&self, register: Register, depth: u32) -> Option<Vec<usize>> {
        if let Some(steps) = self.steps(register) {
            return Some(steps);
        }
        let [at] = self.writers(register)[..] else { return None };
        let instruction = self.placed(at).instruction;
        let affine = matches!(
            instruction.opcode,
            Opcode::Add
                | Opcode::Sub
                | Opcode::Mul
                | Opcode::Mad
                | Opcode::Shl
                | Opcode::Cvt
                | Opcode::Mov
                | Opcode::Cvta
        );
        if depth == 0 || !affine || instruction.guard.is_some() {
            return None;
        }
        let reads: Vec<Register> =
            self.placed(at).reads.iter().copied().filter(|one| !self.writers(*one).is_empty()).collect();
        let [moving] = reads[..] else { return None };
        self.steps_behind(moving, depth - 1)
    }
}
