//! ex2, lg2, sin, cos, tanh, rsqrt and the coarse reciprocals: where the ISA leaves the last bits open.
//!
//! They are computed in f64 with the functions of `libm` and rounded to nearest, so the same input gives the same bits on every
//! machine. A GPU gives others within the error that the ISA allows.

use super::arithmetic::Mode;
use super::format::{F64, Format, Number, Rounding};
use super::{each_lane, lanes_of};
use crate::compute::{Compute, unary};
use crate::form::Form;

/// The number as f64, exactly: no format here is wider.
fn value(format: Format, bits: u64) -> f64 {
    f64::from_bits(F64.pack(format.unpack(bits), Rounding::Nearest))
}

fn approximate(form: &Form<'_>, f: fn(f64) -> f64) -> Option<Compute> {
    if !form.has("approx") {
        return None;
    }
    let (format, lanes) = lanes_of(form.ty(0)?)?;
    let mode = Mode::of(form);
    Some(each_lane(format, lanes, move |[a, ..]| {
        let a = if mode.ftz { format.flush(a) } else { a };
        let result = F64.unpack(f(value(format, a)).to_bits());
        mode.finish(format, format.pack(result, Rounding::Nearest))
    }))
}

pub(crate) fn ex2(form: &Form<'_>) -> Option<Compute> {
    approximate(form, libm::exp2)
}

pub(crate) fn lg2(form: &Form<'_>) -> Option<Compute> {
    approximate(form, libm::log2)
}

pub(crate) fn sin(form: &Form<'_>) -> Option<Compute> {
    approximate(form, libm::sin)
}

pub(crate) fn cos(form: &Form<'_>) -> Option<Compute> {
    approximate(form, libm::cos)
}

pub(crate) fn tanh(form: &Form<'_>) -> Option<Compute> {
    approximate(form, libm::tanh)
}

/// `rsqrt`; `.approx.ftz.f64` looks at the upper half of its operand and gives the upper half of the result.
pub(crate) fn rsqrt(form: &Form<'_>) -> Option<Compute> {
    let inverse = |x: f64| 1.0 / x.sqrt();
    match (form.has("ftz"), lanes_of(form.ty(0)?)?) {
        (true, (F64, _)) if form.has("approx") => Some(unary(move |a| upper_half(a, inverse))),
        _ => approximate(form, inverse),
    }
}

/// `rcp.approx.ftz.f64`
pub(crate) fn rcp_f64(form: &Form<'_>) -> Option<Compute> {
    form.ignore(&["approx", "ftz", "f64"]);
    Some(unary(|a| upper_half(a, |x| 1.0 / x)))
}

fn upper_half(bits: u64, f: impl Fn(f64) -> f64) -> u64 {
    const UPPER: u64 = 0xffff_ffff_0000_0000;
    let bits = F64.flush(bits & UPPER);
    match F64.unpack(f(f64::from_bits(bits)).to_bits()) {
        Number::Nan => F64.nan,
        number => F64.flush(F64.pack(number, Rounding::Nearest) & UPPER),
    }
}
