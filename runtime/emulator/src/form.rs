//! An instruction's opcode and modifiers while it is decoded.
//!
//! Every modifier that a decoder asks for is ticked off. One that nobody asked for may change what the instruction means, so an
//! instruction with such a modifier left is not run at all.

use std::cell::Cell;

use tilt_backend_ptx::ast::{Instruction, Modifier, ScalarType, StateSpace};

use crate::float::Rounding;

/// Words and what each of them means.
pub(crate) type Table<T, const N: usize> = [(&'static str, T); N];

/// A function of two words.
pub(crate) type Two = fn(u64, u64) -> u64;

/// An instruction under the eyes of a decoder.
pub(crate) struct Form<'a> {
    pub(crate) instruction: &'a Instruction,
    seen: Cell<u64>,
}

impl<'a> Form<'a> {
    pub(crate) fn new(instruction: &'a Instruction) -> Form<'a> {
        Form { instruction, seen: Cell::new(0) }
    }

    fn tick(&self, at: usize) {
        self.seen.set(self.seen.get() | 1u64.checked_shl(at as u32).unwrap_or(0));
    }

    /// Whether the modifier is there.
    pub(crate) fn has(&self, word: &str) -> bool {
        let mut found = false;
        for (at, one) in self.instruction.modifiers.iter().enumerate() {
            if one.is(word) {
                self.tick(at);
                found = true;
            }
        }
        found
    }

    /// The value beside the first of these words that is there.
    pub(crate) fn pick<T: Copy>(&self, table: &[(&str, T)]) -> Option<T> {
        let mut found = None;
        for (word, value) in table {
            if self.has(word) && found.is_none() {
                found = Some(*value);
            }
        }
        found
    }

    /// Modifiers that change nothing here.
    pub(crate) fn ignore(&self, words: &[&str]) {
        words.iter().for_each(|word| {
            self.has(word);
        });
    }

    /// Modifiers with such a beginning, which change nothing here.
    pub(crate) fn ignore_prefix(&self, prefix: &str) {
        for (at, one) in self.instruction.modifiers.iter().enumerate() {
            if matches!(one, Modifier::Word(word) if word.starts_with(prefix)) {
                self.tick(at);
            }
        }
    }

    /// The n-th type.
    pub(crate) fn ty(&self, n: usize) -> Option<ScalarType> {
        let mut types = self.instruction.modifiers.iter().enumerate().filter_map(|(at, one)| match one {
            Modifier::Type(scalar) => Some((at, *scalar)),
            Modifier::Space(_) | Modifier::Vector(_) | Modifier::Word(_) => None,
        });
        let (at, scalar) = types.nth(n)?;
        self.tick(at);
        Some(scalar)
    }

    /// How many types there are.
    pub(crate) fn type_count(&self) -> usize {
        self.instruction.types().count()
    }

    /// The n-th state space.
    pub(crate) fn space(&self, n: usize) -> Option<StateSpace> {
        let mut spaces = self.instruction.modifiers.iter().enumerate().filter_map(|(at, one)| match one {
            Modifier::Space(space) => Some((at, *space)),
            Modifier::Type(_) | Modifier::Vector(_) | Modifier::Word(_) => None,
        });
        let (at, space) = spaces.nth(n)?;
        self.tick(at);
        Some(space)
    }

    /// The length of a vector access.
    pub(crate) fn vector(&self) -> usize {
        for (at, one) in self.instruction.modifiers.iter().enumerate() {
            if let Modifier::Vector(length) = one {
                self.tick(at);
                return usize::from(*length);
            }
        }
        1
    }

    /// The rounding of floating-point arithmetic; to nearest where none is given.
    pub(crate) fn rounding(&self) -> Rounding {
        let table = [
            ("rn", Rounding::Nearest),
            ("rna", Rounding::NearestAway),
            ("rz", Rounding::Zero),
            ("rm", Rounding::Down),
            ("rp", Rounding::Up),
        ];
        self.pick(&table).unwrap_or(Rounding::Nearest)
    }

    /// How many operands stand after the first.
    pub(crate) fn sources(&self) -> usize {
        self.instruction.operands.len().saturating_sub(1)
    }

    /// Whether every modifier was asked for.
    pub(crate) fn is_done(&self) -> bool {
        let count = self.instruction.modifiers.len() as u32;
        count <= 64 && self.seen.get() == crate::compute::mask(count)
    }
}
