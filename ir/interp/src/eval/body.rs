//! Bodies: the value of an instruction at one time.
//!
//! A value is computed when it is needed. The values that are needed but not yet known stand on a list:
//!
//! ```text
//! %3 = select %0, %1, %2        todo [%3]           needs %0 first
//!                               todo [%3, %0]       %0 is true: needs %1
//!                               todo [%3, %1]       %1 is known, and %3 with it; nobody looked at %2
//! ```

use super::{Interp, Outcome};
use crate::{
    failure::Failure,
    scalar::{self, Scalar},
};
use std::rc::Rc;
use tilt_ir::{
    Const, Type,
    entity::SideTable,
    tir::{Body, Clock, Def, Inst, Op, Value},
};

/// What a body is evaluated in.
#[derive(Clone, Copy)]
pub(super) struct Scope<'p, 'a> {
    /// The definition that it belongs to.
    pub(super) def: Def,
    /// The clock of the rows at which it is evaluated.
    pub(super) at: &'a Clock,
    /// The row of that clock; of a continuous one the time.
    pub(super) row: i128,
    /// The time.
    pub(super) t: i128,
    /// In the row body of a reduction: what it captured. A failure is one of the rows that look at it.
    pub(super) params: &'p [Outcome],
}

/// The values of a body that are known so far.
type Known = SideTable<Value, Option<Option<Const>>>;

impl<'a> Interp<'a> {
    /// The value of `wanted`.
    pub(super) fn value(&mut self, scope: Scope<'_, 'a>, body: &'a Body, wanted: Value) -> Outcome {
        let mut known: Known = SideTable::new(None);
        let mut todo = vec![wanted];
        while let Some(&value) = todo.last() {
            let inst = &body.insts[value];
            match needed(&inst.op, &known) {
                Some(operand) => todo.push(operand),
                None => {
                    known[value] = Some(self.inst(scope, body, inst, &known)?);
                    todo.pop();
                }
            }
        }
        Ok(known[wanted].flatten())
    }

    /// The value of an instruction all of whose needed operands are known.
    fn inst(&mut self, scope: Scope<'_, 'a>, body: &'a Body, inst: &'a Inst, known: &Known) -> Outcome {
        let of = |value: &Value| known[*value].flatten();
        let result = match &inst.op {
            Op::Const(value) => Ok(Some(*value)),
            Op::Null => Ok(None),
            Op::Time(index) => scalar::in_range(Some(index.at(scope.t)), Type::Time),
            Op::Param(number) => return scope.params[*number as usize].clone(),
            Op::Key(number) => Ok(Some(self.data.key(*number))),
            Op::At { source, field, when } => return self.at(scope, *source, *field, *when),
            Op::Unary(op, a) => scalar::unary(*op, body.ty(*a), inst.ty, of(a)),
            Op::Binary(op, a, b) => scalar::binary(*op, inst.ty, of(a), of(b)),
            Op::Compare(op, a, b) => Ok(scalar::compare(*op, of(a), of(b))),
            Op::Math(function, operands) => {
                let operands: Vec<_> = operands.iter().map(of).collect();
                scalar::math(*function, inst.ty, &operands)
            }
            Op::Select { cond, then, otherwise } => Ok(scalar::select(of(cond), of(then), of(otherwise))),
            Op::Coalesce(a, b) => Ok(scalar::coalesce(of(a), of(b))),
            Op::IsNull(a) => Ok(scalar::is_null(of(a))),
            Op::Reduce(reduce) => {
                let captures = reduce.captures.iter().map(|value| match known[*value] {
                    Some(known) => Ok(known),
                    None => self.value(scope, body, *value),
                });
                let captures: Vec<_> = captures.collect();
                self.reduce(scope, inst.ty, reduce, &captures)?
            }
        };
        self.located(scope, inst, result)
    }

    /// An error of an op becomes the failure of its definition.
    fn located(&self, scope: Scope<'_, 'a>, inst: &Inst, result: Scalar) -> Outcome {
        result.map_err(|scalar::OutOfRange| {
            Rc::new(Failure {
                time: scope.t.clamp(i64::MIN.into(), i64::MAX.into()) as i64,
                def: scope.def,
                name: self.query.defs[scope.def].name.clone(),
                loc: inst.loc,
            })
        })
    }
}

/// The next operand that `op` needs to know, in order: all of them, but for `select` and `coalesce`, and what a reduction
/// captures matters only if a row looks at it.
fn needed(op: &Op, known: &Known) -> Option<Value> {
    let unknown = |operands: &[Value]| operands.iter().copied().find(|v| known[*v].is_none());
    match op {
        Op::Const(_) | Op::Null | Op::Time(_) | Op::Param(_) | Op::Key(_) | Op::At { .. } | Op::Reduce(_) => {
            None
        }
        Op::Unary(_, a) | Op::IsNull(a) => unknown(&[*a]),
        Op::Binary(_, a, b) | Op::Compare(_, a, b) => unknown(&[*a, *b]),
        Op::Math(_, operands) => unknown(operands),
        Op::Select { cond, then, otherwise } => match known[*cond] {
            None => Some(*cond),
            Some(cond) => match scalar::truth(cond) {
                None => None,
                Some(true) => unknown(&[*then]),
                Some(false) => unknown(&[*otherwise]),
            },
        },
        Op::Coalesce(a, b) => match known[*a] {
            None => Some(*a),
            Some(Some(_)) => None,
            Some(None) => unknown(&[*b]),
        },
    }
}
