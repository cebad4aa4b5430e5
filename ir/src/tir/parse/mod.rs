//! Reads the textual form of TiLT IR (see [`Query`]'s `Display`).
//!
//! The parser knows what can be named — streams and fields by name, values by number — and leaves everything else to the
//! verifier: what it gives need not be a legal query.

mod body;
mod op;
mod parts;
mod reduce;

use std::collections::HashMap;

use super::{Body, Clock, Def, DefData, Field, Hold, Input, InputData, Output, Query, Source, Stamps};
use crate::{
    Const, Loc,
    text::{Cursor, TextError, Token},
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
    if parser.cursor.eat("keys") {
        parser.query.keys = parser.fields()?;
    }
    if parser.cursor.eat("symbols") {
        parser.cursor.expect("{")?;
        parser.query.symbols = parser.cursor.list("}", |cursor| cursor.string())?;
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
            keyed: self.cursor.eat("keyed"),
            stamps: self.stamps()?,
            interval: self.interval()?,
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
            keyed: self.cursor.eat("keyed"),
            clock: self.clock()?,
            init: None,
            loc: Loc::NONE,
            body: Body::default(),
        };
        let name = data.name.clone();
        let def = self.query.defs.push(data);
        self.declare(name, Source::Def(def), place)?;
        if self.cursor.eat("init") {
            self.query.defs[def].init = Some(self.init(def)?);
        }
        self.query.defs[def].loc = self.cursor.loc()?;
        self.query.defs[def].body = self.body()?;
        Ok(())
    }

    /// `(0.0, null)`: one for each field.
    fn init(&mut self, def: Def) -> Result<Vec<Option<Const>>, TextError> {
        let mut types = self.query.defs[def].fields.iter().map(|field| field.ty);
        self.cursor.expect("(")?;
        self.cursor.list(")", |cursor| {
            let ty = types.next().ok_or_else(|| cursor.error("there are more values than fields"))?;
            match cursor.eat("null") {
                true => Ok(None),
                false => cursor.literal()?.of_type(ty).map(Some),
            }
        })
    }

    /// `every 1s offset 0s`, `events point`, `events hold`, `events hold 5s`, `events until`.
    fn stamps(&mut self) -> Result<Stamps, TextError> {
        if !self.cursor.eat("events") {
            return self.cursor.grid().map(Stamps::Every);
        }
        let hold = match () {
            () if self.cursor.eat("point") => Hold::Point,
            () if self.cursor.eat("until") => Hold::Until,
            () if self.cursor.eat("hold") => match self.cursor.peek() {
                Token::Time(_) => Hold::For(self.cursor.time()?),
                _ => Hold::UntilNext,
            },
            () => return Err(self.cursor.wanted("`point`, `hold` or `until`")),
        };
        Ok(Stamps::Events(hold))
    }

    /// `columns @start, @end`, or nothing.
    fn interval(&mut self) -> Result<Option<(String, String)>, TextError> {
        if !self.cursor.eat("columns") {
            return Ok(None);
        }
        let from = self.cursor.symbol()?;
        self.cursor.expect(",")?;
        Ok(Some((from, self.cursor.symbol()?)))
    }

    /// `every 1s offset 0s`, `on trades`, `on l, r`, `continuous`.
    pub(super) fn clock(&mut self) -> Result<Clock, TextError> {
        if self.cursor.eat("continuous") {
            return Ok(Clock::Continuous);
        }
        if !self.cursor.eat("on") {
            return self.cursor.grid().map(Clock::Grid);
        }
        let mut inputs = vec![self.input_name()?];
        while self.cursor.eat(",") {
            inputs.push(self.input_name()?);
        }
        Ok(Clock::Events(inputs))
    }

    fn input_name(&mut self) -> Result<Input, TextError> {
        let place = self.cursor.place();
        let name = self.cursor.name()?;
        match self.streams.get(&name) {
            Some(Source::Input(input)) => Ok(*input),
            Some(Source::Def(_)) | None => Err(TextError::new(place, format!("there is no input `{name}`"))),
        }
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
