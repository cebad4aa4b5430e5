//! Inserted code: its registers, and statements written as text.

use crate::ast::{ScalarType, StateSpace, Statement, Variable};
use crate::parse::statements;
use crate::span::Spanned;

/// Registers that no name of the module collides with, by width.
#[derive(Debug)]
pub(super) struct Registers {
    /// The start of all their names.
    prefix: String,
    halves: u32,
    words: u32,
    longs: u32,
    predicates: u32,
}

impl Registers {
    pub(super) fn new(prefix: String) -> Registers {
        Registers { prefix, halves: 0, words: 0, longs: 0, predicates: 0 }
    }

    /// A register of 16 bits.
    pub(super) fn half(&mut self) -> String {
        self.halves += 1;
        format!("{}h{}", self.prefix, self.halves - 1)
    }

    /// A register of 32 bits.
    pub(super) fn word(&mut self) -> String {
        self.words += 1;
        format!("{}{}", self.prefix, self.words - 1)
    }

    /// A register of 64 bits.
    pub(super) fn long(&mut self) -> String {
        self.longs += 1;
        format!("{}d{}", self.prefix, self.longs - 1)
    }

    pub(super) fn predicate(&mut self) -> String {
        self.predicates += 1;
        format!("{}p{}", self.prefix, self.predicates - 1)
    }

    /// The declarations of those that were given out.
    pub(super) fn declarations(&self) -> Vec<Spanned<Statement>> {
        let all = [
            (ScalarType::B32, "", self.words),
            (ScalarType::B16, "h", self.halves),
            (ScalarType::B64, "d", self.longs),
            (ScalarType::Pred, "p", self.predicates),
        ];
        let used = all.into_iter().filter(|(.., count)| *count > 0);
        used.map(|(ty, letter, count)| range(ty, &format!("{}{letter}", self.prefix), count)).collect()
    }
}

/// `.reg .type prefix<count>;`
fn range(ty: ScalarType, prefix: &str, count: u32) -> Spanned<Statement> {
    let mut variable = Variable::new(StateSpace::Reg, ty, prefix);
    variable.names[0].count = Some(count);
    Spanned::from(Statement::Variable(variable))
}

/// The statements of a text that the rewriter makes. They stand nowhere in the source.
///
/// # Panics
///
/// The text is not PTX.
pub(super) fn code(text: &str) -> Vec<Spanned<Statement>> {
    let all = statements(&format!("{{{text}}}"))
        .unwrap_or_else(|error| panic!("inserted code is no PTX: {error}\n{text}"));
    all.into_iter().map(|one| Spanned::from(one.node)).collect()
}
