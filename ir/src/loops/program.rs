//! Programs, kernels, blocks, buffers.

use super::Op;
use crate::{Grid, Loc, Type, entity::Table};

crate::entity!(
    /// A stream that a program reads.
    pub struct Stream => "in"
);
crate::entity!(
    /// A value of a kernel.
    pub struct Value => "%"
);
crate::entity!(
    /// A scratch buffer of a kernel: rows of one piece, for the use of later loops.
    pub struct Scratch => "tmp"
);

/// A column of an input stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The field's name.
    pub name: String,
    /// The type of its values. Bools are bitmaps, least significant bit first.
    pub ty: Type,
    /// Whether there is a validity bitmap beside the values: φ occur inside the data.
    pub nullable: bool,
}

/// A stream that a program reads: rows `first..end` of its grid, known at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamData {
    /// Its name.
    pub name: String,
    /// Its grid.
    pub grid: Grid,
    /// Its columns.
    pub columns: Vec<Column>,
}

/// A column that a kernel puts out. Its buffers reach from `lo` of the first piece to `hi` of the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The name of the output (several columns may share one).
    pub output: String,
    /// The column's name; `None` for the `keep` column: a bool, not nullable, that says which rows are put out.
    pub column: Option<String>,
    /// The type of its values.
    pub ty: Type,
    /// Whether there is a validity bitmap beside the values.
    pub nullable: bool,
}

/// A scratch buffer: like a column, for the rows that `Op::Scratch` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScratchData {
    /// The type of its values.
    pub ty: Type,
    /// Whether there is a validity bitmap beside the values.
    pub nullable: bool,
}

/// What a load or a store reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buffer {
    /// Column number `.1` of a stream; only loaded. Text: `in0.1`.
    Input(Stream, u32),
    /// Output column of the kernel; only stored. Text: `out0`.
    Output(u32),
    /// Scratch; stored before it is loaded. Text: `tmp0`.
    Scratch(Scratch),
}

/// What is known of a value: its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueData {
    /// Its type. Row numbers and counts are `i64`. Never `time` or `duration`: these are `i64` here.
    pub ty: Type,
}

/// An instruction with its results and where in the source it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// Its results: none for stores and `forv`, one for most, several for `for` and `reduce`.
    pub results: Vec<Value>,
    /// Where it comes from.
    pub loc: Loc,
}

/// A list of instructions with parameters (a loop's row and carried values) and what it gives back.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// Values defined at the entry.
    pub params: Vec<Value>,
    /// The instructions, in order.
    pub insts: Vec<Inst>,
    /// What it gives back to the instruction around it.
    pub yields: Vec<Value>,
}

/// Computes one piece of the outputs on one grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name; unique in the program.
    pub name: String,
    /// The grid of its outputs.
    pub grid: Grid,
    /// The columns that it puts out.
    pub outputs: Vec<Output>,
    /// Its scratch buffers.
    pub scratch: Table<Scratch, ScratchData>,
    /// Its values.
    pub values: Table<Value, ValueData>,
    /// What it does. The parameters are `lo` and `hi` (i64); `lo` is a multiple of 64. No yields.
    pub body: Block,
}

/// What a query compiles to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Program {
    /// The name of the source, for locations.
    pub source: String,
    /// What is read.
    pub streams: Table<Stream, StreamData>,
    /// What is computed.
    pub kernels: Vec<Kernel>,
}
