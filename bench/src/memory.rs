//! Output memory that is kept: on huge pages, touched once, so that a run pays for its stores only.

use std::{
    alloc::{Layout, alloc, dealloc, handle_alloc_error},
    ptr::NonNull,
};

/// The size and alignment of a huge page.
const HUGE_PAGE: usize = 2 << 20;

/// Numbers, aligned to huge pages.
pub(crate) struct Pages<T> {
    start: NonNull<T>,
    len: usize,
}

// SAFETY: the memory belongs to the value alone.
unsafe impl<T: Send> Send for Pages<T> {}

impl<T: Copy + Default> Pages<T> {
    /// So many zeros.
    pub(crate) fn zeroed(len: usize) -> Pages<T> {
        let layout = Pages::<T>::layout(len);
        // SAFETY: the layout has a size: `layout` rounds up to a whole page.
        let start = unsafe { alloc(layout) };
        let Some(start) = NonNull::new(start.cast::<T>()) else { handle_alloc_error(layout) };
        #[cfg(target_os = "linux")]
        // SAFETY: the range is this allocation; the advice changes no contents, and a refusal is harmless.
        unsafe {
            libc::madvise(start.as_ptr().cast(), layout.size(), libc::MADV_HUGEPAGE);
        }
        for place in 0..len {
            // SAFETY: the place lies in the allocation.
            unsafe { start.add(place).write(T::default()) };
        }
        Pages { start, len }
    }

    fn layout(len: usize) -> Layout {
        let bytes = (len * size_of::<T>()).max(1).next_multiple_of(HUGE_PAGE);
        match Layout::from_size_align(bytes, HUGE_PAGE) {
            Ok(layout) => layout,
            Err(error) => panic!("{len} rows: {error}"),
        }
    }
}

impl<T> std::ops::Deref for Pages<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: `len` initialised values, owned by `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> std::ops::DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> Drop for Pages<T> {
    fn drop(&mut self) {
        let bytes = (self.len * size_of::<T>()).max(1).next_multiple_of(HUGE_PAGE);
        if let Ok(layout) = Layout::from_size_align(bytes, HUGE_PAGE) {
            // SAFETY: allocated in `zeroed` with this layout.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) };
        }
    }
}
