//! Loading and storing bits: bools and validity.
//!
//! `n` bits from any bit on are cut out of one 64-bit word (two if `n` is 64); single bits anywhere are found one by one.
//! Stores are of whole aligned bytes, because vector loops run over aligned blocks; in blocks that are stored only partly
//! the old bits are kept.

use super::{
    builder::{V, lanes_of},
    place::Bitmap,
    state::Lower,
    vectors::{IntCmp, int_bits},
};
use crate::error::Error;
use melior::ir::{Region, ValueLike};

impl<'c> Lower<'c, '_> {
    /// The bits of as many rows as there are lanes, from `row` on, as a vector of bools. With a mask only rows in it are looked
    /// at. If `row` is a multiple of 8 plus a constant, that is `beyond`.
    pub(crate) fn load_bits(
        &mut self,
        map: Bitmap<'c>,
        row: V<'c>,
        beyond: Option<i64>,
        mask: Option<V<'c>>,
    ) -> Result<V<'c>, Error> {
        let lanes = self.mode.lanes.unwrap_or(1);
        let start = self.b.same("arith.addi", &[row, map.shift])?;
        let bits = match mask {
            None => {
                // The place within the byte is then the same for all blocks.
                let within = match beyond {
                    Some(beyond) => self.offset(map.shift, beyond)?,
                    None => start,
                };
                self.load_word(map, start, within, lanes)?
            }
            Some(_) => self.load_word_clamped(map, start, lanes)?,
        };
        let loaded = self.b.unpack(bits, lanes)?;
        match mask {
            None => Ok(loaded),
            Some(mask) => self.b.same("arith.andi", &[loaded, mask]),
        }
    }

    /// A 64-bit word whose lowest `lanes` bits are those from bit `start` on. `within` is `start` modulo 8.
    pub(crate) fn load_word(
        &mut self,
        map: Bitmap<'c>,
        start: V<'c>,
        within: V<'c>,
        lanes: u32,
    ) -> Result<V<'c>, Error> {
        let (three, seven, word) = (self.b.i64(3)?, self.b.i64(7)?, self.b.int(64));
        let byte = self.b.same("arith.shrsi", &[start, three])?;
        let within = self.b.same("arith.andi", &[within, seven])?;
        let element = self.b.int(8);
        let address = self.element(map.pointer, byte, element)?;
        let low = self.load_at(address, word, 1)?;
        if lanes <= 32 {
            return self.b.same("arith.shrui", &[low, within]);
        }
        let next = self.b.i64(8)?;
        let address = self.element(address, next, element)?;
        let high = self.load_at(address, self.b.int(8), 1)?;
        let high = self.b.resize(high, 64)?;
        self.b.same("llvm.intr.fshr", &[high, low, within])
    }

    /// As [`Lower::load_word`], but looks only at the bytes of rows that exist: bits of other rows may be anything.
    fn load_word_clamped(&mut self, map: Bitmap<'c>, start: V<'c>, lanes: u32) -> Result<V<'c>, Error> {
        let (zero, most) = (self.b.i64(0)?, self.b.i64(63)?);
        let clamped = self.b.same("arith.minsi", &[start, map.last])?;
        let clamped = self.b.same("arith.maxsi", &[clamped, zero])?;
        let word = self.load_word(map, clamped, clamped, lanes)?;
        let missing = self.b.same("arith.subi", &[clamped, start])?;
        let missing = self.b.same("arith.maxsi", &[missing, zero])?;
        let missing = self.b.same("arith.minsi", &[missing, most])?;
        self.b.same("arith.shli", &[word, missing])
    }

    /// The bit of one row, or with a vector of rows one bit each. With a mask only rows in it are looked at.
    pub(crate) fn gather_bits(
        &mut self,
        map: Bitmap<'c>,
        rows: V<'c>,
        mask: Option<V<'c>>,
    ) -> Result<V<'c>, Error> {
        let lanes = lanes_of(rows.r#type());
        let shift = self.b.broadcast(map.shift, lanes)?;
        let bit = self.b.same("arith.addi", &[rows, shift])?;
        let five = self.b.int_like(bit, 5)?;
        let index = self.b.same("arith.shrsi", &[bit, five])?;
        let element = self.b.int(32);
        let word = match lanes {
            None => {
                let address = self.element(map.pointer, index, element)?;
                self.load_at(address, element, 1)?
            }
            Some(_) => self.gather(map.pointer, index, element, 1, mask)?,
        };
        let low = self.b.resize(bit, 32)?;
        let within = self.b.int_like(low, 31)?;
        let within = self.b.same("arith.andi", &[low, within])?;
        let shifted = self.b.same("arith.shrui", &[word, within])?;
        self.b.resize(shifted, 1)
    }

    /// Stores the bools of an aligned block; only those in `mask` if there is one.
    pub(crate) fn store_bits(
        &mut self,
        map: Bitmap<'c>,
        row: V<'c>,
        bools: V<'c>,
        mask: Option<V<'c>>,
    ) -> Result<(), Error> {
        let Some(mask) = mask else {
            let bits = self.b.pack(bools)?;
            return self.store_word(map, row, bits, None);
        };
        // A block of the warm-up has nothing to store, and its bytes may be another piece's, or nobody's.
        let mask = self.b.pack(mask)?;
        let some = self.is_nonzero(mask)?;
        let (then, _, outer) = self.b.open(&[]);
        let bits = self.b.pack(bools)?;
        self.store_word(map, row, bits, Some(mask))?;
        self.b.close(outer, "scf.yield", &[])?;
        self.b.build("scf.if", &[some], &[], &[], vec![then, Region::new()]).map(|_| ())
    }

    fn store_word(
        &mut self,
        map: Bitmap<'c>,
        row: V<'c>,
        mut bits: V<'c>,
        mask: Option<V<'c>>,
    ) -> Result<(), Error> {
        let three = self.b.i64(3)?;
        let bit = self.b.same("arith.addi", &[row, map.shift])?;
        let byte = self.b.same("arith.shrsi", &[bit, three])?;
        let address = self.element(map.pointer, byte, self.b.int(8))?;
        let align = i64::from(int_bits(bits.r#type()) / 8);
        if let Some(mask) = mask {
            let old = self.load_at(address, bits.r#type(), align)?;
            bits = self.merge(old, bits, mask)?;
        }
        self.store_at(address, bits, align)
    }

    /// Stores the bool of one row.
    pub(crate) fn store_bit(&mut self, map: Bitmap<'c>, row: V<'c>, value: V<'c>) -> Result<(), Error> {
        let (three, seven) = (self.b.i64(3)?, self.b.i64(7)?);
        let bit = self.b.same("arith.addi", &[row, map.shift])?;
        let byte = self.b.same("arith.shrsi", &[bit, three])?;
        let address = self.element(map.pointer, byte, self.b.int(8))?;
        let within = self.b.same("arith.andi", &[bit, seven])?;
        let within = self.b.resize(within, 8)?;
        let (one, zero) = (self.b.int_constant(8, 1)?, self.b.int_constant(8, 0)?);
        let mask = self.b.same("arith.shli", &[one, within])?;
        let new = self.b.select(value, mask, zero)?;
        let old = self.load_at(address, self.b.int(8), 1)?;
        let byte = self.merge(old, new, mask)?;
        self.store_at(address, byte, 1)
    }

    /// The bits of `new` where `mask` has ones, those of `old` elsewhere.
    fn merge(&mut self, old: V<'c>, new: V<'c>, mask: V<'c>) -> Result<V<'c>, Error> {
        let difference = self.b.same("arith.xori", &[old, new])?;
        let changed = self.b.same("arith.andi", &[difference, mask])?;
        self.b.same("arith.xori", &[old, changed])
    }

    /// Whether a scalar integer is not zero.
    pub(crate) fn is_nonzero(&mut self, value: V<'c>) -> Result<V<'c>, Error> {
        let zero = self.b.int_like(value, 0)?;
        self.b.compare(IntCmp::Ne, value, zero)
    }
}
