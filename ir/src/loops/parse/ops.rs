//! Operations without blocks.

use super::Reader;
use crate::Type;
use crate::entity::Entity;
use crate::loops::{Addr, Binary, Buffer, Cmp, Math, Op, Scratch, Stream, Unary, Value};
use crate::text::{Literal, TextError, Token};

/// An operation whose result's type stands behind it.
pub(super) enum Pending<'a> {
    Ready(Op),
    /// A constant is read by its type.
    Const(Literal<'a>),
}

impl Pending<'_> {
    pub(super) fn has_result(&self) -> bool {
        match self {
            Pending::Const(_) => true,
            Pending::Ready(op) => !matches!(op, Op::Store { .. } | Op::Flag(_) | Op::Scratch { .. }),
        }
    }
    /// The operation; `ty` is `None` for one without result.
    pub(super) fn finish(self, ty: Option<Type>) -> Result<Op, TextError> {
        match (self, ty) {
            (Pending::Ready(op), _) => Ok(op),
            (Pending::Const(literal), ty) => literal.of_type(ty.unwrap_or(Type::I64)).map(Op::Const),
        }
    }
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn operation(&mut self) -> Result<Pending<'a>, TextError> {
        let unknown = self.cursor.wanted("an operation");
        let word = self.cursor.ident().map_err(|_| unknown.clone())?;
        let op = match word {
            "const" => return self.cursor.literal().map(Pending::Const),
            "first" => Op::First(self.cursor.id("in")?),
            "end" => Op::End(self.cursor.id("in")?),
            "overflows" => {
                let place = self.cursor.place();
                let op = Binary::from_name(self.cursor.ident()?)
                    .ok_or_else(|| TextError::new(place, "expected `add`, `sub` or `mul`"))?;
                let [a, b] = self.operands()?;
                Op::Overflows(op, a, b)
            }
            "select" => {
                let [cond, a, b] = self.operands()?;
                Op::Select(cond, a, b)
            }
            "load" | "load_valid" | "store" | "scratch" => self.memory(word)?,
            "splice" => {
                let value = self.value()?;
                self.cursor.expect(",")?;
                let by = self.cursor.int()?;
                Op::Splice { value, by }
            }
            "flag" => Op::Flag(self.value()?),
            _ => self.arithmetic(word)?.ok_or(unknown)?,
        };
        Ok(Pending::Ready(op))
    }

    fn arithmetic(&mut self, word: &str) -> Result<Option<Op>, TextError> {
        if let Some(op) = Unary::from_name(word) {
            return Ok(Some(Op::Unary(op, self.value()?)));
        }
        if let Some(op) = Binary::from_name(word) {
            let [a, b] = self.operands()?;
            return Ok(Some(Op::Binary(op, a, b)));
        }
        if let Some(cmp) = Cmp::from_name(word) {
            let [a, b] = self.operands()?;
            return Ok(Some(Op::Compare(cmp, a, b)));
        }
        let Some(function) = Math::from_name(word) else {
            return Ok(None);
        };
        let operands = match function.arity() {
            2 => self.operands::<2>()?.to_vec(),
            _ => vec![self.value()?],
        };
        Ok(Some(Op::Math(function, operands)))
    }

    fn memory(&mut self, word: &str) -> Result<Op, TextError> {
        if word == "scratch" {
            let buffer = self.cursor.id("tmp")?;
            self.cursor.expect("rows")?;
            let [first, end] = self.operands()?;
            return Ok(Op::Scratch { buffer, first, end });
        }
        let buffer = self.buffer()?;
        let addr = self.addr()?;
        if word == "store" {
            self.cursor.expect(",")?;
            let value = self.value()?;
            let valid = self.suffix("valid")?;
            return Ok(Op::Store { buffer, addr, value, valid });
        }
        let mask = self.suffix("mask")?;
        Ok(match word {
            "load" => Op::Load { buffer, addr, mask },
            _ => Op::LoadValid { buffer, addr, mask },
        })
    }

    fn buffer(&mut self) -> Result<Buffer, TextError> {
        let word = self.word();
        if word.starts_with("out") {
            let number = self.cursor.id::<OutputNumber>("out")?.0;
            return Ok(Buffer::Output(number));
        }
        if word.starts_with("tmp") {
            return Ok(Buffer::Scratch(self.cursor.id::<Scratch>("tmp")?));
        }
        if !word.starts_with("in") {
            return Err(self.cursor.wanted("a buffer"));
        }
        let stream = self.cursor.id::<Stream>("in")?;
        self.cursor.expect(".")?;
        Ok(Buffer::Input(stream, self.cursor.int()?))
    }

    /// `[row-3]` or `[%7]`.
    fn addr(&mut self) -> Result<Addr, TextError> {
        self.cursor.expect("[")?;
        let addr = if self.cursor.eat("row") {
            match self.cursor.peek() {
                Token::Int(_) => Addr::Row(self.cursor.int()?),
                _ => Addr::Row(0),
            }
        } else {
            Addr::At(self.value()?)
        };
        self.cursor.expect("]")?;
        Ok(addr)
    }

    /// `mask %4`, or nothing.
    fn suffix(&mut self, word: &str) -> Result<Option<Value>, TextError> {
        match self.cursor.eat(word) {
            true => self.value().map(Some),
            false => Ok(None),
        }
    }
    fn operands<const N: usize>(&mut self) -> Result<[Value; N], TextError> {
        let mut operands = [Value::new(0); N];
        for (i, operand) in operands.iter_mut().enumerate() {
            if i > 0 {
                self.cursor.expect(",")?;
            }
            *operand = self.value()?;
        }
        Ok(operands)
    }
}

crate::entity!(
    /// The number of an output column.
    struct OutputNumber => "out"
);
