//! Operations on constants, and φ in operations that give φ for it.

use tilt_interp::scalar;
use tilt_ir::{
    Const,
    tir::{Inst, Op, Source, Value},
};

use super::Scope;

/// The constant (or φ) that an instruction is known to be, unless it is one already or computing it is an error.
pub(super) fn evaluate(scope: &Scope<'_>, inst: &Inst) -> Option<Op> {
    match &inst.op {
        Op::At { source: Source::Def(def), field, .. } => scope.defs[*def][*field as usize].constant.clone(),
        Op::Param(k) => scope.captures[*k as usize].constant.clone(),
        Op::Unary(op, a) => {
            strict(scope, &[*a], |operands| scalar::unary(*op, scope.body.ty(*a), inst.ty, operands[0]))
        }
        Op::Binary(op, a, b) => {
            strict(scope, &[*a, *b], |operands| scalar::binary(*op, inst.ty, operands[0], operands[1]))
        }
        Op::Compare(op, a, b) => {
            strict(scope, &[*a, *b], |operands| Ok(scalar::compare(*op, operands[0], operands[1])))
        }
        Op::Math(function, operands) => {
            strict(scope, operands, |operands| scalar::math(*function, inst.ty, operands))
        }
        Op::At { source: Source::Input(_), .. }
        | Op::Const(_)
        | Op::Null
        | Op::Key(_)
        | Op::Time(_)
        | Op::Select { .. }
        | Op::Coalesce(..)
        | Op::IsNull(_)
        | Op::Reduce(_) => None,
    }
}

/// An operation that is φ if an operand is: of constants it is what `compute` says; of a φ and others it is φ, unless one of
/// the others may be an error.
fn strict(
    scope: &Scope<'_>,
    operands: &[Value],
    compute: impl Fn(&[Option<Const>]) -> scalar::Scalar,
) -> Option<Op> {
    let known: Option<Vec<Option<Const>>> = operands.iter().map(|value| scope.is(*value).scalar()).collect();
    if let Some(constants) = known {
        return compute(&constants).ok().map(literal);
    }
    let one_is_null = operands.iter().any(|value| scope.is(*value).is_null());
    let none_fails = operands.iter().all(|value| scope.is(*value).never_fails);
    (one_is_null && none_fails).then_some(Op::Null)
}

/// A value as an operation. The bits of a NaN mean nothing, so that one NaN stands for all.
fn literal(value: Option<Const>) -> Op {
    match value {
        None => Op::Null,
        Some(Const::F32(bits)) if f32::from_bits(bits).is_nan() => Op::Const(Const::f32(f32::NAN)),
        Some(Const::F64(bits)) if f64::from_bits(bits).is_nan() => Op::Const(Const::f64(f64::NAN)),
        Some(constant) => Op::Const(constant),
    }
}
