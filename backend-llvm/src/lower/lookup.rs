//! Loads from rows of another grid: neighbours that are spread over the lanes, or two rows for one block.
//!
//! ```text
//! rows  q, q+1, q+2, q+3, q+5, q+6, q+7, q+8     load q.. and load q+1.., shuffle
//! rows  q, q, q, q, q, q, q+1, q+1               two scalar loads, select
//! ```

use super::{
    builder::{Attr, V, lanes_of},
    halves::Halves,
    place::Bitmap,
    state::Lower,
};
use crate::error::Error;
use melior::ir::{Type, ValueLike};

/// Bits from any bit on that one 64-bit load is sure to have.
const BITS_OF_A_WORD: i64 = 57;

impl<'c> Lower<'c, '_> {
    /// The numbers in rows `row + offsets[lane]`, all of which exist; so do the rows between them.
    pub(crate) fn load_offsets(
        &mut self,
        base: V<'c>,
        row: V<'c>,
        offsets: &[i64],
        element: Type<'c>,
        align: i64,
    ) -> Result<V<'c>, Error> {
        let lanes = offsets.len() as i64;
        let span = offsets.iter().max().map_or(1, |most| most + 1);
        let address = self.element(base, row, element)?;
        if span > 2 * lanes {
            let offsets = self.b.numbers(64, offsets)?;
            return self.gather(address, offsets, element, align, None);
        }
        let ty = self.b.shaped(element, self.mode.lanes);
        if span <= lanes {
            let mask = self.b.i64(if span < 64 { (1 << span) - 1 } else { -1 })?;
            let mask = self.b.unpack(mask, offsets.len() as u32)?;
            let zero = self.zero(ty)?;
            let align: Attr<'c> = ("alignment", self.b.int_attribute(32, align));
            let loaded = self.b.value("llvm.intr.masked.load", &[address, mask, zero], ty, &[align])?;
            return self.b.shuffle(loaded, loaded, offsets);
        }
        let low = self.load_at(address, ty, align)?;
        let later = self.b.i64(span - lanes)?;
        let address = self.element(address, later, element)?;
        let high = self.load_at(address, ty, align)?;
        // a row that only the second load has is one of its last lanes
        let pick = |offset: &i64| if *offset < lanes { *offset } else { lanes + offset - (span - lanes) };
        let picks: Vec<i64> = offsets.iter().map(pick).collect();
        self.b.shuffle(low, high, &picks)
    }

    /// The bits of rows `row + offsets[lane]`, all of which exist; `None` if one word does not hold them.
    pub(crate) fn load_bit_offsets(
        &mut self,
        map: Bitmap<'c>,
        row: V<'c>,
        offsets: &[i64],
    ) -> Result<Option<V<'c>>, Error> {
        if offsets.iter().any(|offset| *offset >= BITS_OF_A_WORD) {
            return Ok(None);
        }
        let start = self.b.same("arith.addi", &[row, map.shift])?;
        let word = self.load_word(map, start, start, 1)?;
        let words = self.b.broadcast(word, self.mode.lanes)?;
        let offsets = self.b.numbers(64, offsets)?;
        let bits = self.b.same("arith.shrui", &[words, offsets])?;
        self.b.resize(bits, 1).map(Some)
    }

    /// What `load` finds in two rows, each for its lanes. With a mask only rows that it wants are looked at.
    pub(crate) fn load_halves(
        &mut self,
        halves: Halves<'c>,
        mask: Option<V<'c>>,
        ty: Type<'c>,
        load: impl Fn(&mut Self, V<'c>) -> Result<V<'c>, Error>,
    ) -> Result<V<'c>, Error> {
        let (first, last) = match mask {
            None => (None, None),
            Some(mask) => {
                let last = self.b.same("arith.andi", &[mask, halves.second])?;
                (Some(self.b.same("arith.xori", &[mask, last])?), Some(last))
            }
        };
        let first = self.load_one(first, ty, |this| load(this, halves.first))?;
        let last = self.load_one(last, ty, |this| load(this, halves.last))?;
        let lanes = lanes_of(halves.second.r#type());
        let (first, last) = (self.b.broadcast(first, lanes)?, self.b.broadcast(last, lanes)?);
        self.b.select(halves.second, last, first)
    }
}
