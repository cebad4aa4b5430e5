//! Reads the text of Loop IR; see its printer for the form.
//!
//! Only what the text itself must have is checked here: every value is defined once, their numbers have no gaps, buffers are
//! declared in order. The rest is the verifier's.

mod inst;
mod ops;

use super::{
    Block, Buffer, Column, Kernel, Output, Program, Scratch, ScratchData, Stream, StreamData, Value,
    ValueData,
};
use crate::entity::{Entity, Table};
use crate::text::{Cursor, TextError, Token};
use crate::{Loc, Type};
use std::collections::BTreeMap;

impl Program {
    /// Reads the text of a program, as printed by its `Display`. Ids stay what they are in the text.
    pub fn parse(text: &str) -> Result<Program, TextError> {
        let cursor = &mut Cursor::new(text)?;
        cursor.expect("program")?;
        let mut program = Program { source: cursor.string()?, ..Program::default() };
        while cursor.at("stream") {
            let stream = stream(cursor, program.streams.len())?;
            program.streams.push(stream);
        }
        while !cursor.at_end() {
            program.kernels.push(kernel(cursor)?);
        }
        Ok(program)
    }
}

fn stream(cursor: &mut Cursor<'_>, number: usize) -> Result<StreamData, TextError> {
    cursor.expect("stream")?;
    cursor.expect(&Stream::new(number).to_string())?;
    let name = cursor.symbol()?;
    let grid = cursor.grid()?;
    cursor.expect("{")?;
    let columns = cursor.list("}", column)?;
    Ok(StreamData { name, grid, columns })
}

fn column(cursor: &mut Cursor<'_>) -> Result<Column, TextError> {
    let name = cursor.name()?;
    cursor.expect(":")?;
    Ok(Column { name, ty: cursor.ty()?, nullable: cursor.eat("nullable") })
}

fn kernel(cursor: &mut Cursor<'_>) -> Result<Kernel, TextError> {
    let place = cursor.place();
    cursor.expect("kernel")?;
    let name = cursor.symbol()?;
    let grid = cursor.grid()?;
    let mut reader = Reader { cursor, values: BTreeMap::new(), depth: 1 };
    reader.cursor.expect("(")?;
    let params = reader.params()?;
    reader.define_all(&params, |_| Type::I64)?;
    reader.cursor.expect("{")?;
    let outputs = reader.outputs()?;
    let scratch = reader.scratch()?;
    let mut body = reader.block_rest()?;
    body.params = params.into_iter().map(|(value, _)| value).collect();
    Ok(Kernel { name, grid, outputs, scratch, values: reader.values(place)?, body })
}

/// A value and where it stands in the text.
type Placed = (Value, Loc);

/// Reads one kernel.
struct Reader<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    /// The values defined so far.
    values: BTreeMap<usize, Type>,
    /// How many blocks are open.
    depth: usize,
}

impl Reader<'_, '_> {
    fn outputs(&mut self) -> Result<Vec<Output>, TextError> {
        let mut outputs = Vec::new();
        while self.cursor.eat(&Buffer::Output(outputs.len() as u32).to_string()) {
            self.cursor.expect(":")?;
            let ty = self.cursor.ty()?;
            let nullable = self.cursor.eat("nullable");
            self.cursor.expect("=")?;
            let output = self.cursor.symbol()?;
            let column = match self.cursor.eat("keep") {
                true => None,
                false => {
                    self.cursor.expect(".")?;
                    Some(self.cursor.name()?)
                }
            };
            outputs.push(Output { output, column, ty, nullable });
        }
        Ok(outputs)
    }

    fn scratch(&mut self) -> Result<Table<Scratch, ScratchData>, TextError> {
        let mut table = Table::new();
        while self.cursor.eat(&Scratch::new(table.len()).to_string()) {
            self.cursor.expect(":")?;
            let ty = self.cursor.ty()?;
            let nullable = self.cursor.eat("nullable");
            table.push(ScratchData { ty, nullable });
        }
        Ok(table)
    }

    /// The instructions and yields of a block up to and with its `}`; its parameters are the caller's.
    fn block_rest(&mut self) -> Result<Block, TextError> {
        let mut block = Block::default();
        while !self.cursor.at("}") && !self.cursor.at("yield") {
            block.insts.push(self.inst()?);
        }
        if self.cursor.eat("yield") {
            block.yields = self.uses("}")?;
        } else {
            self.cursor.expect("}")?;
        }
        Ok(block)
    }

    /// A value that is used.
    fn value(&mut self) -> Result<Value, TextError> {
        Ok(Value::new(self.cursor.value()? as usize))
    }
    fn placed(&mut self) -> Result<Placed, TextError> {
        let place = self.cursor.place();
        Ok((self.value()?, place))
    }
    /// Values with commas between them, up to and with `close`.
    fn uses(&mut self, close: &str) -> Result<Vec<Value>, TextError> {
        self.cursor.list(close, |cursor| Ok(Value::new(cursor.value()? as usize)))
    }
    /// Values that are going to be defined, up to and with `)`.
    fn params(&mut self) -> Result<Vec<Placed>, TextError> {
        self.cursor.list(")", |cursor| {
            let place = cursor.place();
            Ok((Value::new(cursor.value()? as usize), place))
        })
    }

    fn define(&mut self, (value, place): Placed, ty: Type) -> Result<Value, TextError> {
        match self.values.insert(value.index(), ty) {
            None => Ok(value),
            Some(_) => Err(TextError::new(place, format!("{value} is defined twice"))),
        }
    }
    fn define_all(&mut self, values: &[Placed], ty: impl Fn(usize) -> Type) -> Result<Vec<Value>, TextError> {
        let values = values.iter().enumerate();
        values.map(|(i, placed)| self.define(*placed, ty(i))).collect()
    }

    /// The kernel's values: their numbers have no gaps.
    fn values(&self, place: Loc) -> Result<Table<Value, ValueData>, TextError> {
        let mut table = Table::new();
        for (number, ty) in &self.values {
            if *number != table.len() {
                let (there, missing) = (Value::new(*number), Value::new(table.len()));
                let message = format!("this kernel has {there} but no {missing}");
                return Err(TextError::new(place, message));
            }
            table.push(ValueData { ty: *ty });
        }
        Ok(table)
    }

    /// The next token if it is a word.
    fn word(&self) -> &str {
        match self.cursor.peek() {
            Token::Ident(word) => word,
            _ => "",
        }
    }
}
