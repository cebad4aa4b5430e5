//! Statements.

use std::fmt::{self, Display};

use super::{Commas, Quoted};
use crate::ast::{FileEntry, Loc, Section, Statement};
use crate::span::Spanned;

/// Deeper scopes are indented no further.
const MAX_INDENT: usize = 8;

/// The statements of a scope.
pub(super) fn body(
    statements: &[Spanned<Statement>],
    depth: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let indent = "\t".repeat(depth.min(MAX_INDENT));
    let outdent = &indent[1..];
    for one in statements {
        match &one.node {
            Statement::Label(name) => writeln!(f, "{outdent}{name}:")?,
            Statement::Block(inner) => {
                writeln!(f, "{indent}{{")?;
                body(inner, depth + 1, f)?;
                writeln!(f, "{indent}}}")?;
            }
            Statement::Line(line) => writeln!(f, "{}", line.0)?,
            Statement::BranchTargets(name, _)
            | Statement::CallTargets(name, _)
            | Statement::CallPrototype(name, _) => {
                writeln!(f, "{outdent}{name}: {one}", one = Directive(&one.node))?;
            }
            other => writeln!(f, "{indent}{}", Directive(other))?,
        }
    }
    Ok(())
}

/// A statement without the name before it.
struct Directive<'a>(&'a Statement);

impl Display for Directive<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Statement::Variable(variable) => write!(f, "{variable};"),
            Statement::Instruction(instruction) => instruction.fmt(f),
            Statement::BranchTargets(_, targets) => write!(f, ".branchtargets {};", Commas(targets)),
            Statement::CallTargets(_, targets) => write!(f, ".calltargets {};", Commas(targets)),
            Statement::CallPrototype(_, prototype) => prototype.fmt(f),
            Statement::Pragma(strings) => write!(f, ".pragma {};", Quoted(strings)),
            Statement::Loc(loc) => loc.fmt(f),
            Statement::File(file) => file.fmt(f),
            Statement::Section(section) => section.fmt(f),
            Statement::Unknown(text) => text.fmt(f),
            // `body` prints these
            Statement::Label(_) | Statement::Block(_) | Statement::Line(_) => Ok(()),
        }
    }
}

impl Display for FileEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".file {} \"{}\"", self.index, self.path)?;
        self.stamp.iter().try_for_each(|one| write!(f, ", {one}"))
    }
}

impl Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".loc {} {} {}", self.file, self.line, self.column)?;
        if let Some(function) = &self.function {
            write!(f, ", function_name {}", function.label)?;
            match function.offset {
                Some(offset) if !offset.negative => write!(f, "+{offset}")?,
                Some(offset) => write!(f, "{offset}")?,
                None => {}
            }
        }
        match self.inlined_at {
            Some([file, line, column]) => write!(f, ", inlined_at {file} {line} {column}"),
            None => Ok(()),
        }
    }
}

impl Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".section {} {{{}}}", self.name, self.text)
    }
}
