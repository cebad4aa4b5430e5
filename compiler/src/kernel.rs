//! Machine code as a kernel of `tilt-exec`: columns become pointers.

use std::{cell::RefCell, ops::Range};

use tilt_backend_llvm::{Arena, JitKernel, abi};
use tilt_exec::{
    RegularStream,
    run::{Grown, Layout, OutputView, Piece, PieceKernel, PieceStatus, Room, RunError},
};
use tilt_ir::{
    entity::Entity,
    loops::{Kernel, Program, Stream},
};

use crate::scratch;

/// So much scratch memory is not worth asking for.
const ALWAYS_THERE: u128 = 64 << 20;

thread_local! {
    /// Scratch memory, kept from piece to piece.
    static ARENA: RefCell<Arena> = RefCell::new(Arena::new());
}

/// A compiled kernel with what its arguments mean.
pub(crate) struct Native<'a> {
    kernel: &'a Kernel,
    code: &'a JitKernel,
    args: Vec<abi::Arg>,
    /// For each output column of the kernel: the output and its column, `None` for `keep`.
    places: Vec<(usize, Option<usize>)>,
}

impl<'a> Native<'a> {
    /// A kernel whose columns are those of `layout`: for each output its columns, then its `keep` bitmap.
    pub(crate) fn new(
        program: &Program,
        kernel: &'a Kernel,
        code: &'a JitKernel,
        layout: &Layout,
    ) -> Native<'a> {
        let mut places = Vec::new();
        for (number, output) in layout.outputs.iter().enumerate() {
            places.extend((0..output.columns.len()).map(|column| (number, Some(column))));
            places.extend(output.filtered.then_some((number, None)));
        }
        Native { kernel, code, args: abi::arguments(program, kernel), places }
    }

    /// Refuses a piece whose windows take more memory than there is.
    fn check_memory(&self, piece: Piece, inputs: &[RegularStream]) -> Result<(), RunError> {
        let bytes = scratch::bytes(self.kernel, piece.lo, piece.hi, &|stream| extent(inputs, stream));
        if bytes <= ALWAYS_THERE || bytes <= scratch::limit() {
            return Ok(());
        }
        Err(RunError {
            time: self.kernel.grid.stamp(piece.first).unwrap_or(i64::MAX),
            order: 0,
            definition: self.kernel.name.clone(),
            message: format!("its windows are too long: {} MiB of memory for one piece of time", bytes >> 20),
        })
    }

    fn word(
        &self,
        arg: abi::Arg,
        piece: Piece,
        inputs: &[RegularStream],
        outputs: &mut [OutputView<'_>],
    ) -> u64 {
        match arg {
            abi::Arg::First(stream) => inputs[stream.index()].first as u64,
            abi::Arg::End(stream) => extent(inputs, stream).1 as u64,
            abi::Arg::Values(stream, column) => {
                inputs[stream.index()].columns[column as usize].bytes().as_ptr() as u64
            }
            abi::Arg::Validity(stream, column) => {
                let validity = inputs[stream.index()].columns[column as usize].validity();
                validity.expect("`run` gives nullable columns a validity").as_ptr() as u64
            }
            abi::Arg::ValuesBit(stream, column) => {
                inputs[stream.index()].columns[column as usize].values_bit() as u64
            }
            abi::Arg::ValidityBit(stream, column) => {
                inputs[stream.index()].columns[column as usize].validity_bit() as u64
            }
            abi::Arg::OutputFirst => piece.lo as u64,
            abi::Arg::Output(column) => match self.places[column as usize] {
                (output, Some(column)) => outputs[output].columns[column].values.as_mut_ptr() as u64,
                (output, None) => {
                    let keep = outputs[output].keep.as_mut();
                    keep.expect("the layout has a keep bitmap for it").as_mut_ptr() as u64
                }
            },
            abi::Arg::OutputValidity(column) => match self.places[column as usize] {
                (output, Some(column)) => {
                    let validity = outputs[output].columns[column].validity.as_mut();
                    validity.expect("the layout has a validity for it").as_mut_ptr() as u64
                }
                (_, None) => unreachable!("keep is not nullable"),
            },
        }
    }
}

