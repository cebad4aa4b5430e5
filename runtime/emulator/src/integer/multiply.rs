//! mul, mad, mul24, mad24 with .lo, .hi and .wide.

use super::Int;
use crate::compute::{Compute, binary, mask, sign_extend, ternary};
use crate::form::Form;

/// Which part of the product is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Low,
    High,
    Wide,
}

fn part(form: &Form<'_>) -> Option<Part> {
    form.pick(&[("lo", Part::Low), ("hi", Part::High), ("wide", Part::Wide)])
}

/// The wanted part of a product, as a value before it is wrapped.
fn take(int: Int, part: Part, a: u64, b: u64) -> i128 {
    match int.bits {
        64 if !int.signed => {
            let product = u128::from(a) * u128::from(b);
            (if part == Part::High { product >> 64 } else { product }) as i128
        }
        _ => {
            let product = int.value(a) * int.value(b);
            if part == Part::High { product >> int.bits } else { product }
        }
    }
}

fn result(int: Int, part: Part) -> Int {
    match part {
        Part::Wide => Int { bits: int.bits * 2, ..int },
        Part::Low | Part::High => int,
    }
}

pub(crate) fn mul(form: &Form<'_>) -> Option<Compute> {
    let int = Int::of(form.ty(0)?)?;
    let part = part(form)?;
    let out = result(int, part);
    Some(match part {
        _ if out.bits > 64 => return None,
        Part::Low => {
            let low = mask(int.bits);
            binary(move |a, b| a.wrapping_mul(b) & low)
        }
        Part::Wide if int.signed => binary(move |a, b| {
            let product = sign_extend(a, int.bits) * sign_extend(b, int.bits);
            product as u64 & mask(out.bits)
        }),
        Part::Wide => binary(move |a, b| (a & mask(int.bits)) * (b & mask(int.bits))),
        Part::High => binary(move |a, b| out.wrap(take(int, part, a, b))),
    })
}

pub(crate) fn mad(form: &Form<'_>) -> Option<Compute> {
    let int = Int::of(form.ty(0)?)?;
    let part = part(form)?;
    let out = result(int, part);
    let sat = form.has("sat");
    Some(match part {
        _ if out.bits > 64 => return None,
        Part::Low | Part::Wide if sat => return None,
        Part::Low => {
            let low = mask(int.bits);
            ternary(move |a, b, c| a.wrapping_mul(b).wrapping_add(c) & low)
        }
        Part::Wide if int.signed => ternary(move |a, b, c| {
            let product = sign_extend(a, int.bits) * sign_extend(b, int.bits);
            (product as u64).wrapping_add(c) & mask(out.bits)
        }),
        Part::Wide => ternary(move |a, b, c| {
            ((a & mask(int.bits)) * (b & mask(int.bits))).wrapping_add(c) & mask(out.bits)
        }),
        Part::High => ternary(move |a, b, c| {
            let sum = take(int, part, a, b).wrapping_add(out.value(c));
            if sat { out.clamp(sum) } else { out.wrap(sum) }
        }),
    })
}

/// The product of the lowest 24 bits: its lower 32 bits, or the upper 32 of its 48.
fn take24(int: Int, part: Part, a: u64, b: u64) -> i128 {
    let narrow = Int { bits: 24, ..int };
    let product = narrow.value(a) * narrow.value(b);
    if part == Part::High { product >> 16 } else { product }
}

pub(crate) fn mul24(form: &Form<'_>) -> Option<Compute> {
    let int = Int::of(form.ty(0)?).filter(|int| int.bits == 32)?;
    let part = part(form).filter(|part| *part != Part::Wide)?;
    Some(binary(move |a, b| int.wrap(take24(int, part, a, b))))
}

pub(crate) fn mad24(form: &Form<'_>) -> Option<Compute> {
    let int = Int::of(form.ty(0)?).filter(|int| int.bits == 32)?;
    let part = part(form).filter(|part| *part != Part::Wide)?;
    let sat = form.has("sat");
    Some(ternary(move |a, b, c| {
        let product = int.wrap(take24(int, part, a, b));
        let sum = int.value(product) + int.value(c);
        if sat { int.clamp(sum) } else { int.wrap(sum) }
    }))
}
