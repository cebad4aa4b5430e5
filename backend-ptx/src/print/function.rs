//! Functions and prototypes.

use std::fmt::{self, Display};

use super::variable::attributes;
use super::{Commas, Quoted, statement};
use crate::ast::{Function, Prototype, Tuning, Variable};
use crate::span::Spanned;

impl Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for one in &self.linkage {
            write!(f, ".{one} ")?;
        }
        write!(f, ".{} ", self.kind)?;
        attributes(&self.attributes, f)?;
        if !self.results.is_empty() {
            write!(f, "{} ", Parameters(&self.results))?;
        }
        write!(f, "{}", self.name.node)?;
        if let Some(parameters) = &self.parameters {
            Parameters(parameters).fmt(f)?;
        }
        for one in &self.tuning {
            write!(f, "\n{one}")?;
        }
        match &self.body {
            None => f.write_str(";\n"),
            Some(body) => {
                f.write_str("\n{\n")?;
                statement::body(body, 1, f)?;
                f.write_str("}\n")
            }
        }
    }
}

/// Parameters in parentheses, one a line where there are several.
struct Parameters<'a>(&'a [Spanned<Variable>]);

impl Display for Parameters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("()"),
            [one] => write!(f, "({})", one.node),
            [first, more @ ..] => {
                write!(f, "(\n\t{}", first.node)?;
                more.iter().try_for_each(|one| write!(f, ",\n\t{}", one.node))?;
                f.write_str("\n)")
            }
        }
    }
}

impl Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tuning::Directive(name, values) if values.is_empty() => write!(f, ".{name}"),
            Tuning::Directive(name, values) => write!(f, ".{name} {}", Commas(values)),
            Tuning::Pragma(strings) => write!(f, ".pragma {};", Quoted(strings)),
        }
    }
}

impl Display for Prototype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(".callprototype ")?;
        match &self.results[..] {
            [] => f.write_str("() ")?,
            results => write!(f, "{} ", Parameters(results))?,
        }
        write!(f, "{}", self.name)?;
        if let Some(parameters) = &self.parameters {
            write!(f, " {}", Parameters(parameters))?;
        }
        for one in &self.tuning {
            write!(f, " {one}")?;
        }
        f.write_str(";")
    }
}
