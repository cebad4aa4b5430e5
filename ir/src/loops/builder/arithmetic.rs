//! Arithmetic.

use super::{Builder, fold};
use crate::loops::{Binary, Cmp, Math, Op, Unary, Value};
use crate::{Const, Type};

/// Methods with two operands of one type and a result of that type.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => {
        impl Builder<'_> {
            $($(#[$doc])* pub fn $name(&mut self, a: Value, b: Value) -> Value {
                self.binary(Binary::$op, a, b)
            })*
        }
    };
}

binary! {
    /// `a + b`.
    add => Add;
    /// `a - b`.
    sub => Sub;
    /// `a · b`.
    mul => Mul;
    /// `a / b` of floats.
    div => Div;
    /// `a / b` of integers, rounded down.
    floor_div => FloorDiv;
    /// The remainder: see [`Binary::Rem`].
    rem => Rem;
    /// The smaller one.
    min => Min;
    /// The greater one.
    max => Max;
    /// Both.
    and => And;
    /// One of them or both.
    or => Or;
    /// One of them.
    xor => Xor;
}

impl Builder<'_> {
    /// A constant of type `ty`.
    pub fn constant(&mut self, ty: Type, value: Const) -> Value {
        self.pure(Op::Const(value), ty)
    }
    /// An `i64` constant.
    pub fn int(&mut self, value: i64) -> Value {
        self.constant(Type::I64, Const::Int(value.into()))
    }
    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Value {
        self.constant(Type::Bool, Const::Bool(value))
    }
    /// Zero of a type; false for bools.
    pub fn zero(&mut self, ty: Type) -> Value {
        self.constant(ty, fold::zero(ty))
    }

    /// One operand; `ty` is the type of the result.
    pub fn unary(&mut self, op: Unary, a: Value, ty: Type) -> Value {
        match op {
            Unary::Neg => self.neg(a),
            Unary::Not => self.not(a),
            Unary::Cast => self.cast(a, ty),
        }
    }
    /// `-a`.
    pub fn neg(&mut self, a: Value) -> Value {
        self.pure(Op::Unary(Unary::Neg, a), self.ty(a))
    }
    /// `not a`.
    pub fn not(&mut self, a: Value) -> Value {
        match self.known[a] {
            super::Known::Const(Const::Bool(b)) => self.bool(!b),
            super::Known::Not(b) => b,
            _ => self.pure(Op::Unary(Unary::Not, a), Type::Bool),
        }
    }
    /// `a` converted to `ty`: see [`Unary::Cast`].
    pub fn cast(&mut self, a: Value, ty: Type) -> Value {
        if self.ty(a) == ty {
            return a;
        }
        match self.const_of(a).and_then(|constant| fold::cast(constant, ty)) {
            Some(constant) => self.constant(ty, constant),
            None => self.pure(Op::Unary(Unary::Cast, a), ty),
        }
    }

    /// Two operands of one type.
    pub fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        // a constant goes to the right, so that there is one order
        let (a, b) = match fold::commutes(op) && self.const_of(a).is_some() {
            true => (b, a),
            false => (a, b),
        };
        let ty = self.ty(a);
        match fold::binary(op, ty, (a, self.known[a]), (b, self.known[b])) {
            Some(fold::Folded::Const(constant)) => self.constant(ty, constant),
            Some(fold::Folded::Value(value)) => value,
            Some(fold::Folded::Plus(value, i)) => {
                let i = self.constant(ty, Const::Int(i));
                self.pure(Op::Binary(Binary::Add, value, i), ty)
            }
            None => self.pure(Op::Binary(op, a, b), ty),
        }
    }
    /// `a` plus a constant (integers).
    pub fn add_int(&mut self, a: Value, b: i64) -> Value {
        let b = self.constant(self.ty(a), Const::Int(b.into()));
        self.add(a, b)
    }
    /// Whether `Add`, `Sub` or `Mul` of these integers is out of range.
    pub fn overflows(&mut self, op: Binary, a: Value, b: Value) -> Value {
        match fold::overflows(op, self.ty(a), self.const_of(a), self.const_of(b)) {
            Some(answer) => self.bool(answer),
            None => self.pure(Op::Overflows(op, a, b), Type::Bool),
        }
    }
    /// A comparison.
    pub fn cmp(&mut self, cmp: Cmp, a: Value, b: Value) -> Value {
        let (x, y) = ((a, self.known[a]), (b, self.known[b]));
        match fold::compare(cmp, self.ty(a), x, y) {
            Some(answer) => self.bool(answer),
            None => self.pure(Op::Compare(cmp, a, b), Type::Bool),
        }
    }
    /// `cond ? a : b`.
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        match self.const_of(cond) {
            Some(Const::Bool(true)) => a,
            Some(Const::Bool(false)) => b,
            _ if a == b => a,
            _ => self.pure(Op::Select(cond, a, b), self.ty(a)),
        }
    }
    /// A math function of floats.
    pub fn math(&mut self, function: Math, operands: Vec<Value>) -> Value {
        let ty = self.ty(operands[0]);
        self.pure(Op::Math(function, operands), ty)
    }
}
