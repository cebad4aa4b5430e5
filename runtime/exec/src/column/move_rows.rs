//! Columns whose rows stand in another order, or apart.

use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use tilt_ir::Type;

use super::{Column, bitmap_bytes};
use crate::buffer::PageBuffer;
use crate::workers;

/// Rows that a thread moves at a time: whole words of a bitmap.
const BLOCK: usize = 1 << 16;

impl Column {
    /// The rows of these numbers, in this order.
    ///
    /// ```
    /// use tilt_exec::Column;
    /// use tilt_ir::Type;
    /// let column = Column::from_values("v", Type::I64, vec![10i64, 11, 12]);
    /// assert_eq!(column.gather(&[2, 0, 0]).values::<i64>(), [12, 10, 10]);
    /// ```
    ///
    /// # Panics
    /// If there is no such row.
    pub fn gather(&self, rows: &[u32]) -> Column {
        let nulls =
            self.validity.as_ref().map(|_| NullBuffer::new(gathered_bits(rows, |row| self.is_valid(row))));
        let name = self.name.clone();
        if self.ty == Type::Bool {
            return Column::bools(name, gathered_bits(rows, |row| self.is_true(row)), nulls);
        }
        let width = self.ty.bits() as usize / 8;
        let values = by_width!(width, gathered(self.bytes(), rows));
        Column::numbers(name, self.ty, rows.len(), values, nulls)
    }

    /// `len` rows: row i of this column is row `slots[i]`, those that get none are φ. If several rows
    /// have one slot the last one counts, φ included.
    ///
    /// # Panics
    /// If there are fewer slots than rows, or a slot is not below `len`.
    pub(crate) fn spread(&self, slots: &[usize], len: usize) -> Column {
        assert!(slots.len() >= self.len, "{} rows have {} slots", self.len, slots.len());
        let slots = &slots[..self.len];
        let nulls = Some(NullBuffer::new(spread_bits(slots, len, |row| self.is_valid(row))));
        let name = self.name.clone();
        if self.ty == Type::Bool {
            return Column::bools(name, spread_bits(slots, len, |row| self.is_true(row)), nulls);
        }
        let width = self.ty.bits() as usize / 8;
        let values = by_width!(width, spread(self.bytes(), slots, len));
        Column::numbers(name, self.ty, len, values, nulls)
    }
}

/// Calls a function for values of this many bytes.
macro_rules! by_width {
    ($width:expr, $function:ident($($argument:expr),*)) => {
        match $width {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            4 => $function::<4>($($argument),*),
            8 => $function::<8>($($argument),*),
            width => unreachable!("no type is {width} bytes wide"),
        }
    };
}
pub(super) use by_width;

fn gathered<const N: usize>(values: &[u8], rows: &[u32]) -> Buffer {
    let (values, _) = values.as_chunks::<N>();
    let mut moved = PageBuffer::zeroed(rows.len() * N);
    let (slots, _) = moved.bytes_mut().as_chunks_mut::<N>();
    let blocks = slots.chunks_mut(BLOCK).zip(rows.chunks(BLOCK)).collect();
    workers::map(blocks, |(slots, rows): (&mut [[u8; N]], &[u32])| {
        for (slot, row) in slots.iter_mut().zip(rows) {
            *slot = values[*row as usize];
        }
    });
    moved.into_arrow()
}

fn gathered_bits(rows: &[u32], bit: impl Fn(usize) -> bool + Sync) -> BooleanBuffer {
    let mut moved = PageBuffer::zeroed(bitmap_bytes(rows.len()));
    let words = &mut moved.words_mut()[..rows.len().div_ceil(64)];
    let blocks = words.chunks_mut(BLOCK / 64).zip(rows.chunks(BLOCK)).collect();
    workers::map(blocks, |(words, rows): (&mut [u64], &[u32])| {
        for (word, rows) in words.iter_mut().zip(rows.chunks(64)) {
            let bits = rows.iter().enumerate().map(|(place, row)| u64::from(bit(*row as usize)) << place);
            *word = bits.fold(0, |all, one| all | one).to_le();
        }
    });
    BooleanBuffer::new(moved.into_arrow(), 0, rows.len())
}

fn spread<const N: usize>(values: &[u8], slots: &[usize], len: usize) -> Buffer {
    let mut dense = PageBuffer::zeroed(len * N);
    let (values, _) = values.as_chunks::<N>();
    let (places, _) = dense.bytes_mut().as_chunks_mut::<N>();
    for (value, &slot) in values.iter().zip(slots) {
        places[slot] = *value;
    }
    dense.into_arrow()
}

fn spread_bits(slots: &[usize], len: usize, bit: impl Fn(usize) -> bool) -> BooleanBuffer {
    let mut dense = PageBuffer::zeroed(bitmap_bytes(len));
    let words = dense.words_mut();
    for (row, &slot) in slots.iter().enumerate() {
        let mask = 1u64 << (slot % 64);
        match bit(row) {
            true => words[slot / 64] |= mask,
            false => words[slot / 64] &= !mask,
        }
    }
    for word in words {
        *word = word.to_le();
    }
    BooleanBuffer::new(dense.into_arrow(), 0, len)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags() -> Column {
        let bits: BooleanBuffer = (0..300).map(|row| row % 3 == 0).collect();
        let valid: BooleanBuffer = (0..300).map(|row| row % 7 != 0).collect();
        Column::bools("b", bits, Some(NullBuffer::new(valid)))
    }

    #[test]
    fn slices_share_and_see_the_same() {
        let whole = flags();
        for rows in [0..300, 1..299, 63..65, 64..200, 130..130, 299..300] {
            let slice = whole.slice(rows.clone());
            let again = slice.slice(slice.len() / 2..slice.len());
            for (place, row) in rows.clone().enumerate() {
                assert_eq!(slice.get(place), whole.get(row));
            }
            for place in 0..again.len() {
                assert_eq!(again.get(place), slice.get(slice.len() / 2 + place));
            }
            assert_eq!(slice.null_count(), rows.filter(|row| row % 7 == 0).count());
            assert!(
                slice.bytes().len() >= (slice.values_bit() + slice.len()).div_ceil(8) + crate::PADDING - 8
            );
        }
        let numbers = Column::from_values("n", Type::I16, vec![1i16, 2, 3, 4]);
        assert_eq!(numbers.slice(1..3).values::<i16>(), [2, 3]);
    }

    #[test]
    fn rows_go_where_they_are_sent() {
        let whole = flags();
        let rows: Vec<u32> = (0..300).rev().chain([5, 5]).collect();
        let moved = whole.slice(0..300).gather(&rows);
        for (place, row) in rows.iter().enumerate() {
            assert_eq!(moved.get(place), whole.get(*row as usize));
        }
        let apart = whole.slice(10..13).spread(&[5, 70, 5], 80);
        assert_eq!((apart.get(70), apart.get(5)), (whole.get(11), whole.get(12)));
        assert_eq!(apart.null_count(), 78);
    }
}
