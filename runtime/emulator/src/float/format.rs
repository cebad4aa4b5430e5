//! Binary floating-point formats, and numbers taken out of them and put back.
//!
//! Every format is a sign, an exponent field and a fraction. A finite number is `mantissa · 2^exponent`, exactly; arithmetic
//! works on those and [`Format::round`] makes bits of the result. Nothing here depends on the machine's own arithmetic.

/// Which of two neighbouring numbers an inexact result becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// `.rn`: the nearer one, of two equally near the even one
    Nearest,
    /// `.rna`: the nearer one, of two equally near the larger in magnitude
    NearestAway,
    /// `.rz`
    Zero,
    /// `.rm`
    Down,
    /// `.rp`
    Up,
}

/// What the largest exponent field means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Special {
    /// Infinities and NaNs, as in IEEE 754.
    Ieee,
    /// Numbers, except that all ones are NaN: e4m3.
    OnlyNan,
    /// Numbers.
    None,
}

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) exponent_bits: u32,
    pub(crate) fraction_bits: u32,
    pub(crate) special: Special,
    /// The bits that every NaN result has.
    pub(crate) nan: u64,
}

const fn format(exponent_bits: u32, fraction_bits: u32, special: Special, nan: u64) -> Format {
    Format { exponent_bits, fraction_bits, special, nan }
}

pub(crate) const F16: Format = format(5, 10, Special::Ieee, 0x7fff);
pub(crate) const BF16: Format = format(8, 7, Special::Ieee, 0x7fff);
pub(crate) const F32: Format = format(8, 23, Special::Ieee, 0x7fff_ffff);
pub(crate) const F64: Format = format(11, 52, Special::Ieee, 0xfff8_0000_0000_0000);
pub(crate) const E4M3: Format = format(4, 3, Special::OnlyNan, 0x7f);
pub(crate) const E5M2: Format = format(5, 2, Special::Ieee, 0x7f);
pub(crate) const E3M2: Format = format(3, 2, Special::None, 0);
pub(crate) const E2M3: Format = format(2, 3, Special::None, 0);
pub(crate) const E2M1: Format = format(2, 1, Special::None, 0);
/// f32 with ten bits of fraction; kept in 32 bits, the low 13 zero.
pub(crate) const TF32: Format = format(8, 10, Special::Ieee, 0x3ffff);

/// A number taken out of its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    Nan,
    Infinite {
        negative: bool,
    },
    /// `mantissa · 2^exponent`; the mantissa is zero for zero.
    Finite {
        negative: bool,
        mantissa: u128,
        exponent: i32,
    },
}

impl Number {
    pub(crate) fn is_negative(self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } | Number::Finite { negative, .. } => negative,
        }
    }

    pub(crate) fn negate(self) -> Number {
        match self {
            Number::Nan => Number::Nan,
            Number::Infinite { negative } => Number::Infinite { negative: !negative },
            Number::Finite { negative, mantissa, exponent } => {
                Number::Finite { negative: !negative, mantissa, exponent }
            }
        }
    }

    /// Zero of either sign.
    pub(crate) fn is_zero(self) -> bool {
        matches!(self, Number::Finite { mantissa: 0, .. })
    }
}

impl Format {
    pub(crate) const fn bits(self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }

