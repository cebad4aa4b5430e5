//! and, or, xor, not, cnot, lop3, shl, shr, shf, prmt.

use tilt_backend_ptx::ast::ScalarType;

use super::Int;
use crate::compute::{Compute, binary, double, mask, quaternary, sign_extend, ternary, unary};
use crate::form::{Form, Table};

/// The width of a logical operand; predicates have one bit.
fn width(ty: ScalarType) -> Option<u32> {
    match ty {
        ScalarType::Pred => Some(1),
        _ => Int::of(ty).map(|int| int.bits),
    }
}

pub(crate) fn two(form: &Form<'_>, f: fn(u64, u64) -> u64) -> Option<Compute> {
    let low = mask(width(form.ty(0)?)?);
    Some(binary(move |a, b| f(a, b) & low))
}

pub(crate) fn not(form: &Form<'_>) -> Option<Compute> {
    let low = mask(width(form.ty(0)?)?);
    Some(unary(move |a| !a & low))
}

/// 1 where the operand is zero.
pub(crate) fn cnot(form: &Form<'_>) -> Option<Compute> {
    let low = mask(width(form.ty(0)?)?);
    Some(unary(move |a| u64::from(a & low == 0)))
}

/// `lop3.b32 d, a, b, c, table`; `lop3.or.b32 d|p, a, b, c, table, q` also tests whether d is not zero. The table is an immediate.
pub(crate) fn lop3(form: &Form<'_>, table: u64) -> Option<Compute> {
    let bits = width(form.ty(0)?)?;
    let or = form.has("or");
    if form.has("and") == or && or {
        return None;
    }
    Some(double(move |x| {
        let mut all = 0;
        for row in 0..8u64 {
            if table >> row & 1 == 1 {
                let pick = |word: u64, wanted: bool| if wanted { word } else { !word };
                all |= pick(x[0], row & 4 != 0) & pick(x[1], row & 2 != 0) & pick(x[2], row & 1 != 0);
            }
        }
        let all = all & mask(bits);
        let some = all != 0;
        (all, u64::from(if or { some || x[3] != 0 } else { some && x[3] != 0 }))
    }))
}

/// Shifts by more than the width give zero.
pub(crate) fn shl(form: &Form<'_>) -> Option<Compute> {
    let bits = Int::of(form.ty(0)?)?.bits;
    Some(binary(move |a, by| if by as u32 >= bits { 0 } else { a << (by as u32) & mask(bits) }))
}

/// Shifts by more than the width give zeros or copies of the sign.
pub(crate) fn shr(form: &Form<'_>) -> Option<Compute> {
    let int = Int::of(form.ty(0)?)?;
    let low = mask(int.bits);
    Some(match int.signed {
        true => binary(move |a, by| (sign_extend(a, int.bits) >> (by as u32).min(63)) as u64 & low),
        false => binary(move |a, by| if by as u32 >= int.bits { 0 } else { (a & low) >> (by as u32) }),
    })
}

/// `shf.l d, a, b, c`: the upper half of `b:a << c`; `shf.r`: the lower half of `b:a >> c`.
pub(crate) fn shf(form: &Form<'_>) -> Option<Compute> {
    form.ty(0).filter(|ty| *ty == ScalarType::B32)?;
    let left = form.pick(&[("l", true), ("r", false)])?;
    let clamp = form.pick(&[("clamp", true), ("wrap", false)])?;
    Some(ternary(move |a, b, c| {
        let by = if clamp { (c as u32).min(32) } else { c as u32 & 31 };
        let both = b << 32 | a & mask(32);
        let moved = if left { both << by >> 32 } else { both >> by };
        // the upper half of a shift by 32 is the lower word
        match (left, by) {
            (true, 32) => a & mask(32),
            _ => moved & mask(32),
        }
    }))
}

/// `prmt.b32 d, a, b, c`: bytes of `b:a` chosen by c.
pub(crate) fn prmt(form: &Form<'_>) -> Option<Compute> {
    form.ty(0).filter(|ty| *ty == ScalarType::B32)?;
    let modes: Table<fn(u32) -> [u32; 4], 6> = [
        ("f4e", |n| [n, n + 1, n + 2, n + 3]),
        ("b4e", |n| [n, n + 7, n + 6, n + 5]),
        ("rc8", |n| [n; 4]),
        ("ecl", |n| [n, n.max(1), n.max(2), 3]),
        ("ecr", |n| [0, n.min(1), n.min(2), n]),
        ("rc16", |n| [(n & 1) * 2, (n & 1) * 2 + 1, (n & 1) * 2, (n & 1) * 2 + 1]),
    ];
    let mode = form.pick(&modes);
    Some(quaternary(move |a, b, c, _| {
        let bytes = b << 32 | a & mask(32);
        let byte = |at: u32| bytes >> (8 * (at & 7)) & 0xff;
        let chosen: [u64; 4] = match mode {
            Some(mode) => mode(c as u32 & 3).map(byte),
            None => std::array::from_fn(|n| {
                let selector = (c >> (4 * n)) as u32 & 0xf;
                let value = byte(selector);
                match selector & 8 != 0 {
                    true => (value >> 7) * 0xff,
                    false => value,
                }
            }),
        };
        chosen.iter().rev().fold(0, |all, byte| all << 8 | byte)
    }))
}
