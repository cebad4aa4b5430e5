//! What one row contributes to a fold of floats, and how two partial results become one.
//!
//! `nothing` is what φ contributes: merging with it gives the other side, bit for bit. For sums that is `-0.0`.

use std::borrow::Cow;

use crate::ops::Bitmap;

/// The rows of a stream as terms of a reduction.
pub(super) trait Terms {
    /// A partial result.
    type State: Copy;
    /// That of no value.
    const NOTHING: Self::State;
    /// That of one row.
    fn leaf(&self, row: usize) -> Self::State;
    /// That of the values of `a` and of the later ones of `b` together.
    fn merge(a: Self::State, b: Self::State) -> Self::State;
}

/// `f32` or `f64`.
pub(super) trait Float: Copy + PartialEq {
    const NOTHING: Self;
    const HALF: Self;
    fn of_count(count: u64) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
}

macro_rules! float {
    ($ty:ident) => {
        impl Float for $ty {
            const NOTHING: $ty = -0.0;
            const HALF: $ty = 0.5;
            #[inline]
            fn of_count(count: u64) -> $ty {
                count as $ty
            }
            #[inline]
            fn add(self, other: $ty) -> $ty {
                self + other
            }
            #[inline]
            fn sub(self, other: $ty) -> $ty {
                self - other
            }
            #[inline]
            fn mul(self, other: $ty) -> $ty {
                self * other
            }
            #[inline]
            fn div(self, other: $ty) -> $ty {
                self / other
            }
            #[inline]
            fn sqrt(self) -> $ty {
                $ty::sqrt(self)
            }
        }
    };
}
float!(f32);
float!(f64);

/// Sums: a row is its value, φ is `-0.0`.
pub(super) struct Sums<'a, F: Clone>(Cow<'a, [F]>);

impl<'a, F: Float> Sums<'a, F> {
    pub(super) fn new(values: &'a [F], valid: Option<&Bitmap>) -> Sums<'a, F> {
        Sums(match valid {
            None => Cow::Borrowed(values),
            Some(valid) => {
                let value = |(row, x): (usize, &F)| if valid.get(row) { *x } else { F::NOTHING };
                Cow::Owned(values.iter().enumerate().map(value).collect())
            }
        })
    }
}

impl<F: Float> Terms for Sums<'_, F> {
    type State = F;
    const NOTHING: F = F::NOTHING;
    #[inline]
    fn leaf(&self, row: usize) -> F {
        self.0[row]
    }
    #[inline]
    fn merge(a: F, b: F) -> F {
        a.add(b)
    }
}

/// Weighted sums: Σ(w·x) and Σw.
pub(super) struct Weighted {
    pub(super) values: Vec<f64>,
    pub(super) weights: Vec<f64>,
    pub(super) valid: Option<Bitmap>,
}

impl Terms for Weighted {
    type State = (f64, f64);
    const NOTHING: (f64, f64) = (-0.0, -0.0);
    #[inline]
    fn leaf(&self, row: usize) -> (f64, f64) {
        if self.valid.as_ref().is_some_and(|valid| !valid.get(row)) {
            return Self::NOTHING;
        }
        (self.weights[row] * self.values[row], self.weights[row])
    }
    #[inline]
    fn merge(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
        (a.0 + b.0, a.1 + b.1)
    }
}
