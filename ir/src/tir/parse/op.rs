//! Operations.

use super::{Parser, body::Draft, parts};
use crate::{
    Type,
    text::{Literal, TextError},
    tir::{BinaryOp, CmpOp, MathFn, Op, UnaryOp, Value},
};

/// An operation whose type is not read yet.
pub(super) enum Untyped<'a> {
    /// A constant, which needs its type.
    Const(Literal<'a>),
    /// Any other.
    Op(Op),
}

impl Untyped<'_> {
    /// The operation, as one of this type.
    pub(super) fn of_type(self, ty: Type) -> Result<Op, TextError> {
        match self {
            Untyped::Const(literal) => literal.of_type(ty).map(Op::Const),
            Untyped::Op(op) => Ok(op),
        }
    }
}

impl<'a> Parser<'a> {
    pub(super) fn op(&mut self, draft: &Draft) -> Result<Untyped<'a>, TextError> {
        let place = self.cursor.place();
        let name = self.cursor.ident()?;
        let op = match name {
            "const" => return self.cursor.literal().map(Untyped::Const),
            "null" => Op::Null,
            "time" => Op::Time(parts::index(&mut self.cursor)?),
            "key" => Op::Key(self.cursor.int()?),
            "param" => Op::Param(self.cursor.int()?),
            "at" => self.look()?,
            "reduce" => self.reduce(draft)?,
            _ => {
                let operands = draft.operands(&mut self.cursor)?;
                simple(name, operands).map_err(|message| TextError::new(place, message))?
            }
        };
        Ok(Untyped::Op(op))
    }

    /// `x.v[t-1s]`.
    fn look(&mut self) -> Result<Op, TextError> {
        let (source, field) = self.column()?;
        self.cursor.expect("[")?;
        let when = parts::when(&mut self.cursor)?;
        self.cursor.expect("]")?;
        Ok(Op::At { source, field, when })
    }
}

/// An operation that has nothing but operands.
fn simple(name: &str, operands: Vec<Value>) -> Result<Op, String> {
    let found = operands.len();
    let wants = |number: usize| Err(format!("`{name}` has {number} operands, not {found}"));
    if let Some(function) = MathFn::from_name(name) {
        return match function.arity() {
            arity if arity == found => Ok(Op::Math(function, operands)),
            arity => wants(arity),
        };
    }
    match (name, operands.as_slice()) {
        ("is_null", &[a]) => Ok(Op::IsNull(a)),
        ("is_null", _) => wants(1),
        ("coalesce", &[a, b]) => Ok(Op::Coalesce(a, b)),
        ("coalesce", _) => wants(2),
        ("select", &[cond, then, otherwise]) => Ok(Op::Select { cond, then, otherwise }),
        ("select", _) => wants(3),
        _ => match (by_name(name), operands.as_slice()) {
            (Some(Simple::Unary(op)), &[a]) => Ok(Op::Unary(op, a)),
            (Some(Simple::Unary(_)), _) => wants(1),
            (Some(Simple::Binary(op)), &[a, b]) => Ok(Op::Binary(op, a, b)),
            (Some(Simple::Compare(op)), &[a, b]) => Ok(Op::Compare(op, a, b)),
            (Some(Simple::Binary(_) | Simple::Compare(_)), _) => wants(2),
            (None, _) => Err(format!("there is no operation `{name}`")),
        },
    }
}

enum Simple {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Compare(CmpOp),
}

fn by_name(name: &str) -> Option<Simple> {
    let unary = UnaryOp::from_name(name).map(Simple::Unary);
    unary
        .or_else(|| BinaryOp::from_name(name).map(Simple::Binary))
        .or_else(|| CmpOp::from_name(name).map(Simple::Compare))
}
