//! Integer division, rounded down, and overflow.
//!
//! Loop IR asks its author to guard against a zero divisor, but the lanes of a block that are no rows of the loop are
//! computed all the same, and a division by zero stops the process: so the divisor is made harmless here once more, unless
//! it is a constant that is harmless anyway.

use super::{
    builder::{Attr, V, element_of},
    numbers::unsigned,
    state::Lower,
    vectors::{IntCmp, int_bits},
};
use crate::error::Error;
use melior::{
    dialect::llvm::r#type::r#struct,
    ir::{ValueLike, attribute::DenseI64ArrayAttribute},
};
use tilt_ir::loops::{Binary, Value};

impl<'c> Lower<'c, '_> {
    /// `a / b` rounded down; any value where `b` is 0.
    pub(crate) fn floor_div(&mut self, a: V<'c>, b: V<'c>, unsigned: bool) -> Result<V<'c>, Error> {
        if unsigned {
            let b = self.nonzero(b)?;
            return self.b.same("arith.divui", &[a, b]);
        }
        let (one, zero, minus_one) =
            (self.b.int_like(b, 1)?, self.b.int_like(b, 0)?, self.b.int_like(b, -1)?);
        let negated = self.b.compare(IntCmp::Eq, b, minus_one)?;
        let safe = self.b.select(negated, one, b)?;
        let safe = self.nonzero(safe)?;
        let quotient = self.b.same("arith.divsi", &[a, safe])?;
        let product = self.b.same("arith.muli", &[quotient, safe])?;
        let rest = self.b.same("arith.subi", &[a, product])?;
        let inexact = self.b.compare(IntCmp::Ne, rest, zero)?;
        let signs = self.b.same("arith.xori", &[rest, safe])?;
        let differ = self.b.compare(IntCmp::Slt, signs, zero)?;
        let round = self.b.same("arith.andi", &[inexact, differ])?;
        let below = self.b.same("arith.addi", &[quotient, minus_one])?;
        let floor = self.b.select(round, below, quotient)?;
        let opposite = self.b.same("arith.subi", &[zero, a])?;
        self.b.select(negated, opposite, floor)
    }

    /// `a - b * floor(a / b)`, of the sign of `b`; any value where `b` is 0.
    pub(crate) fn floor_rem(&mut self, a: V<'c>, b: V<'c>, unsigned: bool) -> Result<V<'c>, Error> {
        if unsigned {
            let b = self.nonzero(b)?;
            return self.b.same("arith.remui", &[a, b]);
        }
        let (one, zero, minus_one) =
            (self.b.int_like(b, 1)?, self.b.int_like(b, 0)?, self.b.int_like(b, -1)?);
        // The rest by -1 is that by 1, namely 0; `MIN % -1` would trap.
        let negated = self.b.compare(IntCmp::Eq, b, minus_one)?;
        let safe = self.b.select(negated, one, b)?;
        let safe = self.nonzero(safe)?;
        let rest = self.b.same("arith.remsi", &[a, safe])?;
        let inexact = self.b.compare(IntCmp::Ne, rest, zero)?;
        let signs = self.b.same("arith.xori", &[rest, safe])?;
        let differ = self.b.compare(IntCmp::Slt, signs, zero)?;
        let adjust = self.b.same("arith.andi", &[inexact, differ])?;
        let moved = self.b.same("arith.addi", &[rest, safe])?;
        self.b.select(adjust, moved, rest)
    }

    /// The divisor, with 1 in place of 0.
    fn nonzero(&mut self, b: V<'c>) -> Result<V<'c>, Error> {
        let (zero, one) = (self.b.int_like(b, 0)?, self.b.int_like(b, 1)?);
        let bad = self.b.compare(IntCmp::Eq, b, zero)?;
        self.b.select(bad, one, b)
    }

    /// Whether the exact result of an addition, subtraction or multiplication is out of range of its type.
    pub(crate) fn overflows(&mut self, op: Binary, a: Value, b: Value) -> Result<V<'c>, Error> {
        let ty = self.type_of(a)?;
        if ty.int_range().is_none() {
            return Err(Error::Program(format!("`overflows` of {ty}")));
        }
        if let Some(overflows) = self.pattern_overflows(op, a, b)? {
            return Ok(overflows);
        }
        let operands = self.operands(&[a, b])?;
        let name = match (op, unsigned(ty)) {
            (Binary::Add, false) => "llvm.intr.sadd.with.overflow",
            (Binary::Add, true) => "llvm.intr.uadd.with.overflow",
            (Binary::Sub, false) => "llvm.intr.ssub.with.overflow",
            (Binary::Sub, true) => "llvm.intr.usub.with.overflow",
            (Binary::Mul, unsigned) if ty.bits() < 64 => {
                return self.product_overflows(operands[0], operands[1], unsigned);
            }
            (Binary::Mul, false) => "llvm.intr.smul.with.overflow",
            (Binary::Mul, true) => "llvm.intr.umul.with.overflow",
            (
                Binary::Div
                | Binary::FloorDiv
                | Binary::Rem
                | Binary::Min
                | Binary::Max
                | Binary::And
                | Binary::Or
                | Binary::Xor,
                _,
            ) => return Err(Error::Program(format!("`overflows` of {op:?}"))),
        };
        let bools = self.b.shaped_like(self.b.int(1), operands[0]);
        let pair = r#struct(self.b.context(), &[operands[0].r#type(), bools], false);
        let both = self.b.value(name, &operands, pair, &[])?;
        let position: Attr<'c> = ("position", DenseI64ArrayAttribute::new(self.b.context(), &[1]).into());
        self.b.value("llvm.extractvalue", &[both], bools, &[position])
    }

    /// Multiplies in twice the width and looks whether the product survives being cut.
    fn product_overflows(&mut self, a: V<'c>, b: V<'c>, unsigned: bool) -> Result<V<'c>, Error> {
        let bits = int_bits(element_of(a.r#type()));
        let wide = self.b.shaped_like(self.b.int(2 * bits), a);
        let extend = if unsigned { "arith.extui" } else { "arith.extsi" };
        let wide_a = self.b.value(extend, &[a], wide, &[])?;
        let wide_b = self.b.value(extend, &[b], wide, &[])?;
        let product = self.b.same("arith.muli", &[wide_a, wide_b])?;
        let cut = self.b.value("arith.trunci", &[product], a.r#type(), &[])?;
        let back = self.b.value(extend, &[cut], wide, &[])?;
        self.b.compare(IntCmp::Ne, product, back)
    }
}
