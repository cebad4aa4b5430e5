//! The words after the dots of an instruction.

use std::fmt;

use super::{ScalarType, StateSpace};
use crate::name::Name;

/// One modifier of an instruction: `ld.global.L2::128B.v4.f32` has `global`, `L2::128B`, `v4` and `f32`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// `.f32`
    Type(ScalarType),
    /// `.shared::cta`
    Space(StateSpace),
    /// `.v4`
    Vector(u8),
    /// Any other word, such as `rn` or `mbarrier::complete_tx::bytes`.
    Word(Name),
}

impl Modifier {
    /// The modifier that is spelled so, without the leading dot.
    pub fn from_spelling(text: &str) -> Modifier {
        if let Some(scalar) = ScalarType::from_spelling(text) {
            return Modifier::Type(scalar);
        }
        if let Some(space) = StateSpace::from_spelling(text) {
            return Modifier::Space(space);
        }
        match text {
            "v2" => Modifier::Vector(2),
            "v4" => Modifier::Vector(4),
            "v8" => Modifier::Vector(8),
            _ => Modifier::Word(Name::from(text)),
        }
    }

    /// Whether it is this word, type, space or vector length.
    pub fn is(&self, spelling: &str) -> bool {
        match self {
            Modifier::Type(scalar) => scalar.spelling() == spelling,
            Modifier::Space(space) => space.spelling() == spelling,
            Modifier::Vector(2) => spelling == "v2",
            Modifier::Vector(4) => spelling == "v4",
            Modifier::Vector(_) => spelling == "v8",
            Modifier::Word(word) => word == spelling,
        }
    }
}

impl fmt::Display for Modifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Modifier::Type(scalar) => scalar.fmt(f),
            Modifier::Space(space) => space.fmt(f),
            Modifier::Vector(length) => write!(f, "v{length}"),
            Modifier::Word(word) => word.fmt(f),
        }
    }
}
