//! Grouping `lanes64`: one vector loop over the rows of each window.
//!
//! Reductions of one body over the same rows share the loop: `mean` and `std` of a window read it once.

use std::collections::HashMap;

use tilt_ir::{
    Type,
    entity::Entity,
    loops::{Builder, Cmp, Value},
    tir::{self, Grouping, Op, Reduce},
};

use super::{
    folded::Folded,
    moments::moments_step,
    numbers::Val,
    plan::{Mode, Site},
    pointwise::{Frame, Rows},
    rows::Look,
    state::{Count, Kind, State},
};

/// A reduction whose window is being walked over.
struct Member<'a> {
    reduce: &'a Reduce,
    frame: Frame<'a>,
    kind: Kind,
    /// Whether a row of the window may be φ.
    nullable: bool,
}

impl Member<'_> {
    /// Whether the lanes count for themselves; otherwise the window's length says it all.
    fn counts(&self) -> bool {
        self.nullable || self.kind.needs_count()
    }
    /// How many values a lane carries.
    fn width(&self) -> usize {
        usize::from(self.counts()) + self.kind.parts().len()
    }
    /// The values that a lane in this state carries.
    fn carried(&self, b: &mut Builder<'_>, state: &State) -> Vec<Value> {
        match self.counts() {
            true => self.kind.flat(b, state),
            false => state.parts.clone(),
        }
    }
}

impl<'a> Rows<'_, 'a, '_> {
    /// A reduction inside a scalar loop; others over the same rows are put in `early`.
    pub(super) fn inside(
        &mut self,
        frame: &Frame<'a>,
        value: tir::Value,
        reduce: &'a Reduce,
        vals: &[Val],
        early: &mut HashMap<tir::Value, Val>,
    ) -> Val {
        let saved = self.memo.clone();
        let result = match reduce.grouping {
            Grouping::Blocks { rows, origin } => self.blocks(frame, value, reduce, rows, origin),
            Grouping::TimeBlocks { .. } => unreachable!("windows over events are operators of the runtime"),
            Grouping::Lanes64 | Grouping::Doubling { .. } => {
                let together = self.together(frame, value, reduce);
                let results = self.lanes(frame, &together, vals);
                let mut own = None;
                for ((other, _), val) in together.iter().zip(results) {
                    match *other == value {
                        true => own = Some(val),
                        false => drop(early.insert(*other, val)),
                    }
                }
                own.expect("a reduction is one of those computed with it")
            }
        };
        // values of the loop inside are not to be used after it
        self.memo = saved;
        result
    }

    /// The reductions of the body, from `value` on, that can share its loop.
    fn together(
        &self,
        frame: &Frame<'a>,
        value: tir::Value,
        reduce: &'a Reduce,
    ) -> Vec<(tir::Value, &'a Reduce)> {
        let alone = !reduce.captures.is_empty();
        let same = |other: &Reduce| {
            (other.grid(), other.window(), other.grouping)
                == (reduce.grid(), reduce.window(), reduce.grouping)
                && other.captures.is_empty()
                && !alone
        };
        let later = frame.body.insts.iter().filter_map(|(other, inst)| match &inst.op {
            Op::Reduce(r) if other > value && same(r) => Some((other, &**r)),
            _ => None,
        });
        std::iter::once((value, reduce)).chain(later).collect()
    }

