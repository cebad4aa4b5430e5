//! The interpreter as a kernel: the exact definition, for `--on interp` and for pieces whose flag went up.

use tilt_exec::{
    RegularStream,
    run::{OutputView, Piece, PieceKernel, PieceStatus, RunError},
};
use tilt_interp::{Failure, Interp, Rows};
use tilt_ir::{
    Const, Grid, Type,
    entity::Entity,
    tir::{Input, Verified},
};

/// Interprets the outputs on one grid.
pub(crate) struct Interpreter<'a> {
    query: Verified<'a>,
    /// The outputs on the grid, by their number in the query.
    outputs: Vec<usize>,
}

impl<'a> Interpreter<'a> {
    pub(crate) fn new(query: Verified<'a>, grid: Grid) -> Interpreter<'a> {
        let data = query.query();
        let on_grid = |k: &usize| data.defs[data.outputs[*k].def].grid() == grid;
        Interpreter { query, outputs: (0..data.outputs.len()).filter(on_grid).collect() }
    }
}

impl PieceKernel for Interpreter<'_> {
    fn run(
        &self,
        piece: Piece,
        inputs: &[RegularStream],
        outputs: &mut [OutputView<'_>],
    ) -> Result<PieceStatus, RunError> {
        let data = Streams(inputs);
        let mut interp = Interp::new(self.query, &data);
        let mut earliest: Option<Failure> = None;
        for (number, view) in self.outputs.iter().zip(outputs) {
            match interp.output(*number, piece.first..piece.hi) {
                Ok(result) => put(view, piece, &result.rows, &result.columns),
                Err(failure) if earliest.as_ref().is_none_or(|known| failure.precedes(known)) => {
                    earliest = Some(failure);
                }
                Err(_) => {}
            }
        }
        match earliest {
            None => Ok(PieceStatus::Done),
            Some(failure) => Err(RunError {
                time: failure.time,
                order: failure.def.index() as u32,
                definition: failure.name,
                message: "an integer is out of the range of its type".to_owned(),
            }),
        }
    }
}

/// Columns, as the interpreter sees them.
struct Streams<'a>(&'a [RegularStream]);

impl Rows for Streams<'_> {
    fn range(&self, input: Input) -> std::ops::Range<i64> {
        let stream = &self.0[input.index()];
        stream.first..stream.first.saturating_add_unsigned(stream.len as u64)
    }

    fn get(&self, input: Input, field: u32, row: i64) -> Option<Const> {
        let stream = &self.0[input.index()];
        let row = usize::try_from(row - stream.first).ok()?;
        stream.columns[field as usize].get(row)
    }
}

/// Writes the kept rows of a piece.
fn put(view: &mut OutputView<'_>, piece: Piece, rows: &[i64], columns: &[Vec<Option<Const>>]) {
    if let Some(keep) = &mut view.keep {
        keep.fill(0);
        rows.iter().for_each(|row| set_bit(keep, (row - piece.lo) as usize, true));
    }
    for (column, values) in view.columns.iter_mut().zip(columns) {
        for (row, value) in rows.iter().zip(values) {
            let place = (row - piece.lo) as usize;
            if let Some(validity) = &mut column.validity {
                set_bit(validity, place, value.is_some());
            }
            match value {
                None if column.ty == Type::Bool => set_bit(column.bools(), place, false),
                Some(Const::Bool(value)) => set_bit(column.bools(), place, *value),
                value => {
                    let width = column.ty.bits() as usize / 8;
                    let bytes = value.map_or([0; 16], |value| native_bytes(value, column.ty));
                    let from = if cfg!(target_endian = "little") { 0 } else { 16 - width };
                    column.values[place * width..][..width].copy_from_slice(&bytes[from..from + width]);
                }
            }
        }
    }
}

/// The bytes of a number, in native order.
fn native_bytes(value: Const, ty: Type) -> [u8; 16] {
    match value {
        Const::Bool(value) => i128::from(value).to_ne_bytes(),
        Const::Int(value) => value.to_ne_bytes(),
        Const::F32(bits) => u128::from(bits).to_ne_bytes(),
        Const::F64(bits) => {
            debug_assert_eq!(ty, Type::F64);
            u128::from(bits).to_ne_bytes()
        }
    }
}

fn set_bit(words: &mut [u64], place: usize, on: bool) {
    let bit = 1u64 << (place % 64);
    match on {
        true => words[place / 64] |= bit,
        false => words[place / 64] &= !bit,
    }
}
