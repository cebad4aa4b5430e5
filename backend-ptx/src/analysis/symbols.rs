//! The names of a module.

use std::collections::HashMap;

use crate::ast::{Alias, Declarator, Function, Item, Module, StateSpace, Variable};

/// What a name of a module stands for.
#[derive(Debug, Clone, Copy)]
pub enum Symbol<'a> {
    /// A variable.
    Variable(&'a Variable, &'a Declarator),
    /// A function; the one with a body where it is declared as well.
    Function(&'a Function),
    /// Another name for a function.
    Alias(&'a Alias),
}

/// The names of a module.
#[derive(Debug)]
pub struct Symbols<'a> {
    /// The module.
    pub module: &'a Module,
    /// Registers at the level of the module, as old versions of the ISA have them.
    pub(super) registers: Vec<&'a Variable>,
    names: HashMap<&'a str, Symbol<'a>>,
}

impl<'a> Symbols<'a> {
    /// Collects them.
    pub fn of(module: &'a Module) -> Symbols<'a> {
        let mut names = HashMap::new();
        let registers = module.variables().filter(|variable| variable.space == StateSpace::Reg).collect();
        for item in &module.items {
            match &item.node {
                Item::Variable(variable) => {
                    for one in &variable.names {
                        names.insert(one.name.as_str(), Symbol::Variable(variable, one));
                    }
                }
                Item::Function(function) => {
                    let defined = matches!(names.get(&**function.name), Some(Symbol::Function(old)) if old.body.is_some());
                    if !defined {
                        names.insert(function.name.as_str(), Symbol::Function(function));
                    }
                }
                Item::Alias(alias) => {
                    names.insert(alias.name.as_str(), Symbol::Alias(alias));
                }
                _ => {}
            }
        }
        Symbols { module, registers, names }
    }

    /// What `name` stands for. Variables with `<N>` do not exist at this level.
    pub fn get(&self, name: &str) -> Option<Symbol<'a>> {
        self.names.get(name).copied()
    }

    /// The function that a name stands for, through aliases.
    pub fn function(&self, name: &str) -> Option<&'a Function> {
        let mut symbol = self.get(name)?;
        for _ in 0..self.names.len() {
            match symbol {
                Symbol::Function(function) => return Some(function),
                Symbol::Alias(alias) => symbol = self.get(&alias.of)?,
                Symbol::Variable(..) => return None,
            }
        }
        None
    }
}
