//! Operands.

use std::fmt::{self, Display};

use super::Commas;
use crate::ast::{Address, Operand};

impl Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Name(name) | Operand::Text(name) => name.fmt(f),
            Operand::Component(name, part) => write!(f, "{name}.{part}"),
            Operand::Sink => f.write_str("_"),
            Operand::Constant(expr) => expr.fmt(f),
            Operand::Not(of) => write!(f, "!{of}"),
            Operand::Negate(of) => write!(f, "-{of}"),
            Operand::Address(address) => address.fmt(f),
            Operand::Element(array, index) => write!(f, "{array}[{index}]"),
            Operand::Vector(all) => write!(f, "{{{}}}", Commas(all)),
            Operand::Pair(first, second) => write!(f, "{first}|{second}"),
            Operand::List(all) => write!(f, "({})", Commas(all)),
        }
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}", self.base)?;
        if let Some(offset) = &self.offset {
            write!(f, "+{offset}")?;
        }
        for one in &self.rest {
            write!(f, ", {one}")?;
        }
        f.write_str("]")
    }
}
