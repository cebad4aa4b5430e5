//! Identities that are exact: for every float to the bit, for φ, and for errors.
//!
//! ```text
//! x + -0.0, x - 0.0, x * 1, x // 1 (integers), x / 1.0      →  x
//! x and true, x or false, min(x, x), x and x                →  x
//! x and false, i * 0                                        →  false, 0     if x, i are never φ and never an error
//! not not b, - - x (floats), cast to the own type           →  b, x, x
//! not (a < b)                                               →  a >= b       but for floats: NaN
//! not (a == b)                                              →  a != b
//! time(t) + 5s                                              →  time(t + 5s)
//! if true then a else b                                     →  a
//! if c then true else false                                 →  c
//! if x is null then y else x                                →  x ?? y
//! null ?? x, x ?? null, x ?? y with x never φ               →  x
//! x is null                                                 →  false        if x is never φ and never an error
//! ```

use tilt_ir::{
    Const, Type,
    tir::{Base, BinaryOp, CmpOp, Index, Inst, Op, UnaryOp, Value},
};

use super::{Scope, Simpler};

/// The first identity that simplifies an instruction.
pub(super) fn apply(scope: &Scope<'_>, inst: &Inst) -> Option<Simpler> {
    match inst.op {
        Op::Unary(op, a) => unary(scope, inst.ty, op, a),
        Op::Binary(op, a, b) => neutral(scope, inst.ty, op, a, b)
            .or_else(|| absorbing(scope, op, a, b))
            .or_else(|| later(scope, inst.ty, op, a, b)),
        Op::Select { cond, then, otherwise } => select(scope, cond, then, otherwise),
        Op::Coalesce(a, b) => coalesce(scope, a, b),
        Op::IsNull(a) => is_null(scope, a),
        Op::Const(_)
        | Op::Null
        | Op::Time(_)
        | Op::Param(_)
        | Op::Key(_)
        | Op::At { .. }
        | Op::Compare(..)
        | Op::Math(..)
        | Op::Reduce(_) => None,
    }
}

fn unary(scope: &Scope<'_>, ty: Type, op: UnaryOp, a: Value) -> Option<Simpler> {
    match (op, scope.op(a)) {
        (UnaryOp::Cast, _) if scope.body.ty(a) == ty => Some(Simpler::Same(a)),
        (UnaryOp::Not, Op::Unary(UnaryOp::Not, x)) => Some(Simpler::Same(*x)),
        (UnaryOp::Not, Op::Compare(op, x, y)) => {
            let opposite = opposite(*op, scope.body.ty(*x).is_float())?;
            Some(Simpler::Op(Op::Compare(opposite, *x, *y)))
        }
        (UnaryOp::Neg, Op::Unary(UnaryOp::Neg, x)) if ty.is_float() => Some(Simpler::Same(*x)),
        _ => None,
    }
}

/// The comparison that is true where this one is false: NaN is neither less nor greater.
fn opposite(op: CmpOp, of_floats: bool) -> Option<CmpOp> {
    match op {
        CmpOp::Eq => Some(CmpOp::Ne),
        CmpOp::Ne => Some(CmpOp::Eq),
        CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge if of_floats => None,
        CmpOp::Lt => Some(CmpOp::Ge),
        CmpOp::Le => Some(CmpOp::Gt),
        CmpOp::Gt => Some(CmpOp::Le),
        CmpOp::Ge => Some(CmpOp::Lt),
    }
}

/// `x op c` and `c op x` that are `x`, and `x op x` that is `x`.
fn neutral(scope: &Scope<'_>, ty: Type, op: BinaryOp, a: Value, b: Value) -> Option<Simpler> {
    let same_type = |value: &Value| scope.body.ty(*value) == ty;
    let idempotent = match op {
        BinaryOp::Min | BinaryOp::Max | BinaryOp::And | BinaryOp::Or => a == b,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::FloorDiv
        | BinaryOp::Mod => false,
    };
    let same = if idempotent || constant(scope, b).is_some_and(|c| neutral_right(op, c)) {
        Some(a)
    } else {
        constant(scope, a).is_some_and(|c| neutral_left(op, c)).then_some(b)
    };
    same.filter(same_type).map(Simpler::Same)
}

fn neutral_right(op: BinaryOp, c: Const) -> bool {
    match op {
        BinaryOp::Sub => c == Const::Int(0) || c == Const::f64(0.0) || c == Const::f32(0.0),
        BinaryOp::Div => c == Const::f64(1.0) || c == Const::f32(1.0),
        BinaryOp::FloorDiv => c == Const::Int(1),
        BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or => neutral_left(op, c),
        BinaryOp::Mod | BinaryOp::Min | BinaryOp::Max => false,
    }
}

