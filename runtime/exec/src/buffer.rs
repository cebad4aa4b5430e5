//! Memory for columns that are about to be written whole.
//!
//! A fresh page costs as much as the arithmetic that fills it. Large buffers are therefore mapped
//! straight from the kernel, which hands out zeroed pages on first touch (by the thread that
//! works on them), and ask for huge pages; nothing is zeroed twice. Small ones come from the
//! allocator. Either way a buffer starts as zeros, aligned to at least [`ALIGNMENT`] bytes.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::Arc;

use arrow::buffer::Buffer;

/// The least alignment of buffers that this crate allocates, in bytes.
pub const ALIGNMENT: usize = 64;

/// Bytes that may be read behind the last used byte of a validity bitmap.
pub const PADDING: usize = 64;

/// From here on a buffer is mapped on its own pages.
const LARGE: usize = 4 << 20;

/// The size of a huge page on x86-64 and on most arm64 systems.
const HUGE_PAGE: usize = 2 << 20;

/// Owned, zero-initialised bytes.
pub(crate) struct PageBuffer {
    start: NonNull<u8>,
    len: usize,
    origin: Origin,
}

/// Its dangling pointer is aligned like every other buffer's.
#[repr(align(64))]
struct Aligned;

enum Origin {
    Empty,
    Heap(Layout),
    #[cfg(target_os = "linux")]
    Mapped {
        base: NonNull<u8>,
        size: usize,
    },
}

// SAFETY: a `PageBuffer` owns its memory alone; `&self` gives only shared reads.
unsafe impl Send for PageBuffer {}
// SAFETY: as above.
unsafe impl Sync for PageBuffer {}

impl PageBuffer {
    /// `len` zero bytes.
    pub(crate) fn zeroed(len: usize) -> PageBuffer {
        PageBuffer::try_zeroed(len).unwrap_or_else(|| match Layout::from_size_align(len, ALIGNMENT) {
            Ok(layout) => handle_alloc_error(layout),
            Err(_) => panic!("a buffer of {len} bytes is larger than the address space"),
        })
    }

    /// `len` zero bytes, or `None` if the system does not give so many.
    pub(crate) fn try_zeroed(len: usize) -> Option<PageBuffer> {
        if len == 0 {
            let start = NonNull::<Aligned>::dangling().cast();
            return Some(PageBuffer { start, len, origin: Origin::Empty });
        }
        #[cfg(target_os = "linux")]
        if len >= LARGE {
            return PageBuffer::mapped(len);
        }
        let layout = Layout::from_size_align(len, ALIGNMENT).ok()?;
        // SAFETY: `len` is not zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(PageBuffer { start, len, origin: Origin::Heap(layout) })
    }

    /// Fresh pages from the system, at a multiple of the huge page size.
    #[cfg(target_os = "linux")]
    fn mapped(len: usize) -> Option<PageBuffer> {
        let size = len.checked_add(HUGE_PAGE)?;
        // SAFETY: an anonymous private mapping at an address of the system's choice.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return None;
        }
        let base = NonNull::new(base.cast::<u8>())?;
        let skip = base.addr().get().wrapping_neg() & (HUGE_PAGE - 1);
        // SAFETY: `skip < HUGE_PAGE`, and the mapping is that much longer than `len`.
        let start = unsafe { base.add(skip) };
        // SAFETY: the range lies in the mapping; the advice changes no contents, and a refusal is harmless.
        unsafe { libc::madvise(start.as_ptr().cast(), len, libc::MADV_HUGEPAGE) };
        Some(PageBuffer { start, len, origin: Origin::Mapped { base, size } })
    }

    /// The bytes.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: `start` covers `len` initialised bytes that only `self` owns.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }

    /// The bytes as 64-bit words; a rest of fewer than eight bytes is left out.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: `start` is aligned to more than a word and covers `len / 8` of them; any bits are a u64.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast(), self.len / 8) }
    }

    /// Hands the memory to Arrow without a copy.
    pub(crate) fn into_arrow(self) -> Buffer {
        let (start, len) = (self.start, self.len);
        // SAFETY: the buffer owns `start..start + len` until the last reference is gone.
        unsafe { Buffer::from_custom_allocation(start, len, Arc::new(self)) }
    }
}

impl Drop for PageBuffer {
    fn drop(&mut self) {
        match self.origin {
            Origin::Empty => {}
            // SAFETY: allocated in `zeroed` with this layout.
            Origin::Heap(layout) => unsafe { dealloc(self.start.as_ptr(), layout) },
            #[cfg(target_os = "linux")]
            Origin::Mapped { base, size } => {
                // SAFETY: mapped in `mapped` with this size, and nothing refers to it any more.
                unsafe { libc::munmap(base.as_ptr().cast(), size) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(PageBuffer::try_zeroed(usize::MAX).is_none());
        assert!(PageBuffer::try_zeroed(1 << 62).is_none());
    }

    #[test]
    fn buffers_are_zero_aligned_and_writable_at_both_ends() {
        for len in [0, 1, 64, LARGE - 1, LARGE, LARGE + 12_345] {
            let mut buffer = PageBuffer::zeroed(len);
            assert!(buffer.bytes_mut().iter().all(|&byte| byte == 0), "{len}");
            if let [first, .., last] = buffer.bytes_mut() {
                (*first, *last) = (1, 2);
                assert_eq!(buffer.bytes_mut().as_ptr().addr() % ALIGNMENT, 0);
            }
            let arrow = buffer.into_arrow();
            assert_eq!(arrow.len(), len);
            assert_eq!(
                arrow.last().copied(),
                [None, Some(2)][usize::from(len > 1)].or((len == 1).then_some(0))
            );
        }
    }
}
