//! Operand and result types of the operations that look at no stream.

use super::body::Check;
use crate::{
    Const, Type,
    tir::{BinaryOp, CmpOp, MathFn, Signature, UnaryOp},
};

/// Whether the result is of the type that it must have.
fn result(name: &str, must: Type, ty: Type) -> Check {
    if must == ty {
        return Ok(());
    }
    Err(format!("the result of `{name}` is {must}, not {ty}"))
}

fn is_number(ty: Type) -> bool {
    ty.is_integer() || ty.is_float()
}

pub(super) fn constant(constant: Const, ty: Type) -> Check {
    if constant.fits(ty) {
        return Ok(());
    }
    Err(format!("{constant:?} is not a value of type {ty}"))
}

pub(super) fn unary(op: UnaryOp, a: Type, ty: Type) -> Check {
    let legal = match op {
        UnaryOp::Neg => is_number(a) || a == Type::Duration,
        UnaryOp::Not => a == Type::Bool,
        UnaryOp::Cast => return cast(a, ty),
    };
    if !legal {
        return Err(format!("`{op}` of {a}"));
    }
    result(op.name(), a, ty)
}

fn cast(from: Type, to: Type) -> Check {
    let in_ns = |ty| matches!(ty, Type::I64 | Type::Time | Type::Duration);
    if (is_number(from) && is_number(to)) || (in_ns(from) && in_ns(to)) {
        return Ok(());
    }
    Err(format!("there is no conversion from {from} to {to}"))
}

pub(super) fn binary(op: BinaryOp, a: Type, b: Type, ty: Type) -> Check {
    match binary_result(op, a, b) {
        Some(must) => result(op.name(), must, ty),
        None => Err(format!("`{op}` of {a} and {b}")),
    }
}

/// The type of a binary operation, if its operands are legal.
fn binary_result(op: BinaryOp, a: Type, b: Type) -> Option<Type> {
    use Type::{Bool, Duration, F64, I64, Time};
    let same = a == b;
    match op {
        BinaryOp::Add => match (a, b) {
            (Time, Duration) => Some(Time),
            _ => (same && (is_number(a) || a == Duration)).then_some(a),
        },
        BinaryOp::Sub => match (a, b) {
            (Time, Duration) => Some(Time),
            (Time, Time) => Some(Duration),
            _ => (same && (is_number(a) || a == Duration)).then_some(a),
        },
        BinaryOp::Mul => match (a, b) {
            (Duration, I64) => Some(Duration),
            _ => (same && is_number(a)).then_some(a),
        },
        BinaryOp::Div if !same => None,
        BinaryOp::Div if a.is_float() => Some(a),
        BinaryOp::Div => (a.is_integer() || a == Duration).then_some(F64),
        BinaryOp::FloorDiv => match (a, b) {
            (Duration, Duration) => Some(I64),
            _ => (same && is_number(a)).then_some(a),
        },
        BinaryOp::Mod => (same && (is_number(a) || a == Duration)).then_some(a),
        BinaryOp::Min | BinaryOp::Max => (same && !matches!(a, Bool | Type::Symbol)).then_some(a),
        BinaryOp::And | BinaryOp::Or => (same && a == Bool).then_some(Bool),
    }
}

pub(super) fn compare(op: CmpOp, a: Type, b: Type, ty: Type) -> Check {
    let has_order = a != Type::Symbol || matches!(op, CmpOp::Eq | CmpOp::Ne);
    if a != b || !has_order {
        return Err(format!("`{op}` of {a} and {b}"));
    }
    result(op.name(), Type::Bool, ty)
}

pub(super) fn math(function: MathFn, operands: &[Type], ty: Type) -> Check {
    let (name, arity) = (function.name(), function.arity());
    if operands.len() != arity {
        let found = operands.len();
        return Err(format!("`{name}` has {arity} operands, not {found}"));
    }
    let takes = |ty: Type| match function.signature() {
        Signature::Number => is_number(ty) || ty == Type::Duration,
        Signature::Float | Signature::FloatPair | Signature::FloatTest => ty.is_float(),
    };
    if let Some(operand) = operands.iter().find(|ty| !takes(**ty) || **ty != operands[0]) {
        return Err(format!("`{name}` of {operand}"));
    }
    let must = match function.signature() {
        Signature::Number | Signature::Float | Signature::FloatPair => operands[0],
        Signature::FloatTest => Type::Bool,
    };
    result(name, must, ty)
}

pub(super) fn select(cond: Type, then: Type, otherwise: Type, ty: Type) -> Check {
    if cond != Type::Bool {
        return Err(format!("the condition of `select` is bool, not {cond}"));
    }
    if then != otherwise {
        return Err(format!("`select` of {then} and {otherwise}"));
    }
    result("select", then, ty)
}

pub(super) fn coalesce(a: Type, b: Type, ty: Type) -> Check {
    if a != b {
        return Err(format!("`coalesce` of {a} and {b}"));
    }
    result("coalesce", a, ty)
}

pub(super) fn is_null(ty: Type) -> Check {
    result("is_null", Type::Bool, ty)
}
