//! Which values are φ in rows that do not exist.
//!
//! A kernel sees its clock as a grid without ends: what it computes itself has a value also in row -1, where `x ?? 0.0` is 0. What it
//! reads is φ there, and so is what follows from that.

use tilt_ir::{
    Type,
    entity::Entity,
    tir::{Body, Def, Index, Inst, Op, Source, Value, When},
};

use super::{
    Builder, Made, Scope,
    rewrite::{Draft, at_column, look},
};

impl Builder<'_> {
    /// Whether each result of a body is φ in rows that do not exist.
    pub(super) fn absent(&self, body: &Body) -> Vec<bool> {
        let mut null: Vec<bool> = Vec::with_capacity(body.insts.len());
        for inst in body.insts.rows() {
            let of = |value: &Value| null[value.index()];
            let is_null = match &inst.op {
                Op::Null => true,
                Op::At { when: When::Time(Index { shift: 1.., .. }), .. } => false,
                Op::At { source: Source::Input(_), .. } => true,
                Op::At { source: Source::Def(fragment), field, .. } => {
                    self.fragments[fragment.index()].absent[*field as usize]
                }
                Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Math(..) => {
                    inst.op.operands().iter().any(of)
                }
                Op::Select { cond, then, otherwise } => of(cond) || (of(then) && of(otherwise)),
                Op::Coalesce(a, b) => of(a) && of(b),
                Op::Const(_) | Op::Time(_) | Op::Key(_) | Op::Param(_) | Op::IsNull(_) | Op::Reduce(_) => {
                    false
                }
            };
            null.push(is_null);
        }
        body.results.iter().map(|result| null[result.index()]).collect()
    }

    /// A look some rows back at what the kernel may compute itself: φ before the first row of events.
    pub(super) fn look_back(
        &mut self,
        scope: &Scope,
        draft: &mut Draft,
        inst: &Inst,
        (fragment, field, index): (usize, u32, Index),
    ) -> Op {
        let there = look(Source::Def(Def::new(fragment)), field, index);
        if index.shift == 0 || self.fragments[fragment].absent[field as usize] {
            return there;
        }
        let times = self.column(scope, vec![Type::Time], Made::Time(Index::NOW));
        let mut push = |op: Op, ty: Type| draft.body.push(op, ty, inst.loc);
        let time = push(at_column(times, 0, index), Type::Time);
        let cond = push(Op::IsNull(time), Type::Bool);
        let then = push(Op::Null, inst.ty);
        let otherwise = push(there, inst.ty);
        Op::Select { cond, then, otherwise }
    }
}
