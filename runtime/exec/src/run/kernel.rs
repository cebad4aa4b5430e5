//! What a kernel is and what it puts out.

use std::ops::Range;

use tilt_ir::{Grid, Type};

use super::buffers::OutputView;
use super::each::{self, Grown};
use super::error::RunError;
use crate::stream::RegularStream;

/// Rows `lo..hi` of the output grid. `lo` is a multiple of 64, and so is `hi` but in the last piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The first row; the output memory starts here.
    pub lo: i64,
    /// The first row that is asked for: greater than `lo` only in the first piece. The rows before it
    /// need not be computed, and an error in them does not count.
    pub first: i64,
    /// One past the last row.
    pub hi: i64,
}

/// How a piece went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceStatus {
    /// Its rows are in the outputs.
    Done,
    /// Some integer left the range of its type, perhaps in a row or a branch that nobody asked for.
    /// The piece has to be computed again by the exact definition.
    Overflow,
}

/// A function that computes any piece of its outputs.
///
/// It is called from several threads at once, for pieces in any order. It writes every value, every
/// word of each validity and every word of each `keep` of its piece; bits of rows at `hi` and behind
/// it, up to the next multiple of 64, may be anything. Inputs are φ before their first and after
/// their last row.
pub trait PieceKernel: Sync {
    /// Computes the rows of a piece.
    ///
    /// # Errors
    /// A value out of range, with the definition and the time.
    fn run(
        &self,
        piece: Piece,
        inputs: &[RegularStream],
        outputs: &mut [OutputView<'_>],
    ) -> Result<PieceStatus, RunError>;

    /// Computes all rows of many short streams, of which each has the rows `rows` (rising) of the flat `inputs`; a flat input without
    /// rows stands for inputs without rows. All rows of a stream are numbered from 0. The columns of all outputs are
    /// appended to `made`, unless a flag is raised. Outputs have no `keep`.
    ///
    /// # Errors
    /// As of [`PieceKernel::run`].
    fn run_each(
        &self,
        layout: &Layout,
        inputs: &[RegularStream],
        rows: &[Range<usize>],
        made: &mut [Grown],
    ) -> Result<PieceStatus, RunError> {
        each::one_by_one(self, layout, inputs, rows, made)
    }
}

impl<F> PieceKernel for F
where
    F: Fn(Piece, &[RegularStream], &mut [OutputView<'_>]) -> Result<PieceStatus, RunError> + Sync,
{
    fn run(
        &self,
        piece: Piece,
        inputs: &[RegularStream],
        outputs: &mut [OutputView<'_>],
    ) -> Result<PieceStatus, RunError> {
        self(piece, inputs, outputs)
    }
}

/// What a kernel puts out: outputs with one grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Where the rows lie.
    pub grid: Grid,
    /// The outputs.
    pub outputs: Vec<OutputLayout>,
}

/// The columns of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLayout {
    /// The output's name in the query.
    pub name: String,
    /// Its columns.
    pub columns: Vec<ColumnLayout>,
    /// Whether a `keep` bitmap says which rows are put out (`where`).
    pub filtered: bool,
}

/// One column that a kernel writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnLayout {
    /// The column's name.
    pub name: String,
    /// The type of its values.
    pub ty: Type,
    /// Whether there is a validity bitmap beside the values.
    pub nullable: bool,
}
