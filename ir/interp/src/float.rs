//! `f32` and `f64` under one name, so that each rule about floats is written once.
//!
//! ```
//! use tilt_interp::float::Float;
//! fn half<F: Float>(x: F) -> F {
//!     x * F::HALF
//! }
//! assert_eq!((half(3.0f32), half(3.0f64)), (1.5, 1.5));
//! ```

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};
use tilt_ir::Const;

/// An IEEE 754 float type. Each operation rounds once, to nearest even, in the type itself: no `f32` is computed in
/// `f64`, nothing is fused.
pub trait Float:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
{
    /// +0.
    const ZERO: Self;
    /// ½.
    const HALF: Self;
    /// A count of rows, rounded to nearest even.
    fn of_count(count: u64) -> Self;
    /// As a constant of this type.
    fn to_const(self) -> Const;
    /// Whether this is NaN.
    fn is_nan(self) -> bool;
    /// Whether the sign bit is set (so for `-0.0`).
    fn is_sign_negative(self) -> bool;
    /// The magnitude of `self` with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// Rounded down to an integer; exact.
    fn floor(self) -> Self;
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// IEEE 754-2019 `minimum`: NaN if either is, and `-0.0 < +0.0`.
    fn lesser(self, other: Self) -> Self {
        if self.is_nan() || other.is_nan() {
            self + other
        } else if self < other || (self == other && self.is_sign_negative()) {
            self
        } else {
            other
        }
    }

    /// IEEE 754-2019 `maximum`: NaN if either is, and `-0.0 < +0.0`.
    fn greater(self, other: Self) -> Self {
        if self.is_nan() || other.is_nan() {
            self + other
        } else if self > other || (self == other && other.is_sign_negative()) {
            self
        } else {
            other
        }
    }
}

macro_rules! float {
    ($ty:ident) => {
        impl Float for $ty {
            const ZERO: Self = 0.0;
            const HALF: Self = 0.5;
            fn of_count(count: u64) -> Self {
                count as $ty
            }
            fn to_const(self) -> Const {
                Const::$ty(self)
            }
            fn is_nan(self) -> bool {
                $ty::is_nan(self)
            }
            fn is_sign_negative(self) -> bool {
                $ty::is_sign_negative(self)
            }
            fn copysign(self, sign: Self) -> Self {
                $ty::copysign(self, sign)
            }
            fn floor(self) -> Self {
                $ty::floor(self)
            }
            fn sqrt(self) -> Self {
                $ty::sqrt(self)
            }
        }
    };
}
float!(f32);
float!(f64);

#[cfg(test)]
mod tests {
    use super::Float;

    #[test]
    fn minimum_and_maximum_see_nan_and_the_sign_of_zero() {
        for (a, b) in [(0.0f64, -0.0), (-0.0, 0.0)] {
            assert!(a.lesser(b).is_sign_negative());
            assert!(!a.greater(b).is_sign_negative());
        }
        for (a, b) in [(f32::NAN, 1.0), (1.0, f32::NAN), (f32::NAN, f32::INFINITY)] {
            assert!(a.lesser(b).is_nan() && a.greater(b).is_nan());
        }
        assert_eq!((2.0f32.lesser(1.0), 2.0f32.greater(1.0)), (1.0, 2.0));
        assert_eq!((1.0f64.lesser(f64::INFINITY), 1.0f64.greater(f64::INFINITY)), (1.0, f64::INFINITY));
    }

    #[test]
    fn counts_round_to_nearest_even() {
        assert_eq!(f32::of_count((1 << 24) + 1), 16_777_216.0);
        assert_eq!(f32::of_count((1 << 24) + 3), 16_777_220.0);
    }
}
