//! Arithmetic: the types of operands and results.

use super::scope::Check;
use crate::Type;
use crate::loops::{Binary, Math, Op, Unary, Value};

impl Check<'_> {
    /// Whether an operation only computes from values, or is `flag`.
    pub(super) fn is_arithmetic(&self, op: &Op) -> bool {
        match op {
            Op::Const(_) | Op::Unary(..) | Op::Binary(..) | Op::Overflows(..) => true,
            Op::Compare(..) | Op::Math(..) | Op::Select(..) | Op::Flag(_) => true,
            Op::First(_) | Op::End(_) | Op::Splice { .. } | Op::Scratch { .. } => false,
            Op::Load { .. } | Op::LoadValid { .. } | Op::Store { .. } => false,
            Op::For { .. } | Op::Forv { .. } | Op::Reduce { .. } => false,
        }
    }

    /// Checks an operation that only computes from values; `result` is the type that its result has. The type that it must have.
    pub(super) fn arithmetic(&mut self, op: &Op, result: Option<Type>) -> Option<Type> {
        match op {
            Op::Const(value) => {
                let ty = result?;
                if !value.fits(ty) {
                    self.error(format!("this is not a constant of type {ty}"));
                }
                Some(ty)
            }
            Op::Unary(op, a) => self.unary(*op, *a, result),
            Op::Binary(op, a, b) => {
                let ty = self.pair(*a, *b)?;
                self.takes(op.name(), takes(*op, ty), ty);
                Some(ty)
            }
            Op::Overflows(op, a, b) => {
                let ty = self.pair(*a, *b)?;
                if !matches!(op, Binary::Add | Binary::Sub | Binary::Mul) {
                    self.error(format!("`overflows` does not know `{}`", op.name()));
                }
                self.takes("overflows", ty.is_integer(), ty);
                Some(Type::Bool)
            }
            Op::Compare(_, a, b) => {
                self.pair(*a, *b)?;
                Some(Type::Bool)
            }
            Op::Math(function, operands) => self.math(*function, operands),
            Op::Select(cond, a, b) => {
                self.is(*cond, Type::Bool);
                self.pair(*a, *b)
            }
            Op::First(_) | Op::End(_) | Op::Splice { .. } | Op::Scratch { .. } => None,
            Op::Load { .. } | Op::LoadValid { .. } | Op::Store { .. } | Op::Flag(_) => None,
            Op::For { .. } | Op::Forv { .. } | Op::Reduce { .. } => None,
        }
    }

    fn unary(&mut self, op: Unary, a: Value, result: Option<Type>) -> Option<Type> {
        let ty = self.ty(a)?;
        match op {
            Unary::Neg => {
                self.takes("neg", ty != Type::Bool, ty);
                Some(ty)
            }
            Unary::Not => {
                self.takes("not", ty == Type::Bool, ty);
                Some(ty)
            }
            Unary::Cast => {
                if result == Some(Type::Bool) {
                    self.error("`cast` does not give bools");
                }
                result
            }
        }
    }

    fn math(&mut self, function: Math, operands: &[Value]) -> Option<Type> {
        let (wanted, found) = (function.arity(), operands.len());
        if wanted != found {
            self.error(format!("there are {found} operands, not {wanted}"));
        }
        let ty = self.ty(*operands.first()?)?;
        self.takes(function.name(), ty.is_float(), ty);
        operands.iter().for_each(|operand| self.is(*operand, ty));
        Some(ty)
    }

    /// The type that two operands have in common.
    fn pair(&mut self, a: Value, b: Value) -> Option<Type> {
        let (x, y) = (self.ty(a)?, self.ty(b)?);
        if x != y {
            self.error(format!("operands of types {x} and {y}"));
            return None;
        }
        Some(x)
    }
    fn takes(&mut self, name: &str, does: bool, ty: Type) {
        if !does {
            self.error(format!("`{name}` takes no {ty}"));
        }
    }
}

fn takes(op: Binary, ty: Type) -> bool {
    match op {
        Binary::Add | Binary::Sub | Binary::Mul => ty != Type::Bool,
        Binary::Min | Binary::Max | Binary::Rem => ty != Type::Bool,
        Binary::Div => ty.is_float(),
        Binary::FloorDiv => ty.is_integer(),
        Binary::And | Binary::Or | Binary::Xor => !ty.is_float(),
    }
}
