//! Reducers that weigh values by the time that they hold.

use crate::scalar::ill_typed;
use tilt_ir::{Const, tir::Reducer};

/// A stretch of a window on which one value holds. The ones next to it have others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The value.
    pub value: f64,
    /// How long it holds inside the window, in nanoseconds; positive.
    pub length: i128,
}

/// The integral in value · seconds, or the mean over the time that something holds, of the pieces of a window in their order; φ
/// if there are fewer than `min_count`, or none.
///
/// ```
/// use tilt_interp::reduce::{Piece, weigh};
/// use tilt_ir::{Const, tir::Reducer};
/// let pieces = [Piece { value: 1.0, length: 3_000_000_000 }, Piece { value: 5.0, length: 1_000_000_000 }];
/// assert_eq!(weigh(Reducer::Integral, 1, &pieces), Some(Const::f64(8.0)));
/// assert_eq!(weigh(Reducer::DurationMean, 1, &pieces), Some(Const::f64(2.0)));
/// ```
pub fn weigh(kind: Reducer, min_count: u64, pieces: &[Piece]) -> Option<Const> {
    let weighted = |piece: &Piece| piece.value * piece.length as f64;
    let sum = pieces.iter().map(weighted).reduce(|sum, next| sum + next)?;
    if (pieces.len() as u64) < min_count {
        return None;
    }
    let result = match (kind, pieces) {
        (Reducer::Integral, _) => sum / 1e9,
        (Reducer::DurationMean, [only]) => only.value,
        (Reducer::DurationMean, _) => sum / pieces.iter().map(|piece| piece.length).sum::<i128>() as f64,
        _ => ill_typed(kind, &[]),
    };
    Some(Const::f64(result))
}
