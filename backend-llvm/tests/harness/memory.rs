//! Buffers that stop the test if anything beyond their ends is touched.

use std::{ffi::c_void, ptr};

unsafe extern "C" {
    fn mmap(at: *mut c_void, len: usize, prot: i32, flags: i32, fd: i32, offset: i64) -> *mut c_void;
    fn mprotect(at: *mut c_void, len: usize, prot: i32) -> i32;
    fn munmap(at: *mut c_void, len: usize) -> i32;
}

const PAGE: usize = 4096;
const READ_WRITE: i32 = 3;
const PRIVATE_ANONYMOUS: i32 = 0x22;

/// Bytes between two pages that cannot be touched.
pub(crate) struct Guarded {
    map: *mut u8,
    pages: usize,
    start: usize,
    len: usize,
}

impl Guarded {
    /// A copy of `bytes`: right behind the first forbidden page, or right before the second one.
    pub(crate) fn new(bytes: &[u8], at_end: bool) -> Guarded {
        let pages = bytes.len().div_ceil(PAGE).max(1) + 2;
        // SAFETY: fresh memory of that many pages; both ends are then forbidden; the bytes fit between them.
        unsafe {
            let map = mmap(ptr::null_mut(), pages * PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);
            assert!(map as isize != -1, "no memory");
            mprotect(map, PAGE, 0);
            mprotect(map.byte_add((pages - 1) * PAGE), PAGE, 0);
            let start = match at_end {
                true => (pages - 1) * PAGE - bytes.len(),
                false => PAGE,
            };
            let map = map.cast::<u8>();
            ptr::copy_nonoverlapping(bytes.as_ptr(), map.add(start), bytes.len());
            Guarded { map, pages, start, len: bytes.len() }
        }
    }

    pub(crate) fn address(&self) -> u64 {
        self.map as u64 + self.start as u64
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes were copied there, and no kernel runs now.
        unsafe { std::slice::from_raw_parts(self.map.add(self.start), self.len) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the pages were mapped by `new`.
        unsafe { munmap(self.map.cast(), self.pages * PAGE) };
    }
}
