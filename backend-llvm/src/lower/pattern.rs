//! Row numbers of other grids, as patterns that repeat from block to block.
//!
//! A vector loop takes rows in aligned blocks, so in block number `k` the loop's rows are `W·k + 0, W·k + 1, …`. Linear
//! arithmetic keeps that form, with other numbers, and so does division where it leaves no rest from block to block:
//!
//! ```text
//! W = 8                 row                8·k + [ 0, 1, 2, 3, 4, 5, 6, 7]
//!                       row * 5           40·k + [ 0, 5,10,15,20,25,30,35]
//!                       row * 5 div 4     10·k + [ 0, 1, 2, 3, 5, 6, 7, 8]
//!                       row * 5 mod 4      0·k + [ 0, 1, 2, 3, 0, 1, 2, 3]
//! ```
//!
//! The numbers in brackets are known here and now. What is looked up in such rows is a load of a few neighbours and a fixed
//! shuffle, and what no longer depends on `k` is a constant.

use super::{
    builder::V,
    state::{Lower, Slot},
    vectors::IntCmp,
};
use crate::error::Error;
use std::rc::Rc;
use tilt_ir::{
    Type as IrType,
    loops::{Binary, Value},
};

/// Lane `l` of block number `k` is `per_block·k + lanes[l]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    per_block: i64,
    lanes: Rc<[i64]>,
}

impl Pattern {
    /// The rows of a loop with so many lanes.
    pub(crate) fn rows(lanes: u32) -> Pattern {
        Pattern { per_block: i64::from(lanes), lanes: (0..i64::from(lanes)).collect() }
    }

    /// One number for all rows.
    fn constant(value: i64, lanes: u32) -> Pattern {
        Pattern { per_block: 0, lanes: (0..lanes).map(|_| value).collect() }
    }

    /// The pattern of an operation on two patterns, if it is one.
    fn binary(op: Binary, a: &Pattern, b: &Pattern) -> Option<Pattern> {
        let by = b.known();
        let lanes = |op: &dyn Fn(i64, i64) -> Option<i64>| -> Option<Rc<[i64]>> {
            a.lanes.iter().zip(&*b.lanes).map(|(a, b)| op(*a, *b)).collect()
        };
        let (per_block, lanes) = match op {
            Binary::Add => (a.per_block.checked_add(b.per_block)?, lanes(&i64::checked_add)?),
            Binary::Sub => (a.per_block.checked_sub(b.per_block)?, lanes(&i64::checked_sub)?),
            Binary::Mul if by.is_some() => (a.per_block.checked_mul(by?)?, lanes(&i64::checked_mul)?),
            Binary::FloorDiv if by.is_some_and(|n| n > 0 && a.per_block % n == 0) => {
                (a.per_block / by?, lanes(&i64::checked_div_euclid)?)
            }
            Binary::Rem if by.is_some_and(|n| n > 0 && a.per_block % n == 0) => {
                (0, lanes(&i64::checked_rem_euclid)?)
            }
            Binary::Mul
            | Binary::FloorDiv
            | Binary::Rem
            | Binary::Div
            | Binary::Min
            | Binary::Max
            | Binary::And
            | Binary::Or
            | Binary::Xor => return None,
        };
        Some(Pattern { per_block, lanes })
    }

    /// The number, if it is one for all rows.
    fn known(&self) -> Option<i64> {
        let first = *self.lanes.first()?;
        (self.per_block == 0 && self.lanes.iter().all(|lane| *lane == first)).then_some(first)
    }

    /// How much more each lane is than the one before, if that is the same for all.
    fn step(&self) -> Option<i64> {
        let step = self.lanes.get(1)?.checked_sub(self.lanes[0])?;
        let even = self.lanes.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(step));
        even.then_some(step)
    }

    /// Block numbers `-K..=K` in which no lane leaves the range of `i64`.
    fn blocks_in_range(&self) -> i64 {
        let most = self.lanes.iter().map(|lane| lane.unsigned_abs()).max().unwrap_or(0);
        let room = (i64::MAX as u64).saturating_sub(most);
        match self.per_block.unsigned_abs() {
            0 => i64::MAX,
            per_block => i64::try_from(room / per_block).unwrap_or(i64::MAX),
        }
    }
}

