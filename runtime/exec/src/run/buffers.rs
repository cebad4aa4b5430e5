//! The memory that kernels write.

use std::ops::Range;

use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow::datatypes::ArrowNativeType;
use tilt_ir::Type;

use super::error::TooLarge;
use super::kernel::{ColumnLayout, Layout, OutputLayout, Piece};
use crate::buffer::{PADDING, PageBuffer};
use crate::column::Column;

/// Rows of a bitmap's word: pieces start at multiples of it.
pub(super) const WORD_ROWS: i64 = 64;

/// Room for the rows of a run. It may be filled again and again by [`Runner::fill`](super::Runner::fill),
/// which spares the cost of fresh pages.
pub struct OutputBuffers {
    pub(super) layout: Layout,
    /// The rows that are asked for.
    pub(super) rows: Range<i64>,
    /// The row of the first value and of bit 0 of each bitmap: a multiple of 64.
    pub(super) base: i64,
    pub(super) outputs: Vec<OutputMemory>,
}

pub(super) struct OutputMemory {
    pub(super) columns: Vec<ColumnMemory>,
    pub(super) keep: Option<PageBuffer>,
}

pub(super) struct ColumnMemory {
    pub(super) values: PageBuffer,
    pub(super) validity: Option<PageBuffer>,
}

/// One output's part of a piece.
pub struct OutputView<'a> {
    /// The columns, in the order of the layout.
    pub columns: Vec<ColumnView<'a>>,
    /// The rows that are put out, as a bitmap: bit 0 is row `lo`. Only if the output is filtered.
    pub keep: Option<&'a mut [u64]>,
}

/// One column's part of a piece.
pub struct ColumnView<'a> {
    /// The type of the values.
    pub ty: Type,
    /// The numbers from row `lo` on, in native order, aligned to 64 bytes; or the bitmap of the
    /// bools. It has room for whole words of 64 rows.
    pub values: &'a mut [u8],
    /// The bitmap of the rows that are not φ: bit 0 is row `lo`. Only if the column is nullable.
    pub validity: Option<&'a mut [u64]>,
}

impl ColumnView<'_> {
    /// The numbers from row `lo` on.
    ///
    /// # Panics
    /// If `T` has another width than the column's type.
    pub fn numbers<T: ArrowNativeType>(&mut self) -> &mut [T] {
        assert_eq!(size_of::<T>() * 8, self.ty.bits() as usize, "the values are {}", self.ty);
        // SAFETY: an `ArrowNativeType` is a number without padding: any bytes are one.
        let (before, numbers, after) = unsafe { self.values.align_to_mut::<T>() };
        assert!(before.is_empty() && after.is_empty(), "values are aligned to 64 bytes");
        numbers
    }

    /// A copy of some rows, counted from row `lo`.
    pub(crate) fn copied(mut self, rows: Range<usize>) -> Column {
        let bits = |words: &[u64]| {
            let words = &words[rows.start / 64..rows.end.div_ceil(64)];
            let words: Vec<u64> = words.iter().map(|word| word.to_le()).collect();
            BooleanBuffer::new(Buffer::from_vec(words), rows.start % 64, rows.len())
        };
        let validity = self.validity.as_deref().map(|words| NullBuffer::new(bits(words)));
        if self.ty == Type::Bool {
            return Column::bools("", bits(self.bools()), validity);
        }
        let width = self.ty.bits() as usize / 8;
        let values = Buffer::from(&self.values[rows.start * width..rows.end * width]);
        Column::numbers("", self.ty, rows.len(), values, validity)
    }

    /// The bitmap of a bool column: bit 0 is row `lo`.
    ///
    /// # Panics
    /// If the column has another type.
    pub fn bools(&mut self) -> &mut [u64] {
        assert_eq!(self.ty, Type::Bool, "the values are {}", self.ty);
        // SAFETY: any bytes are a u64.
        let (before, words, after) = unsafe { self.values.align_to_mut::<u64>() };
        assert!(before.is_empty() && after.is_empty(), "bitmaps are whole words");
        words
    }
}

impl OutputBuffers {
    /// Room for these rows of the layout's grid. Pages are taken when they are first written.
    ///
    /// # Panics
    /// If there is not so much memory; see [`OutputBuffers::try_new`].
    pub fn new(layout: Layout, rows: Range<i64>) -> OutputBuffers {
        match OutputBuffers::try_new(layout, rows) {
            Ok(buffers) => buffers,
            Err(error) => panic!("{error}"),
        }
    }

