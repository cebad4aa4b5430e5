//! The sliced form: a launch is a part of a larger grid.
//!
//! A sliced kernel has one parameter more, [`super::SliceControl`], behind those of the original. Each read of `%ctaid` becomes the
//! index in the launch plus the launch's offset, each read of `%nctaid` the extent of the whole grid. Functions that read them, or
//! call one that does, are cloned with the same parameter at the end.

mod function;

use std::collections::BTreeMap;

use super::names::Names;
use super::{Rewritten, SLICE_CONTROL_BYTES};
use crate::ast::{Function, FunctionKind, Item, Module};
use crate::legality::{Fact, ParameterLayout, Verdict, Verdicts};
use crate::name::Name;
use crate::span::Spanned;
use crate::verify::{Verified, Violation, verify};

/// A kernel and its sliced form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlicedKernel {
    /// The original's name.
    pub original: String,
    /// The form's name.
    pub name: String,
    /// Where the control parameter starts among the parameters, in bytes.
    pub control_offset: u64,
    /// Bytes of all parameters.
    pub parameter_bytes: u64,
}

/// What is cloned and how the clones are called.
struct Plan {
    names: Names,
    /// The clones of device functions by the names of the originals.
    functions: BTreeMap<String, Name>,
    kernels: BTreeMap<String, SlicedKernel>,
}

/// Adds the sliced form of every kernel whose verdict lets it. `verdicts` are those of [`crate::legality::judge`] for this module.
///
/// # Errors
///
/// What the verifier says against the new module. That is a mistake in this crate.
pub fn slice(
    verified: &Verified<'_>,
    verdicts: &[Verdicts],
) -> Result<Rewritten<SlicedKernel>, Vec<Violation>> {
    let module = verified.module();
    let mut plan = Plan::of(verified, verdicts);
    let mut items = Vec::with_capacity(module.items.len());
    for item in &module.items {
        items.push(item.clone());
        if let Item::Function(function) = &item.node
            && let Some(clone) = plan.clone_of(verified, function)
        {
            items.push(Spanned::at(Item::Function(Box::new(clone)), item.span));
        }
    }
    let module = Module { items };
    verify(&module)?;
    let order = verdicts.iter().filter_map(|one| plan.kernels.remove(&one.kernel));
    Ok(Rewritten { kernels: order.collect(), module })
}

impl Plan {
    fn of(verified: &Verified<'_>, verdicts: &[Verdicts]) -> Plan {
        let names = Names::of(verified.module());
        let mut plan = Plan { names, functions: BTreeMap::new(), kernels: BTreeMap::new() };
        for one in verdicts {
            let Verdict::Sound { facts, .. } = &one.slice else { continue };
            let Some(function) = verified.module().function(&one.kernel) else { continue };
            let Some(layout) = ParameterLayout::of(function) else { continue };
            let (control_offset, parameter_bytes) = layout.appended(4, SLICE_CONTROL_BYTES);
            let name = plan.names.fresh(&format!("{}__slice", one.kernel)).to_string();
            let kernel = SlicedKernel { original: one.kernel.clone(), name, control_offset, parameter_bytes };
            plan.kernels.insert(one.kernel.clone(), kernel);
            for function in readers(facts).filter(|name| **name != one.kernel) {
                if !plan.functions.contains_key(function) {
                    let name = plan.names.fresh(&format!("{function}__slice"));
                    plan.functions.insert(function.clone(), name);
                }
            }
        }
        plan
    }

    fn clone_of(&mut self, verified: &Verified<'_>, function: &Function) -> Option<Function> {
        let own = function.name.as_str();
        let name = match function.kind {
            FunctionKind::Entry if function.body.is_some() => {
                Name::from(self.kernels.get(own)?.name.as_str())
            }
            FunctionKind::Entry => return None,
            FunctionKind::Func => self.functions.get(own)?.clone(),
        };
        Some(function::clone(self, verified, function, name))
    }
}

/// The functions that read the block index, or call one that does.
fn readers(facts: &[Fact]) -> impl Iterator<Item = &String> {
    facts.iter().flat_map(|fact| match fact {
        Fact::BlockIndexByDirectCalls { functions } => &functions[..],
        _ => &[],
    })
}