impl<'c> Lower<'c, '_> {
    /// The pattern of a value in the present loop; constants are patterns, too.
    fn pattern_of(&self, value: Value) -> Option<Pattern> {
        let lanes = self.mode.lanes.filter(|_| self.mode.aligned)?;
        let constant = || self.constants.get(&value).map(|value| Pattern::constant(*value, lanes));
        self.patterns.get(&value).cloned().or_else(constant)
    }

    /// A binary operation whose result is a pattern.
    pub(crate) fn on_patterns(
        &mut self,
        op: Binary,
        result: Value,
        (a, b): (Value, Value),
    ) -> Result<Option<Slot<'c>>, Error> {
        let found = self.patterns.contains_key(&a) || self.patterns.contains_key(&b);
        if !found || self.type_of(a)? != IrType::I64 {
            return Ok(None);
        }
        let (Some(a), Some(b)) = (self.pattern_of(a), self.pattern_of(b)) else { return Ok(None) };
        let Some(pattern) = Pattern::binary(op, &a, &b) else { return Ok(None) };
        let slot = self.pattern_slot(&pattern)?;
        self.patterns.insert(result, pattern);
        Ok(Some(slot))
    }

    /// `overflows` of patterns that stay the same distance apart: nothing does, unless one of them leaves the range itself.
    /// (Then the answer may be true where it need not: the piece is computed in another way.)
    pub(crate) fn pattern_overflows(
        &mut self,
        op: Binary,
        a: Value,
        b: Value,
    ) -> Result<Option<V<'c>>, Error> {
        let found = self.patterns.contains_key(&a) && self.patterns.contains_key(&b);
        if !found || self.type_of(a)? != IrType::I64 {
            return Ok(None);
        }
        let (Some(a), Some(b)) = (self.pattern_of(a), self.pattern_of(b)) else { return Ok(None) };
        let Some(0) = Pattern::binary(op, &a, &b).map(|result| result.per_block) else { return Ok(None) };
        let most = a.blocks_in_range().min(b.blocks_in_range());
        let block = self.block_number()?;
        let (least, most) = (self.b.i64(-most)?, self.b.i64(most)?);
        let below = self.b.compare(IntCmp::Slt, block, least)?;
        let above = self.b.compare(IntCmp::Sgt, block, most)?;
        self.b.same("arith.ori", &[below, above]).map(Some)
    }

    /// The rows that a value names: the lowest of them, and how far each lane's lies above it.
    pub(crate) fn pattern_rows(&mut self, value: Value) -> Result<Option<(V<'c>, Vec<i64>)>, Error> {
        let Some(pattern) = self.patterns.get(&value).and_then(|_| self.pattern_of(value)) else {
            return Ok(None);
        };
        let Some(least) = pattern.lanes.iter().min().copied() else { return Ok(None) };
        let offsets: Option<Vec<i64>> = pattern.lanes.iter().map(|lane| lane.checked_sub(least)).collect();
        let Some(offsets) = offsets else { return Ok(None) };
        let base = self.pattern_base(&pattern)?;
        Ok(Some((self.offset(base, least)?, offsets)))
    }

    fn block_number(&mut self) -> Result<V<'c>, Error> {
        let lanes = self.mode.lanes.unwrap_or(1);
        let (row, shift) = (self.row(0)?, self.b.i64(i64::from(lanes.trailing_zeros()))?);
        self.b.same("arith.shrsi", &[row, shift])
    }

    /// `per_block·k`.
    fn pattern_base(&mut self, pattern: &Pattern) -> Result<V<'c>, Error> {
        let lanes = i64::from(self.mode.lanes.unwrap_or(1));
        let (number, by) = match pattern.per_block % lanes {
            0 => (self.row(0)?, pattern.per_block / lanes),
            _ => (self.block_number()?, pattern.per_block),
        };
        match by {
            1 => Ok(number),
            _ => {
                let by = self.b.i64(by)?;
                self.b.same("arith.muli", &[number, by])
            }
        }
    }

    fn pattern_slot(&mut self, pattern: &Pattern) -> Result<Slot<'c>, Error> {
        if let Some(value) = pattern.known() {
            return self.b.i64(value).map(Slot::Uniform);
        }
        if pattern.per_block == 0 {
            return self.b.numbers(64, &pattern.lanes).map(Slot::Lanes);
        }
        let base = self.pattern_base(pattern)?;
        if let (Some(step), Some(first)) = (pattern.step(), pattern.lanes.first()) {
            return Ok(Slot::Steps(self.offset(base, *first)?, step));
        }
        let offsets = self.b.numbers(64, &pattern.lanes)?;
        let base = self.b.broadcast(base, self.mode.lanes)?;
        self.b.same("arith.addi", &[base, offsets]).map(Slot::Lanes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_other_grids() {
        let of = |op, a: &Pattern, n| Pattern::binary(op, a, &Pattern::constant(n, 8)).unwrap();
        let fives = of(Binary::Mul, &Pattern::rows(8), 5);
        let floor = of(Binary::FloorDiv, &of(Binary::Add, &fives, -3), 4);
        assert_eq!((floor.per_block, &*floor.lanes), (10, &[-1, 0, 1, 3, 4, 5, 6, 8][..]));
        let rest = of(Binary::Rem, &fives, 4);
        assert_eq!((rest.per_block, &*rest.lanes), (0, &[0, 1, 2, 3, 0, 1, 2, 3][..]));
        let times_four = of(Binary::Mul, &of(Binary::FloorDiv, &fives, 4), 4);
        assert_eq!(Pattern::binary(Binary::Sub, &fives, &times_four), Some(rest));
    }

    #[test]
    fn what_does_not_repeat_is_no_pattern() {
        let sevenths = Pattern::constant(7, 8);
        assert_eq!(Pattern::binary(Binary::FloorDiv, &Pattern::rows(8), &sevenths), None);
        let huge = Pattern::constant(i64::MAX, 8);
        assert_eq!(Pattern::binary(Binary::Mul, &Pattern::rows(8), &huge), None);
    }

    #[test]
    fn ranges() {
        assert_eq!(Pattern::constant(3, 8).blocks_in_range(), i64::MAX);
        assert_eq!(Pattern::rows(8).blocks_in_range(), (i64::MAX - 7) / 8);
    }
}
