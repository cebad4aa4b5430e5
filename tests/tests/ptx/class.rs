//! What the order of blocks may change in a kernel's results.

use std::fmt;

use crate::run::Memory;

/// From the strictest to the loosest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Nothing: the same bits.
    Exact,
    /// How floats were rounded: atomics added them in another order.
    FloatOrder,
    /// Which place each result went to: slots were taken from a counter.
    SlotOrder,
    /// More than that.
    Unordered,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Exact => "exact",
            Class::FloatOrder => "order of float atomics",
            Class::SlotOrder => "slot order",
            Class::Unordered => "unordered",
        })
    }
}

impl Class {
    /// The strictest class in which all are the same.
    pub(crate) fn of(all: &[Memory]) -> Class {
        let classes = [Class::Exact, Class::FloatOrder, Class::SlotOrder];
        let fits = |class: &Class| all.iter().skip(1).all(|one| class.same(&all[0], one));
        classes.into_iter().find(fits).unwrap_or(Class::Unordered)
    }

    /// Whether two memories are the same as far as the class says.
    pub(crate) fn same(self, a: &Memory, b: &Memory) -> bool {
        a.arrays.len() == b.arrays.len()
            && a.counts == b.counts
            && a.printed == b.printed
            && a.arrays.iter().zip(&b.arrays).all(|((_, element, a), (_, _, b))| match self {
                Class::Exact => a == b,
                Class::FloatOrder => a == b || close(element, a, b),
                Class::SlotOrder => sorted(element, a) == sorted(element, b),
                Class::Unordered => true,
            })
    }
}

/// Floats that differ by a few roundings.
fn close(element: &str, a: &[u8], b: &[u8]) -> bool {
    let value = |bytes: &[u8]| match element {
        "f32" => bytes.try_into().ok().map(|bytes| (f64::from(f32::from_le_bytes(bytes)), 1e-5)),
        "f64" => bytes.try_into().ok().map(|bytes| (f64::from_le_bytes(bytes), 1e-13)),
        _ => None,
    };
    let size = if element == "f64" { 8 } else { 4 };
    a.chunks(size).zip(b.chunks(size)).all(|(a, b)| match (value(a), value(b)) {
        (Some((x, limit)), Some((y, _))) => (x - y).abs() <= limit * x.abs().max(y.abs()),
        _ => a == b,
    })
}

fn sorted<'b>(element: &str, bytes: &'b [u8]) -> Vec<&'b [u8]> {
    let bits: usize = element.trim_start_matches(|c: char| c.is_alphabetic()).parse().unwrap_or(8);
    let mut all: Vec<&[u8]> = bytes.chunks((bits / 8).max(1)).collect();
    all.sort_unstable();
    all
}
