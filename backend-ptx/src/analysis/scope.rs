//! Scopes of a function: which register, variable or label a name stands for at a place.

use std::collections::HashMap;

use super::symbols::Symbol;
use super::{Label, is_special};
use crate::ast::{Declarator, Function, StateSpace, Statement, Type, Variable};
use crate::name::Name;
use crate::span::Span;

/// A register of a function, as an index into [`super::Body::registers`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register(pub u32);

impl Register {
    /// The carry flag, which `add.cc` and its kin write and `addc` and its kin read.
    pub const CARRY: Register = Register(0);

    /// The index into [`super::Body::registers`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A register as it is declared.
#[derive(Debug, Clone, PartialEq)]
pub struct RegisterInfo {
    /// Its name; several scopes may each have one of that name.
    pub name: Name,
    /// Its type; `None` for the carry flag.
    pub ty: Option<Type>,
    /// The length of a vector register.
    pub vector: Option<u8>,
}

/// What a name in a function stands for.
#[derive(Debug, Clone, Copy)]
pub enum Meaning<'a> {
    /// A register.
    Register(Register),
    /// A special register such as `%tid`.
    Special,
    /// A variable or parameter of the function, or a variable of the module.
    Variable(&'a Variable, &'a Declarator),
    /// A label.
    Label(Label),
    /// A `.branchtargets`, `.calltargets` or `.callprototype`.
    Targets(&'a Statement),
    /// A function, as declared or defined.
    Function(&'a Function),
    /// `WARP_SZ`.
    WarpSize,
    /// Nothing that is declared here.
    Unknown,
}

/// One scope.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    names: HashMap<&'a str, Meaning<'a>>,
    /// The prefixes of `%r<10>`.
    ranges: HashMap<&'a str, (u32, &'a Variable)>,
}

/// The scopes around a place, the innermost last, and the registers found so far.
#[derive(Debug)]
pub(super) struct Scopes<'a> {
    pub(super) open: Vec<Scope<'a>>,
    pub(super) registers: Vec<RegisterInfo>,
    /// Names that are declared twice in one scope.
    pub(super) repeated: Vec<(Name, Span)>,
}

impl<'a> Scopes<'a> {
    pub(super) fn new() -> Scopes<'a> {
        let carry = RegisterInfo { name: Name::from("CC"), ty: None, vector: None };
        Scopes { open: Vec::new(), registers: vec![carry], repeated: Vec::new() }
    }

    /// Gives a name a meaning in the innermost scope.
    pub(super) fn declare(&mut self, name: &'a Name, meaning: Meaning<'a>, span: Span) {
        let Some(scope) = self.open.last_mut() else { return };
        if scope.names.insert(name.as_str(), meaning).is_some() {
            self.repeated.push((name.clone(), span));
        }
    }

    /// Declares the names of a variable.
    pub(super) fn variable(&mut self, variable: &'a Variable, span: Span) {
        for one in &variable.names {
            if one.name == "_" {
                continue;
            }
            match (variable.space, one.count) {
                (StateSpace::Reg, Some(count)) => {
                    let Some(scope) = self.open.last_mut() else { continue };
                    let old = scope.ranges.insert(one.name.as_str(), (count, variable));
                    if old.is_some() {
                        self.repeated.push((one.name.clone(), span));
                    }
                }
                (StateSpace::Reg, None) => {
                    let register = self.register(&one.name, variable);
                    self.declare(&one.name, Meaning::Register(register), span);
                }
                _ => self.declare(&one.name, Meaning::Variable(variable, one), span),
            }
        }
    }

    fn register(&mut self, name: &Name, variable: &Variable) -> Register {
        let info =
            RegisterInfo { name: name.clone(), ty: Some(variable.ty.clone()), vector: variable.vector };
        self.registers.push(info);
        Register(self.registers.len() as u32 - 1)
    }

    /// What `name` stands for here.
    pub(super) fn lookup(&mut self, name: &'a Name, module: &super::Symbols<'a>) -> Meaning<'a> {
        for at in (0..self.open.len()).rev() {
            if let Some(meaning) = self.open[at].names.get(name.as_str()) {
                return *meaning;
            }
            if let Some(variable) = self.open[at].range_of(name) {
                let register = self.register(name, variable);
                self.open[at].names.insert(name.as_str(), Meaning::Register(register));
                return Meaning::Register(register);
            }
        }
        match module.get(name) {
            Some(Symbol::Variable(variable, one)) => Meaning::Variable(variable, one),
            Some(Symbol::Function(function)) => Meaning::Function(function),
            Some(Symbol::Alias(alias)) => {
                module.function(&alias.name).map_or(Meaning::Unknown, Meaning::Function)
            }
            None if is_special(name) => Meaning::Special,
            None if name == "WARP_SZ" => Meaning::WarpSize,
            None => Meaning::Unknown,
        }
    }
}

impl<'a> Scope<'a> {
    /// The declaration with `<N>` that holds `name`.
    fn range_of(&self, name: &str) -> Option<&'a Variable> {
        if self.ranges.is_empty() {
            return None;
        }
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        (1..=digits.min(10)).rev().find_map(|length| {
            let (prefix, number) = name.split_at(name.len() - length);
            let (count, variable) = self.ranges.get(prefix)?;
            number.parse::<u32>().is_ok_and(|number| number < *count).then_some(*variable)
        })
    }
}
