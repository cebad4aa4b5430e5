//! popc, clz, bfind, brev, bfe, bfi, bmsk, fns: counting, finding and moving bits.

use super::Int;
use crate::compute::{Compute, binary, mask, quaternary, ternary, unary};
use crate::form::Form;

pub(crate) fn popc(form: &Form<'_>) -> Option<Compute> {
    let low = mask(Int::of(form.ty(0)?)?.bits);
    Some(unary(move |a| u64::from((a & low).count_ones())))
}

pub(crate) fn clz(form: &Form<'_>) -> Option<Compute> {
    let bits = Int::of(form.ty(0)?)?.bits;
    Some(unary(move |a| u64::from((a & mask(bits)).leading_zeros() - (64 - bits))))
}

pub(crate) fn brev(form: &Form<'_>) -> Option<Compute> {
    let bits = Int::of(form.ty(0)?)?.bits;
    Some(unary(move |a| a.reverse_bits() >> (64 - bits)))
}

/// The place of the highest bit that differs from the sign; all ones where there is none.
pub(crate) fn bfind(form: &Form<'_>) -> Option<Compute> {
    let int = Int::of(form.ty(0)?)?;
    let shiftamt = form.has("shiftamt");
    Some(unary(move |a| {
        let value = int.value(a);
        let word = if value < 0 { !value } else { value } as u64;
        match word.checked_ilog2() {
            None => mask(32),
            Some(place) if shiftamt => u64::from(int.bits - 1 - place),
            Some(place) => u64::from(place),
        }
    }))
}

/// `bfe d, a, b, c`: c bits of a from place b on; bits beyond the word are copies of the sign.
pub(crate) fn bfe(form: &Form<'_>) -> Option<Compute> {
    let int = Int::of(form.ty(0)?)?;
    Some(ternary(move |a, b, c| {
        let (from, length) = (b as u32 & 0xff, c as u32 & 0xff);
        if length == 0 {
            return 0;
        }
        let a = a & mask(int.bits);
        let sign = match int.signed {
            true => a >> (from + length - 1).min(int.bits - 1) & 1,
            false => 0,
        };
        let taken = if from >= int.bits { 0 } else { a >> from };
        let valid = length.min(int.bits.saturating_sub(from));
        let low = mask(valid);
        let field = taken & low | if sign == 1 { !low } else { 0 };
        field & mask(int.bits)
    }))
}

/// `bfi f, a, b, c, d`: b with its d bits from place c on replaced by the lowest of a.
pub(crate) fn bfi(form: &Form<'_>) -> Option<Compute> {
    let bits = Int::of(form.ty(0)?)?.bits;
    Some(quaternary(move |a, b, c, d| {
        let (to, length) = (c as u32 & 0xff, d as u32 & 0xff);
        if to >= bits {
            return b & mask(bits);
        }
        let field = mask(length.min(bits)) << to;
        (b & !field | a << to & field) & mask(bits)
    }))
}

/// `bmsk d, a, b`: b ones from place a on.
pub(crate) fn bmsk(form: &Form<'_>) -> Option<Compute> {
    form.ty(0)?;
    let clamp = form.pick(&[("clamp", true), ("wrap", false)])?;
    Some(binary(move |a, b| {
        let limit = |word: u64| if clamp { (word as u32).min(32) } else { word as u32 & 31 };
        (mask(limit(b)) << limit(a)) & mask(32)
    }))
}

/// `fns d, mask, base, offset`: the place of the offset-th set bit counted from base; all ones where there is none.
pub(crate) fn fns(form: &Form<'_>) -> Option<Compute> {
    form.ty(0)?;
    Some(ternary(|bits, base, offset| {
        let (bits, base, offset) = (bits as u32, base as u32 & 31, offset as u32 as i32);
        let is_set = |at: &i32| bits >> at & 1 == 1;
        let base = base as i32;
        let found = match offset {
            0 => is_set(&base).then_some(base),
            1.. => (base..32).filter(is_set).nth(offset as usize - 1),
            _ => (0..=base).rev().filter(is_set).nth(offset.unsigned_abs() as usize - 1),
        };
        found.map_or(mask(32), |at| at as u64)
    }))
}
