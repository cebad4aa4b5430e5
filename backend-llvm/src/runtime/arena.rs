//! Scratch memory for one piece at a time.
//!
//! ```
//! use tilt_backend_llvm::Arena;
//! let mut arena = Arena::new();
//! let first = arena.take(100) as usize;
//! let second = arena.take(8) as usize;
//! assert_eq!((first % 64, second), (0, first + 128)); // whole cache lines
//! arena.reset(); // the next piece starts over in the same memory
//! assert_eq!(arena.take(1) as usize, first);
//! ```

use std::ffi::c_void;

/// The symbol under which kernels find [`tilt_scratch`].
pub(crate) const SCRATCH: &str = "tilt_scratch";

/// One cache line: the unit of allocation, and the alignment that vector loads and stores like best.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

const LINE: usize = size_of::<Line>();
const FIRST_CHUNK: usize = 1024; // lines: 64 KiB

/// A bump allocator: memory is handed out in order and taken back all at once.
///
/// A worker keeps one arena, and resets it before each piece; after the first few pieces no memory is requested from the
/// system any more.
#[derive(Default)]
pub struct Arena {
    chunks: Vec<Box<[Line]>>,
    chunk: usize,
    used: usize, // lines of the current chunk
}

impl Arena {
    /// An arena without memory; the first [`Arena::take`] gets some.
    pub fn new() -> Arena {
        Arena::default()
    }

    /// `bytes` bytes of memory, aligned to 64, with unspecified (but initialised) contents, valid until
    /// [`Arena::reset`].
    pub fn take(&mut self, bytes: usize) -> *mut u8 {
        let lines = bytes.div_ceil(LINE).max(1);
        while let Some(chunk) = self.chunks.get_mut(self.chunk) {
            if let Some(place) = chunk.get_mut(self.used..).and_then(|s| s.get_mut(..lines)) {
                self.used += lines;
                return place.as_mut_ptr().cast();
            }
            self.chunk += 1;
            self.used = 0;
        }
        self.grow(lines);
        self.take(bytes)
    }

    /// Gives all memory back to the arena. Pointers handed out before must not be used any more.
    pub fn reset(&mut self) {
        if self.chunks.len() > 1 {
            // One chunk as large as all of them: from now on pieces of this size need no search.
            let lines = self.chunks.iter().map(|chunk| chunk.len()).sum();
            self.chunks.clear();
            self.grow(lines);
        }
        (self.chunk, self.used) = (0, 0);
    }

    /// The arena as compiled kernels take it.
    pub fn as_raw(&mut self) -> *mut c_void {
        (self as *mut Arena).cast()
    }

    fn grow(&mut self, lines: usize) {
        let last = self.chunks.last().map_or(0, |chunk| chunk.len());
        let size = lines.max(2 * last).max(FIRST_CHUNK);
        self.chunks.push(vec![Line([0; LINE]); size].into_boxed_slice());
    }
}

/// What kernels call for scratch memory: `bytes` bytes from `arena`, 64-byte aligned.
///
/// # Safety
/// `arena` is what [`Arena::as_raw`] gave, of an arena that is alive and that nobody else uses during the call.
pub(crate) unsafe extern "C" fn tilt_scratch(arena: *mut c_void, bytes: i64) -> *mut u8 {
    // SAFETY: the caller passes a live arena that is its own.
    let arena = unsafe { &mut *arena.cast::<Arena>() };
    arena.take(usize::try_from(bytes).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_larger_than_a_chunk_do_not_overlap() {
        let mut arena = Arena::new();
        for _ in 0..3 {
            arena.reset();
            let sizes = [10, 70_000, 64, 200_000, 1];
            let mut ranges: Vec<_> = sizes
                .iter()
                .map(|&bytes| {
                    let start = arena.take(bytes) as usize;
                    assert_eq!(start % LINE, 0);
                    (start, start + bytes)
                })
                .collect();
            ranges.sort_unstable();
            assert!(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0));
        }
        assert_eq!(arena.chunks.len(), 1);
    }
}
