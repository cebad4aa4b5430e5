//! From tree to text.
//!
//! [`print`] writes what `ptxas` accepts wherever it accepted the text that was read, laid out as nvcc lays it out. Reading
//! it again gives an equal tree. No value is re-encoded: a literal keeps its radix, a float its bits or its digits.

mod expr;
mod function;
mod operand;
mod statement;
mod variable;

use std::fmt::{self, Display, Write};

use crate::ast::{Instruction, Item, Module};
use crate::name::Name;

/// The text of a module.
///
/// ```
/// let module = tilt_backend_ptx::parse(".version 8.0 .target sm_80 .address_size 64").unwrap();
/// assert_eq!(tilt_backend_ptx::print(&module), ".version 8.0\n.target sm_80\n.address_size 64\n");
/// ```
pub fn print(module: &Module) -> String {
    module.to_string()
}

impl Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.iter().try_for_each(|item| item.node.fmt(f))
    }
}

impl Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Version(major, minor) => writeln!(f, ".version {major}.{minor}"),
            Item::Target(names) => writeln!(f, ".target {}", Commas(names)),
            Item::AddressSize(bits) => writeln!(f, ".address_size {bits}"),
            Item::Variable(variable) => writeln!(f, "{variable};"),
            Item::Function(function) => write!(f, "\n{function}"),
            Item::Alias(alias) => writeln!(f, ".alias {}, {};", alias.name, alias.of),
            Item::Pragma(strings) => writeln!(f, ".pragma {};", Quoted(strings)),
            Item::File(file) => writeln!(f, "{file}"),
            Item::Loc(loc) => writeln!(f, "{loc}"),
            Item::Section(section) => writeln!(f, "{section}"),
            Item::Line(line) => writeln!(f, "\n{}", line.0),
            Item::Unknown(text) => writeln!(f, "{text}"),
        }
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(guard) = &self.guard {
            write!(f, "@{}{} ", if guard.negated { "!" } else { "" }, guard.register)?;
        }
        self.opcode.fmt(f)?;
        for modifier in &self.modifiers {
            f.write_char('.')?;
            modifier.fmt(f)?;
        }
        for (place, operand) in self.operands.iter().enumerate() {
            f.write_str(if place == 0 { " " } else { ", " })?;
            operand.node.fmt(f)?;
        }
        f.write_char(';')
    }
}

/// Elements with `, ` between.
struct Commas<'a, T>(&'a [T]);

impl<T: Display> Display for Commas<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, one) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            one.fmt(f)?;
        }
        Ok(())
    }
}

/// Strings in quotes with `, ` between.
struct Quoted<'a>(&'a [Name]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, one) in self.0.iter().enumerate() {
            write!(f, "{}\"{one}\"", if place > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}
