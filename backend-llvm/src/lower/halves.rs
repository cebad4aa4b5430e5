//! Row numbers of a much coarser grid: in one block there are two of them at most.
//!
//! `mean_of_day[floor(t, 1d)]` is looked up in each row, but the day changes only between two of many rows. Where the divisor
//! is not less than what a block rises by, `floor_div` gives at most two values in a block: one for the lanes before some
//! lane, the other from it on. What is looked up there is two scalar loads and a selection, not a gather.

use super::{
    builder::V,
    state::{Lower, Slot},
};
use crate::error::Error;
use tilt_ir::loops::{Binary, Value};

/// Two numbers, each for some lanes of a block.
#[derive(Clone, Copy)]
pub(crate) struct Halves<'c> {
    /// The number of lane 0.
    pub(crate) first: V<'c>,
    /// The number of the last lane.
    pub(crate) last: V<'c>,
    /// Whether a lane's number is `last`.
    pub(crate) second: V<'c>,
}

impl<'c> Lower<'c, '_> {
    /// The halves of `floor_div(first + l·by, n)`, if there are no more than two.
    pub(crate) fn divided_halves(
        &mut self,
        (first, by): (V<'c>, i64),
        (divisor, n): (V<'c>, i64),
    ) -> Result<Option<Halves<'c>>, Error> {
        let Some(lanes) = self.mode.lanes else { return Ok(None) };
        let rise = by.checked_mul(i64::from(lanes));
        if by < 1 || rise.is_none_or(|rise| rise > n) {
            return Ok(None);
        }
        let end = self.offset(first, by * i64::from(lanes - 1))?;
        let quotient = self.floor_div(first, divisor, false)?;
        let last = self.floor_div(end, divisor, false)?;
        // lane l belongs to the second half if first + l·by ≥ (quotient + 1)·n
        let next = self.offset(quotient, 1)?;
        let bound = self.b.same("arith.muli", &[next, divisor])?;
        let mut lane = self.b.same("arith.subi", &[bound, first])?;
        if by > 1 {
            let up = self.offset(lane, by - 1)?;
            let by = self.b.i64(by)?;
            lane = self.b.same("arith.divui", &[up, by])?;
        }
        let before = self.b.low_bits(lane, lanes)?;
        let ones = self.b.i64(-1)?;
        let after = self.b.same("arith.xori", &[before, ones])?;
        let second = self.b.unpack(after, lanes)?;
        Ok(Some(Halves { first: quotient, last, second }))
    }

    /// Arithmetic on both halves.
    pub(crate) fn on_halves(&mut self, op: Binary, result: Value, a: Value, b: Value) -> Result<(), Error> {
        let name = match op {
            Binary::Add => "arith.addi",
            Binary::Sub => "arith.subi",
            Binary::Mul => "arith.muli",
            Binary::Div
            | Binary::FloorDiv
            | Binary::Rem
            | Binary::Min
            | Binary::Max
            | Binary::And
            | Binary::Or
            | Binary::Xor => return Ok(()),
        };
        let Some(halves) = self.halves.get(&a).copied() else { return Ok(()) };
        let Slot::Uniform(by) = self.slot(b)? else { return Ok(()) };
        let first = self.b.same(name, &[halves.first, by])?;
        let last = self.b.same(name, &[halves.last, by])?;
        self.halves.insert(result, Halves { first, last, ..halves });
        Ok(())
    }
}
