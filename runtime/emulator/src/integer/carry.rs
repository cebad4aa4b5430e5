//! add.cc, addc, sub.cc, subc, mad.cc, madc: arithmetic on more bits than a register has.
//!
//! The carry flag comes in as the fourth source and goes out as the second result. After a subtraction it is the borrow.

use super::Int;
use crate::compute::{Compute, double, mask};
use crate::form::Form;

/// Whether the instruction takes the flag (`addc`), and not only gives it (`add.cc`).
pub(crate) fn add(form: &Form<'_>, takes: bool) -> Option<Compute> {
    let int = Int::of(form.ty(0)?)?;
    form.ignore(&["cc"]);
    Some(double(move |x| sum(int, x[0], x[1], if takes { x[3] } else { 0 })))
}

pub(crate) fn sub(form: &Form<'_>, takes: bool) -> Option<Compute> {
    let int = Int::of(form.ty(0)?)?;
    form.ignore(&["cc"]);
    Some(double(move |x| {
        let low = mask(int.bits);
        let taken = i128::from(x[0] & low) - i128::from(x[1] & low) - i128::from(takes && x[3] != 0);
        (taken as u64 & low, u64::from(taken < 0))
    }))
}

fn sum(int: Int, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let low = mask(int.bits);
    let all = u128::from(a & low) + u128::from(b & low) + u128::from(carry & 1);
    (all as u64 & low, (all >> int.bits) as u64)
}

pub(crate) fn mad(form: &Form<'_>, takes: bool) -> Option<Compute> {
    let int = Int::of(form.ty(0)?)?;
    form.ignore(&["cc"]);
    let high = form.pick(&[("lo", false), ("hi", true)])?;
    Some(double(move |x| {
        let low = mask(int.bits);
        let product = match (int.signed, high) {
            (true, true) => (int.value(x[0]) * int.value(x[1])) >> int.bits,
            (false, true) => ((u128::from(x[0] & low) * u128::from(x[1] & low)) >> int.bits) as i128,
            (_, false) => x[0].wrapping_mul(x[1]) as i128,
        };
        sum(int, product as u64, x[2], if takes { x[3] } else { 0 })
    }))
}
