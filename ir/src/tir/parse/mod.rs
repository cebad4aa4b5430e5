//! Reads the textual form of TiLT IR (see [`Query`]'s `Display`).
//!
//! The parser knows what can be named — streams and fields by name, values by number — and leaves everything else to the
//! verifier: what it gives need not be a legal query.

mod body;
mod op;
mod parts;
mod reduce;

use std::collections::HashMap;

use super::{Def, DefData, Field, InputData, Output, Query, Source};
use crate::{
    Loc,
    text::{Cursor, TextError},
};

/// Reads a query from its textual form.
///
/// ```
/// let error = tilt_ir::tir::parse("input @x {v: f32} every 1y offset 0s").unwrap_err();
/// assert_eq!(error.to_string(), "1:25: `y` is not a unit of time");
/// ```
pub fn parse(text: &str) -> Result<Query, TextError> {
    let mut parser = Parser { cursor: Cursor::new(text)?, query: Query::default(), streams: HashMap::new() };
    if parser.cursor.eat("source") {
        parser.query.source = parser.cursor.string()?;
    }
    while !parser.cursor.at_end() {
        parser.item()?;
    }
    Ok(parser.query)
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    query: Query,
    /// What was declared so far.
    streams: HashMap<String, Source>,
}

impl Parser<'_> {
    fn item(&mut self) -> Result<(), TextError> {
        match () {
            () if self.cursor.eat("input") => self.input(),
            () if self.cursor.eat("def") => self.def(),
            () if self.cursor.eat("output") => self.output(),
            () => Err(self.cursor.wanted("`input`, `def` or `output`")),
        }
    }

    fn input(&mut self) -> Result<(), TextError> {
        let place = self.cursor.place();
        let data = InputData {
            name: self.cursor.symbol()?,
            fields: self.fields()?,
            grid: self.cursor.grid()?,
            loc: self.cursor.loc()?,
        };
        let name = data.name.clone();
        let input = self.query.inputs.push(data);
        self.declare(name, Source::Input(input), place)
    }

    fn def(&mut self) -> Result<(), TextError> {
        let place = self.cursor.place();
        let data = DefData {
            name: self.cursor.symbol()?,
            fields: self.fields()?,
            grid: self.cursor.grid()?,
            loc: self.cursor.loc()?,
            body: self.body()?,
        };
        let name = data.name.clone();
        let def = self.query.defs.push(data);
        self.declare(name, Source::Def(def), place)
    }

    /// `output @cross = @d {cross: value} keep ok`.
    fn output(&mut self) -> Result<(), TextError> {
        let name = self.cursor.symbol()?;
        self.cursor.expect("=")?;
        let def = self.def_name()?;
        self.cursor.expect("{")?;
        let fields = &self.query.defs[def].fields;
        let columns = self.cursor.list("}", |cursor| {
            let column = cursor.name()?;
            cursor.expect(":")?;
            Ok((column, field_number(cursor, fields)?))
        })?;
        let keep = match self.cursor.eat("keep") {
            true => Some(field_number(&mut self.cursor, fields)?),
            false => None,
        };
        self.query.outputs.push(Output { name, def, columns, keep });
        Ok(())
    }

    fn declare(&mut self, name: String, source: Source, place: Loc) -> Result<(), TextError> {
        match self.streams.insert(name.clone(), source) {
            None => Ok(()),
            Some(_) => Err(TextError::new(place, format!("two streams have the name `{name}`"))),
        }
    }

    /// `{bid: f64, ask: f64}`.
    fn fields(&mut self) -> Result<Vec<Field>, TextError> {
        self.cursor.expect("{")?;
        self.cursor.list("}", |cursor| {
            let name = cursor.name()?;
            cursor.expect(":")?;
            let ty = cursor.ty()?;
            Ok(Field { name, ty })
        })
    }

    fn def_name(&mut self) -> Result<Def, TextError> {
        let place = self.cursor.place();
        let name = self.cursor.symbol()?;
        match self.streams.get(&name) {
            Some(Source::Def(def)) => Ok(*def),
            Some(Source::Input(_)) | None => {
                Err(TextError::new(place, format!("there is no definition `{name}`")))
            }
        }
    }

    /// `x.v`.
    fn column(&mut self) -> Result<(Source, u32), TextError> {
        let place = self.cursor.place();
        let name = self.cursor.name()?;
        let source = *self
            .streams
            .get(&name)
            .ok_or_else(|| TextError::new(place, format!("no stream `{name}` is declared before this")))?;
        self.cursor.expect(".")?;
        let fields = match source {
            Source::Input(input) => &self.query.inputs[input].fields,
            Source::Def(def) => &self.query.defs[def].fields,
        };
        let field = field_number(&mut self.cursor, fields)?;
        Ok((source, field))
    }
}

/// The number of the field whose name is next.
fn field_number(cursor: &mut Cursor<'_>, fields: &[Field]) -> Result<u32, TextError> {
    let place = cursor.place();
    let name = cursor.name()?;
    let number = (0..).zip(fields).find(|(_, field)| field.name == name);
    match number {
        Some((number, _)) => Ok(number),
        None => Err(TextError::new(place, format!("no field `{name}` here"))),
    }
}
