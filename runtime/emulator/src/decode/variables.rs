//! Where variables live: the module's in device memory, a function's in a frame, shared ones by number.

use std::collections::HashMap;

use tilt_backend_ptx::analysis::{Body, Symbols};
use tilt_backend_ptx::ast::{Declarator, Init, Linkage, StateSpace, Statement, Variable};
use tilt_backend_ptx::span::Spanned;

use super::Decoder;
use crate::code::{ParameterLayout, Passed};

/// A shared variable; where it lies depends on the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SharedVariable {
    /// `None`: an open array, which lies at the start of dynamic shared memory.
    pub(crate) bytes: Option<u64>,
    pub(crate) align: u64,
}

/// What the names of a module stand for.
pub(crate) struct Names<'a> {
    pub(crate) symbols: &'a Symbols<'a>,
    /// Addresses of `.global` and `.const` variables, by their declarator.
    pub(crate) globals: HashMap<usize, u64>,
    /// Numbers of shared variables, by their declarator.
    pub(crate) shared: HashMap<usize, u32>,
    pub(crate) shared_variables: Vec<SharedVariable>,
    /// Numbers of the functions that have a body.
    pub(crate) functions: HashMap<&'a str, u32>,
}

/// What a declarator is known by.
pub(crate) fn key(declarator: &Declarator) -> usize {
    std::ptr::from_ref(declarator) as usize
}

/// The alignment that a variable has.
pub(crate) fn align_of(variable: &Variable) -> u64 {
    if let Some(align) = variable.align {
        return u64::from(align).max(1);
    }
    let element = variable.ty.scalar().and_then(|scalar| scalar.bits()).map_or(8, |bits| bits.div_ceil(8));
    (u64::from(element) * u64::from(variable.vector.unwrap_or(1))).next_power_of_two()
}

/// The bytes of a variable; an open array has as many as its initialiser says.
pub(crate) fn bytes_of(variable: &Variable, declarator: &Declarator) -> Option<u64> {
    if let Some(bytes) = variable.bytes(declarator) {
        return Some(bytes);
    }
    if variable.ty.scalar().is_none() {
        return Some(8);
    }
    let element =
        u64::from(variable.ty.scalar()?.bits()?.div_ceil(8)) * u64::from(variable.vector.unwrap_or(1));
    let (first, rest) = declarator.dimensions.split_first()?;
    let inner = rest.iter().try_fold(element, |bytes, length| {
        bytes.checked_mul(u64::try_from(length.as_ref()?.value()?).ok()?)
    })?;
    match (first, &declarator.init) {
        (None, Some(Init::List(all))) => inner.checked_mul(all.len() as u64),
        _ => None,
    }
}

/// Whether a shared variable is where dynamic shared memory starts.
pub(crate) fn shared_variable(variable: &Variable, declarator: &Declarator) -> SharedVariable {
    let open = declarator.dimensions.first().is_some_and(Option::is_none);
    let external = variable.linkage.contains(&Linkage::Extern);
    let bytes = if open { None } else { bytes_of(variable, declarator) };
    let bytes = if external && bytes == Some(0) { None } else { bytes };
    SharedVariable { bytes, align: align_of(variable) }
}

/// Calls `visit` with every variable declared in a body.
pub(crate) fn declared<'a>(
    body: &'a [Spanned<Statement>],
    visit: &mut dyn FnMut(&'a Variable, &'a Declarator),
) {
    let mut open = vec![body.iter()];
    while let Some(scope) = open.last_mut() {
        match scope.next() {
            None => {
                open.pop();
            }
            Some(one) => match &one.node {
                Statement::Block(inner) => open.push(inner.iter()),
                Statement::Variable(variable) => {
                    variable.names.iter().for_each(|name| visit(variable, name));
                }
                _ => {}
            },
        }
    }
}

impl<'d, 'a> Decoder<'d, 'a> {
    /// Gives the parameters, results and local variables of the function their places.
    pub(crate) fn lay_out(&mut self) {
        let function = self.body.function;
        if self.is_kernel() {
            self.kernel_parameters();
        } else {
            for one in function.results.iter() {
                let passed = self.formal(&one.node);
                self.code.results.extend(passed);
            }
            for one in function.parameters() {
                let passed = self.formal(&one.node);
                self.code.parameters.extend(passed);
            }
        }
        let mut found = Vec::new();
        declared(function.body.as_deref().unwrap_or(&[]), &mut |variable, declarator| {
            let space = matches!(
                variable.space,
                StateSpace::Local | StateSpace::Param | StateSpace::ParamFunc | StateSpace::ParamEntry
            );
            if space {
                found.push((variable, declarator));
            }
        });
        for (variable, declarator) in found {
            self.place(variable, declarator);
        }
        self.code.local = self.code.local.next_multiple_of(16);
    }

    /// A place in the frame's local memory.
    fn place(&mut self, variable: &Variable, declarator: &Declarator) -> (u64, u64) {
        let bytes = bytes_of(variable, declarator).unwrap_or(0).min(1 << 30);
        let offset = self.code.local.next_multiple_of(align_of(variable).next_power_of_two());
        self.locals.insert(key(declarator), offset);
        self.code.local = offset + bytes;
        (offset, bytes)
    }

    /// A parameter or result of a device function.
    fn formal(&mut self, variable: &'a Variable) -> Option<Passed> {
        let declarator = variable.names.first()?;
        if variable.space != StateSpace::Reg {
            let (offset, bytes) = self.place(variable, declarator);
            return Some(Passed::Local { offset, bytes });
        }
        let at = self.body.registers.iter().position(|info| info.name == declarator.name)?;
        let bytes = variable.ty.scalar()?.bits().map_or(1, |bits| bits.div_ceil(8));
        Some(Passed::Slot(self.registers[at], bytes))
    }

    fn kernel_parameters(&mut self) {
        let mut end = 0u64;
        for one in self.body.function.parameters() {
            for declarator in &one.names {
                let bytes = bytes_of(&one.node, declarator).unwrap_or(8);
                let offset = end.next_multiple_of(align_of(&one.node).next_power_of_two());
                self.parameters.insert(key(declarator), offset);
                self.code.kernel_parameters.push(ParameterLayout { offset, bytes });
                end = offset + bytes;
            }
        }
    }
}

/// The shared and global variables declared inside functions.
pub(crate) fn inner<'a>(body: &Body<'a>, visit: &mut dyn FnMut(&'a Variable, &'a Declarator)) {
    declared(body.function.body.as_deref().unwrap_or(&[]), visit);
}