    fn lanes(&mut self, frame: &Frame<'a>, together: &[(tir::Value, &'a Reduce)], vals: &[Val]) -> Vec<Val> {
        let (_, shared) = together[0];
        let here = self.here(frame);
        let lo = Look::new(shared.window().from, frame.site.grid, shared.grid()).emit(self.b, here);
        let lo = self.b.add_int(lo, 1);
        let hi = Look::new(shared.window().to, frame.site.grid, shared.grid()).emit(self.b, here);
        let hi = self.b.add_int(hi, 1);
        let count = shared.window().constant_count(frame.site.grid, shared.grid());
        let members: Vec<Member<'a>> =
            together.iter().map(|(value, reduce)| self.member(frame, *value, reduce, count, vals)).collect();
        let (from, to) = if self.edge { self.clipped(lo, hi, &members) } else { (lo, hi) };

        let mut init = Vec::new();
        for member in &members {
            let nothing = member.kind.nothing(self.b);
            init.extend(member.carried(self.b, &nothing));
        }
        let results = self.walk(&members, from, to, init);
        let mut results = &results[..];
        let mut finished = Vec::new();
        for member in &members {
            let (own, rest) = results.split_at(member.width());
            results = rest;
            let state = if member.counts() {
                member.kind.unflat(own)
            } else {
                State { count: self.window_count(member.kind, count, lo, hi), parts: own.to_vec() }
            };
            finished.push(member.kind.finish(self.b, &state, member.reduce.min_count));
        }
        finished
    }

    fn member(
        &mut self,
        frame: &Frame<'a>,
        value: tir::Value,
        reduce: &'a Reduce,
        count: Option<u64>,
        vals: &[Val],
    ) -> Member<'a> {
        let captures = reduce.captures.iter().map(|v| vals[v.index()]).collect();
        let site = Site { grid: reduce.grid(), offset: 0, mode: Mode::Scalar };
        // the row is filled in when the loop is open
        let row = Frame { at: (frame.at.0, Some(value)), body: &reduce.row, site, row: frame.row, captures };
        let ty = reduce.row.ty(reduce.row.results[0]);
        let nullable = self.facts.row_may_be_null(frame.at.0, value, self.edge);
        Member {
            reduce,
            kind: Kind::new(reduce.kind, ty)
                .with_rows(count)
                .with_presence(reduce.min_count)
                .with_positions(),
            frame: row,
            nullable,
        }
    }

    fn window_count(&mut self, kind: Kind, count: Option<u64>, lo: Value, hi: Value) -> Count {
        match count {
            Some(n) => Count::Static(n),
            None => {
                let rows = self.b.sub(hi, lo);
                let zero = self.b.int(0);
                let rows = self.b.max(rows, zero);
                Count::Dynamic(match kind.count {
                    Type::Bool => self.b.cmp(Cmp::Gt, rows, zero),
                    ty => self.b.cast(rows, ty),
                })
            }
        }
    }

    /// The `reduce` instruction itself.
    fn walk(&mut self, members: &[Member<'a>], lo: Value, hi: Value, init: Vec<Value>) -> Vec<Value> {
        // the builder is lent to the closures one at a time, so the rest of `self` is taken apart
        let (facts, buffers, blocks, edge) = (self.facts, self.buffers, self.blocks, self.edge);
        self.b.reduce(
            lo,
            hi,
            init,
            |b, row, step, state| {
                let mut rows = Rows { facts, b, buffers, blocks, edge, past: None, memo: HashMap::new() };
                let mut state = state;
                let mut next = Vec::new();
                for member in members {
                    let (own, rest) = state.split_at(member.width());
                    state = rest;
                    let frame = Frame { row, ..member.frame.clone() };
                    let val = rows.single(&frame);
                    next.extend(step_lane(rows.b, member, (row, step), own, val));
                }
                next
            },
            |b, x, y| {
                let (mut x, mut y) = (x, y);
                let mut next = Vec::new();
                for member in members {
                    let (own_x, rest_x) = x.split_at(member.width());
                    let (own_y, rest_y) = y.split_at(member.width());
                    (x, y) = (rest_x, rest_y);
                    let (own_x, own_y) = (lane(member, own_x), lane(member, own_y));
                    let sum = member.kind.combine(b, &own_x, &own_y);
                    next.extend(member.carried(b, &sum));
                }
                next
            },
        )
    }

    /// The rows outside which the member's rows are φ, if there are such: `first..end`.
    fn clip(&mut self, member: &Member<'a>) -> Option<(Value, Value)> {
        if !member.frame.captures.is_empty() {
            return None;
        }
        self.present(member.frame.body, member.frame.site.grid)
    }

    /// `lo..hi` without whole steps of rows that are φ for every member.
    fn clipped(&mut self, lo: Value, hi: Value, members: &[Member<'a>]) -> (Value, Value) {
        let clips: Option<Vec<_>> = members.iter().map(|member| self.clip(member)).collect();
        let all = clips.into_iter().flatten();
        let Some((first, end)) =
            all.reduce(|(f, e), (first, end)| (self.b.min(f, first), self.b.max(e, end)))
        else {
            return (lo, hi);
        };
        // the lanes are counted from the window's first row: skip multiples of 64
        let (zero, sixty_four) = (self.b.int(0), self.b.int(64));
        let skipped = self.b.sub(first, lo);
        let skipped = self.b.max(skipped, zero);
        let steps = self.b.floor_div(skipped, sixty_four);
        let skipped = self.b.mul(steps, sixty_four);
        (self.b.add(lo, skipped), self.b.min(hi, end))
    }
}

/// The state of a lane from the values that it carries.
fn lane(member: &Member<'_>, own: &[Value]) -> State {
    match member.counts() {
        true => member.kind.unflat(own),
        false => State { count: Count::Static(1), parts: own.to_vec() },
    }
}

/// A lane's next values.
fn step_lane(
    b: &mut Builder<'_>,
    member: &Member<'_>,
    (row, step): (Value, Value),
    own: &[Value],
    val: Val,
) -> Vec<Value> {
    let kind = member.kind;
    let state = lane(member, own);
    let val = if member.nullable { val } else { Val::sure(val.value) };
    if !member.nullable && matches!(kind.reducer, Folded::Var { .. } | Folded::Std { .. }) {
        // all lanes hold as many values as there were steps
        return moments_step(b, kind, step, &state, val.value);
    }
    let leaf = kind.leaf_at(b, val, row);
    let sum = kind.combine(b, &state, &leaf);
    member.carried(b, &sum)
}
