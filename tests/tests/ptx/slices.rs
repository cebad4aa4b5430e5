//! Ways to cut a grid into slices.

use tilt_backend_ptx::rewrite::SliceControl;

/// A slice and its extent.
type Slice = (SliceControl, [u32; 3]);

/// Several plans: whole, block by block, in rows, in pieces that do not divide the grid; forwards, backwards, shuffled.
pub(crate) fn plans(grid: [u32; 3]) -> Vec<Vec<Slice>> {
    let sizes = [[u32::MAX; 3], [1, 1, 1], [2, 1, 1], [3, 2, 2], [u32::MAX, 1, 1], [1, u32::MAX, 2]];
    let mut all: Vec<Vec<Slice>> = Vec::new();
    for (number, size) in sizes.into_iter().enumerate() {
        let plan = cut(grid, size);
        all.push(plan.iter().rev().copied().collect());
        all.push(shuffled(&plan, number as u64));
        all.push(plan);
    }
    all
}

/// The slices of at most that size, x first.
pub(crate) fn cut(grid: [u32; 3], size: [u32; 3]) -> Vec<Slice> {
    let starts = |axis: usize| (0..grid[axis]).step_by(size[axis].min(grid[axis]) as usize);
    let mut plan = Vec::new();
    for z in starts(2) {
        for y in starts(1) {
            for x in starts(0) {
                let offset = [x, y, z];
                let extent = [0, 1, 2].map(|axis| size[axis].min(grid[axis] - offset[axis]));
                plan.push((SliceControl { offset, grid }, extent));
            }
        }
    }
    plan
}

fn shuffled(plan: &[Slice], seed: u64) -> Vec<Slice> {
    let mut plan = plan.to_vec();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for last in (1..plan.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        plan.swap(last, (state >> 33) as usize % (last + 1));
    }
    plan
}
