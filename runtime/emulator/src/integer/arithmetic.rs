//! add, sub, neg, abs, sad, div, rem, min, max.

use super::Int;
use crate::compute::{Compute, binary, mask, sign_extend, ternary};
use crate::form::Form;

/// `f` on the values of each number of a register; the result modulo the width, or clamped to it with `.sat`.
fn each(form: &Form<'_>, f: impl Fn(i128, i128) -> i128 + Send + Sync + 'static) -> Option<Compute> {
    let (int, lanes) = Int::lanes_of(form.ty(0)?)?;
    let sat = form.has("sat");
    let relu = form.has("relu");
    Some(binary(move |a, b| {
        let mut all = 0;
        for lane in 0..lanes {
            let shift = lane * int.bits;
            let value = f(int.value(a >> shift), int.value(b >> shift));
            let value = if relu { value.max(0) } else { value };
            let word = if sat { int.clamp(value) } else { int.wrap(value) };
            all |= word << shift;
        }
        all
    }))
}

pub(crate) fn add(form: &Form<'_>) -> Option<Compute> {
    match (Int::of(form.ty(0)?), form.has("sat")) {
        (Some(int), false) => {
            let low = mask(int.bits);
            Some(binary(move |a, b| a.wrapping_add(b) & low))
        }
        _ => each(form, |a, b| a + b),
    }
}

pub(crate) fn sub(form: &Form<'_>) -> Option<Compute> {
    match (Int::of(form.ty(0)?), form.has("sat")) {
        (Some(int), false) => {
            let low = mask(int.bits);
            Some(binary(move |a, b| a.wrapping_sub(b) & low))
        }
        _ => each(form, |a, b| a - b),
    }
}

pub(crate) fn neg(form: &Form<'_>) -> Option<Compute> {
    each(form, |a, _| -a)
}

pub(crate) fn abs(form: &Form<'_>) -> Option<Compute> {
    each(form, |a, _| a.abs())
}

/// Division by zero gives all ones, as GPUs do; the smallest number by -1 wraps.
pub(crate) fn div(form: &Form<'_>) -> Option<Compute> {
    each(form, |a, b| if b == 0 { -1 } else { a / b })
}

/// The remainder by zero is the dividend.
pub(crate) fn rem(form: &Form<'_>) -> Option<Compute> {
    each(form, |a, b| if b == 0 { a } else { a % b })
}

/// `min` and `max` of two or three operands.
pub(crate) fn minmax(form: &Form<'_>, greater: bool) -> Option<Compute> {
    let (int, lanes) = Int::lanes_of(form.ty(0)?)?;
    let choose = move |a: i128, b: i128| if greater { a.max(b) } else { a.min(b) };
    if form.sources() != 3 {
        return each(form, choose);
    }
    let relu = form.has("relu");
    (lanes == 1).then(|| {
        ternary(move |a, b, c| {
            let value = choose(choose(int.value(a), int.value(b)), int.value(c));
            int.wrap(if relu { value.max(0) } else { value })
        })
    })
}

/// `sad d, a, b, c`: `c + |a - b|`
pub(crate) fn sad(form: &Form<'_>) -> Option<Compute> {
    let int = Int::of(form.ty(0)?)?;
    Some(ternary(move |a, b, c| int.wrap(int.value(c) + (int.value(a) - int.value(b)).abs())))
}

/// `szext.mode.type d, a, b`: the lowest b bits of a, extended.
pub(crate) fn szext(form: &Form<'_>) -> Option<Compute> {
    let int = Int::of(form.ty(0)?)?;
    let clamp = form.has("clamp");
    if clamp == form.has("wrap") || int.bits != 32 {
        return None;
    }
    Some(binary(move |a, b| {
        let length = if clamp { (b as u32).min(32) } else { b as u32 & 31 };
        match int.signed {
            true => sign_extend(a, length) as u64 & mask(32),
            false => a & mask(length),
        }
    }))
}
