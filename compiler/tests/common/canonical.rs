//! Values as tests compare them.

use tilt_ir::Const;

/// The same value with the one NaN: payloads and signs of NaN are unspecified.
pub(crate) fn canonical(value: Option<Const>) -> Option<Const> {
    value.map(|value| match value {
        Const::F32(bits) if f32::from_bits(bits).is_nan() => Const::f32(f32::NAN),
        Const::F64(bits) if f64::from_bits(bits).is_nan() => Const::f64(f64::NAN),
        other => other,
    })
}
