//! vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad, vset and their forms on two halves and four bytes.
//!
//! Operands are bytes, halves or whole words of registers; each instruction computes without overflow, clamps or cuts the
//! result, and then may add it to, compare it with or put it into a third operand.

use super::Int;
use crate::compute::{Compute, mask, ternary};

/// What becomes of a and b.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Main {
    Add,
    Sub,
    AbsDiff,
    Min,
    Max,
    Average,
    ShiftLeft { clamp: bool },
    ShiftRight { clamp: bool },
    Compare(fn(i64, i64) -> bool),
}

/// What is done with the third operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Nothing,
    Add,
    Min,
    Max,
    /// The result replaces a part of it: from this bit on, so many bits.
    Merge(u32, u32),
}

/// Which part of a register an operand is: its first bit and its bits.
pub(crate) type Part = (u32, u32);

/// The whole register.
pub(crate) const WHOLE: Part = (0, 32);

/// The part that a word such as `b2` or `h1` names.
pub(crate) fn part(word: &str) -> Option<Part> {
    Some(match word {
        "b0" => (0, 8),
        "b1" => (8, 8),
        "b2" => (16, 8),
        "b3" => (24, 8),
        "h0" => (0, 16),
        "h1" => (16, 16),
        _ => return None,
    })
}

/// The value of a part.
pub(crate) fn value(word: u64, (from, bits): Part, signed: bool) -> i64 {
    Int { bits, signed }.value(word >> from) as i64
}

impl Main {
    pub(crate) fn apply(self, a: i64, b: i64) -> i64 {
        let by = |clamp: bool| if clamp { b.clamp(0, 32) } else { b & 31 };
        match self {
            Main::Add => a + b,
            Main::Sub => a - b,
            Main::AbsDiff => (a - b).abs(),
            Main::Min => a.min(b),
            Main::Max => a.max(b),
            Main::Average => (a + b + i64::from(a + b >= 0)) >> 1,
            Main::ShiftLeft { clamp } => (i128::from(a) << by(clamp)) as i64,
            Main::ShiftRight { clamp } => a >> by(clamp),
            Main::Compare(relation) => i64::from(relation(a, b)),
        }
    }
}

/// An instruction on one value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scalar {
    pub(crate) main: Main,
    pub(crate) a: (Part, bool),
    pub(crate) b: (Part, bool),
    pub(crate) signed: bool,
    pub(crate) sat: bool,
    pub(crate) then: Then,
}

impl Scalar {
    pub(crate) fn compute(self) -> Compute {
        ternary(move |a, b, c| {
            let a = value(a, self.a.0, self.a.1);
            let b = value(b, self.b.0, self.b.1);
            let result = i128::from(self.main.apply(a, b));
            let bits = if let Then::Merge(_, bits) = self.then { bits } else { 32 };
            let int = Int { bits, signed: self.signed };
            let word = if self.sat { int.clamp(result) } else { int.wrap(result) };
            let third = int.value(c);
            match self.then {
                Then::Nothing => word,
                Then::Add => word.wrapping_add(c) & mask(32),
                Then::Min => int.wrap(int.value(word).min(third)),
                Then::Max => int.wrap(int.value(word).max(third)),
                Then::Merge(from, bits) => c & mask(32) & !(mask(bits) << from) | word << from,
            }
        })
    }
}

/// An instruction on several values in a register.
#[derive(Debug, Clone)]
pub(crate) struct Packed {
    pub(crate) main: Main,
    /// Bits of one value.
    pub(crate) bits: u32,
    /// Which value of `b:a` each one is, lowest first.
    pub(crate) a: Vec<u32>,
    pub(crate) b: Vec<u32>,
    pub(crate) a_signed: bool,
    pub(crate) b_signed: bool,
    pub(crate) signed: bool,
    pub(crate) sat: bool,
    /// Whether the results are added to c.
    pub(crate) add: bool,
    /// Which results are wanted.
    pub(crate) wanted: u32,
}

impl Packed {
    pub(crate) fn compute(self) -> Compute {
        ternary(move |a, b, c| {
            let both = b << 32 | a & mask(32);
            let int = Int { bits: self.bits, signed: self.signed };
            let (mut packed, mut sum) = (c & mask(32), c);
            for (lane, (from_a, from_b)) in self.a.iter().zip(&self.b).enumerate() {
                if self.wanted >> lane & 1 == 0 {
                    continue;
                }
                let x = value(both, (from_a * self.bits, self.bits), self.a_signed);
                let y = value(both, (from_b * self.bits, self.bits), self.b_signed);
                let result = i128::from(self.main.apply(x, y));
                let word = if self.sat { int.clamp(result) } else { int.wrap(result) };
                let shift = lane as u32 * self.bits;
                packed = packed & !(mask(self.bits) << shift) | word << shift;
                // the sum takes the values as they are
                sum = sum.wrapping_add(if self.sat { int.value(word) as u64 } else { result as u64 });
            }
            if self.add { sum & mask(32) } else { packed & mask(32) }
        })
    }
}

/// `vmad`: `(±a·b ± c + one) >> shift`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mad {
    pub(crate) a: (Part, bool),
    pub(crate) b: (Part, bool),
    /// Whether the product and c are negated.
    pub(crate) negated: (bool, bool),
    pub(crate) plus_one: bool,
    pub(crate) shift: u32,
    pub(crate) sat: bool,
}

impl Mad {
    pub(crate) fn compute(self) -> Compute {
        let signed = self.a.1 || self.b.1 || self.negated.0 || self.negated.1;
        ternary(move |a, b, c| {
            let product = i128::from(value(a, self.a.0, self.a.1)) * i128::from(value(b, self.b.0, self.b.1));
            let product = if self.negated.0 { -product } else { product };
            let int = Int { bits: 32, signed };
            let c = if self.negated.1 { -int.value(c) } else { int.value(c) };
            let sum = (product + c + i128::from(self.plus_one)) >> self.shift;
            if self.sat { int.clamp(sum) } else { int.wrap(sum) }
        })
    }
}
