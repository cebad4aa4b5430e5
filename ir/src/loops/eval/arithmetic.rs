//! One operation on single values.

use super::{Cell, math};
use crate::loops::builder::{floor_div, wrap};
use crate::loops::{Binary, Cmp, Inst, Kernel, Op, Unary, Value};
use crate::{Const, Type};
use std::cmp::Ordering;

pub(super) use crate::loops::builder::zero;

/// The result of an instruction that only computes from values.
pub(super) fn inst(kernel: &Kernel, inst: &Inst, value: impl Fn(Value) -> Cell) -> Result<Cell, String> {
    let operands = inst.op.operands();
    let cells: Vec<Cell> = operands.iter().map(|operand| value(*operand)).collect();
    let ty = |value: &Value| kernel.values[*value].ty;
    let [result] = &inst.results[..] else { return Err("not an operation on values".to_owned()) };
    eval(&inst.op, &cells, operands.first().map(ty), ty(result))
}

/// `of` is the type of the first operand.
fn eval(op: &Op, operands: &[Cell], of: Option<Type>, ty: Type) -> Result<Cell, String> {
    if let Op::Const(value) = op {
        return Ok(Some(*value));
    }
    if let (Op::Select(..), [cond, a, b]) = (op, operands) {
        return Ok(cond.and_then(|cond| if cond == Const::Bool(true) { *a } else { *b }));
    }
    if let (Op::Binary(op, ..), [a, b]) = (op, operands)
        && let Some(value) = decided(*op, *a, *b)
    {
        return Ok(Some(value));
    }
    let Some(known) = operands.iter().copied().collect::<Option<Vec<Const>>>() else {
        return Ok(None);
    };
    let of = of.unwrap_or(ty);
    match (op, &known[..]) {
        (Op::Unary(op, ..), [a]) => Ok(unary(*op, *a, ty)),
        (Op::Binary(op, ..), [a, b]) => binary(*op, *a, *b, ty).map(Some),
        (Op::Overflows(op, ..), [Const::Int(a), Const::Int(b)]) => {
            Ok(Some(Const::Bool(overflows(*op, *a, *b, of))))
        }
        (Op::Compare(cmp, ..), [a, b]) => Ok(Some(Const::Bool(compare(*cmp, *a, *b)))),
        (Op::Math(function, ..), operands) => Ok(Some(math::eval(*function, operands))),
        _ => Err("not an operation on values".to_owned()),
    }
}

/// What does not depend on an operand that may be anything.
fn decided(op: Binary, a: Cell, b: Cell) -> Option<Const> {
    let decides = match op {
        Binary::And => Const::Bool(false),
        Binary::Or => Const::Bool(true),
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::FloorDiv => return None,
        Binary::Rem | Binary::Min | Binary::Max | Binary::Xor => return None,
    };
    (a == Some(decides) || b == Some(decides)).then_some(decides)
}

fn unary(op: Unary, a: Const, ty: Type) -> Cell {
    match (op, a) {
        (Unary::Neg, Const::Int(i)) => Some(Const::Int(wrap(-i, ty))),
        (Unary::Neg, Const::F32(bits)) => Some(Const::f32(-f32::from_bits(bits))),
        (Unary::Neg, Const::F64(bits)) => Some(Const::f64(-f64::from_bits(bits))),
        (Unary::Not, Const::Bool(b)) => Some(Const::Bool(!b)),
        (Unary::Cast, _) => cast(a, ty),
        (Unary::Neg, Const::Bool(_)) => None,
        (Unary::Not, Const::Int(_) | Const::F32(_) | Const::F64(_)) => None,
    }
}

