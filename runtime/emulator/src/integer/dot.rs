//! dp4a and dp2a: dot products of packed small integers.

use super::Int;
use crate::compute::{Compute, mask, ternary};
use crate::form::Form;

fn types(form: &Form<'_>) -> Option<(bool, bool)> {
    Some((Int::of(form.ty(0)?)?.signed, Int::of(form.ty(1)?)?.signed))
}

fn field(word: u64, at: u32, bits: u32, signed: bool) -> i128 {
    Int { bits, signed }.value(word >> (at * bits))
}

fn total(signed: bool, c: u64) -> i128 {
    Int { bits: 32, signed }.value(c)
}

/// Four products of bytes.
pub(crate) fn dp4a(form: &Form<'_>) -> Option<Compute> {
    let (a_signed, b_signed) = types(form)?;
    Some(ternary(move |a, b, c| {
        let products: i128 = (0..4).map(|n| field(a, n, 8, a_signed) * field(b, n, 8, b_signed)).sum();
        (total(a_signed || b_signed, c) + products) as u64 & mask(32)
    }))
}

/// Two products of halves of a with bytes of the lower or upper half of b.
pub(crate) fn dp2a(form: &Form<'_>) -> Option<Compute> {
    let (a_signed, b_signed) = types(form)?;
    let first = form.pick(&[("lo", 0), ("hi", 2)])?;
    Some(ternary(move |a, b, c| {
        let products: i128 =
            (0..2).map(|n| field(a, n, 16, a_signed) * field(b, n + first, 8, b_signed)).sum();
        (total(a_signed || b_signed, c) + products) as u64 & mask(32)
    }))
}
