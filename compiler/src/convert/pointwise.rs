//! What happens in one row: a body becomes values with validity.

use std::{collections::HashMap, rc::Rc};

use tilt_ir::{
    Loc,
    entity::Entity,
    loops::{Addr, Buffer, Builder, Cmp, Scratch, Stream, Value},
    tir::{self, Body, Def, Index, Input, Inst, Op, Query, Reduce, Source},
};

use super::{
    numbers::{self, Val},
    past::Past,
    plan::{Facts, Mode, Site, StageKey, Way},
    rows::{self, Look},
};

/// Where the result of a stage lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buf {
    pub(super) scratch: Scratch,
    /// Whether some row may be φ.
    pub(super) nullable: bool,
    /// Whether some row away from the edges of the data may be.
    pub(super) steady: bool,
}

/// Which body: of a definition, or (with a value) of the rows of one of its reductions.
pub(super) type At = (Def, Option<tir::Value>);

/// A body to compute in the rows of a loop.
#[derive(Clone)]
pub(super) struct Frame<'a> {
    pub(super) at: At,
    pub(super) body: &'a Body,
    pub(super) site: Site,
    /// The row that `site.offset` is added to: the loop's, or one computed from it.
    pub(super) row: Value,
    /// What `param`s are.
    pub(super) captures: Vec<Val>,
}

/// Writes the rows of one loop.
pub(super) struct Rows<'w, 'a, 'b> {
    pub(super) facts: &'w Facts<'a>,
    pub(super) b: &'w mut Builder<'b>,
    pub(super) buffers: &'w HashMap<(StageKey, u32), Buf>,
    /// Prefixes and suffixes of blocks, by reduction.
    pub(super) blocks: &'w HashMap<(Def, tir::Value), super::blocks::Arrays>,
    /// Whether rows of inputs may not exist here.
    pub(super) edge: bool,
    /// In the loop of a recursion: its own past.
    pub(super) past: Option<&'w Past>,
    pub(super) memo: HashMap<(At, i64, Value), Rc<Vec<Val>>>,
}

