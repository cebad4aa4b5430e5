//! atom and red: what becomes of the word in memory.

use tilt_backend_ptx::ast::ScalarType;

use crate::code::{Address, Order, Slot};
use crate::compute::{Compute, mask, ternary};
use crate::float::format::Rounding;
use crate::float::{each_lane, exact, lanes_of, minmax};
use crate::form::{Form, Table, Two};
use crate::integer::Int;

/// An atomic operation.
pub(crate) struct Atomic {
    pub(crate) address: Address,
    /// Bytes of one element.
    pub(crate) width: u32,
    /// Whether two elements are compared as one: `cas.b128`.
    pub(crate) whole: bool,
    pub(crate) to: Box<[Slot]>,
    pub(crate) b: Box<[Slot]>,
    pub(crate) c: Box<[Slot]>,
    /// From the old word, b and c to the new word.
    pub(crate) compute: Compute,
    pub(crate) order: Order,
}

/// How the word changes, and how many operands that takes with the address.
pub(crate) struct Update {
    pub(crate) compute: Compute,
    pub(crate) operands: usize,
}

/// The operation of an `atom` or `red`.
pub(crate) fn update(form: &Form<'_>, ty: ScalarType) -> Option<Update> {
    let bits = ty.bits()?.min(64);
    let low = mask(bits);
    if form.has("cas") {
        let compute = ternary(move |old, b, c| if old == b & low { c & low } else { old });
        return Some(Update { compute, operands: 3 });
    }
    let two = |compute| Some(Update { compute, operands: 2 });
    if form.has("exch") {
        return two(ternary(move |_, b, _| b & low));
    }
    if let Some((format, lanes)) = lanes_of(ty) {
        if form.has("add") {
            return two(each_lane(format, lanes, move |[old, b, _]| {
                exact::add(format.unpack(old), format.unpack(b), format, Rounding::Nearest)
            }));
        }
        let greater = form.pick(&[("min", false), ("max", true)])?;
        return two(each_lane(format, lanes, move |[old, b, _]| minmax::plain(format, greater, old, b)));
    }
    let int = Int::of(ty)?;
    let logic: Table<Two, 4> =
        [("and", |a, b| a & b), ("or", |a, b| a | b), ("xor", |a, b| a ^ b), ("add", u64::wrapping_add)];
    if let Some(f) = form.pick(&logic) {
        return two(ternary(move |old, b, _| f(old, b) & low));
    }
    if let Some(greater) = form.pick(&[("min", false), ("max", true)]) {
        return two(ternary(move |old, b, _| {
            let first = (int.value(old) > int.value(b)) == greater;
            (if first { old } else { b }) & low
        }));
    }
    match form.pick(&[("inc", true), ("dec", false)])? {
        true => two(ternary(move |old, b, _| if old >= b & low { 0 } else { old + 1 })),
        false => two(ternary(move |old, b, _| if old == 0 || old > b & low { b & low } else { old - 1 })),
    }
}