/// The rows `first..end` of a stream.
pub(crate) fn extent(inputs: &[RegularStream], stream: Stream) -> (i64, i64) {
    let stream = &inputs[stream.index()];
    (stream.first, stream.first.saturating_add_unsigned(stream.len as u64))
}

impl PieceKernel for Native<'_> {
    fn run(
        &self,
        piece: Piece,
        inputs: &[RegularStream],
        outputs: &mut [OutputView<'_>],
    ) -> Result<PieceStatus, RunError> {
        self.check_memory(piece, inputs)?;
        let args: Vec<u64> = self.args.iter().map(|arg| self.word(*arg, piece, inputs, outputs)).collect();
        ARENA.with_borrow_mut(|arena| {
            // SAFETY: the words are those of `abi::arguments`, made from columns and views of the types and nullability
            // that the program was compiled for, which live until the call returns; the views of other pieces are
            // disjoint. `piece.lo` is a multiple of 64. Bitmaps are given with their first bit and padded by `tilt-exec`.
            let flagged = unsafe { self.code.run(piece.lo, piece.hi, &args, arena) };
            Ok(if flagged { PieceStatus::Overflow } else { PieceStatus::Done })
        })
    }

    fn run_each(
        &self,
        layout: &Layout,
        inputs: &[RegularStream],
        rows: &[Range<usize>],
        made: &mut [Grown],
    ) -> Result<PieceStatus, RunError> {
        let longest = rows.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        let whole = Piece { lo: 0, first: 0, hi: longest as i64 };
        self.check_memory(whole, inputs)?;
        let mut room = Room::new(layout, longest);
        let mut view = room.view();
        // the words for a stream that begins with the first flat row, and how much greater they are for each row that it begins later
        let (mut args, mut steps, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for (place, arg) in self.args.iter().enumerate() {
            args.push(match *arg {
                abi::Arg::First(_) | abi::Arg::End(_) | abi::Arg::OutputFirst => 0,
                abi::Arg::Output(column) => view.columns[column as usize].values.as_mut_ptr() as u64,
                abi::Arg::OutputValidity(column) => {
                    let validity = view.columns[column as usize].validity.as_mut();
                    validity.expect("the layout has a validity for it").as_mut_ptr() as u64
                }
                arg => self.word(arg, whole, inputs, &mut []),
            });
            let there = |stream: Stream| inputs[stream.index()].len > 0;
            match *arg {
                abi::Arg::End(stream) if there(stream) => ends.push(place),
                abi::Arg::Values(stream, column) if there(stream) => {
                    let bits = inputs[stream.index()].columns[column as usize].ty().bits();
                    steps.push((place, u64::from(bits / 8))); // of bools their bit moves, not their word
                }
                abi::Arg::ValuesBit(stream, _) | abi::Arg::ValidityBit(stream, _) if there(stream) => {
                    steps.push((place, 1));
                }
                _ => {}
            }
        }
        let mut words = args.clone();
        ARENA.with_borrow_mut(|arena| {
            for rows in rows.iter().filter(|rows| !rows.is_empty()) {
                steps.iter().for_each(|(place, step)| {
                    words[*place] = args[*place].wrapping_add(rows.start as u64 * step);
                });
                ends.iter().for_each(|place| words[*place] = rows.len() as u64);
                // SAFETY: as in `run`; the words are those of slices of the columns, and the room is that of the longest stream.
                if unsafe { self.code.run(0, rows.len() as i64, &words, arena) } {
                    return Ok(PieceStatus::Overflow);
                }
                made.iter_mut().zip(&view.columns).for_each(|(made, column)| made.append(column, rows.len()));
            }
            Ok(PieceStatus::Done)
        })
    }
}
