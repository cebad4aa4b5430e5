//! How long the pieces are in which time is computed.
//!
//! A piece should be long against the look-back that it computes again, but what it puts in scratch memory should stay in
//! the cache until it is read:
//!
//! ```text
//! hop[t every 10s] = sum(x[t-100s..t])      10 rows of scratch for each row: 12000 rows a piece
//! mu[t every 1d] looked up every second     no scratch to speak of: as the runner likes it
//! ```

use std::ops::Range;

use tilt_ir::loops::{Kernel, Stream};

use crate::scratch::bytes;

/// Scratch memory of a piece: a part of the second-level cache, which inputs and outputs pass through, too.
const CACHED: u128 = 512 << 10;

/// Rows over which the growth of scratch memory is measured.
const SAMPLE: i64 = 1 << 16;

/// A piece is this many times as long as what it computes again.
const LOOK_BACKS: u128 = 8;

/// Rows of a piece of `kernel` out of `rows`, if `usual` are too many.
pub(crate) fn piece_rows(
    kernel: &Kernel,
    rows: &Range<i64>,
    range: &dyn Fn(Stream) -> (i64, i64),
    usual: usize,
) -> usize {
    let middle = rows.start.midpoint(rows.end);
    let of = |count: i64| bytes(kernel, middle, middle.saturating_add(count), range);
    let (short, long) = (of(SAMPLE), of(2 * SAMPLE));
    let growth = long.saturating_sub(short);
    if growth == 0 {
        return usual;
    }
    let again = short.saturating_sub(growth);
    let most = CACHED.max(LOOK_BACKS * again) * SAMPLE as u128 / growth;
    usize::try_from(most).map_or(usual, |most| most.clamp(64, usual.max(64)))
}

#[cfg(test)]
mod tests {
    use super::piece_rows;
    use tilt_ir::loops::Program;

    fn rows(scale: i64, back: i64) -> usize {
        let text = format!(
            "program \"\"\nkernel @k every 1s offset 0s (%0, %1) {{
              out0: f32 = @k.k
              tmp0: f32
              %2 = const {scale} : i64
              %3 = const {back} : i64
              %4 = mul %0, %2 : i64
              %5 = sub %4, %3 : i64
              %6 = mul %1, %2 : i64
              scratch tmp0 rows %5, %6
            }}"
        );
        let program = Program::parse(&text).expect("this is a program");
        piece_rows(&program.kernels[0], &(0..10_000_000), &|_| (0, 0), 1 << 18)
    }

    #[test]
    fn scratch_stays_in_the_cache() {
        assert_eq!(rows(0, 100), 1 << 18);
        assert_eq!(rows(1, 0), 1 << 17);
        assert_eq!(rows(16, 1), 1 << 13);
    }

    #[test]
    fn look_backs_stay_short_against_pieces() {
        assert_eq!(rows(1, 20_000), 160_000);
        assert_eq!(rows(1, 1 << 30), 1 << 18);
    }
}
