//! Declarations.

use std::fmt::{self, Display};

use super::Commas;
use crate::ast::{Attribute, Declarator, Init, Pointer, Variable};

impl Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for one in &self.linkage {
            write!(f, ".{one} ")?;
        }
        write!(f, ".{} ", self.space)?;
        attributes(&self.attributes, f)?;
        if let Some(align) = self.align {
            write!(f, ".align {align} ")?;
        }
        for one in &self.extra {
            write!(f, ".{one} ")?;
        }
        if let Some(length) = self.vector {
            write!(f, ".v{length} ")?;
        }
        write!(f, ".{} ", self.ty)?;
        if let Some(pointer) = self.pointer {
            write!(f, "{pointer} ")?;
        }
        Commas(&self.names).fmt(f)
    }
}

/// `.attribute(…) `, or nothing where there are none.
pub(super) fn attributes(all: &[Attribute], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match all {
        [] => Ok(()),
        all => write!(f, ".attribute({}) ", Commas(all)),
    }
}

impl Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.name)?;
        match &self.arguments[..] {
            [] => Ok(()),
            arguments => write!(f, "({})", Commas(arguments)),
        }
    }
}

impl Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(".ptr")?;
        if let Some(space) = self.space {
            write!(f, " .{space}")?;
        }
        if let Some(align) = self.align {
            write!(f, " .align {align}")?;
        }
        Ok(())
    }
}

impl Display for Declarator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        if let Some(count) = self.count {
            write!(f, "<{count}>")?;
        }
        for length in &self.dimensions {
            match length {
                Some(length) => write!(f, "[{length}]")?,
                None => f.write_str("[]")?,
            }
        }
        match &self.init {
            Some(init) => write!(f, " = {init}"),
            None => Ok(()),
        }
    }
}

impl Display for Init {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Init::Value(expr) => expr.fmt(f),
            Init::List(all) => write!(f, "{{{}}}", Commas(all)),
            Init::Field(name, expr) => write!(f, "{name} = {expr}"),
        }
    }
}
