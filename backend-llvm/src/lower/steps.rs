//! Row numbers and what rises evenly with them.
//!
//! Much of the arithmetic in a vector loop is on row numbers: `row + 3`, `row * 5`, `floor_div row, 60` (the row of a
//! coarser grid). Lane by lane that would be 64-bit arithmetic of which vector units have little. But a value that rises by
//! the same amount from lane to lane is known by its first lane, so the arithmetic is done once, on scalars. Division leaves a
//! small vector part: lane `l` of `floor_div(first + l·by, n)` is `q + (m + l·by) / n`, where `q` and `m` are quotient and
//! rest of the first lane, and the rest is small.

use super::{
    builder::V,
    state::{Lower, Slot},
    vectors::int_bits,
};
use crate::error::Error;
use melior::ir::Type;
use tilt_ir::{
    Type as IrType,
    loops::{Binary, Value},
};

/// A value in lane 0, and how much more it is in each further lane.
type Steps<'c> = (V<'c>, i64);

impl<'c> Lower<'c, '_> {
    /// A binary operation on something that rises evenly, if there is a short way for it.
    pub(crate) fn on_steps(
        &mut self,
        op: Binary,
        result: Value,
        (a, b): (Value, Value),
    ) -> Result<Option<Slot<'c>>, Error> {
        if self.type_of(a)? != IrType::I64 || self.mode.lanes.is_none() {
            return Ok(None);
        }
        self.on_halves(op, result, a, b)?;
        let slots = (self.slot(a)?, self.slot(b)?);
        let known = self.constants.get(&b).copied();
        let rising = |this: &mut Self, name: &str, a, b, by| {
            let first = this.b.same(name, &[a, b])?;
            Ok(Some(Slot::Steps(first, by)))
        };
        match (op, slots, known) {
            (Binary::Add, (Slot::Steps(a, by), Slot::Uniform(b)), _)
            | (Binary::Add, (Slot::Uniform(a), Slot::Steps(b, by)), _) => {
                rising(self, "arith.addi", a, b, by)
            }
            (Binary::Sub, (Slot::Steps(a, by), Slot::Uniform(b)), _) => rising(self, "arith.subi", a, b, by),
            (Binary::Mul, (Slot::Steps(a, by), Slot::Uniform(b)), Some(n)) => match by.checked_mul(n) {
                Some(by) => rising(self, "arith.muli", a, b, by),
                None => Ok(None),
            },
            (Binary::FloorDiv | Binary::Rem, (Slot::Steps(a, by), Slot::Uniform(b)), Some(n)) => {
                let rest = op == Binary::Rem;
                if !rest && let Some(halves) = self.divided_halves((a, by), (b, n))? {
                    self.halves.insert(result, halves);
                }
                let divided = self.divide_steps((a, by), (b, n), rest)?;
                Ok(divided.map(Slot::Lanes))
            }
            (
                Binary::Add
                | Binary::Sub
                | Binary::Mul
                | Binary::Div
                | Binary::FloorDiv
                | Binary::Rem
                | Binary::Min
                | Binary::Max
                | Binary::And
                | Binary::Or
                | Binary::Xor,
                _,
                _,
            ) => Ok(None),
        }
    }

    /// Quotient or rest by a positive constant, if the rests of one block are small enough.
    fn divide_steps(
        &mut self,
        (first, by): Steps<'c>,
        (divisor, n): Steps<'c>,
        rest: bool,
    ) -> Result<Option<V<'c>>, Error> {
        let lanes = self.mode.lanes.unwrap_or(1);
        let most = by.checked_mul(i64::from(lanes)).and_then(|rise| rise.checked_add(n));
        let bits = match most {
            Some(most) if n > 0 && by >= 0 && most < 1 << 16 => 16,
            Some(most) if n > 0 && by >= 0 && most < 1 << 31 => 32,
            Some(_) | None => return Ok(None),
        };
        let quotient = self.floor_div(first, divisor, false)?;
        let product = self.b.same("arith.muli", &[quotient, divisor])?;
        let first_rest = self.b.same("arith.subi", &[first, product])?;

        let small = self.b.resize(first_rest, bits)?;
        let small = self.rising(small, by, lanes)?;
        let n = self.b.int_like(small, n)?;
        let carry = self.b.same("arith.divui", &[small, n])?;
        if rest {
            let whole = self.b.same("arith.muli", &[carry, n])?;
            let rests = self.b.same("arith.subi", &[small, whole])?;
            return self.b.resize(rests, 64).map(Some);
        }
        let carry = self.b.resize(carry, 64)?;
        let quotient = self.b.broadcast(quotient, Some(lanes))?;
        self.b.same("arith.addi", &[quotient, carry]).map(Some)
    }

    /// `first, first + by, first + 2·by, …` as a vector.
    pub(crate) fn rising(&mut self, first: V<'c>, by: i64, lanes: u32) -> Result<V<'c>, Error> {
        use melior::ir::ValueLike;
        let element = first.r#type();
        let offsets = self.multiples(element, by, lanes)?;
        let first = self.b.broadcast(first, Some(lanes))?;
        self.b.same("arith.addi", &[first, offsets])
    }

    /// `0, by, 2·by, …`.
    fn multiples(&mut self, element: Type<'c>, by: i64, lanes: u32) -> Result<V<'c>, Error> {
        let numbers: Vec<i64> = (0..i64::from(lanes)).map(|lane| lane.wrapping_mul(by)).collect();
        self.b.numbers(int_bits(element), &numbers)
    }
}
