//! neg, abs, copysign, testp: the sign bit and what kind of number it is.

use super::format::Number;
use super::{each_lane, lanes_of};
use crate::compute::{Compute, binary, unary};
use crate::form::{Form, Table};

pub(crate) fn neg(form: &Form<'_>) -> Option<Compute> {
    let (format, lanes) = lanes_of(form.ty(0)?)?;
    let ftz = form.has("ftz");
    let sign = format.sign(true);
    Some(each_lane(format, lanes, move |[a, ..]| if ftz { format.flush(a) ^ sign } else { a ^ sign }))
}

pub(crate) fn abs(form: &Form<'_>) -> Option<Compute> {
    let (format, lanes) = lanes_of(form.ty(0)?)?;
    let ftz = form.has("ftz");
    let sign = format.sign(true);
    Some(each_lane(format, lanes, move |[a, ..]| if ftz { format.flush(a) & !sign } else { a & !sign }))
}

/// `copysign d, a, b`: the sign of a, the rest of b.
pub(crate) fn copysign(form: &Form<'_>) -> Option<Compute> {
    let (format, lanes) = lanes_of(form.ty(0)?)?;
    if lanes != 1 {
        return None;
    }
    let sign = format.sign(true);
    Some(binary(move |a, b| (a & sign) | (b & (sign - 1))))
}

pub(crate) fn testp(form: &Form<'_>) -> Option<Compute> {
    let (format, _) = lanes_of(form.ty(0)?)?;
    let table: Table<fn(Number, bool) -> bool, 6> = [
        ("finite", |x, _| matches!(x, Number::Finite { .. })),
        ("infinite", |x, _| matches!(x, Number::Infinite { .. })),
        ("number", |x, _| x != Number::Nan),
        ("notanumber", |x, _| x == Number::Nan),
        ("normal", |x, small| matches!(x, Number::Finite { .. }) && !small),
        ("subnormal", |x, small| small && !x.is_zero()),
    ];
    let test = form.pick(&table)?;
    Some(unary(move |a| u64::from(test(format.unpack(a), format.is_subnormal(a)))))
}
