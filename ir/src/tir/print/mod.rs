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

use super::{DefData, Field, InputData, Output, Query};
use crate::text::{At, GridText, Name, Quoted};
use body::BodyText;

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut part = Parts::default();
        if !self.source.is_empty() {
            part.start(f)?;
            writeln!(f, "source {}", Quoted(&self.source))?;
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
    let InputData { name, fields, grid, loc } = input;
    writeln!(f, "input @{} {} {}{}", Name(name), Fields(fields), GridText(*grid), At(*loc))
}

fn print_def(f: &mut fmt::Formatter<'_>, query: &Query, def: &DefData) -> fmt::Result {
    let DefData { name, fields, grid, body, loc } = def;
    writeln!(f, "def @{} {} {}{} {{", Name(name), Fields(fields), GridText(*grid), At(*loc))?;
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
