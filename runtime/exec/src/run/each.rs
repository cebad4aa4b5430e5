//! Many short streams in one call: they lie one after the other in flat columns, and so do the rows that a kernel makes of them.

use std::ops::Range;

use arrow::buffer::{BooleanBuffer, Buffer, MutableBuffer, NullBuffer};
use tilt_ir::Type;

use super::{
    buffers::{ColumnView, OutputBuffers, OutputView, WORD_ROWS, word_bytes},
    error::RunError,
    kernel::{ColumnLayout, Layout, PieceKernel, PieceStatus},
};
use crate::{
    buffer::{PADDING, PageBuffer},
    column::Column,
    stream::RegularStream,
};

/// A column that grows by a few rows at a time.
pub struct Grown {
    ty: Type,
    len: usize,
    values: Memory,
    validity: Option<GrowingBits>,
}

enum Memory {
    Numbers(MutableBuffer),
    Bools(GrowingBits),
}

impl Grown {
    /// A column without rows and with room for `rows`.
    pub fn new(layout: &ColumnLayout, rows: usize) -> Grown {
        let width = layout.ty.bits() as usize / 8;
        let values = match layout.ty {
            Type::Bool => Memory::Bools(GrowingBits::new(rows)),
            _ => Memory::Numbers(MutableBuffer::with_capacity(rows * width)),
        };
        Grown { ty: layout.ty, len: 0, values, validity: layout.nullable.then(|| GrowingBits::new(rows)) }
    }

    /// Appends the first `rows` rows of a view.
    ///
    /// # Panics
    /// If the view has fewer, or another layout.
    #[inline]
    pub fn append(&mut self, view: &ColumnView<'_>, rows: usize) {
        self.len += rows;
        match &mut self.values {
            Memory::Numbers(values) => {
                values.extend_from_slice(&view.values[..rows * self.ty.bits() as usize / 8]);
            }
            Memory::Bools(bits) => {
                let (words, _) = view.values.as_chunks::<8>();
                bits.append(words.iter().map(|word| u64::from_ne_bytes(*word)), rows);
            }
        }
        if let (Some(bits), Some(words)) = (&mut self.validity, &view.validity) {
            bits.append(words.iter().copied(), rows);
        }
    }

    /// The rows so far.
    pub fn finish(self) -> Column {
        let validity = self.validity.map(|bits| NullBuffer::new(bits.finish()));
        match self.values {
            Memory::Numbers(values) => Column::numbers("", self.ty, self.len, values.into(), validity),
            Memory::Bools(bits) => Column::bools("", bits.finish(), validity),
        }
    }
}

/// A bitmap that grows. Bits behind its end are 0.
struct GrowingBits {
    words: Vec<u64>,
    len: usize,
}

impl GrowingBits {
    fn new(rows: usize) -> GrowingBits {
        GrowingBits { words: Vec::with_capacity(rows / 64 + 1 + PADDING / 8), len: 0 }
    }

    /// Appends the first `count` bits of these words.
    #[inline]
    fn append(&mut self, words: impl Iterator<Item = u64>, count: usize) {
        let mut left = count;
        for word in words {
            if left == 0 {
                break;
            }
            let word = if left < 64 { word & ((1 << left) - 1) } else { word };
            let bit = self.len % 64;
            match self.words.last_mut() {
                Some(last) if bit > 0 => {
                    *last |= word << bit;
                    if bit + left.min(64) > 64 {
                        self.words.push(word >> (64 - bit));
                    }
                }
                _ => self.words.push(word),
            }
            self.len += left.min(64);
            left -= left.min(64);
        }
    }

    fn finish(mut self) -> BooleanBuffer {
        self.words.iter_mut().for_each(|word| *word = word.to_le());
        self.words.resize(self.words.len() + PADDING / 8, 0);
        BooleanBuffer::new(Buffer::from_vec(self.words), 0, self.len)
    }
}

/// Runs a kernel for rows `0..len` of each of the short streams, whose rows are `rows` of the flat `streams`; a flat stream without rows
/// stands for streams without rows.
///
/// # Errors
/// As of [`PieceKernel::run`].
pub(super) fn one_by_one<K: PieceKernel + ?Sized>(
    kernel: &K,
    layout: &Layout,
    streams: &[RegularStream],
    rows: &[Range<usize>],
    made: &mut [Grown],
) -> Result<PieceStatus, RunError> {
    for rows in rows.iter().filter(|rows| !rows.is_empty()) {
        let cut = |stream: &RegularStream| match stream.len {
            0 => stream.clone(),
            _ => RegularStream {
                len: rows.len(),
                columns: stream.columns.iter().map(|column| column.slice(rows.clone())).collect(),
                ..stream.clone()
            },
        };
        let streams: Vec<RegularStream> = streams.iter().map(cut).collect();
        let mut buffers = OutputBuffers::new(layout.clone(), 0..rows.len() as i64);
        for (piece, mut views) in buffers.pieces(usize::MAX >> 8) {
            if kernel.run(piece, &streams, &mut views)? == PieceStatus::Overflow {
                return Ok(PieceStatus::Overflow);
            }
            let columns = views.iter().flat_map(|view| &view.columns);
            made.iter_mut().zip(columns).for_each(|(made, view)| made.append(view, rows.len()));
        }
    }
    Ok(PieceStatus::Done)
}

/// Memory for the rows of one short stream at a time.
pub struct Room {
    columns: Vec<(Type, PageBuffer, Option<PageBuffer>)>,
}

impl Room {
    /// Room for `rows` rows of each column of a layout.
    pub fn new(layout: &Layout, rows: usize) -> Room {
        let words = rows.div_ceil(WORD_ROWS as usize);
        let column = |column: &ColumnLayout| {
            let values = PageBuffer::zeroed(words * word_bytes(column.ty) + PADDING);
            (column.ty, values, column.nullable.then(|| PageBuffer::zeroed(words * 8 + PADDING)))
        };
        Room { columns: layout.outputs.iter().flat_map(|output| &output.columns).map(column).collect() }
    }

    /// The memory, as of one output.
    pub fn view(&mut self) -> OutputView<'_> {
        let columns = self.columns.iter_mut().map(|(ty, values, validity)| ColumnView {
            ty: *ty,
            values: values.bytes_mut(),
            validity: validity.as_mut().map(PageBuffer::words_mut),
        });
        OutputView { columns: columns.collect(), keep: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_grow_by_any_number() {
        let words: Vec<u64> = (1..6u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let mut bits = GrowingBits::new(0);
        let mut wanted = Vec::new();
        for count in [0, 1, 63, 64, 65, 4, 130, 200, 60, 1, 320] {
            bits.append(words.iter().copied(), count);
            wanted.extend((0..count).map(|bit| words[bit / 64] >> (bit % 64) & 1 == 1));
        }
        assert_eq!(bits.finish().iter().collect::<Vec<_>>(), wanted);
    }
}
