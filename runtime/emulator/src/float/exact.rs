//! Sums, products, quotients and roots, correctly rounded in any format and direction.

use super::format::{Format, Number, Rounding};

/// Where the leading bit of an operand of a sum is put: one carry still fits above it.
const TOP: u32 = 124;

/// `a + b`
pub(crate) fn add(a: Number, b: Number, format: Format, rounding: Rounding) -> u64 {
    use Number::{Finite, Infinite, Nan};
    let (a, b) = match (a, b) {
        (Nan, _) | (_, Nan) => return format.nan,
        (Infinite { negative: a }, Infinite { negative: b }) if a != b => return format.nan,
        (Infinite { negative }, _) | (_, Infinite { negative }) => return format.infinity(negative),
        (Finite { mantissa: 0, negative: a, .. }, Finite { mantissa: 0, negative: b, .. }) => {
            return format.sign(zero_sign(a, b, rounding));
        }
        (Finite { mantissa: 0, .. }, other) | (other, Finite { mantissa: 0, .. }) => {
            return format.pack(other, rounding);
        }
        (a @ Finite { .. }, b @ Finite { .. }) => (normal(a), normal(b)),
    };
    // the larger one first
    let (big, small) = match (a.exponent, a.mantissa) >= (b.exponent, b.mantissa) {
        true => (a, b),
        false => (b, a),
    };
    let distance = (big.exponent - small.exponent) as u32;
    let (shifted, sticky) = match distance {
        0..=127 => (small.mantissa >> distance, small.mantissa & ((1 << distance) - 1) != 0),
        _ => (0, true),
    };
    let mantissa = match big.negative == small.negative {
        true => big.mantissa + shifted,
        false => big.mantissa - shifted - u128::from(sticky),
    };
    if mantissa == 0 {
        return format.sign(rounding == Rounding::Down);
    }
    format.round(big.negative, mantissa, big.exponent, sticky, rounding)
}

/// The sign of a sum of zeros.
fn zero_sign(a: bool, b: bool, rounding: Rounding) -> bool {
    match a == b {
        true => a,
        false => rounding == Rounding::Down,
    }
}

struct Normal {
    negative: bool,
    mantissa: u128,
    exponent: i32,
}

/// The number with its leading bit at [`TOP`]; zero stays zero.
fn normal(number: Number) -> Normal {
    let Number::Finite { negative, mantissa, exponent } = number else {
        return Normal { negative: false, mantissa: 0, exponent: 0 };
    };
    let shift = (mantissa.leading_zeros() + TOP).saturating_sub(127);
    Normal { negative, mantissa: mantissa << shift, exponent: exponent - shift as i32 }
}

/// `a · b`, exactly; the mantissas have at most 64 bits.
pub(crate) fn product(a: Number, b: Number) -> Number {
    use Number::{Finite, Infinite, Nan};
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { .. }, other) | (other, Infinite { .. }) => match other.is_zero() {
            true => Nan,
            false => Infinite { negative },
        },
        (Finite { mantissa: a, exponent: p, .. }, Finite { mantissa: b, exponent: q, .. }) => {
            Finite { negative, mantissa: a * b, exponent: p + q }
        }
    }
}

/// `a · b`
pub(crate) fn multiply(a: Number, b: Number, format: Format, rounding: Rounding) -> u64 {
    format.pack(product(a, b), rounding)
}

/// `a · b + c` with one rounding.
pub(crate) fn fma(a: Number, b: Number, c: Number, format: Format, rounding: Rounding) -> u64 {
    add(product(a, b), c, format, rounding)
}

/// `a / b`
pub(crate) fn divide(a: Number, b: Number, format: Format, rounding: Rounding) -> u64 {
    use Number::{Finite, Infinite, Nan};
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) => format.nan,
        (Infinite { .. }, Finite { .. }) => format.infinity(negative),
        (Finite { .. }, Infinite { .. }) => format.sign(negative),
        (Finite { mantissa: 0, .. }, Finite { mantissa: 0, .. }) => format.nan,
        (Finite { .. }, Finite { mantissa: 0, .. }) => format.infinity(negative),
        (Finite { mantissa: a, exponent: p, .. }, Finite { mantissa: b, exponent: q, .. }) => {
            if a == 0 {
                return format.sign(negative);
            }
            let shift = a.leading_zeros() - 1;
            let wide = a << shift;
            let sticky = wide % b != 0;
            format.round(negative, wide / b, p - q - shift as i32, sticky, rounding)
        }
    }
}

