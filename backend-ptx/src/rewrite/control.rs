//! What a launch tells a form, as it lies in memory: shared by rewriter, emulator and runtime.

/// The parameter behind those of a sliced kernel: which part of which grid this launch is.
///
/// ```
/// use tilt_backend_ptx::rewrite::SliceControl;
/// let control = SliceControl { offset: [1, 0, 0], grid: [256, 2, 1] };
/// assert_eq!(control.bytes()[12..16], [0, 1, 0, 0]);
/// ```
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SliceControl {
    /// The logical index of the launch's first block, in x, y and z.
    pub offset: [u32; 3],
    /// The extent of the logical grid.
    pub grid: [u32; 3],
}

/// Bytes of [`SliceControl`], whose alignment is 4.
pub const SLICE_CONTROL_BYTES: u64 = size_of::<SliceControl>() as u64;

impl SliceControl {
    /// How it lies in the memory of the GPU: little-endian.
    pub fn bytes(self) -> [u8; SLICE_CONTROL_BYTES as usize] {
        let mut bytes = [0; SLICE_CONTROL_BYTES as usize];
        for (place, word) in bytes.chunks_exact_mut(4).zip(self.offset.into_iter().chain(self.grid)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}
