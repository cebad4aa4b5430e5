//! Comparisons of floating-point numbers.

use std::cmp::Ordering;

use super::format::{F32, F64, Format};
use super::minmax::order;
use crate::form::Form;

/// What must hold of two numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relation {
    less: bool,
    equal: bool,
    greater: bool,
    /// The answer where one of them is NaN.
    unordered: bool,
}

impl Relation {
    pub(crate) fn of(form: &Form<'_>) -> Option<Relation> {
        let relation = |less, equal, greater, unordered| Relation { less, equal, greater, unordered };
        form.pick(&[
            ("eq", relation(false, true, false, false)),
            ("ne", relation(true, false, true, false)),
            ("lt", relation(true, false, false, false)),
            ("le", relation(true, true, false, false)),
            ("gt", relation(false, false, true, false)),
            ("ge", relation(false, true, true, false)),
            ("equ", relation(false, true, false, true)),
            ("neu", relation(true, false, true, true)),
            ("ltu", relation(true, false, false, true)),
            ("leu", relation(true, true, false, true)),
            ("gtu", relation(false, false, true, true)),
            ("geu", relation(false, true, true, true)),
            ("num", relation(true, true, true, false)),
            ("nan", relation(false, false, false, true)),
        ])
    }

    pub(crate) fn holds(self, format: Format, ftz: bool, a: u64, b: u64) -> bool {
        let [a, b] = [a, b].map(|bits| if ftz { format.flush(bits) } else { bits });
        let ordering = match format {
            F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
            F64 => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
            _ if format.is_nan(a) || format.is_nan(b) => None,
            _ if format.unpack(a).is_zero() && format.unpack(b).is_zero() => Some(Ordering::Equal),
            _ => Some(order(format, a).cmp(&order(format, b))),
        };
        let Some(ordering) = ordering else { return self.unordered };
        match ordering {
            Ordering::Less => self.less,
            Ordering::Equal => self.equal,
            Ordering::Greater => self.greater,
        }
    }
}
