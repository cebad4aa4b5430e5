//! window-sum: the sum of each 1000 rows.

use std::ops::Range;

use super::{Chunk, Series, lanes, versions};

/// Rows of a window.
const WINDOW: usize = 1000;

versions! {
    /// One output row for each window; the last one may be cut short by the end of the data.
    window_sum = window_sum_rows
}

#[inline(always)]
fn window_sum_rows(inputs: &[Series<'_>], rows: Range<usize>, out: Chunk<'_>) {
    let values = &inputs[0].values[rows.start * WINDOW..];
    for (sum, window) in out.f32s.iter_mut().zip(values.chunks(WINDOW)) {
        *sum = lanes::sum(window);
    }
}
