//! Modules and what stands at their top level.

use super::{FileEntry, Function, Line, Loc, Variable};
use crate::name::Name;
use crate::span::Spanned;

/// One PTX module.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// Its parts, in the order of the text.
    pub items: Vec<Spanned<Item>>,
}

/// One part of a module.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// `.version 8.4`
    Version(u32, u32),
    /// `.target sm_90a, debug`
    Target(Vec<Name>),
    /// `.address_size 64`
    AddressSize(u32),
    /// A variable of the module.
    Variable(Variable),
    /// A kernel or a device function, defined or declared.
    Function(Box<Function>),
    /// `.alias name, of;`
    Alias(Alias),
    /// `.pragma "…";`
    Pragma(Vec<Name>),
    /// `.file 1 "a.cu"`
    File(FileEntry),
    /// `.loc 1 2 3`
    Loc(Loc),
    /// `.section .debug_info { … }`
    Section(Section),
    /// A line that starts with `#` or `@@DWARF`, kept as it is.
    Line(Line),
    /// A directive that this crate does not know, kept as it is.
    Unknown(Name),
}

/// `.alias name, of;`: another name for a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Alias {
    /// The new name.
    pub name: Name,
    /// The function.
    pub of: Name,
}

/// A section of debug data. What is between the braces is kept as it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Section {
    /// `.debug_info`, with the dot if it is written with one
    pub name: Name,
    /// The text between the braces.
    pub text: Name,
}

impl Module {
    /// Major and minor number of the PTX ISA.
    pub fn version(&self) -> Option<(u32, u32)> {
        self.items.iter().find_map(|item| match item.node {
            Item::Version(major, minor) => Some((major, minor)),
            _ => None,
        })
    }

    /// The targets: the first names the architecture.
    pub fn target(&self) -> &[Name] {
        let found = self.items.iter().find_map(|item| match &item.node {
            Item::Target(names) => Some(&names[..]),
            _ => None,
        });
        found.unwrap_or(&[])
    }

    /// The number in `sm_90a`.
    pub fn architecture(&self) -> Option<u32> {
        let text = self
            .target()
            .iter()
            .find_map(|name| name.strip_prefix("sm_").or(name.strip_prefix("compute_")))?;
        text.trim_end_matches(|last: char| last.is_ascii_alphabetic()).parse().ok()
    }

    /// The functions, declared and defined.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.items.iter().filter_map(|item| match &item.node {
            Item::Function(function) => Some(&**function),
            _ => None,
        })
    }

    /// The function of this name that has a body; else one that is declared.
    pub fn function(&self, name: &str) -> Option<&Function> {
        let mut named = self.functions().filter(|function| function.name.node == *name);
        let first = named.next()?;
        Some(std::iter::once(first).chain(named).find(|function| function.body.is_some()).unwrap_or(first))
    }

    /// The variables of the module.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.items.iter().filter_map(|item| match &item.node {
            Item::Variable(variable) => Some(variable),
            _ => None,
        })
    }
}