    pub(crate) const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    const fn exponent_mask(self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    const fn fraction_mask(self) -> u64 {
        (1 << self.fraction_bits) - 1
    }

    pub(crate) const fn sign(self, negative: bool) -> u64 {
        (negative as u64) << (self.bits() - 1)
    }

    pub(crate) const fn infinity(self, negative: bool) -> u64 {
        self.sign(negative) | self.exponent_mask() << self.fraction_bits
    }

    /// The largest finite number.
    pub(crate) const fn largest(self, negative: bool) -> u64 {
        let top = match self.special {
            Special::Ieee => (self.exponent_mask() << self.fraction_bits) - 1,
            Special::OnlyNan => (self.exponent_mask() << self.fraction_bits | self.fraction_mask()) - 1,
            Special::None => self.exponent_mask() << self.fraction_bits | self.fraction_mask(),
        };
        self.sign(negative) | top
    }

    /// Whether the bits, sign aside, are a subnormal number or zero.
    pub(crate) const fn is_subnormal(self, bits: u64) -> bool {
        bits >> self.fraction_bits & self.exponent_mask() == 0
    }

    pub(crate) fn is_nan(self, bits: u64) -> bool {
        self.unpack(bits) == Number::Nan
    }

    /// Subnormals to zero of their sign.
    pub(crate) const fn flush(self, bits: u64) -> u64 {
        match self.is_subnormal(bits) {
            true => bits & self.sign(true),
            false => bits,
        }
    }

    /// The number that the bits stand for. Bits above the format are ignored.
    pub(crate) fn unpack(self, bits: u64) -> Number {
        let negative = bits >> (self.bits() - 1) & 1 == 1;
        let field = bits >> self.fraction_bits & self.exponent_mask();
        let fraction = bits & self.fraction_mask();
        let top = field == self.exponent_mask();
        match self.special {
            Special::Ieee if top && fraction == 0 => return Number::Infinite { negative },
            Special::Ieee if top => return Number::Nan,
            Special::OnlyNan if top && fraction == self.fraction_mask() => return Number::Nan,
            Special::Ieee | Special::OnlyNan | Special::None => {}
        }
        let mantissa = match field {
            0 => u128::from(fraction),
            _ => u128::from(fraction | 1 << self.fraction_bits),
        };
        let exponent = field.max(1) as i32 - self.bias() - self.fraction_bits as i32;
        Number::Finite { negative, mantissa, exponent }
    }

    /// The bits of an exact number.
    pub(crate) fn pack(self, number: Number, rounding: Rounding) -> u64 {
        match number {
            Number::Nan => self.nan,
            Number::Infinite { negative } => match self.special {
                Special::Ieee => self.infinity(negative),
                Special::OnlyNan => self.nan | self.sign(negative),
                Special::None => self.largest(negative),
            },
            Number::Finite { negative, mantissa, exponent } => {
                self.round(negative, mantissa, exponent, false, rounding)
            }
        }
    }

    /// The bits of `mantissa · 2^exponent`, plus something less than one unit of the mantissa where `sticky` is set.
    ///
    /// Where `sticky` is set the mantissa has at least two bits more than the format.
    pub(crate) fn round(
        self,
        negative: bool,
        mantissa: u128,
        exponent: i32,
        sticky: bool,
        rounding: Rounding,
    ) -> u64 {
        if mantissa == 0 && !sticky {
            return self.sign(negative);
        }
        let fraction = self.fraction_bits as i32;
        let lowest = 1 - self.bias();
        let top = exponent + 127 - mantissa.leading_zeros() as i32;
        let unit = top.max(lowest) - fraction;
        let shift = unit - exponent;
        let (mut kept, below, half) = match shift {
            ..=0 => (mantissa << -shift, 0, 1),
            1..=127 => (mantissa >> shift, mantissa & ((1 << shift) - 1), 1u128 << (shift - 1)),
            _ => (0, 1, 2),
        };
        let inexact = below != 0 || sticky;
        let up = match rounding {
            Rounding::Nearest => below > half || (below == half && (sticky || kept & 1 == 1)),
            Rounding::NearestAway => below >= half,
            Rounding::Zero => false,
            Rounding::Down => negative && inexact,
            Rounding::Up => !negative && inexact,
        };
        kept += u128::from(up);
        let mut field = unit + fraction + self.bias();
        if kept >> (fraction + 1) != 0 {
            kept >>= 1;
            field += 1;
        }
        if kept >> fraction == 0 {
            return self.sign(negative) | kept as u64;
        }
        let magnitude = match u64::try_from(field) {
            Ok(field) if field <= self.exponent_mask() => {
                field << self.fraction_bits | (kept as u64 & self.fraction_mask())
            }
            Ok(_) | Err(_) => u64::MAX,
        };
        match magnitude > self.largest(false) {
            true => self.overflow(negative, rounding),
            false => self.sign(negative) | magnitude,
        }
    }

    /// What a number beyond the largest becomes.
    fn overflow(self, negative: bool, rounding: Rounding) -> u64 {
        let stays = match rounding {
            Rounding::Nearest | Rounding::NearestAway => false,
            Rounding::Zero => true,
            Rounding::Down => !negative,
            Rounding::Up => negative,
        };
        match self.special {
            Special::None => self.largest(negative),
            Special::Ieee | Special::OnlyNan if stays => self.largest(negative),
            Special::Ieee => self.infinity(negative),
            Special::OnlyNan => self.nan | self.sign(negative),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_the_small_formats_survives() {
        for format in [F16, BF16, E4M3, E5M2, E3M2, E2M3, E2M1] {
            for bits in 0..1u64 << format.bits() {
                let number = format.unpack(bits);
                if number != Number::Nan {
                    assert_eq!(format.pack(number, Rounding::Nearest), bits, "{format:?}");
                }
            }
        }
    }

    #[test]
    fn halves_are_as_the_standard_says() {
        let bits = |value: f64, rounding| F16.pack(F64.unpack(value.to_bits()), rounding);
        assert_eq!(bits(1.0, Rounding::Nearest), 0x3c00);
        assert_eq!(bits(65504.0, Rounding::Nearest), 0x7bff);
        assert_eq!(bits(65519.9, Rounding::Nearest), 0x7bff);
        assert_eq!(bits(65520.0, Rounding::Nearest), 0x7c00);
        assert_eq!(bits(65520.0, Rounding::Zero), 0x7bff);
        assert_eq!(bits(-70000.0, Rounding::Up), 0xfbff);
        assert_eq!(bits(5.960464477539063e-8, Rounding::Nearest), 0x0001);
        assert_eq!(bits(2.9802322387695312e-8, Rounding::Nearest), 0x0000);
        assert_eq!(bits(2.9802322387695312e-8, Rounding::NearestAway), 0x0001);
        assert_eq!(bits(1e-300, Rounding::Up), 0x0001);
        assert_eq!(bits(1e-300, Rounding::Down), 0x0000);
        assert_eq!(bits(-1e-300, Rounding::Down), 0x8001);
    }
}
