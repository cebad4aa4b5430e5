//! The functions that compiled kernels call back into.
//!
//! There are few of them: scratch memory ([`arena`]), filling of bitmaps ([`bits`]) and the transcendental functions ([`math`]). An object file that was
//! written to disk must be linked against a library that defines the same symbols.

pub(crate) mod arena;
pub(crate) mod bits;
pub(crate) mod math;

/// Name and address of every function of the runtime.
pub(crate) fn symbols() -> impl Iterator<Item = (&'static str, usize)> {
    let scratch = (arena::SCRATCH, arena::tilt_scratch as *const () as usize);
    let fill = (bits::FILL, bits::tilt_fill_bits as *const () as usize);
    [scratch, fill].into_iter().chain(math::symbols())
}
