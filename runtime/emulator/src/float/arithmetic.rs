//! add, sub, mul, fma, div, rcp, sqrt: correctly rounded.

use tilt_backend_ptx::ast::ScalarType;

use super::format::{F32, F64, Format, Number, Rounding};
use super::{each_lane, exact, lanes_of};
use crate::compute::{Compute, binary, ternary};
use crate::form::Form;

/// What happens to operands and results beside the rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mode {
    pub(crate) rounding: Rounding,
    /// `.ftz`: subnormal operands and results become zero of their sign
    pub(crate) ftz: bool,
    /// `.sat`: results are clamped to 0…1, NaN becomes 0
    pub(crate) sat: bool,
    /// `.relu`: negative results become 0
    pub(crate) relu: bool,
}

impl Mode {
    pub(crate) fn of(form: &Form<'_>) -> Mode {
        form.ignore(&["noftz"]);
        Mode { rounding: form.rounding(), ftz: form.has("ftz"), sat: form.has("sat"), relu: form.has("relu") }
    }

    fn is_plain(self) -> bool {
        self == Mode { rounding: Rounding::Nearest, ftz: false, sat: false, relu: false }
    }

    /// The number in an operand.
    pub(crate) fn number(self, format: Format, bits: u64) -> Number {
        format.unpack(if self.ftz { format.flush(bits) } else { bits })
    }

    /// What the rounded result becomes.
    pub(crate) fn finish(self, format: Format, bits: u64) -> u64 {
        let bits = if self.ftz { format.flush(bits) } else { bits };
        if self.sat {
            saturate(format, bits)
        } else if self.relu {
            relu(format, bits)
        } else {
            bits
        }
    }
}

/// Clamped to 0…1; NaN becomes 0.
pub(crate) fn saturate(format: Format, bits: u64) -> u64 {
    let one = (format.bias() as u64) << format.fraction_bits;
    match format.unpack(bits) {
        Number::Nan => 0,
        number if number.is_negative() => 0,
        _ => bits.min(one),
    }
}

/// Negative numbers to 0.
pub(crate) fn relu(format: Format, bits: u64) -> u64 {
    match format.unpack(bits).is_negative() {
        true => 0,
        false => bits,
    }
}

fn f32_bits(value: f32) -> u64 {
    if value.is_nan() { F32.nan } else { u64::from(value.to_bits()) }
}

fn f64_bits(value: f64) -> u64 {
    if value.is_nan() { F64.nan } else { value.to_bits() }
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

type Two = fn(Number, Number, Format, Rounding) -> u64;

fn two(form: &Form<'_>, exact: Two, fast: [fn(u64, u64) -> u64; 2]) -> Option<Compute> {
    if form.type_count() != 1 {
        return None;
    }
    let (format, lanes) = lanes_of(form.ty(0)?)?;
    let mode = Mode::of(form);
    Some(match (lanes, format) {
        (1, F32) if mode.is_plain() => binary(fast[0]),
        (1, F64) if mode.is_plain() => binary(fast[1]),
        _ => each_lane(format, lanes, move |[a, b, _]| {
            let (a, b) = (mode.number(format, a), mode.number(format, b));
            mode.finish(format, exact(a, b, format, mode.rounding))
        }),
    })
}

pub(crate) fn add(form: &Form<'_>) -> Option<Compute> {
    let fast = [|a, b| f32_bits(single(a) + single(b)), |a, b| f64_bits(double(a) + double(b))];
    two(form, exact::add, fast)
}

pub(crate) fn sub(form: &Form<'_>) -> Option<Compute> {
    let fast = [|a, b| f32_bits(single(a) - single(b)), |a, b| f64_bits(double(a) - double(b))];
    two(form, |a, b, format, rounding| exact::add(a, b.negate(), format, rounding), fast)
}

pub(crate) fn mul(form: &Form<'_>) -> Option<Compute> {
    let fast = [|a, b| f32_bits(single(a) * single(b)), |a, b| f64_bits(double(a) * double(b))];
    two(form, exact::multiply, fast)
}

/// `fma`, and `mad` of floating-point types, which is the same.
pub(crate) fn fma(form: &Form<'_>) -> Option<Compute> {
    if form.type_count() != 1 {
        return None;
    }
    let (format, lanes) = lanes_of(form.ty(0)?)?;
    let mode = Mode::of(form);
    if form.has("oob") {
        return None;
    }
    Some(match (lanes, format) {
        (1, F32) if mode.is_plain() => ternary(|a, b, c| f32_bits(single(a).mul_add(single(b), single(c)))),
        (1, F64) if mode.is_plain() => ternary(|a, b, c| f64_bits(double(a).mul_add(double(b), double(c)))),
        _ => each_lane(format, lanes, move |x| {
            let [a, b, c] = x.map(|bits| mode.number(format, bits));
            mode.finish(format, exact::fma(a, b, c, format, mode.rounding))
        }),
    })
}

/// `div`; the approximations are the correctly rounded quotient.
pub(crate) fn div(form: &Form<'_>) -> Option<Compute> {
    form.ignore(&["approx", "full"]);
    if !matches!(form.ty(0)?, ScalarType::F32 | ScalarType::F64) {
        return None;
    }
    let fast = [|a, b| f32_bits(single(a) / single(b)), |a, b| f64_bits(double(a) / double(b))];
    two(form, exact::divide, fast)
}

/// `sqrt`; the approximation is the correctly rounded root.
pub(crate) fn sqrt(form: &Form<'_>) -> Option<Compute> {
    form.ignore(&["approx"]);
    one(form, exact::square_root)
}

/// `rcp` with a rounding, or `rcp.approx.f32`, which is the same here.
pub(crate) fn rcp(form: &Form<'_>) -> Option<Compute> {
    form.ignore(&["approx"]);
    let unit = Number::Finite { negative: false, mantissa: 1, exponent: 0 };
    one(form, move |a, format, rounding| exact::divide(unit, a, format, rounding))
}

fn one(
    form: &Form<'_>,
    exact: impl Fn(Number, Format, Rounding) -> u64 + Send + Sync + 'static,
) -> Option<Compute> {
    let (format, lanes) = lanes_of(form.ty(0)?)?;
    let mode = Mode::of(form);
    Some(each_lane(format, lanes, move |[a, _, _]| {
        mode.finish(format, exact(mode.number(format, a), format, mode.rounding))
    }))
}
