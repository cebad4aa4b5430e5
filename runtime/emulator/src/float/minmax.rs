//! min and max of floating-point numbers: `-0 < +0`, and a NaN loses against a number unless `.NaN` is given.

use super::arithmetic::relu;
use super::format::Format;
use super::{each_lane, lanes_of};
use crate::compute::Compute;
use crate::form::Form;

#[derive(Clone, Copy)]
struct Rule {
    format: Format,
    greater: bool,
    nan: bool,
    ftz: bool,
    xorsign: bool,
}

/// A key that orders all numbers as their values, negative zero below positive zero.
pub(crate) fn order(format: Format, bits: u64) -> i64 {
    let magnitude = (bits & (format.sign(true) - 1)) as i64;
    if bits & format.sign(true) != 0 { -magnitude - 1 } else { magnitude }
}

impl Rule {
    fn two(self, a: u64, b: u64) -> u64 {
        let format = self.format;
        let sign = format.sign(true);
        let [a, b] = [a, b].map(|bits| if self.ftz { format.flush(bits) } else { bits });
        let signs = (a ^ b) & sign;
        let [a, b] = [a, b].map(|bits| if self.xorsign { bits & !sign } else { bits });
        let chosen = match (format.is_nan(a), format.is_nan(b)) {
            (true, true) => return format.nan,
            (true, false) | (false, true) if self.nan => return format.nan,
            (true, false) => b,
            (false, true) => a,
            (false, false) => match (order(format, a) > order(format, b)) == self.greater {
                true => a,
                false => b,
            },
        };
        if self.xorsign { chosen & !sign | signs } else { chosen }
    }
}

/// `min` and `max` of two or three operands.
pub(crate) fn minmax(form: &Form<'_>, greater: bool) -> Option<Compute> {
    let (format, lanes) = lanes_of(form.ty(0)?)?;
    let xorsign = form.has("xorsign");
    if form.has("abs") != xorsign {
        return None;
    }
    let rule = Rule { format, greater, nan: form.has("NaN"), ftz: form.has("ftz"), xorsign };
    let clamp = form.has("relu");
    let three = form.sources() == 3;
    if three && xorsign {
        return None;
    }
    Some(each_lane(format, lanes, move |[a, b, c]| {
        let two = rule.two(a, b);
        let all = if three { rule.two(two, c) } else { two };
        if clamp { relu(format, all) } else { all }
    }))
}

/// min or max of two numbers where a NaN loses.
pub(crate) fn plain(format: Format, greater: bool, a: u64, b: u64) -> u64 {
    Rule { format, greater, nan: false, ftz: false, xorsign: false }.two(a, b)
}
