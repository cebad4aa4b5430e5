//! Constant expressions: numbers, and addresses plus numbers.

use tilt_backend_ptx::ast::{BinaryOp, Expr, ScalarType, UnaryOp};

use crate::compute::mask;
use crate::convert::packed::nearest;
use crate::float::format::{F32, F64, Number};
use crate::float::lanes_of;

/// The value of an expression without names, and whether arithmetic on it is unsigned.
pub(crate) fn integer(expr: &Expr) -> Option<(u64, bool)> {
    Some(match expr {
        Expr::Integer(one) => {
            let unsigned = one.unsigned || (!one.negative && one.magnitude >> 63 == 1);
            (one.value() as u64, unsigned)
        }
        Expr::Unary(op, of) => {
            let (value, unsigned) = integer(of)?;
            match op {
                UnaryOp::Plus => (value, unsigned),
                UnaryOp::Negate => (value.wrapping_neg(), unsigned),
                UnaryOp::Not => (u64::from(value == 0), false),
                UnaryOp::Complement => (!value, unsigned),
            }
        }
        Expr::Binary(op, a, b) => {
            let ((a, a_unsigned), (b, b_unsigned)) = (integer(a)?, integer(b)?);
            let unsigned = a_unsigned || b_unsigned;
            (binary(*op, a, b, unsigned)?, unsigned)
        }
        Expr::Select(condition, a, b) => match integer(condition)?.0 {
            0 => integer(b)?,
            _ => integer(a)?,
        },
        Expr::Cast(cast, of) => (integer(of)?.0, *cast == tilt_backend_ptx::ast::Cast::Unsigned),
        Expr::Mask(bits, of) => {
            let bits = bits.value() as u64;
            ((integer(of)?.0 & bits) >> bits.trailing_zeros().min(63), true)
        }
        Expr::Symbol(name) if name == "WARP_SZ" => (32, false),
        Expr::F32(_) | Expr::F64(_) | Expr::Decimal(_) | Expr::Symbol(_) | Expr::Generic(_) => return None,
    })
}

fn binary(op: BinaryOp, a: u64, b: u64, unsigned: bool) -> Option<u64> {
    let signed = |f: fn(i64, i64) -> bool, g: fn(u64, u64) -> bool| {
        u64::from(if unsigned { g(a, b) } else { f(a as i64, b as i64) })
    };
    Some(match op {
        BinaryOp::Or => u64::from(a != 0 || b != 0),
        BinaryOp::And => u64::from(a != 0 && b != 0),
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::Equal => u64::from(a == b),
        BinaryOp::NotEqual => u64::from(a != b),
        BinaryOp::Less => signed(|a, b| a < b, |a, b| a < b),
        BinaryOp::LessEqual => signed(|a, b| a <= b, |a, b| a <= b),
        BinaryOp::Greater => signed(|a, b| a > b, |a, b| a > b),
        BinaryOp::GreaterEqual => signed(|a, b| a >= b, |a, b| a >= b),
        BinaryOp::ShiftLeft => a.checked_shl(u32::try_from(b).ok()?).unwrap_or(0),
        BinaryOp::ShiftRight if unsigned => a.checked_shr(u32::try_from(b).ok()?).unwrap_or(0),
        BinaryOp::ShiftRight => ((a as i64) >> b.min(63)) as u64,
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide if unsigned => a.checked_div(b)?,
        BinaryOp::Divide => (a as i64).checked_div(b as i64)? as u64,
        BinaryOp::Remainder if unsigned => a.checked_rem(b)?,
        BinaryOp::Remainder => (a as i64).checked_rem(b as i64)? as u64,
    })
}

/// The word of a literal or expression without names where a value of type `ty` is wanted.
pub(crate) fn word(expr: &Expr, ty: ScalarType) -> Option<u64> {
    if let Some(number) = float(expr) {
        let bits = match (number, lanes_of(ty)) {
            (Literal::Single(bits), Some((F32, 1)) | None) => u64::from(bits),
            (Literal::Double(bits), Some((F64, 1)) | None) => bits,
            (number, Some((format, _))) => nearest(format, number.number()),
        };
        return Some(bits);
    }
    let (value, unsigned) = integer(expr)?;
    let number = |value: u64| {
        let negative = !unsigned && (value as i64) < 0;
        let magnitude = if negative { (value as i64).unsigned_abs() } else { value };
        Number::Finite { negative, mantissa: u128::from(magnitude), exponent: 0 }
    };
    Some(match ty {
        ScalarType::F32 => nearest(F32, number(value)),
        ScalarType::F64 => nearest(F64, number(value)),
        ScalarType::Pred => u64::from(value != 0),
        _ => value & mask(ty.bits().unwrap_or(64)),
    })
}

enum Literal {
    Single(u32),
    Double(u64),
}

impl Literal {
    fn number(&self) -> Number {
        match self {
            Literal::Single(bits) => F32.unpack(u64::from(*bits)),
            Literal::Double(bits) => F64.unpack(*bits),
        }
    }
}

fn float(expr: &Expr) -> Option<Literal> {
    Some(match expr {
        Expr::F32(bits) => Literal::Single(*bits),
        Expr::F64(bits) => Literal::Double(*bits),
        Expr::Decimal(text) if text.contains(['.', 'e', 'E']) => {
            Literal::Double(text.parse::<f64>().ok()?.to_bits())
        }
        Expr::Unary(UnaryOp::Plus, of) => float(of)?,
        Expr::Unary(UnaryOp::Negate, of) => match float(of)? {
            Literal::Single(bits) => Literal::Single(bits ^ 1 << 31),
            Literal::Double(bits) => Literal::Double(bits ^ 1 << 63),
        },
        _ => return None,
    })
}
