//! The memory that kernels write.

use std::ops::Range;

use arrow::datatypes::ArrowNativeType;
use tilt_ir::Type;

use super::kernel::{ColumnLayout, Layout, Piece};
use crate::buffer::{PADDING, PageBuffer};

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
        assert_eq!(
            size_of::<T>() * 8,
            self.ty.bits() as usize,
            "the values are {}",
            self.ty
        );
        // SAFETY: an `ArrowNativeType` is a number without padding: any bytes are one.
        let (before, numbers, after) = unsafe { self.values.align_to_mut::<T>() };
        assert!(
            before.is_empty() && after.is_empty(),
            "values are aligned to 64 bytes"
        );
        numbers
    }

    /// The bitmap of a bool column: bit 0 is row `lo`.
    ///
    /// # Panics
    /// If the column has another type.
    pub fn bools(&mut self) -> &mut [u64] {
        assert_eq!(self.ty, Type::Bool, "the values are {}", self.ty);
        // SAFETY: any bytes are a u64.
        let (before, words, after) = unsafe { self.values.align_to_mut::<u64>() };
        assert!(
            before.is_empty() && after.is_empty(),
            "bitmaps are whole words"
        );
        words
    }
}

impl OutputBuffers {
    /// Room for these rows of the layout's grid. Pages are taken when they are first written.
    pub fn new(layout: Layout, rows: Range<i64>) -> OutputBuffers {
        let base = rows.start - rows.start.rem_euclid(WORD_ROWS);
        let words = words(base, rows.end);
        let bitmap = |wanted: bool| wanted.then(|| PageBuffer::zeroed(words * 8 + PADDING));
        let column = |column: &ColumnLayout| ColumnMemory {
            values: PageBuffer::zeroed(words * word_bytes(column.ty) + PADDING),
            validity: bitmap(column.nullable),
        };
        let outputs = layout
            .outputs
            .iter()
            .map(|output| OutputMemory {
                columns: output.columns.iter().map(column).collect(),
                keep: bitmap(output.filtered),
            })
            .collect();
        OutputBuffers {
            layout,
            rows,
            base,
            outputs,
        }
    }

    /// The pieces of the run, at most `piece_words` words of 64 rows long, each with its part of
    /// the memory.
    pub(super) fn pieces(&mut self, piece_words: usize) -> Vec<(Piece, Vec<OutputView<'_>>)> {
        let total = words(self.base, self.rows.end);
        let (first, mut lo) = (self.rows.start, self.base);
        let mut pieces = Vec::new();
        let end = self.rows.end;
        let mut rest = self.views(total);
        let mut left = total;
        while left > 0 {
            let taken = piece_words.min(left);
            let rows = i64::try_from(taken)
                .unwrap_or(i64::MAX)
                .saturating_mul(WORD_ROWS);
            let hi = lo.saturating_add(rows).min(end);
            let views = rest.iter_mut().map(|view| view.split(taken)).collect();
            pieces.push((
                Piece {
                    lo,
                    first: lo.max(first),
                    hi,
                },
                views,
            ));
            (lo, left) = (hi, left - taken);
        }
        pieces
    }

    fn views(&mut self, words: usize) -> Vec<OutputView<'_>> {
        let layouts = &self.layout.outputs;
        let outputs = self
            .outputs
            .iter_mut()
            .zip(layouts)
            .map(|(memory, layout)| {
                let columns = memory.columns.iter_mut().zip(&layout.columns);
                OutputView {
                    columns: columns
                        .map(|(memory, column)| ColumnView {
                            ty: column.ty,
                            values: &mut memory.values.bytes_mut()[..words * word_bytes(column.ty)],
                            validity: memory
                                .validity
                                .as_mut()
                                .map(|bits| &mut bits.words_mut()[..words]),
                        })
                        .collect(),
                    keep: memory
                        .keep
                        .as_mut()
                        .map(|bits| &mut bits.words_mut()[..words]),
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
        OutputView {
            columns,
            keep: self.keep.as_mut().map(|bits| take(bits, words)),
        }
    }
}

fn take<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (taken, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    taken
}

/// Words of 64 rows from `base` to `end`.
fn words(base: i64, end: i64) -> usize {
    let rows = (i128::from(end) - i128::from(base)).max(0);
    match usize::try_from(rows.unsigned_abs().div_ceil(WORD_ROWS as u128)) {
        Ok(words) => words,
        Err(_) => panic!("{rows} rows are more than the address space"),
    }
}

/// Bytes of 64 values.
pub(super) fn word_bytes(ty: Type) -> usize {
    ty.bits() as usize * WORD_ROWS as usize / 8
}
