//! Columns without the rows that `where` drops.

use std::ops::Range;

use arrow::array::BooleanBufferBuilder;
use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer, ScalarBuffer};
use tilt_ir::Type;

use super::Column;
use super::move_rows::by_width;
use crate::buffer::PageBuffer;
use crate::workers;

/// Rows that a thread looks at at a time.
const BLOCK: usize = 1 << 16;

/// Which rows stay.
pub(crate) struct Kept {
    keep: BooleanBuffer,
    /// For each block how many rows stay.
    counts: Vec<usize>,
}

impl Kept {
    /// The rows whose bit is set.
    pub(crate) fn of(keep: BooleanBuffer) -> Kept {
        let starts: Vec<usize> = (0..keep.len()).step_by(BLOCK).collect();
        let counts = workers::map(starts, |start| block(&keep, start).count_set_bits());
        Kept { keep, counts }
    }

    /// How many rows stay.
    pub(crate) fn len(&self) -> usize {
        self.counts.iter().sum()
    }

    /// A value for each row that stays.
    pub(crate) fn stamps(&self, stamp: impl Fn(usize) -> i64 + Sync) -> ScalarBuffer<i64> {
        let bytes = self.numbers(|row| stamp(row).to_ne_bytes());
        ScalarBuffer::new(bytes, 0, self.len())
    }

    fn numbers<const N: usize>(&self, value: impl Fn(usize) -> [u8; N] + Sync) -> Buffer {
        let mut kept = PageBuffer::zeroed(self.len() * N);
        let (mut rest, _) = kept.bytes_mut().as_chunks_mut::<N>();
        let mut blocks = Vec::with_capacity(self.counts.len());
        for (number, count) in self.counts.iter().enumerate() {
            let (places, after) = rest.split_at_mut(*count);
            blocks.push((number * BLOCK, places));
            rest = after;
        }
        workers::map(blocks, |(start, places)| {
            let rows = block(&self.keep, start);
            for (place, row) in places.iter_mut().zip(rows.set_indices()) {
                *place = value(start + row);
            }
        });
        kept.into_arrow()
    }

    fn bits(&self, bit: impl Fn(usize) -> bool + Sync) -> BooleanBuffer {
        let starts: Vec<usize> = (0..self.keep.len()).step_by(BLOCK).collect();
        let blocks = workers::map(starts, |start| -> BooleanBuffer {
            block(&self.keep, start).set_indices().map(|row| bit(start + row)).collect()
        });
        let mut kept = BooleanBufferBuilder::new(self.len());
        blocks.iter().for_each(|bits| kept.append_buffer(bits));
        kept.finish()
    }
}

fn block(keep: &BooleanBuffer, start: usize) -> BooleanBuffer {
    let Range { start, end } = start..keep.len().min(start + BLOCK);
    keep.slice(start, end - start)
}

impl Column {
    /// The rows that stay.
    pub(crate) fn kept(&self, rows: &Kept) -> Column {
        let nulls = self.validity.as_ref().map(|_| NullBuffer::new(rows.bits(|row| self.is_valid(row))));
        let name = self.name.clone();
        if self.ty == Type::Bool {
            return Column::bools(name, rows.bits(|row| self.is_true(row)), nulls);
        }
        let width = self.ty.bits() as usize / 8;
        let values = by_width!(width, kept_numbers(self.bytes(), rows));
        Column::numbers(name, self.ty, rows.len(), values, nulls)
    }
}

fn kept_numbers<const N: usize>(values: &[u8], rows: &Kept) -> Buffer {
    let (values, _) = values.as_chunks::<N>();
    rows.numbers(|row| values[row])
}
