//! Bitmaps that start at any bit, so that a slice shares them.

use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};

use crate::buffer::{PADDING, PageBuffer};

/// A bitmap, least significant bit first, with [`PADDING`] bytes behind it that may be read.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    buffer: Buffer,
    /// The bit of row 0: less than 64.
    start: usize,
}

impl Bits {
    /// From bit 0 on and padded; copied if it is not so already.
    pub(super) fn normal(bits: BooleanBuffer) -> Bits {
        let len = bits.len();
        if bits.offset() == 0 && bits.inner().len() >= bitmap_bytes(len) {
            return Bits { buffer: bits.into_inner(), start: 0 };
        }
        let used = len.div_ceil(8);
        let mut buffer = PageBuffer::zeroed(bitmap_bytes(len));
        buffer.bytes_mut()[..used].copy_from_slice(&bits.sliced()[..used]);
        Bits { buffer: buffer.into_arrow(), start: 0 }
    }

    /// `len` ones.
    pub(super) fn ones(len: usize) -> Bits {
        let mut ones = PageBuffer::zeroed(bitmap_bytes(len));
        ones.bytes_mut()[..len.div_ceil(8)].fill(0xff);
        Bits { buffer: ones.into_arrow(), start: 0 }
    }

    /// The bits from `row` on, shared.
    pub(super) fn starting_at(&self, row: usize) -> Bits {
        let bit = self.start + row;
        Bits { buffer: self.buffer.slice(bit / 64 * 8), start: bit % 64 }
    }

    pub(super) fn get(&self, row: usize) -> bool {
        let bit = self.start + row;
        self.buffer[bit / 8] >> (bit % 8) & 1 == 1
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer
    }

    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The first `len` bits.
    pub(super) fn boolean(&self, len: usize) -> BooleanBuffer {
        BooleanBuffer::new(self.buffer.clone(), self.start, len)
    }

    pub(super) fn nulls(&self, len: usize) -> NullBuffer {
        NullBuffer::new(self.boolean(len))
    }
}

/// The size of a padded bitmap for `len` rows.
pub(crate) fn bitmap_bytes(len: usize) -> usize {
    len.div_ceil(64) * 8 + PADDING
}
