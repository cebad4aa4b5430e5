//! How names, times, grids, constants and places are written, as `Display` wrappers.

use std::fmt;

use super::lexer::{UNITS, is_name, is_name_start};
use crate::{Const, Grid, Loc, Type};

/// Whether a name needs no quotes.
pub fn is_plain_name(name: &str) -> bool {
    name.starts_with(is_name_start) && name.chars().all(is_name)
}

/// A name, quoted where it has to be: `price`, `"odd name"`.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a>(pub &'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_plain_name(self.0) { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

/// A string in quotes.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", c as u32)?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}

/// A time in nanoseconds, in the greatest unit that says it exactly.
///
/// ```
/// use tilt_ir::text::Span;
/// let times = [0, 1_800_000_000_000, -20_000_000_000, 1_500].map(|ns| Span(ns).to_string());
/// assert_eq!(times, ["0s", "30m", "-20s", "1500ns"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Span(pub i128);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0s");
        }
        let exact = UNITS.iter().find(|(_, scale)| self.0 % scale == 0);
        let (unit, scale) = exact.copied().unwrap_or(("ns", 1));
        write!(f, "{}{unit}", self.0 / scale)
    }
}

/// A grid: `every 30m offset 0s`.
#[derive(Clone, Copy, Debug)]
pub struct GridText(pub Grid);

impl fmt::Display for GridText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Grid { period, offset } = self.0;
        write!(f, "every {} offset {}", Span(period.into()), Span(offset.into()))
    }
}

/// A constant of a type: `true`, `-7`, `30m`, `0.1`, `-inf`, `nan`, and bits for every other NaN: `0x7ff8000000000001`.
#[derive(Clone, Copy, Debug)]
pub struct Constant(pub Const, pub Type);

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Const::Bool(value), _) => write!(f, "{value}"),
            (Const::Int(ns), Type::Time | Type::Duration) => Span(ns).fmt(f),
            (Const::Int(value), _) => write!(f, "{value}"),
            (Const::F32(bits), _) => match f32::from_bits(bits) {
                value if value.is_nan() && bits == f32::NAN.to_bits() => f.write_str("nan"),
                value if value.is_nan() => write!(f, "{bits:#010x}"),
                value => write!(f, "{value:?}"),
            },
            (Const::F64(bits), _) => match f64::from_bits(bits) {
                value if value.is_nan() && bits == f64::NAN.to_bits() => f.write_str("nan"),
                value if value.is_nan() => write!(f, "{bits:#018x}"),
                value => write!(f, "{value:?}"),
            },
        }
    }
}

/// The place that an instruction comes from, as a suffix: ` loc(4:17)`, or nothing for `Loc::NONE`.
#[derive(Clone, Copy, Debug)]
pub struct At(pub Loc);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == Loc::NONE {
            return Ok(());
        }
        write!(f, " loc({}:{})", self.0.line, self.0.column)
    }
}
