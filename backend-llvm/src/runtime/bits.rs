//! Bits of a bitmap, set all at once.
//!
//! A vector loop in which nothing can be φ does not store the validity of its rows block by block: it is filled before.

/// The symbol under which kernels find [`tilt_fill_bits`].
pub(crate) const FILL: &str = "tilt_fill_bits";

/// Sets the bits `from..to` of `map`; none if `to ≤ from`. Other bits keep what they are.
///
/// # Safety
/// The bytes of these bits may be read and written, and nobody else uses them during the call; `from` is not negative.
pub(crate) unsafe extern "C" fn tilt_fill_bits(map: *mut u8, from: i64, to: i64) {
    let (Ok(from), Ok(to)) = (usize::try_from(from), usize::try_from(to)) else { return };
    if to <= from {
        return;
    }
    let (first, last) = (from / 8, (to - 1) / 8);
    // SAFETY: the bytes `first..=last` hold the bits.
    let bytes = unsafe { std::slice::from_raw_parts_mut(map.add(first), last - first + 1) };
    let (head, tail) = (0xff << (from % 8), 0xff >> (7 - (to - 1) % 8));
    match bytes {
        [only] => *only |= head & tail,
        [first, middle @ .., last] => {
            *first |= head;
            middle.fill(0xff);
            *last |= tail;
        }
        [] => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn just_these_bits() {
        for from in 0..40 {
            for to in 0..40 {
                let mut map = [0b0100_0001u8; 5];
                let before = u64::from_le_bytes([map[0], map[1], map[2], map[3], map[4], 0, 0, 0]);
                // SAFETY: the array holds 40 bits.
                unsafe { tilt_fill_bits(map.as_mut_ptr(), from, to) };
                let after = u64::from_le_bytes([map[0], map[1], map[2], map[3], map[4], 0, 0, 0]);
                let expected = (from..to).fold(before, |bits, k| bits | 1 << k);
                assert_eq!(after, expected, "{from}..{to}");
            }
        }
    }
}