fn neutral_left(op: BinaryOp, c: Const) -> bool {
    match op {
        BinaryOp::Add => c == Const::Int(0) || c == Const::f64(-0.0) || c == Const::f32(-0.0),
        BinaryOp::Mul => c == Const::Int(1) || c == Const::f64(1.0) || c == Const::f32(1.0),
        BinaryOp::And => c == Const::Bool(true),
        BinaryOp::Or => c == Const::Bool(false),
        BinaryOp::Sub
        | BinaryOp::Div
        | BinaryOp::FloorDiv
        | BinaryOp::Mod
        | BinaryOp::Min
        | BinaryOp::Max => false,
    }
}

/// `x op c` that is `c` for every `x` that is there.
fn absorbing(scope: &Scope<'_>, op: BinaryOp, a: Value, b: Value) -> Option<Simpler> {
    let absorbs = match op {
        BinaryOp::And => Const::Bool(false),
        BinaryOp::Or => Const::Bool(true),
        BinaryOp::Mul => Const::Int(0),
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Div
        | BinaryOp::FloorDiv
        | BinaryOp::Mod
        | BinaryOp::Min
        | BinaryOp::Max => return None,
    };
    let absorbed = |c, x| constant(scope, c) == Some(absorbs) && scope.is(x).always_there();
    (absorbed(a, b) || absorbed(b, a)).then_some(Simpler::Op(Op::Const(absorbs)))
}

/// `time(i) ± D`, where `time(i)` is out of the range of time only if the result is.
fn later(scope: &Scope<'_>, ty: Type, op: BinaryOp, a: Value, b: Value) -> Option<Simpler> {
    let (Op::Time(index), Some(Const::Int(by))) = (scope.op(a), constant(scope, b)) else {
        return None;
    };
    let by = match op {
        BinaryOp::Add => i64::try_from(by).ok()?,
        BinaryOp::Sub if ty == Type::Time => i64::try_from(-by).ok()?,
        _ => return None,
    };
    let outward = match index.base {
        Base::Now => index.shift == 0 || index.shift.signum() == by.signum(),
        Base::Floor(_) => index.shift <= 0 && by <= 0,
        Base::Ceil(_) => index.shift >= 0 && by >= 0,
    };
    let shift = index.shift.checked_add(by).filter(|_| outward)?;
    Some(Simpler::Op(Op::Time(Index { base: index.base, shift })))
}

fn select(scope: &Scope<'_>, cond: Value, then: Value, otherwise: Value) -> Option<Simpler> {
    if scope.is(cond).is_null() {
        return Some(Simpler::Op(Op::Null));
    }
    if let Some(Const::Bool(chosen)) = constant(scope, cond) {
        return Some(Simpler::Same(if chosen { then } else { otherwise }));
    }
    if then == otherwise && scope.is(cond).always_there() {
        return Some(Simpler::Same(then));
    }
    match (constant(scope, then), constant(scope, otherwise)) {
        (Some(Const::Bool(true)), Some(Const::Bool(false))) => return Some(Simpler::Same(cond)),
        (Some(Const::Bool(false)), Some(Const::Bool(true))) => {
            return Some(Simpler::Op(Op::Unary(UnaryOp::Not, cond)));
        }
        _ => {}
    }
    match scope.op(cond) {
        Op::Unary(UnaryOp::Not, opposite) => {
            Some(Simpler::Op(Op::Select { cond: *opposite, then: otherwise, otherwise: then }))
        }
        Op::IsNull(x) if *x == otherwise => Some(Simpler::Op(Op::Coalesce(*x, then))),
        _ => None,
    }
}

fn coalesce(scope: &Scope<'_>, a: Value, b: Value) -> Option<Simpler> {
    if scope.is(a).is_null() {
        return Some(Simpler::Same(b));
    }
    let keeps_a = a == b || scope.is(a).never_null || scope.is(b).is_null();
    keeps_a.then_some(Simpler::Same(a))
}

fn is_null(scope: &Scope<'_>, a: Value) -> Option<Simpler> {
    let known = scope.is(a);
    let answer = if known.is_null() {
        true
    } else if known.always_there() {
        false
    } else {
        return None;
    };
    Some(Simpler::Op(Op::Const(Const::Bool(answer))))
}

fn constant(scope: &Scope<'_>, value: Value) -> Option<Const> {
    scope.is(value).scalar().flatten()
}
