//! How a compiled kernel is called.
//!
//! Every kernel is one exported C function:
//!
//! ```c
//! int32_t tilt_kernel_NAME(int64_t lo, int64_t hi, const uint64_t *args, void *arena);
//! ```
//!
//! It computes the rows `lo..hi` of its grid; `lo` is a multiple of 64. The result is 0, or 1 if a `flag` was raised:
//! then what it stored is not to be used, and the piece must be computed again in another way. `arena` is an
//! [`Arena`](crate::Arena) that no other call uses at the same time; the caller resets it between calls.
//!
//! `args` holds one 64-bit word for each entry of [`arguments`], in that order: for each stream of the program its range
//! of rows and its columns, whether the kernel reads them or not; then the kernel's outputs.
//!
//! ```text
//! program:  stream s { price: f64, open: bool nullable }      kernel out0: f64 nullable
//! args:     first  end  price  open  open-bit  open-valid  open-valid-bit    out-first  out0  out0-valid
//! ```
//!
//! What the words mean:
//! - *Values* point to the value of row `first`, as an Arrow primitive array has them, aligned to their width. Bools are bitmaps.
//! - *Bitmaps* (bools, validity) are Arrow's: least significant bit first. The *bit* that follows the pointer is the
//!   number of the bit, counted from the pointer, that belongs to row `first`. It is not negative, and otherwise free: a
//!   slice need not be copied. [`BITMAP_PADDING`] bytes after the bitmap's last byte must be readable.
//! - *Outputs* point to the place of row `out-first`, a multiple of 64 that is not above `lo`. A bitmap's bit 0 is that row;
//!   bitmaps are as long as a multiple of 8 bytes. Pieces are multiples of 64 rows (but the last), so threads that
//!   compute different pieces never write the same byte.
//! - Pointers are never null, also those of empty columns. Outputs overlap nothing.

use tilt_ir::{
    Type,
    loops::{Kernel, Program, Stream},
};

/// The symbol under which a kernel is exported. Its own name could be that of a function of the C library, `round` say, which
/// compiled code calls.
///
/// ```
/// # let kernel = tilt_ir::loops::Program::parse(r#"program "" kernel @round every 1s offset 0s (%0, %1) { }"#).unwrap().kernels.remove(0);
/// assert_eq!(tilt_backend_llvm::abi::symbol(&kernel), "tilt_kernel_round");
/// ```
pub fn symbol(kernel: &Kernel) -> String {
    format!("tilt_kernel_{}", kernel.name)
}

/// How many bytes after a bitmap's last byte must be readable (their contents do not matter).
pub const BITMAP_PADDING: usize = 16;

/// The meaning of one word of a kernel's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arg {
    /// The first row of a stream.
    First(Stream),
    /// One past the last row of a stream.
    End(Stream),
    /// The values of a column.
    Values(Stream, u32),
    /// The bit of row `first` in the values of a bool column.
    ValuesBit(Stream, u32),
    /// The validity bitmap of a column.
    Validity(Stream, u32),
    /// The bit of row `first` in a validity bitmap.
    ValidityBit(Stream, u32),
    /// The row that the output pointers point to.
    OutputFirst,
    /// The values of an output column.
    Output(u32),
    /// The validity bitmap of an output column.
    OutputValidity(u32),
}

impl Arg {
    /// Whether the word is an address (otherwise it is an `i64`).
    pub fn is_pointer(self) -> bool {
        match self {
            Arg::Values(..) | Arg::Validity(..) | Arg::Output(_) | Arg::OutputValidity(_) => true,
            Arg::First(_) | Arg::End(_) | Arg::ValuesBit(..) | Arg::ValidityBit(..) | Arg::OutputFirst => {
                false
            }
        }
    }
}

/// The arguments of a kernel, in the order of their words.
pub fn arguments(program: &Program, kernel: &Kernel) -> Vec<Arg> {
    let mut args = Vec::new();
    for (stream, data) in program.streams.iter() {
        args.extend([Arg::First(stream), Arg::End(stream)]);
        for (column, number) in data.columns.iter().zip(0..) {
            args.push(Arg::Values(stream, number));
            if column.ty == Type::Bool {
                args.push(Arg::ValuesBit(stream, number));
            }
            if column.nullable {
                args.push(Arg::Validity(stream, number));
                args.push(Arg::ValidityBit(stream, number));
            }
        }
    }
    args.push(Arg::OutputFirst);
    for (output, number) in kernel.outputs.iter().zip(0..) {
        args.push(Arg::Output(number));
        if output.nullable {
            args.push(Arg::OutputValidity(number));
        }
    }
    args
}
