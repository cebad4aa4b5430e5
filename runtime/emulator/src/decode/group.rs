//! Barriers and operations of a warp.

use tilt_backend_ptx::analysis::Placed;
use tilt_backend_ptx::ast::{Opcode, Operand, ScalarType};

use super::{Decoded, Decoder};
use crate::code::{Op, SINK, ZERO};
use crate::compute::{Compute, binary, mask};
use crate::float::lanes_of;
use crate::form::{Form, Table, Two};
use crate::integer::Int;
use crate::sync::{Barrier, BarrierKind, Shuffle, WarpKind, WarpOp};

impl<'d, 'a> Decoder<'d, 'a> {
    /// `bar.sync a{, b}`, `bar.arrive a, b`, `bar.red.popc.u32 d, a{, b}, {!}c`, `bar.warp.sync mask`.
    pub(crate) fn barrier(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        let operands: Vec<&Operand> = placed.instruction.operands.iter().map(|one| &one.node).collect();
        if form.has("warp") {
            form.has("sync");
            let mask = self.word(placed, operands.first()?)?;
            return Some(warp(WarpKind::Sync, WarpOp { mask, ..empty() }));
        }
        if form.has("cluster") {
            return None;
        }
        form.ignore(&["cta"]);
        let old_name = placed.instruction.opcode == Opcode::Bar;
        let aligned = form.has("aligned") || old_name;
        let kind = match form.pick(&[("sync", BarrierKind::Sync), ("arrive", BarrierKind::Arrive)]) {
            Some(kind) => kind,
            None if form.has("red") => {
                form.ty(0);
                form.pick(&[("popc", BarrierKind::Popc), ("and", BarrierKind::And), ("or", BarrierKind::Or)])?
            }
            None => return None,
        };
        let reduces = !matches!(kind, BarrierKind::Sync | BarrierKind::Arrive);
        let (to, rest) = match reduces {
            true => (self.destination(placed, operands.first()?)?, &operands[1..]),
            false => (SINK, &operands[..]),
        };
        let (predicate, rest) = match (reduces, rest.split_last()) {
            (true, Some((last, rest))) => (self.predicate(placed, last)?, rest),
            (true, None) => return None,
            (false, _) => ((ZERO, false), rest),
        };
        let number = self.word(placed, rest.first()?)?;
        let count = match rest.get(1) {
            Some(count) => Some(self.word(placed, count)?),
            None => None,
        };
        if kind == BarrierKind::Arrive && count.is_none() {
            return None;
        }
        Some(Op::Barrier(Box::new(Barrier { kind, aligned, number, count, predicate, to })))
    }

    pub(crate) fn warp(&mut self, placed: &'d Placed<'a>, form: &Form<'a>) -> Decoded {
        let operands: Vec<&Operand> = placed.instruction.operands.iter().map(|one| &one.node).collect();
        let (first, rest) = operands.split_first()?;
        let (to, second) = match first {
            Operand::Pair(a, b) => (self.destination(placed, a)?, self.destination(placed, b)?),
            one => (self.destination(placed, one)?, SINK),
        };
        let sync = form.has("sync");
        let base = WarpOp { to, second, sync, ..empty() };
        match placed.instruction.opcode {
            Opcode::ActiveMask => {
                form.ty(0);
                Some(warp(WarpKind::ActiveMask, base))
            }
            Opcode::Elect => {
                let mask = self.word(placed, rest.first()?)?;
                // `elect.sync d|p, mask`: the first result is the lane, the second the predicate
                Some(warp(WarpKind::Elect, WarpOp { mask, ..base }))
            }
            Opcode::Shfl => {
                form.ty(0).filter(|ty| *ty == ScalarType::B32)?;
                let kind = form.pick(&[
                    ("up", Shuffle::Up),
                    ("down", Shuffle::Down),
                    ("bfly", Shuffle::Butterfly),
                    ("idx", Shuffle::Index),
                ])?;
                let [a, b, c] = [0, 1, 2].map(|at| rest.get(at).and_then(|one| self.word(placed, one)));
                let mask = if sync { self.word(placed, rest.get(3)?)? } else { ZERO };
                Some(warp(WarpKind::Shuffle(kind), WarpOp { a: a?, b: b?, c: c?, mask, ..base }))
            }
            Opcode::Vote => {
                form.ty(0);
                let kind = if form.has("all") {
                    WarpKind::VoteAll
                } else if form.has("any") {
                    WarpKind::VoteAny
                } else if form.has("uni") {
                    WarpKind::VoteUniform
                } else if form.has("ballot") {
                    WarpKind::Ballot
                } else {
                    return None;
                };
                let (a, negated) = self.predicate(placed, rest.first()?)?;
                let mask = if sync { self.word(placed, rest.get(1)?)? } else { ZERO };
                Some(warp(kind, WarpOp { a, negated, mask, ..base }))
            }
            Opcode::Match => {
                let bits = form.ty(0)?.bits()?;
                let kind = match form.pick(&[("any", true), ("all", false)])? {
                    true => WarpKind::MatchAny { bits },
                    false => WarpKind::MatchAll { bits },
                };
                let a = self.source(placed, rest.first()?, form.ty(0)?)?;
                let mask = self.word(placed, rest.get(1)?)?;
                Some(warp(kind, WarpOp { a, mask, ..base }))
            }
            Opcode::Redux => {
                let reduce = reduction(form)?;
                let a = self.source(placed, rest.first()?, form.ty(0)?)?;
                let mask = self.word(placed, rest.get(1)?)?;
                Some(warp(WarpKind::Reduce(reduce), WarpOp { a, mask, ..base }))
            }
            _ => None,
        }
    }
}

fn empty() -> WarpOp {
    WarpOp {
        kind: WarpKind::Sync,
        sync: true,
        to: SINK,
        second: SINK,
        a: ZERO,
        negated: false,
        b: ZERO,
        c: ZERO,
        mask: ZERO,
    }
}

fn warp(kind: WarpKind, op: WarpOp) -> Op {
    Op::Warp(Box::new(WarpOp { kind, ..op }))
}

/// The operation of a `redux`.
fn reduction(form: &Form<'_>) -> Option<Compute> {
    let ty = form.ty(0)?;
    if let Some((format, 1)) = lanes_of(ty) {
        let greater = form.pick(&[("min", false), ("max", true)])?;
        let (nan, abs) = (form.has("NaN"), form.has("abs"));
        return Some(binary(move |a, b| {
            let sign = format.sign(true);
            let [a, b] = [a, b].map(|bits| if abs { bits & !sign } else { bits });
            match nan && (format.is_nan(a) || format.is_nan(b)) {
                true => format.nan,
                false => crate::float::minmax::plain(format, greater, a, b),
            }
        }));
    }
    let int = Int::of(ty)?;
    let low = mask(int.bits);
    let words: Table<Two, 4> =
        [("add", u64::wrapping_add), ("and", |a, b| a & b), ("or", |a, b| a | b), ("xor", |a, b| a ^ b)];
    if let Some(f) = form.pick(&words) {
        return Some(binary(move |a, b| f(a, b) & low));
    }
    let greater = form.pick(&[("min", false), ("max", true)])?;
    Some(binary(move |a, b| if (int.value(a) > int.value(b)) == greater { a } else { b } & low))
}
