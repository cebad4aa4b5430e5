//! Math functions.

use super::{Scalar, ill_typed, in_range};
use tilt_ir::{Const, Type, tir::MathFn};

/// `function(operands)`, of type `to`; φ if an operand is. The exactly rounded ones are those of IEEE 754, the others those of
/// crate `libm` in the operands' own type, which compiled code calls as well: the same bits everywhere.
///
/// ```
/// use tilt_interp::scalar::{OutOfRange, math};
/// use tilt_ir::{Const, Type, tir::MathFn};
/// let round = |x| math(MathFn::Round, Type::F64, &[Some(Const::f64(x))]);
/// assert_eq!(round(2.5), Ok(Some(Const::f64(3.0)))); // halves away from zero
/// assert_eq!(round(-2.5), Ok(Some(Const::f64(-3.0))));
/// assert_eq!(math(MathFn::Abs, Type::I8, &[Some(Const::Int(-128))]), Err(OutOfRange));
/// ```
pub fn math(function: MathFn, to: Type, operands: &[Option<Const>]) -> Scalar {
    let Some(operands) = operands.iter().copied().collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    match operands[..] {
        [Const::Int(a)] => integer(function, to, a),
        [Const::F32(a)] => Ok(Some(f32_unary(function, f32::from_bits(a)))),
        [Const::F64(a)] => Ok(Some(f64_unary(function, f64::from_bits(a)))),
        [Const::F32(a), Const::F32(b)] => {
            Ok(Some(Const::f32(f32_binary(function, f32::from_bits(a), f32::from_bits(b)))))
        }
        [Const::F64(a), Const::F64(b)] => {
            Ok(Some(Const::f64(f64_binary(function, f64::from_bits(a), f64::from_bits(b)))))
        }
        _ => ill_typed(function, &operands),
    }
}

/// Of integers and durations there are only two.
fn integer(function: MathFn, to: Type, a: i128) -> Scalar {
    match function {
        MathFn::Abs => in_range(a.checked_abs(), to),
        MathFn::Sign => in_range(Some(a.signum()), to),
        MathFn::Sqrt
        | MathFn::Floor
        | MathFn::Ceil
        | MathFn::Round
        | MathFn::Trunc
        | MathFn::Exp
        | MathFn::Ln
        | MathFn::Log2
        | MathFn::Log10
        | MathFn::Sin
        | MathFn::Cos
        | MathFn::Tan
        | MathFn::Asin
        | MathFn::Acos
        | MathFn::Atan
        | MathFn::Sinh
        | MathFn::Cosh
        | MathFn::Tanh
        | MathFn::Pow
        | MathFn::Atan2
        | MathFn::IsNan
        | MathFn::IsInf => ill_typed(function, &[Const::Int(a)]),
    }
}

/// The functions of one float type; `libm` names those of `f32` with an `f` at the end.
macro_rules! functions {
    ($ty:ident, $unary:ident, $binary:ident, $exp:ident, $ln:ident, $log2:ident, $log10:ident, $sin:ident, $cos:ident,
     $tan:ident, $asin:ident, $acos:ident, $atan:ident, $sinh:ident, $cosh:ident, $tanh:ident, $pow:ident, $atan2:ident) => {
        fn $unary(function: MathFn, a: $ty) -> Const {
            let result = match function {
                MathFn::Abs => a.abs(),
                MathFn::Sign if a.is_nan() || a == 0.0 => a,
                MathFn::Sign => a.signum(),
                MathFn::Sqrt => a.sqrt(),
                MathFn::Floor => a.floor(),
                MathFn::Ceil => a.ceil(),
                MathFn::Round => a.round(),
                MathFn::Trunc => a.trunc(),
                MathFn::Exp => libm::$exp(a),
                MathFn::Ln => libm::$ln(a),
                MathFn::Log2 => libm::$log2(a),
                MathFn::Log10 => libm::$log10(a),
                MathFn::Sin => libm::$sin(a),
                MathFn::Cos => libm::$cos(a),
                MathFn::Tan => libm::$tan(a),
                MathFn::Asin => libm::$asin(a),
                MathFn::Acos => libm::$acos(a),
                MathFn::Atan => libm::$atan(a),
                MathFn::Sinh => libm::$sinh(a),
                MathFn::Cosh => libm::$cosh(a),
                MathFn::Tanh => libm::$tanh(a),
                MathFn::IsNan => return Const::Bool(a.is_nan()),
                MathFn::IsInf => return Const::Bool(a.is_infinite()),
                MathFn::Pow | MathFn::Atan2 => ill_typed(function, &[Const::$ty(a)]),
            };
            Const::$ty(result)
        }

        fn $binary(function: MathFn, a: $ty, b: $ty) -> $ty {
            match function {
                MathFn::Pow => libm::$pow(a, b),
                MathFn::Atan2 => libm::$atan2(a, b),
                MathFn::Abs
                | MathFn::Sign
                | MathFn::Sqrt
                | MathFn::Floor
                | MathFn::Ceil
                | MathFn::Round
                | MathFn::Trunc
                | MathFn::Exp
                | MathFn::Ln
                | MathFn::Log2
                | MathFn::Log10
                | MathFn::Sin
                | MathFn::Cos
                | MathFn::Tan
                | MathFn::Asin
                | MathFn::Acos
                | MathFn::Atan
                | MathFn::Sinh
                | MathFn::Cosh
                | MathFn::Tanh
                | MathFn::IsNan
                | MathFn::IsInf => ill_typed(function, &[Const::$ty(a), Const::$ty(b)]),
            }
        }
    };
}

functions!(
    f32, f32_unary, f32_binary, expf, logf, log2f, log10f, sinf, cosf, tanf, asinf, acosf, atanf, sinhf,
    coshf, tanhf, powf, atan2f
);
functions!(
    f64, f64_unary, f64_binary, exp, log, log2, log10, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh,
    pow, atan2
);