    /// Room for these rows of the layout's grid. Pages are taken when they are first written.
    ///
    /// # Errors
    /// If the system does not give so much memory: a fine grid over a long time asks for more than
    /// there is.
    pub fn try_new(layout: Layout, rows: Range<i64>) -> Result<OutputBuffers, TooLarge> {
        let base = match rows.is_empty() {
            true => rows.start,
            false => rows.start - rows.start.rem_euclid(WORD_ROWS),
        };
        let outputs =
            layout.outputs.iter().map(|output| memory(output, base, rows.end)).collect::<Option<_>>();
        match outputs {
            Some(outputs) => Ok(OutputBuffers { layout, rows, base, outputs }),
            None => Err(TooLarge { grid: layout.grid, rows }),
        }
    }

    /// The pieces of the run, at most `piece_words` words of 64 rows long, each with its part of
    /// the memory.
    pub(crate) fn pieces(&mut self, piece_words: usize) -> Vec<(Piece, Vec<OutputView<'_>>)> {
        let total = words(self.base, self.rows.end).unwrap_or(0);
        let (first, mut lo) = (self.rows.start, self.base);
        let mut pieces = Vec::new();
        let end = self.rows.end;
        let mut rest = self.views(total);
        let mut left = total;
        while left > 0 {
            let taken = piece_words.min(left);
            let rows = i64::try_from(taken).unwrap_or(i64::MAX).saturating_mul(WORD_ROWS);
            let hi = lo.saturating_add(rows).min(end);
            let views = rest.iter_mut().map(|view| view.split(taken)).collect();
            pieces.push((Piece { lo, first: lo.max(first), hi }, views));
            (lo, left) = (hi, left - taken);
        }
        pieces
    }

    fn views(&mut self, words: usize) -> Vec<OutputView<'_>> {
        let layouts = &self.layout.outputs;
        let outputs = self.outputs.iter_mut().zip(layouts).map(|(memory, layout)| {
            let columns = memory.columns.iter_mut().zip(&layout.columns);
            OutputView {
                columns: columns
                    .map(|(memory, column)| ColumnView {
                        ty: column.ty,
                        values: &mut memory.values.bytes_mut()[..words * word_bytes(column.ty)],
                        validity: memory.validity.as_mut().map(|bits| &mut bits.words_mut()[..words]),
                    })
                    .collect(),
                keep: memory.keep.as_mut().map(|bits| &mut bits.words_mut()[..words]),
            }
        });
        outputs.collect()
    }
}

impl<'a> OutputView<'a> {
    /// Takes the first `words` words of 64 rows off.
    fn split(&mut self, words: usize) -> OutputView<'a> {
        let columns = self.columns.iter_mut().map(|column| ColumnView {
            ty: column.ty,
            values: take(&mut column.values, words * word_bytes(column.ty)),
            validity: column.validity.as_mut().map(|bits| take(bits, words)),
        });
        let columns = columns.collect();
        OutputView { columns, keep: self.keep.as_mut().map(|bits| take(bits, words)) }
    }
}

fn take<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (taken, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    taken
}

fn memory(layout: &OutputLayout, base: i64, end: i64) -> Option<OutputMemory> {
    let words = words(base, end)?;
    let buffer = |bytes: usize| {
        let size = words.checked_mul(bytes)?.checked_add(PADDING)?;
        PageBuffer::try_zeroed(size)
    };
    let bitmap = |wanted: bool| {
        if wanted { buffer(8).map(Some) } else { Some(None) }
    };
    let column = |column: &ColumnLayout| {
        let values = buffer(word_bytes(column.ty))?;
        Some(ColumnMemory { values, validity: bitmap(column.nullable)? })
    };
    let columns = layout.columns.iter().map(column).collect::<Option<_>>()?;
    Some(OutputMemory { columns, keep: bitmap(layout.filtered)? })
}

/// Words of 64 rows from `base` to `end`.
fn words(base: i64, end: i64) -> Option<usize> {
    let rows = (i128::from(end) - i128::from(base)).max(0);
    usize::try_from(rows.unsigned_abs().div_ceil(WORD_ROWS as u128)).ok()
}

/// Bytes of 64 values.
pub(super) fn word_bytes(ty: Type) -> usize {
    ty.bits() as usize * WORD_ROWS as usize / 8
}
