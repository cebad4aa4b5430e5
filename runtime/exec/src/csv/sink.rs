//! Columns while they are being read: one value after the other, then spread over a grid.

use arrow::array::BooleanBufferBuilder;
use arrow::buffer::{BooleanBuffer, Buffer, MutableBuffer, NullBuffer};
use tilt_ir::Type;

use super::place::Placement;
use super::value::{self, Misfit};
use crate::buffer::PageBuffer;
use crate::column::{Column, bitmap_bytes};
use crate::time::TimeForm;

/// The values of one field, in file order. Bools take a byte each.
pub(super) struct Sink {
    ty: Type,
    len: usize,
    values: MutableBuffer,
    /// From the first φ on.
    valid: Option<BooleanBufferBuilder>,
}

impl Sink {
    pub(super) fn new(ty: Type) -> Sink {
        Sink { ty, len: 0, values: MutableBuffer::new(0), valid: None }
    }

    /// Appends a value; an empty one is φ.
    pub(super) fn push(&mut self, form: TimeForm, text: &[u8]) -> Result<(), Misfit> {
        if text.is_empty() {
            self.values.extend_zeros(width(self.ty));
            self.valid().append(false);
        } else {
            value::push(self.ty, form, text, &mut self.values)?;
            if let Some(valid) = &mut self.valid {
                valid.append(true);
            }
        }
        self.len += 1;
        Ok(())
    }

    fn valid(&mut self) -> &mut BooleanBufferBuilder {
        let len = self.len;
        self.valid.get_or_insert_with(|| {
            let mut valid = BooleanBufferBuilder::new(len + 1);
            valid.append_n(len, true);
            valid
        })
    }

    /// Appends all values of another sink of the same type.
    pub(super) fn append(&mut self, other: Sink) {
        if let Some(mut bits) = other.valid {
            self.valid().append_buffer(&bits.finish());
        } else if let Some(valid) = &mut self.valid {
            valid.append_n(other.len, true);
        }
        self.values.extend_from_slice(other.values.as_slice());
        self.len += other.len;
    }

    /// The column, rows where the placement puts them and φ where it puts none.
    pub(super) fn place(mut self, name: &str, placement: &Placement) -> Column {
        let valid = self.valid.take().map(|mut bits| bits.finish());
        let (values, valid) = match &placement.slots {
            None => (self.values.into(), valid),
            Some(slots) => {
                let values = spread(&self.values, width(self.ty), slots, placement.len);
                (values, Some(spread_bits(valid.as_ref(), slots, placement.len)))
            }
        };
        let nulls = valid.map(NullBuffer::new);
        if self.ty == Type::Bool {
            let bits = BooleanBuffer::collect_bool(placement.len, |row| values[row] != 0);
            return Column::bools(name, bits, nulls);
        }
        Column::numbers(name, self.ty, placement.len, values, nulls)
    }
}

fn width(ty: Type) -> usize {
    (ty.bits() as usize).div_ceil(8)
}

fn spread(values: &[u8], width: usize, slots: &[usize], len: usize) -> Buffer {
    let mut dense = PageBuffer::zeroed(len * width);
    match width {
        1 => scatter::<1>(values, slots, dense.bytes_mut()),
        2 => scatter::<2>(values, slots, dense.bytes_mut()),
        4 => scatter::<4>(values, slots, dense.bytes_mut()),
        8 => scatter::<8>(values, slots, dense.bytes_mut()),
        _ => unreachable!("no type is {width} bytes wide"),
    }
    dense.into_arrow()
}

fn scatter<const N: usize>(values: &[u8], slots: &[usize], dense: &mut [u8]) {
    let (values, _) = values.as_chunks::<N>();
    let (dense, _) = dense.as_chunks_mut::<N>();
    for (value, &slot) in values.iter().zip(slots) {
        dense[slot] = *value;
    }
}

/// A later row replaces an earlier one in the same slot, φ included.
fn spread_bits(valid: Option<&BooleanBuffer>, slots: &[usize], len: usize) -> BooleanBuffer {
    let mut dense = PageBuffer::zeroed(bitmap_bytes(len));
    let words = dense.words_mut();
    for (row, &slot) in slots.iter().enumerate() {
        let bit = 1u64 << (slot % 64);
        if valid.is_none_or(|bits| bits.value(row)) {
            words[slot / 64] |= bit;
        } else {
            words[slot / 64] &= !bit;
        }
    }
    for word in words {
        *word = word.to_le();
    }
    BooleanBuffer::new(dense.into_arrow(), 0, len)
}