fn cast(a: Const, ty: Type) -> Cell {
    match (a, ty) {
        (Const::Bool(b), _) => cast(Const::Int(b.into()), ty),
        (Const::Int(i), Type::F32) => Some(Const::f32(i as f32)),
        (Const::Int(i), Type::F64) => Some(Const::f64(i as f64)),
        (Const::Int(i), _) => Some(Const::Int(wrap(i, ty))),
        (Const::F32(_), Type::F32) | (Const::F64(_), Type::F64) => Some(a),
        (Const::F32(bits), Type::F64) => Some(Const::f64(f32::from_bits(bits).into())),
        (Const::F64(bits), Type::F32) => Some(Const::f32(f64::from_bits(bits) as f32)),
        (Const::F32(bits), _) => to_int(f32::from_bits(bits).into(), ty),
        (Const::F64(bits), _) => to_int(f64::from_bits(bits), ty),
    }
}

/// Toward zero; anything if that is not in the type's range.
fn to_int(a: f64, ty: Type) -> Cell {
    // NaN becomes 0, infinities the ends of i128, which no type has
    let value = Const::Int(a as i128);
    (!a.is_nan() && value.fits(ty)).then_some(value)
}

fn binary(op: Binary, a: Const, b: Const, ty: Type) -> Result<Const, String> {
    match (a, b) {
        (Const::Bool(a), Const::Bool(b)) => Ok(Const::Bool(bools(op, a, b))),
        (Const::Int(a), Const::Int(b)) => integers(op, a, b, ty).map(Const::Int),
        (Const::F32(a), Const::F32(b)) => {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            Ok(Const::f32(math::binary_f32(op, a, b)))
        }
        (Const::F64(a), Const::F64(b)) => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            Ok(Const::f64(math::binary_f64(op, a, b)))
        }
        _ => Err("operands of two types".to_owned()),
    }
}

fn bools(op: Binary, a: bool, b: bool) -> bool {
    match op {
        Binary::And | Binary::Min | Binary::Mul => a & b,
        Binary::Or | Binary::Max => a | b,
        Binary::Xor | Binary::Add | Binary::Sub => a ^ b,
        Binary::Div | Binary::FloorDiv | Binary::Rem => a,
    }
}

fn integers(op: Binary, a: i128, b: i128, ty: Type) -> Result<i128, String> {
    let exact = match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a.wrapping_mul(b),
        Binary::FloorDiv => quotient(a, b, ty)?,
        Binary::Rem => a - quotient(a, b, ty)? * b,
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Div => return Err("`div` of integers".to_owned()),
    };
    Ok(wrap(exact, ty))
}

fn quotient(a: i128, b: i128, ty: Type) -> Result<i128, String> {
    if b == 0 {
        return Err("division by 0".to_owned());
    }
    let quotient = floor_div(a, b);
    match Const::Int(quotient).fits(ty) {
        true => Ok(quotient),
        false => Err(format!("the quotient of {a} and {b} is out of range")),
    }
}

fn overflows(op: Binary, a: i128, b: i128, ty: Type) -> bool {
    let exact = match op {
        Binary::Add => a.checked_add(b),
        Binary::Sub => a.checked_sub(b),
        Binary::Mul => a.checked_mul(b),
        Binary::Div | Binary::FloorDiv | Binary::Rem | Binary::Min => Some(0),
        Binary::Max | Binary::And | Binary::Or | Binary::Xor => Some(0),
    };
    exact.is_none_or(|exact| !Const::Int(exact).fits(ty))
}

fn compare(cmp: Cmp, a: Const, b: Const) -> bool {
    let order = match (a, b) {
        (Const::Bool(a), Const::Bool(b)) => Some(a.cmp(&b)),
        (Const::Int(a), Const::Int(b)) => Some(a.cmp(&b)),
        (Const::F32(a), Const::F32(b)) => f32::from_bits(a).partial_cmp(&f32::from_bits(b)),
        (Const::F64(a), Const::F64(b)) => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        _ => None,
    };
    match cmp {
        Cmp::Eq => order == Some(Ordering::Equal),
        Cmp::Ne => order != Some(Ordering::Equal),
        Cmp::Lt => order == Some(Ordering::Less),
        Cmp::Le => order.is_some_and(Ordering::is_le),
        Cmp::Gt => order == Some(Ordering::Greater),
        Cmp::Ge => order.is_some_and(Ordering::is_ge),
    }
}
