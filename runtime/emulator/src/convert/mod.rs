//! cvt: between integers and floating-point numbers of every width.
//!
//! A conversion goes through an exact number, so no pair of types needs code of its own. The small formats come packed in one
//! register; [`packed`] has those.

pub(crate) mod packed;

use tilt_backend_ptx::ast::ScalarType;

use crate::compute::{Compute, mask, unary};
use crate::float::arithmetic::{relu, saturate};
use crate::float::format::{BF16, F16, F32, F64, Format, Number, Rounding, TF32};
use crate::form::Form;
use crate::integer::Int;

/// A scalar as conversions see it.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Int(Int),
    Float(Format),
    /// Ten bits of fraction, kept in the upper bits of 32.
    Tf32,
}

fn kind(ty: ScalarType) -> Option<Kind> {
    Some(match ty {
        ScalarType::F16 => Kind::Float(F16),
        ScalarType::Bf16 => Kind::Float(BF16),
        ScalarType::F32 => Kind::Float(F32),
        ScalarType::F64 => Kind::Float(F64),
        ScalarType::Tf32 => Kind::Tf32,
        _ => Kind::Int(Int::of(ty)?),
    })
}

/// The rounding to an integer, where one is given: `.rni` and its kin.
fn integer_rounding(form: &Form<'_>) -> Option<Rounding> {
    form.pick(&[
        ("rni", Rounding::Nearest),
        ("rzi", Rounding::Zero),
        ("rmi", Rounding::Down),
        ("rpi", Rounding::Up),
    ])
}

/// A finite number to an integer; far too large ones to the largest that the result can hold.
pub(crate) fn to_integer(negative: bool, mantissa: u128, exponent: i32, rounding: Rounding) -> i128 {
    let magnitude = match exponent {
        0.. if mantissa == 0 => 0,
        0.. if exponent as u32 >= mantissa.leading_zeros().saturating_sub(2) => i128::MAX as u128 / 2,
        0.. => mantissa << exponent,
        _ => {
            let shift = exponent.unsigned_abs();
            let (kept, below, half) = match shift {
                0..=126 => (mantissa >> shift, mantissa & ((1 << shift) - 1), 1u128 << (shift - 1)),
                _ => (0, u128::from(mantissa != 0), 2),
            };
            let up = match rounding {
                Rounding::Nearest => below > half || (below == half && kept & 1 == 1),
                Rounding::NearestAway => below >= half,
                Rounding::Zero => false,
                Rounding::Down => negative && below != 0,
                Rounding::Up => !negative && below != 0,
            };
            kept + u128::from(up)
        }
    };
    if negative { -(magnitude as i128) } else { magnitude as i128 }
}

/// `cvt`, and with two sources `cvt.rn.f16x2.f32`. `width` is that of the destination register: signed results are extended to it.
pub(crate) fn cvt(form: &Form<'_>, width: u32) -> Option<Compute> {
    if form.has("pack") {
        return packed::pack(form);
    }
    let (to, from) = (form.ty(0)?, form.ty(1)?);
    if form.type_count() != 2 {
        return None;
    }
    if let Some(found) = packed::cvt(form, to, from) {
        return Some(found);
    }
    let source = kind(from)?;
    Some(match (kind(to)?, source) {
        (Kind::Int(to), Kind::Int(from)) => {
            let sat = form.has("sat");
            unary(move |a| {
                let value = from.value(a);
                extend(to, if sat { to.clamp(value) } else { to.wrap(value) }, width)
            })
        }
        (Kind::Float(to), Kind::Int(from)) => {
            let (rounding, sat) = (form.rounding(), form.has("sat"));
            unary(move |a| {
                let value = from.value(a);
                let bits = to.round(value < 0, value.unsigned_abs(), 0, false, rounding);
                if sat { saturate(to, bits) } else { bits }
            })
        }
        (Kind::Int(to), Kind::Float(from)) => {
            let rounding = integer_rounding(form)?;
            let ftz = form.has("ftz");
            form.ignore(&["sat"]);
            let wide = from == F64 || to.bits == 64;
            unary(move |a| {
                let a = if ftz { from.flush(a) } else { a };
                let word = match from.unpack(a) {
                    Number::Nan if wide => 1 << (to.bits - 1),
                    Number::Nan => 0,
                    Number::Infinite { negative: true } => to.wrap(to.smallest()),
                    Number::Infinite { negative: false } => to.wrap(to.largest()),
                    Number::Finite { negative, mantissa, exponent } => {
                        to.clamp(to_integer(negative, mantissa, exponent, rounding))
                    }
                };
                extend(to, word, width)
            })
        }
        (Kind::Float(to), Kind::Float(from)) => float_to_float(form, to, from)?,
        (Kind::Tf32, Kind::Float(F32)) => tf32(form),
        (Kind::Tf32, _) | (_, Kind::Tf32) => return None,
    })
}

/// A signed result fills the register.
pub(crate) fn extend(int: Int, word: u64, width: u32) -> u64 {
    match int.signed && width > int.bits {
        true => int.value(word) as u64 & mask(width),
        false => word,
    }
}

fn float_to_float(form: &Form<'_>, to: Format, from: Format) -> Option<Compute> {
    let to_integral = integer_rounding(form);
    let rounding = form.rounding();
    let (ftz, sat, clamp) = (form.has("ftz"), form.has("sat"), form.has("relu"));
    let finite = form.has("satfinite");
    Some(unary(move |a| {
        let a = if ftz { from.flush(a) } else { a };
        let mut number = from.unpack(a);
        if let (Some(rounding), Number::Finite { negative, mantissa, exponent: exponent @ ..0 }) =
            (to_integral, number)
        {
            let whole = to_integer(negative, mantissa, exponent, rounding);
            number = Number::Finite { negative, mantissa: whole.unsigned_abs(), exponent: 0 };
        }
        let bits = to.pack(number, rounding);
        let bits = if ftz { to.flush(bits) } else { bits };
        let infinite = matches!(to.unpack(bits), Number::Infinite { .. });
        let bits = if finite && infinite { to.largest(number.is_negative()) } else { bits };
        match (sat, clamp) {
            (true, _) => saturate(to, bits),
            (false, true) => relu(to, bits),
            (false, false) => bits,
        }
    }))
}

/// To the upper 19 bits of an f32.
fn tf32(form: &Form<'_>) -> Compute {
    let (rounding, clamp) = (form.rounding(), form.has("relu"));
    let finite = form.has("satfinite");
    unary(move |a| {
        let number = F32.unpack(a);
        let bits = TF32.pack(number, rounding);
        let infinite = matches!(TF32.unpack(bits), Number::Infinite { .. });
        let bits = if finite && infinite { TF32.largest(number.is_negative()) } else { bits };
        let bits = if clamp { relu(TF32, bits) } else { bits };
        match number {
            Number::Nan => F32.nan,
            Number::Infinite { .. } | Number::Finite { .. } => bits << 13,
        }
    })
}
