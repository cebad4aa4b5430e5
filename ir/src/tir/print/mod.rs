//! The textual form of TiLT IR.
//!
//! ```
//! use tilt_ir::tir;
//! let text = "\
//! source \"trend.tilt\"
//!
//! input @x {v: f32} every 1s offset 0s loc(1:7)
//!
//! def @d {value: f32} every 1s offset 0s loc(2:5) {
//!   %0 = reduce mean doubling 20 over every 1s offset 0s (t-20s, t] min_count 1 {
//!     %0 = at x.v[t] : f32
//!     yield %0
//!   } : f32 loc(2:12)
//!   %1 = at x.v[t-1s] : f32
//!   %2 = sub %0, %1 : f32
//!   yield %2
//! }
//!
//! output @d = @d {d: value}
//! ";
//! let query = tir::parse(text)?;
//! assert_eq!(query.to_string(), text);
//! # Ok::<(), tilt_ir::text::TextError>(())
//! ```
//!
//! Only a query that the verifier accepts reads back; any other one prints all the same, for messages: what it names and
//! does not have appears as `#7`.

mod body;
mod parts;

use std::fmt;

use super::{Clock, DefData, Field, Hold, InputData, Output, Query, Stamps};
use crate::text::{At, Constant, GridText, Name, Quoted, Span};
use body::BodyText;

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut part = Parts::default();
        if !self.source.is_empty() {
            part.start(f)?;
            writeln!(f, "source {}", Quoted(&self.source))?;
        }
        if !self.keys.is_empty() || !self.symbols.is_empty() {
            part.start(f)?;
        }
        if !self.keys.is_empty() {
            writeln!(f, "keys {}", Fields(&self.keys))?;
        }
        if !self.symbols.is_empty() {
            let symbols: Vec<String> = self.symbols.iter().map(|s| Quoted(s).to_string()).collect();
            writeln!(f, "symbols {{{}}}", symbols.join(", "))?;
        }
        if !self.inputs.is_empty() {
            part.start(f)?;
        }
        for input in self.inputs.rows() {
            print_input(f, input)?;
        }
        for def in self.defs.rows() {
            part.start(f)?;
            print_def(f, self, def)?;
        }
        if !self.outputs.is_empty() {
            part.start(f)?;
        }
        for output in &self.outputs {
            print_output(f, self, output)?;
        }
        Ok(())
    }
}

/// Puts an empty line before each part but the first.
#[derive(Default)]
struct Parts {
    started: bool,
}

impl Parts {
    fn start(&mut self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if std::mem::replace(&mut self.started, true) {
            writeln!(f)?;
        }
        Ok(())
    }
}

fn print_input(f: &mut fmt::Formatter<'_>, input: &InputData) -> fmt::Result {
    let InputData { name, fields, stamps, interval, keyed, loc } = input;
    let (keyed, stamps) = (Keyed(*keyed), StampsText(*stamps));
    write!(f, "input @{} {}{keyed} {stamps}", Name(name), Fields(fields))?;
    if let Some((from, to)) = interval {
        write!(f, " columns @{}, @{}", Name(from), Name(to))?;
    }
    writeln!(f, "{}", At(*loc))
}

fn print_def(f: &mut fmt::Formatter<'_>, query: &Query, def: &DefData) -> fmt::Result {
    let DefData { name, fields, clock, keyed, init, body, loc } = def;
    let (keyed, clock) = (Keyed(*keyed), ClockText(query, clock));
    write!(f, "def @{} {}{keyed} {clock}", Name(name), Fields(fields))?;
    if let Some(init) = init {
        let value = |(value, field): (&Option<crate::Const>, &Field)| match value {
            Some(value) => Constant(*value, field.ty).to_string(),
            None => "null".to_owned(),
        };
        let values: Vec<String> = init.iter().zip(fields).map(value).collect();
        write!(f, " init ({})", values.join(", "))?;
    }
    writeln!(f, "{} {{", At(*loc))?;
    let body = BodyText { query, body, indent: 1 };
    writeln!(f, "{body}}}")
}

fn print_output(f: &mut fmt::Formatter<'_>, query: &Query, output: &Output) -> fmt::Result {
    let def = query.defs.get(output.def);
    let field = |number: u32| FieldText(def.map_or(&[], |def| &def.fields), number);
    write!(f, "output @{} = ", Name(&output.name))?;
    match def {
        Some(def) => write!(f, "@{} {{", Name(&def.name))?,
        None => write!(f, "#{} {{", output.def)?,
    }
    for (n, (column, number)) in output.columns.iter().enumerate() {
        let comma = if n == 0 { "" } else { ", " };
        write!(f, "{comma}{}: {}", Name(column), field(*number))?;
    }
    f.write_str("}")?;
    if let Some(keep) = output.keep {
        write!(f, " keep {}", field(keep))?;
    }
    writeln!(f)
}

/// `{bid: f64, ask: f64}`.
struct Fields<'a>(&'a [Field]);

impl fmt::Display for Fields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (n, Field { name, ty }) in self.0.iter().enumerate() {
            let comma = if n == 0 { "" } else { ", " };
            write!(f, "{comma}{}: {ty}", Name(name))?;
        }
        f.write_str("}")
    }
}

/// Field number `.1` of these, by name.
struct FieldText<'a>(&'a [Field], u32);

impl fmt::Display for FieldText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.get(self.1 as usize) {
            Some(field) => Name(&field.name).fmt(f),
            None => write!(f, "#{}", self.1),
        }
    }
}

/// ` keyed`, or nothing.
struct Keyed(bool);

impl fmt::Display for Keyed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 { " keyed" } else { "" })
    }
}

/// `every 1s offset 0s`, `events hold 5s`.
struct StampsText(Stamps);

impl fmt::Display for StampsText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Stamps::Every(grid) => GridText(grid).fmt(f),
            Stamps::Events(Hold::Point) => f.write_str("events point"),
            Stamps::Events(Hold::UntilNext) => f.write_str("events hold"),
            Stamps::Events(Hold::For(ns)) => write!(f, "events hold {}", Span(ns.into())),
            Stamps::Events(Hold::Until) => f.write_str("events until"),
        }
    }
}

/// `every 1s offset 0s`, `on l, r`, `continuous`.
pub(crate) struct ClockText<'a>(pub(crate) &'a Query, pub(crate) &'a Clock);

impl fmt::Display for ClockText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs = match self.1 {
            Clock::Grid(grid) => return GridText(*grid).fmt(f),
            Clock::Continuous => return f.write_str("continuous"),
            Clock::Events(inputs) => inputs,
        };
        for (n, input) in inputs.iter().enumerate() {
            f.write_str(if n == 0 { "on " } else { ", " })?;
            match self.0.inputs.get(*input) {
                Some(data) => Name(&data.name).fmt(f)?,
                None => write!(f, "#{input}")?,
            }
        }
        Ok(())
    }
}
