//! Instructions with operands.

use super::{Build, body::Draft};
use crate::{
    Type,
    tir::{BinaryOp, CmpOp, MathFn, Op, Signature, UnaryOp, Value},
};

impl Build<'_> {
    /// Appends some instruction.
    pub(super) fn inst(&mut self, draft: &mut Draft) -> Value {
        let kind = self.choices.below(16);
        if kind < 2 {
            return self.leaf(draft);
        }
        let a = self.any(draft);
        let ty = draft.body.ty(a);
        match kind {
            2..=6 => self.arithmetic(draft, a, ty),
            7 | 8 => self.math(draft, a, ty),
            9 => {
                let b = self.of_type(draft, ty);
                let ops = if ty == Type::Symbol { &CmpOp::ALL[..2] } else { CmpOp::ALL };
                let op = self.choices.of(ops);
                self.push(draft, Op::Compare(op, a, b), Type::Bool)
            }
            10 => {
                let cond = self.of_type(draft, Type::Bool);
                let otherwise = self.of_type(draft, ty);
                let op = Op::Select { cond, then: a, otherwise };
                self.push(draft, op, ty)
            }
            11 => {
                let b = self.of_type(draft, ty);
                self.push(draft, Op::Coalesce(a, b), ty)
            }
            12 => self.push(draft, Op::IsNull(a), Type::Bool),
            _ if draft.windows => self.reduce(draft),
            _ => self.leaf(draft),
        }
    }

    fn arithmetic(&mut self, draft: &mut Draft, a: Value, ty: Type) -> Value {
        match ty {
            Type::Bool => self.logic(draft, a),
            Type::Time | Type::Duration => self.times(draft, a, ty),
            Type::Symbol => self.push(draft, Op::IsNull(a), Type::Bool),
            Type::I8
            | Type::I16
            | Type::I32
            | Type::I64
            | Type::U8
            | Type::U16
            | Type::U32
            | Type::U64
            | Type::F32
            | Type::F64 => self.numbers(draft, a, ty),
        }
    }

    fn logic(&mut self, draft: &mut Draft, a: Value) -> Value {
        let op = match self.choices.below(3) {
            0 => Op::Unary(UnaryOp::Not, a),
            n => {
                let op = [BinaryOp::And, BinaryOp::Or][n - 1];
                Op::Binary(op, a, self.of_type(draft, Type::Bool))
            }
        };
        self.push(draft, op, Type::Bool)
    }

    fn numbers(&mut self, draft: &mut Draft, a: Value, ty: Type) -> Value {
        let op = self.choices.of(&[
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Div,
            BinaryOp::FloorDiv,
            BinaryOp::Mod,
            BinaryOp::Min,
            BinaryOp::Max,
        ]);
        match self.choices.below(6) {
            4 => self.push(draft, Op::Unary(UnaryOp::Neg, a), ty),
            5 => {
                let wide = [Type::F64, Type::F32, Type::I64, Type::I16, Type::U32, Type::U8];
                let to = self.choices.of(&wide);
                self.push(draft, Op::Unary(UnaryOp::Cast, a), to)
            }
            _ => {
                let b = self.of_type(draft, ty);
                let is_div = op == BinaryOp::Div && !ty.is_float();
                let result = if is_div { Type::F64 } else { ty };
                self.push(draft, Op::Binary(op, a, b), result)
            }
        }
    }

    /// `a` with a time or a duration (or an i64); it is one itself.
    fn times(&mut self, draft: &mut Draft, a: Value, ty: Type) -> Value {
        use Type::{Duration, F64, I64, Time};
        if self.choices.once_in(6) {
            let to = self.choices.of(&[I64, Duration, Time]);
            return self.push(draft, Op::Unary(UnaryOp::Cast, a), to);
        }
        let of_time = [
            (BinaryOp::Sub, Time, Duration),
            (BinaryOp::Sub, Duration, Time),
            (BinaryOp::Add, Duration, Time),
            (BinaryOp::Min, Time, Time),
            (BinaryOp::Max, Time, Time),
        ];
        let of_duration = [
            (BinaryOp::Sub, Duration, Duration),
            (BinaryOp::Add, Duration, Duration),
            (BinaryOp::Mul, I64, Duration),
            (BinaryOp::Div, Duration, F64),
            (BinaryOp::FloorDiv, Duration, I64),
            (BinaryOp::Mod, Duration, Duration),
            (BinaryOp::Min, Duration, Duration),
            (BinaryOp::Max, Duration, Duration),
        ];
        let (op, other, result) = match ty {
            Time => self.choices.of(&of_time),
            _ => self.choices.of(&of_duration),
        };
        let b = self.of_type(draft, other);
        self.push(draft, Op::Binary(op, a, b), result)
    }

    /// A math function, of `a` if it has one.
    fn math(&mut self, draft: &mut Draft, a: Value, ty: Type) -> Value {
        let function = self.choices.of(MathFn::ALL);
        let is_number = !matches!(ty, Type::Bool | Type::Time | Type::Symbol);
        let fits = match function.signature() {
            Signature::Number => is_number,
            Signature::Float | Signature::FloatPair | Signature::FloatTest => ty.is_float(),
        };
        let (a, ty) = match fits {
            true => (a, ty),
            false => (self.of_type(draft, Type::F64), Type::F64),
        };
        let (operands, result) = match function.signature() {
            Signature::Number | Signature::Float => (vec![a], ty),
            Signature::FloatPair => (vec![a, self.of_type(draft, ty)], ty),
            Signature::FloatTest => (vec![a], Type::Bool),
        };
        self.push(draft, Op::Math(function, operands), result)
    }
}
