//! What is known of a row body before it is written: where its rows are φ for want of data, and whether they may be φ at all.

use tilt_ir::{
    Const, Grid,
    entity::Entity,
    loops::{Buffer, Stream, Value},
    tir::{self, Op, Source},
};

use super::{
    plan::StageKey,
    pointwise::{Frame, Rows},
    rows::Look,
};

impl<'a> Rows<'_, 'a, '_> {
    /// The rows of `grid` outside which a row body is φ because no input row exists; `None` if it is not known to be.
    pub(super) fn present(&mut self, body: &tir::Body, grid: Grid) -> Option<(Value, Value)> {
        let mut needs: Vec<Option<Vec<(tir::Input, Look)>>> = Vec::new();
        for inst in body.insts.rows() {
            let of = |v: &tir::Value| needs[v.index()].clone();
            let any = |vs: Vec<tir::Value>| vs.iter().filter_map(of).reduce(|a, b| [a, b].concat());
            let need = match &inst.op {
                Op::At { source: Source::Input(input), index, .. } => {
                    Some(vec![(*input, Look::new(*index, grid, self.facts.query.inputs[*input].grid))])
                }
                Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Math(..) => any(inst.op.operands()),
                Op::Select { cond, .. } => of(cond),
                Op::Const(_)
                | Op::Null
                | Op::Time(_)
                | Op::Param(_)
                | Op::At { .. }
                | Op::Coalesce(..)
                | Op::IsNull(_)
                | Op::Reduce(_) => None,
            };
            needs.push(need);
        }
        let result = body.results.first()?.index();
        let mut clip: Option<(Value, Value)> = None;
        for (input, map) in needs.swap_remove(result)? {
            let stream = Stream::new(input.index());
            let (first, end) = (self.b.first(stream), self.b.end(stream));
            let (first, end) = (map.emit_least(self.b, first)?, map.emit_least(self.b, end)?);
            clip = Some(match clip {
                None => (first, end),
                Some((f, e)) => (self.b.max(f, first), self.b.min(e, end)),
            });
        }
        clip
    }

    /// For each value of a row body, whether it may be φ: just as [`Rows::body`] will find.
    pub(super) fn maybe_null(&mut self, frame: &Frame<'a>) -> Vec<bool> {
        let mut may: Vec<bool> = Vec::new();
        for inst in frame.body.insts.rows() {
            let of = |v: &tir::Value| may[v.index()];
            let here = match &inst.op {
                Op::Const(_) | Op::Time(_) | Op::IsNull(_) => false,
                Op::Null | Op::Reduce(_) => true,
                Op::Param(k) => frame.captures[*k as usize].valid.is_some(),
                Op::At { source: Source::Input(input), field, index } => {
                    let map = Look::new(*index, frame.site.grid, self.facts.query.inputs[*input].grid);
                    let stream = Stream::new(input.index());
                    self.edge || !map.is_invertible() || self.b.is_nullable(Buffer::Input(stream, *field))
                }
                Op::At { source: Source::Def(def), field, index } => {
                    match self.facts.fused(frame.site, *def, *index) {
                        None => self.buffers[&(StageKey::Def(*def), *field)].nullable,
                        Some(_) => {
                            let inner = self.def_frame(*def, frame.site, frame.row);
                            let result = inner.body.results[*field as usize].index();
                            self.maybe_null(&inner)[result]
                        }
                    }
                }
                Op::Coalesce(x, y) => of(x) && of(y),
                Op::Binary(tir::BinaryOp::Div | tir::BinaryOp::FloorDiv | tir::BinaryOp::Mod, x, y)
                    if !frame.body.ty(*x).is_float() =>
                {
                    let known = matches!(&frame.body.insts[*y].op, Op::Const(Const::Int(c)) if *c != 0);
                    of(x) || of(y) || !known
                }
                Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Math(..) | Op::Select { .. } => {
                    inst.op.operands().iter().any(of)
                }
            };
            may.push(here);
        }
        may
    }
}
