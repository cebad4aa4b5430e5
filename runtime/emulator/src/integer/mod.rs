//! Integer arithmetic and bits.

pub(crate) mod arithmetic;
pub(crate) mod bits;
pub(crate) mod carry;
pub(crate) mod compare;
pub(crate) mod dot;
pub(crate) mod logic;
pub(crate) mod multiply;
pub(crate) mod video;

use tilt_backend_ptx::ast::ScalarType;

use crate::compute::{mask, sign_extend};

/// The width of an integer type and whether it is signed; untyped bits count as unsigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Int {
    pub(crate) bits: u32,
    pub(crate) signed: bool,
}

impl Int {
    /// The integer of a scalar type; `None` for other types.
    pub(crate) fn of(ty: ScalarType) -> Option<Int> {
        use ScalarType as T;
        let (bits, signed) = match ty {
            T::B8 | T::U8 => (8, false),
            T::B16 | T::U16 => (16, false),
            T::B32 | T::U32 => (32, false),
            T::B64 | T::U64 => (64, false),
            T::S8 => (8, true),
            T::S16 => (16, true),
            T::S32 => (32, true),
            T::S64 => (64, true),
            _ => return None,
        };
        Some(Int { bits, signed })
    }

    /// The integer of a type, and how many of it stand in one register.
    pub(crate) fn lanes_of(ty: ScalarType) -> Option<(Int, u32)> {
        use ScalarType as T;
        Some(match ty {
            T::U16x2 => (Int { bits: 16, signed: false }, 2),
            T::S16x2 => (Int { bits: 16, signed: true }, 2),
            T::U8x4 => (Int { bits: 8, signed: false }, 4),
            T::S8x4 => (Int { bits: 8, signed: true }, 4),
            _ => (Int::of(ty)?, 1),
        })
    }

    /// The value of a word.
    pub(crate) fn value(self, word: u64) -> i128 {
        match self.signed {
            true => i128::from(sign_extend(word, self.bits)),
            false => i128::from(word & mask(self.bits)),
        }
    }

    /// The word of a value, modulo the width.
    pub(crate) fn wrap(self, value: i128) -> u64 {
        value as u64 & mask(self.bits)
    }

    pub(crate) fn smallest(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    pub(crate) fn largest(self) -> i128 {
        if self.signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    /// The word of the closest value that fits.
    pub(crate) fn clamp(self, value: i128) -> u64 {
        self.wrap(value.clamp(self.smallest(), self.largest()))
    }
}
