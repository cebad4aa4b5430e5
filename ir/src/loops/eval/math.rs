//! Floats.

use crate::Const;
use crate::loops::{Binary, Math};

/// `binary_*` and `math_*` for a float type and the suffix that crate `libm` gives its functions.
macro_rules! floats {
    ($ty:ident, $binary:ident, $math:ident, $libm:ident) => {
        pub(super) fn $binary(op: Binary, a: $ty, b: $ty) -> $ty {
            match op {
                Binary::Add => a + b,
                Binary::Sub => a - b,
                Binary::Mul => a * b,
                Binary::Div => a / b,
                Binary::Rem => a % b,
                Binary::Min | Binary::Max if a.is_nan() || b.is_nan() => $ty::NAN,
                // `total_cmp` puts -0.0 before +0.0
                Binary::Min => std::cmp::min_by(a, b, $ty::total_cmp),
                Binary::Max => std::cmp::max_by(a, b, $ty::total_cmp),
                // not on floats
                Binary::FloorDiv | Binary::And | Binary::Or | Binary::Xor => $ty::NAN,
            }
        }

        fn $math(function: Math, a: $ty, b: $ty) -> $ty {
            match function {
                Math::Abs => a.abs(),
                Math::Sqrt => a.sqrt(),
                Math::Floor => a.floor(),
                Math::Ceil => a.ceil(),
                Math::Round => a.round(),
                Math::Trunc => a.trunc(),
                Math::Exp => $libm::exp(a),
                Math::Ln => $libm::log(a),
                Math::Log2 => $libm::log2(a),
                Math::Log10 => $libm::log10(a),
                Math::Sin => $libm::sin(a),
                Math::Cos => $libm::cos(a),
                Math::Tan => $libm::tan(a),
                Math::Asin => $libm::asin(a),
                Math::Acos => $libm::acos(a),
                Math::Atan => $libm::atan(a),
                Math::Sinh => $libm::sinh(a),
                Math::Cosh => $libm::cosh(a),
                Math::Tanh => $libm::tanh(a),
                Math::Pow => $libm::pow(a, b),
                Math::Atan2 => $libm::atan2(a, b),
            }
        }
    };
}

floats!(f64, binary_f64, math_f64, double);
floats!(f32, binary_f32, math_f32, single);

/// A math function of one or two floats.
pub(super) fn eval(function: Math, operands: &[Const]) -> Const {
    match (operands.first(), operands.last()) {
        (Some(Const::F32(a)), Some(Const::F32(b))) => {
            let (a, b) = (f32::from_bits(*a), f32::from_bits(*b));
            Const::f32(math_f32(function, a, b))
        }
        (Some(Const::F64(a)), Some(Const::F64(b))) => {
            let (a, b) = (f64::from_bits(*a), f64::from_bits(*b));
            Const::f64(math_f64(function, a, b))
        }
        // not on floats
        _ => Const::f64(f64::NAN),
    }
}

use libm as double;

/// Crate `libm` for `f32`.
mod single {
    pub(super) use libm::{
        acosf as acos, asinf as asin, atan2f as atan2, atanf as atan, cosf as cos, coshf as cosh,
        expf as exp, log2f as log2, log10f as log10, logf as log, powf as pow, sinf as sin, sinhf as sinh,
        tanf as tan, tanhf as tanh,
    };
}
