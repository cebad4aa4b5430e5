//! setp, set, selp, slct: comparisons of every type, and choices.

use std::cmp::Ordering;

use tilt_backend_ptx::ast::ScalarType;

use super::Int;
use crate::compute::{Compute, double, mask, sign_extend, ternary};
use crate::float::compare::Relation as FloatRelation;
use crate::float::format::F32;
use crate::float::lanes_of;
use crate::form::{Form, Table};

/// One comparison, on a register that holds one or two numbers.
type Test = Box<dyn Fn(u64, u64) -> bool + Send + Sync>;

/// Whether the type says if numbers are signed, and which orders satisfy the relation.
type Relation = (bool, fn(Ordering) -> bool);

/// What is compared, and how many numbers stand in a register.
fn test(form: &Form<'_>, ty: ScalarType) -> Option<(Test, u32, u32)> {
    if let Some((format, lanes)) = lanes_of(ty) {
        let relation = FloatRelation::of(form)?;
        let ftz = form.has("ftz");
        let low = mask(format.bits());
        let test = move |a: u64, b: u64| relation.holds(format, ftz, a & low, b & low);
        return Some((Box::new(test), lanes, format.bits()));
    }
    let (int, lanes) = Int::lanes_of(ty)?;
    use Ordering::{Equal, Greater, Less};
    let relations: Table<Relation, 10> = [
        ("eq", (true, |order| order == Equal)),
        ("ne", (true, |order| order != Equal)),
        ("lt", (true, |order| order == Less)),
        ("le", (true, |order| order != Greater)),
        ("gt", (true, |order| order == Greater)),
        ("ge", (true, |order| order != Less)),
        // as unsigned numbers whatever the type
        ("lo", (false, |order| order == Less)),
        ("ls", (false, |order| order != Greater)),
        ("hi", (false, |order| order == Greater)),
        ("hs", (false, |order| order != Less)),
    ];
    let (by_type, relation) = form.pick(&relations)?;
    let (bits, low) = (int.bits, mask(int.bits));
    let test: Test = match by_type && int.signed {
        true => Box::new(move |a, b| relation(sign_extend(a, bits).cmp(&sign_extend(b, bits)))),
        false => Box::new(move |a, b| relation((a & low).cmp(&(b & low)))),
    };
    Some((test, lanes, bits))
}

/// `.and`, `.or`, `.xor` with a predicate.
fn combine(form: &Form<'_>) -> Option<fn(bool, bool) -> bool> {
    form.pick::<fn(bool, bool) -> bool>(&[
        ("and", |a, b| a && b),
        ("or", |a, b| a || b),
        ("xor", |a, b| a != b),
    ])
}

/// `setp.eq.and.s32 p|q, a, b, c`: p is `(a = b) ∧ c`, q is `(a ≠ b) ∧ c`; of packed numbers p is of the first, q of the second.
pub(crate) fn setp(form: &Form<'_>) -> Option<Compute> {
    let ty = form.ty(0)?;
    let (test, lanes, width) = test(form, ty)?;
    let with = combine(form);
    if with.is_some() != (form.sources() == 3) {
        return None;
    }
    Some(double(move |x| {
        let c = x[2] != 0;
        let first = test(x[0], x[1]);
        let second = match lanes {
            1 => !first,
            _ => test(x[0] >> width, x[1] >> width),
        };
        let with = |one: bool| u64::from(with.map_or(one, |with| with(one, c)));
        (with(first), with(second))
    }))
}

/// `set.lt.u32.f32 d, a, b`: all ones, or 1.0 of a floating-point type, where it holds.
pub(crate) fn set(form: &Form<'_>) -> Option<Compute> {
    let (to, from) = (form.ty(0)?, form.ty(1)?);
    let (test, lanes, width) = test(form, from)?;
    let with = combine(form);
    if with.is_some() != (form.sources() == 3) {
        return None;
    }
    let (yes, out) = match (lanes_of(to), Int::lanes_of(to)) {
        (Some((F32, 1)), _) => (0x3f80_0000, 32),
        (Some((format, _)), _) => ((format.bias() as u64) << format.fraction_bits, format.bits()),
        (None, Some((int, 1))) if lanes == 2 => (mask(int.bits / 2), int.bits / 2),
        (None, Some((int, _))) => (mask(int.bits), int.bits),
        (None, None) => return None,
    };
    Some(ternary(move |a, b, c| {
        let mut all = 0;
        for lane in 0..lanes {
            let one = test(a >> (lane * width), b >> (lane * width));
            if with.map_or(one, |with| with(one, c != 0)) {
                all |= yes << (lane * out);
            }
        }
        all
    }))
}

/// `selp d, a, b, c`: a where the predicate c is true, else b.
pub(crate) fn selp(form: &Form<'_>) -> Option<Compute> {
    form.ty(0)?;
    Some(ternary(|a, b, c| if c != 0 { a } else { b }))
}

/// `slct d, a, b, c`: a where c is at least zero, else b; NaN is not.
pub(crate) fn slct(form: &Form<'_>) -> Option<Compute> {
    form.ty(0)?;
    let by = form.ty(1)?;
    let ftz = form.has("ftz");
    match by {
        ScalarType::S32 => Some(ternary(|a, b, c| if (c as u32 as i32) >= 0 { a } else { b })),
        ScalarType::F32 => Some(ternary(move |a, b, c| {
            let c = f32::from_bits(if ftz { F32.flush(c) } else { c } as u32);
            if c >= 0.0 { a } else { b }
        })),
        _ => None,
    }
}