/// `√a`
pub(crate) fn square_root(a: Number, format: Format, rounding: Rounding) -> u64 {
    match a {
        Number::Nan => format.nan,
        Number::Finite { mantissa: 0, negative, .. } => format.sign(negative),
        Number::Infinite { negative: true } | Number::Finite { negative: true, .. } => format.nan,
        Number::Infinite { negative: false } => format.infinity(false),
        Number::Finite { mantissa, exponent, .. } => {
            let mut shift = mantissa.leading_zeros() as i32 - 2;
            shift -= (exponent - shift) & 1;
            let wide = mantissa << shift;
            let root = wide.isqrt();
            format.round(false, root, (exponent - shift) / 2, root * root != wide, rounding)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::{F32, F64};
    use super::*;
    use proptest::prelude::*;

    fn same32(found: u64, wanted: f32) -> bool {
        match wanted.is_nan() {
            true => found == F32.nan,
            false => found == u64::from(wanted.to_bits()),
        }
    }

    fn same64(found: u64, wanted: f64) -> bool {
        match wanted.is_nan() {
            true => found == F64.nan,
            false => found == wanted.to_bits(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// The machine rounds to nearest; in that direction both must agree on all bits.
        #[test]
        fn nearest_agrees_with_the_machine(a: u32, b: u32, c: u32) {
            let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            let (a, b, c) = (F32.unpack(a.into()), F32.unpack(b.into()), F32.unpack(c.into()));
            let near = Rounding::Nearest;
            prop_assert!(same32(add(a, b, F32, near), x + y));
            prop_assert!(same32(multiply(a, b, F32, near), x * y));
            prop_assert!(same32(divide(a, b, F32, near), x / y));
            prop_assert!(same32(square_root(a, F32, near), x.sqrt()));
            prop_assert!(same32(fma(a, b, c, F32, near), x.mul_add(y, z)));
        }

        #[test]
        fn nearest_agrees_with_the_machine_in_f64(a: u64, b: u64, c: u64, closer in 0..1200u64) {
            // exponents close together, so that bits meet
            let c = c & !(0x7ffu64 << 52) | ((a >> 52 & 0x7ff).wrapping_add(b >> 52 & 0x7ff).wrapping_sub(1623).wrapping_add(closer) & 0x7ff) << 52;
            let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
            let (a, b, c) = (F64.unpack(a), F64.unpack(b), F64.unpack(c));
            let near = Rounding::Nearest;
            prop_assert!(same64(add(a, c, F64, near), x + z));
            prop_assert!(same64(multiply(a, b, F64, near), x * y));
            prop_assert!(same64(divide(a, b, F64, near), x / y));
            prop_assert!(same64(square_root(a, F64, near), x.sqrt()));
            prop_assert!(same64(fma(a, b, c, F64, near), x.mul_add(y, z)));
        }

        /// Down and up are neighbours around the nearest, zero is the one closer to zero, and down is minus up of minus.
        #[test]
        fn directions_enclose(a: u32, b: u32) {
            let (x, y) = (F32.unpack(a.into()), F32.unpack(b.into()));
            for op in [add, multiply, divide] {
                let down = op(x, y, F32, Rounding::Down);
                let up = op(x, y, F32, Rounding::Up);
                let near = op(x, y, F32, Rounding::Nearest);
                let zero = op(x, y, F32, Rounding::Zero);
                if F32.is_nan(near) {
                    prop_assert!(down == near && up == near && zero == near);
                    continue;
                }
                let value = |bits: u64| f32::from_bits(bits as u32);
                prop_assert!(value(down) <= value(near) && value(near) <= value(up));
                prop_assert!(near == down || near == up);
                let toward_zero = if value(near) > 0.0 || (value(near) == 0.0 && value(up) > 0.0) { down } else { up };
                if value(zero) != 0.0 {
                    prop_assert_eq!(zero, toward_zero);
                }
                if down != up && value(down) != 0.0 && value(up) != 0.0 {
                    prop_assert_eq!((down as u32).abs_diff(up as u32), 1);
                }
            }
        }
    }
}
