//! Conversions with two or four numbers in a register: f16x2, bf16x2 and the formats of eight bits and fewer.

use tilt_backend_ptx::ast::ScalarType;

use crate::compute::{Compute, binary, mask, ternary, unary};
use crate::float::arithmetic::relu;
use crate::float::format::{BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F16, F32, Format, Number, Rounding, Special};
use crate::form::Form;
use crate::integer::Int;

/// The format of each number of a packed type, and the bits between them.
fn pair_of(ty: ScalarType) -> Option<(Format, u32)> {
    Some(match ty {
        ScalarType::F16x2 => (F16, 16),
        ScalarType::Bf16x2 => (BF16, 16),
        ScalarType::E4m3x2 => (E4M3, 8),
        ScalarType::E5m2x2 => (E5M2, 8),
        ScalarType::E3m2x2 => (E3M2, 8),
        ScalarType::E2m3x2 => (E2M3, 8),
        ScalarType::E2m1x2 => (E2M1, 4),
        _ => return None,
    })
}

/// `cvt.rn.f16x2.f32 d, a, b` puts a into the upper half; `cvt.rn.f16x2.e4m3x2 d, a` converts both.
pub(crate) fn cvt(form: &Form<'_>, to: ScalarType, from: ScalarType) -> Option<Compute> {
    let (format, step) = pair_of(to)?;
    let rounding = form.rounding();
    let (clamp, finite) = (form.has("relu"), form.has("satfinite"));
    let narrow = move |number: Number| {
        let bits = format.pack(number, rounding);
        let bits = match number {
            _ if finite && format.special != Special::None => finite_only(format, bits, number),
            _ => bits,
        };
        if clamp { relu(format, bits) } else { bits }
    };
    if from == ScalarType::F32 && form.sources() == 2 {
        return Some(binary(move |a, b| narrow(F32.unpack(a)) << step | narrow(F32.unpack(b))));
    }
    let (source, distance) = pair_of(from)?;
    Some(unary(move |a| narrow(source.unpack(a >> distance)) << step | narrow(source.unpack(a))))
}

/// The largest number of that sign where the result is infinite, or NaN and the operand was not.
fn finite_only(format: Format, bits: u64, number: Number) -> u64 {
    let beyond = match format.unpack(bits) {
        Number::Infinite { .. } => true,
        Number::Nan => number != Number::Nan,
        Number::Finite { .. } => false,
    };
    if beyond { format.largest(number.is_negative()) } else { bits }
}

/// `cvt.pack.sat.u8.s32.b32 d, a, b, c`: a and b clamped, a above b, both below what is left of c.
pub(crate) fn pack(form: &Form<'_>) -> Option<Compute> {
    if !form.has("sat") {
        return None;
    }
    let (to, from) = (Int::of(form.ty(0)?)?, Int::of(form.ty(1)?)?);
    let three = form.sources() == 3;
    if three != (form.type_count() == 3) || to.bits > 16 {
        return None;
    }
    form.ty(2);
    Some(ternary(move |a, b, c| {
        let both = to.clamp(from.value(a)) << to.bits | to.clamp(from.value(b));
        let rest = if three { c << (2 * to.bits) } else { 0 };
        (both | rest) & mask(32)
    }))
}

/// The nearest number of the format, for accumulators.
pub(crate) fn nearest(format: Format, number: Number) -> u64 {
    format.pack(number, Rounding::Nearest)
}
