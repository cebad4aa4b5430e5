//! Where the rows of a row body are φ for want of data: what lies outside need not be looked at.

use tilt_ir::{
    Grid,
    entity::Entity,
    loops::{Stream, Value},
    tir::{self, Op, Source},
};

use super::{pointwise::Rows, rows::Look};

impl<'a> Rows<'_, 'a, '_> {
    /// The rows of `grid` outside which a row body is φ because no input row exists; `None` if it is not known to be.
    pub(super) fn present(&mut self, body: &tir::Body, grid: Grid) -> Option<(Value, Value)> {
        let mut needs: Vec<Option<Vec<(tir::Input, Look)>>> = Vec::new();
        for inst in body.insts.rows() {
            let of = |v: &tir::Value| needs[v.index()].clone();
            let any = |vs: Vec<tir::Value>| vs.iter().filter_map(of).reduce(|a, b| [a, b].concat());
            let need = match &inst.op {
                Op::At { source: Source::Input(input), when, .. } => {
                    Some(vec![(*input, Look::new(when.time(), grid, self.facts.query.inputs[*input].grid()))])
                }
                Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Math(..) => any(inst.op.operands()),
                Op::Select { cond, .. } => of(cond),
                Op::Const(_)
                | Op::Null
                | Op::Time(_)
                | Op::Param(_)
                | Op::Key(_)
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
}