impl<'a> Rows<'_, 'a, '_> {
    fn query(&self) -> &'a Query {
        self.facts.query
    }

    /// The frame of a definition's own body at a site on its grid, seen from `row`.
    pub(super) fn def_frame(&self, def: Def, site: Site, row: Value) -> Frame<'a> {
        Frame { at: (def, None), body: &self.query().defs[def].body, site, row, captures: vec![] }
    }

    /// All values of a body.
    pub(super) fn body(&mut self, frame: &Frame<'a>) -> Rc<Vec<Val>> {
        let key = (frame.at, frame.site.offset, frame.row);
        if frame.captures.is_empty()
            && let Some(vals) = self.memo.get(&key)
        {
            return vals.clone();
        }
        let outer = self.b.loc();
        let mut vals: Vec<Val> = Vec::new();
        let mut early: HashMap<tir::Value, Val> = HashMap::new();
        for (value, inst) in frame.body.insts.iter() {
            self.b.set_loc(if inst.loc == Loc::NONE { outer } else { inst.loc });
            let val = match early.remove(&value) {
                Some(val) => val,
                None => match &inst.op {
                    Op::Reduce(reduce) => self.reduce(frame, value, reduce, &vals, &mut early),
                    _ => self.inst(frame, inst, &vals),
                },
            };
            vals.push(val);
        }
        self.b.set_loc(outer);
        let vals = Rc::new(vals);
        if frame.captures.is_empty() {
            self.memo.insert(key, vals.clone());
        }
        vals
    }

    /// The only result of a row body.
    pub(super) fn single(&mut self, frame: &Frame<'a>) -> Val {
        let vals = self.body(frame);
        vals[frame.body.results[0].index()]
    }

    fn inst(&mut self, frame: &Frame<'a>, inst: &Inst, vals: &[Val]) -> Val {
        let of = |v: &tir::Value| vals[v.index()];
        let ty_of = |v: &tir::Value| frame.body.ty(*v);
        let b = &mut *self.b;
        match &inst.op {
            Op::Const(c) => Val::sure(numbers::constant(b, inst.ty, *c)),
            Op::Null => Val { value: b.zero(super::machine(inst.ty)), valid: Some(b.bool(false)) },
            Op::Time(index) => self.time(frame, *index),
            Op::Param(k) => frame.captures[*k as usize],
            Op::At { source: Source::Input(input), field, when } => {
                self.input(frame, *input, *field, when.time())
            }
            Op::At { source: Source::Def(def), field, when } => {
                self.look_up(frame, *def, *field, when.time())
            }
            Op::Key(_) => unreachable!("keys are columns here"),
            Op::Unary(op, a) => numbers::unary(b, *op, of(a), ty_of(a), inst.ty),
            Op::Binary(op, x, y) => numbers::binary(b, *op, of(x), of(y), super::machine(ty_of(x))),
            Op::Compare(op, x, y) => numbers::compare(b, *op, of(x), of(y), ty_of(x)),
            Op::Math(f, xs) => numbers::math(b, *f, &xs.iter().map(of).collect::<Vec<_>>(), ty_of(&xs[0])),
            Op::Select { cond, then, otherwise } => numbers::choose(b, of(cond), of(then), of(otherwise)),
            Op::Coalesce(x, y) => numbers::coalesce(b, of(x), of(y)),
            Op::IsNull(x) => numbers::is_null(b, of(x)),
            Op::Reduce(_) => unreachable!("reductions are computed by `reduce`"),
        }
    }

    /// The row of the frame's grid at which the body is computed.
    pub(super) fn here(&mut self, frame: &Frame<'_>) -> Value {
        self.b.add_int(frame.row, frame.site.offset)
    }

    fn time(&mut self, frame: &Frame<'_>, index: Index) -> Val {
        let row = self.here(frame);
        let (first, last) = rows::rows_in_time(index, frame.site.grid);
        let (first, last) = (self.b.int(first), self.b.int(last));
        let (early, late) = (self.b.cmp(Cmp::Lt, row, first), self.b.cmp(Cmp::Gt, row, last));
        let outside = self.b.or(early, late);
        self.b.flag(outside);
        let now = rows::stamp(self.b, row, frame.site.grid);
        Val::sure(rows::time_at(self.b, index, now))
    }

    fn input(&mut self, frame: &Frame<'_>, input: Input, field: u32, index: Index) -> Val {
        let stream = Stream::new(input.index());
        let buffer = Buffer::Input(stream, field);
        let map = Look::new(index, frame.site.grid, self.query().inputs[input].grid());
        let here = self.here(frame);
        if let Some(past) = self.past.filter(|past| past.input == input) {
            return past.look(self.b, field, map, here);
        }
        let row = map.emit(self.b, here);
        let exists = self.edge.then(|| {
            let (first, end) = (self.b.first(stream), self.b.end(stream));
            let (from, to) = (self.b.cmp(Cmp::Ge, row, first), self.b.cmp(Cmp::Lt, row, end));
            self.b.and(from, to)
        });
        let value = self.b.load(buffer, Addr::At(row), exists);
        let valid = match self.b.is_nullable(buffer) {
            true => Some(self.b.load_valid(buffer, Addr::At(row), exists)),
            false => exists,
        };
        Val { value, valid }
    }

    /// A field of a definition: computed in the same loop, or a row of the result of its own.
    pub(super) fn look_up(&mut self, frame: &Frame<'a>, def: Def, field: u32, index: Index) -> Val {
        let site = frame.site;
        let Some(shift) = self.facts.fused(site, def, index) else {
            let map = Look::new(index, site.grid, self.query().defs[def].grid());
            return self.stage_row(frame, StageKey::Def(def), field, map);
        };
        let of = self.def_frame(def, site.moved(self.query().defs[def].grid(), shift), frame.row);
        let vals = self.body(&of);
        let val = vals[of.body.results[field as usize].index()];
        self.delayed(val, site.mode, shift)
    }

    /// In a vector loop, what lies behind was computed some rows ago.
    pub(super) fn delayed(&mut self, val: Val, mode: Mode, shift: i64) -> Val {
        match mode {
            Mode::Vector if shift < 0 => {
                let by = u32::try_from(-shift).expect("fused shifts are short");
                Val { value: self.b.splice(val.value, by), valid: val.valid.map(|v| self.b.splice(v, by)) }
            }
            Mode::Vector | Mode::Scalar => val,
        }
    }

    /// A row of the result of an earlier stage.
    pub(super) fn stage_row(&mut self, frame: &Frame<'_>, key: StageKey, field: u32, map: Look) -> Val {
        let Buf { scratch, nullable, steady } = self.buffers[&(key, field)];
        let nullable = if self.past.is_some_and(|past| past.sure) { steady } else { nullable };
        let here = self.here(frame);
        let row = map.emit(self.b, here);
        let buffer = Buffer::Scratch(scratch);
        let value = self.b.load(buffer, Addr::At(row), None);
        let valid = nullable.then(|| self.b.load_valid(buffer, Addr::At(row), None));
        Val { value, valid }
    }

    fn reduce(
        &mut self,
        frame: &Frame<'a>,
        value: tir::Value,
        reduce: &'a Reduce,
        vals: &[Val],
        early: &mut HashMap<tir::Value, Val>,
    ) -> Val {
        match self.facts.way(frame.site, reduce) {
            Way::Spliced { shift, count } => self.spliced(frame, value, reduce, shift, count),
            Way::Sliding => {
                let map = Look::new(reduce.window().to, frame.site.grid, reduce.grid());
                self.stage_row(frame, StageKey::Sliding(frame.at.0, value), 0, map)
            }
            Way::Inside => self.inside(frame, value, reduce, vals, early),
        }
    }
}
