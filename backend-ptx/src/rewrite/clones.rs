//! Which functions a form clones, and the module with the clones beside the originals.

use std::collections::BTreeMap;

use super::names::Names;
use crate::ast::{Declarator, Expr, Function, FunctionKind, Item, Module, ScalarType, StateSpace, Variable};
use crate::legality::Fact;
use crate::name::Name;
use crate::span::Spanned;
use crate::verify::{Verified, Violation, verify};

/// What is cloned and how the clones are called.
pub(super) struct Clones {
    pub(super) names: Names,
    /// What is appended to the names of originals.
    suffix: &'static str,
    /// The clones of device functions by the names of the originals.
    pub(super) functions: BTreeMap<String, Name>,
    kernels: BTreeMap<String, Name>,
}

impl Clones {
    pub(super) fn new(module: &Module, suffix: &'static str) -> Clones {
        let (functions, kernels) = (BTreeMap::new(), BTreeMap::new());
        Clones { names: Names::of(module), suffix, functions, kernels }
    }

    /// Plans the clone of a kernel, and of the functions that read the block index for it. Gives the clone's name.
    pub(super) fn kernel(&mut self, kernel: &str, facts: &[Fact]) -> Name {
        let name = self.names.fresh(&format!("{kernel}{}", self.suffix));
        self.kernels.insert(kernel.to_owned(), name.clone());
        for function in readers(facts).filter(|name| **name != kernel) {
            if !self.functions.contains_key(function) {
                let name = self.names.fresh(&format!("{function}{}", self.suffix));
                self.functions.insert(function.clone(), name);
            }
        }
        name
    }

    fn name_of(&self, function: &Function) -> Option<Name> {
        let own = function.name.as_str();
        match function.kind {
            FunctionKind::Entry if function.body.is_some() => self.kernels.get(own).cloned(),
            FunctionKind::Entry => None,
            FunctionKind::Func => self.functions.get(own).cloned(),
        }
    }

    /// The module with the clones, each behind its original. `clone` makes one of that name.
    pub(super) fn module(
        &mut self,
        verified: &Verified<'_>,
        mut clone: impl FnMut(&mut Clones, &Function, Name) -> Function,
    ) -> Result<Module, Vec<Violation>> {
        let mut items = Vec::with_capacity(verified.module().items.len());
        for item in &verified.module().items {
            items.push(item.clone());
            if let Item::Function(function) = &item.node
                && let Some(name) = self.name_of(function)
            {
                let clone = clone(self, function, name);
                items.push(Spanned::at(Item::Function(Box::new(clone)), item.span));
            }
        }
        let module = Module { items };
        verify(&module)?;
        Ok(module)
    }
}

/// The functions that read the block index, or call one that does.
fn readers(facts: &[Fact]) -> impl Iterator<Item = &String> {
    facts.iter().flat_map(|fact| match fact {
        Fact::BlockIndexByDirectCalls { functions } => &functions[..],
        _ => &[],
    })
}

/// The head of a clone: the original's with another name and one parameter more.
pub(super) fn head(function: &Function, name: Name, more: Variable) -> Function {
    let mut clone = Function { name: Spanned::from(name), body: None, ..function.clone() };
    if function.kind == FunctionKind::Func {
        clone.linkage.clear();
    }
    clone.attributes.retain(|one| one.name != "unified");
    clone.parameters.get_or_insert_default().push(Spanned::from(more));
    clone
}

/// `.space .align align .b8 name[bytes]`
pub(super) fn bytes(space: StateSpace, name: &str, align: u32, bytes: u64) -> Variable {
    let mut variable = Variable::new(space, ScalarType::B8, name);
    variable.align = Some(align);
    variable.names =
        vec![Declarator { dimensions: vec![Some(Expr::from(bytes as i64))], ..Declarator::new(name) }];
    variable
}
