//! Floating-point arithmetic, bit by bit.
//!
//! [`format`] takes numbers out of their bits and puts them back with a rounding; [`exact`] computes on them. f32 and f64 rounded
//! to nearest take the machine's own operations, which are the same function (the tests of [`exact`] say so) and faster.
//! Every NaN result is the canonical one of its format.

pub(crate) mod approximate;
pub(crate) mod arithmetic;
pub(crate) mod compare;
pub(crate) mod exact;
pub(crate) mod format;
pub(crate) mod minmax;
pub(crate) mod sign;

pub(crate) use format::{Format, Rounding};
use tilt_backend_ptx::ast::ScalarType;

use crate::compute::{Compute, mask};
use format::{BF16, F16, F32, F64};

/// The format of a type and how many numbers of it stand in one register.
pub(crate) fn lanes_of(ty: ScalarType) -> Option<(Format, u32)> {
    Some(match ty {
        ScalarType::F16 => (F16, 1),
        ScalarType::F16x2 => (F16, 2),
        ScalarType::Bf16 => (BF16, 1),
        ScalarType::Bf16x2 => (BF16, 2),
        ScalarType::F32 => (F32, 1),
        ScalarType::F32x2 => (F32, 2),
        ScalarType::F64 => (F64, 1),
        _ => return None,
    })
}

/// `f` on each number of packed registers.
pub(crate) fn each_lane(
    format: Format,
    lanes: u32,
    f: impl Fn([u64; 3]) -> u64 + Send + Sync + 'static,
) -> Compute {
    let width = format.bits();
    let low = mask(width);
    if lanes == 1 {
        return Box::new(move |x| (f([x[0] & low, x[1] & low, x[2] & low]), 0));
    }
    Box::new(move |x| {
        let mut all = 0;
        for lane in 0..lanes {
            let shift = lane * width;
            let one = f([x[0] >> shift & low, x[1] >> shift & low, x[2] >> shift & low]);
            all |= one << shift;
        }
        (all, 0)
    })
}
