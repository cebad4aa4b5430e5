//! A module made ready to run: its variables have addresses, its functions are decoded.

mod initial;

use std::collections::HashMap;
use std::fmt;

use tilt_backend_ptx::Violation;
use tilt_backend_ptx::analysis::{Body, Symbols};
use tilt_backend_ptx::ast::{Declarator, FunctionKind, Module, StateSpace, Variable};
use tilt_backend_ptx::span::Span;

use crate::code::{Code, Op};
use crate::decode::variables::{Names, SharedVariable, align_of, bytes_of, inner, key, shared_variable};
use crate::memory::Memory;

/// Why a module cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// It does not pass the verifier.
    Invalid(Vec<Violation>),
    /// A variable is too large, or has an initialiser that the emulator cannot evaluate.
    Variable {
        /// Its name.
        name: String,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Invalid(all) => match all.first() {
                Some(first) => write!(f, "the module is not valid: {first}"),
                None => f.write_str("the module is not valid"),
            },
            LoadError::Variable { name } => write!(f, "variable `{name}` cannot be laid out or initialised"),
        }
    }
}

impl std::error::Error for LoadError {}

/// One module on a device. It does not change; variables live in the device's memory.
pub struct Loaded {
    pub(crate) functions: Vec<Code>,
    kernels: HashMap<String, u32>,
    pub(crate) shared: Vec<SharedVariable>,
    variables: HashMap<String, (u64, u64)>,
    /// Where each line of the text starts.
    lines: Vec<u32>,
}

/// The largest variable that is laid out.
const MOST_BYTES: u64 = 1 << 32;

impl Loaded {
    pub(crate) fn new(module: &Module, source: &str, memory: &mut Memory) -> Result<Loaded, LoadError> {
        let verified = tilt_backend_ptx::verify(module).map_err(LoadError::Invalid)?;
        let symbols = verified.symbols();
        let functions = verified.bodies().iter().zip(0u32..);
        let numbers: HashMap<&str, u32> =
            functions.map(|(body, number)| (body.function.name.as_str(), number)).collect();
        let mut layout = Layout {
            names: Names {
                symbols,
                globals: HashMap::new(),
                shared: HashMap::new(),
                shared_variables: Vec::new(),
                functions: numbers,
            },
            variables: HashMap::new(),
            initialised: Vec::new(),
            failed: None,
        };
        for variable in module.variables() {
            for declarator in &variable.names {
                layout.place(variable, declarator, memory);
            }
        }
        for body in verified.bodies() {
            inner(body, &mut |variable, declarator| layout.place(variable, declarator, memory));
        }
        if let Some(name) = layout.failed {
            return Err(LoadError::Variable { name });
        }
        for (variable, declarator, address) in &layout.initialised {
            initial::write(&layout.names, variable, declarator, *address, memory)
                .ok_or_else(|| LoadError::Variable { name: declarator.name.to_string() })?;
        }
        let decoded =
            verified.bodies().iter().map(|body| crate::decode::decode(&layout.names, body)).collect();
        Ok(Loaded {
            functions: decoded,
            kernels: kernels(symbols, verified.bodies()),
            shared: layout.names.shared_variables,
            variables: layout.variables,
            lines: line_starts(source),
        })
    }

    /// The names of its kernels, in no order.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.keys().map(String::as_str)
    }

    /// Address and bytes of a variable in global or constant memory.
    pub fn variable(&self, name: &str) -> Option<(u64, u64)> {
        self.variables.get(name).copied()
    }

    /// The sizes of a kernel's parameters in bytes.
    pub fn parameters(&self, kernel: &str) -> Option<Vec<u64>> {
        let code = &self.functions[self.kernel(kernel)? as usize];
        Some(code.kernel_parameters.iter().map(|one| one.bytes).collect())
    }

    /// The instructions that a kernel or the functions that it may call have and that cannot be run, each with its line.
    pub fn unsupported(&self, kernel: &str) -> Vec<(String, Option<u32>)> {
        let Some(kernel) = self.kernel(kernel) else { return Vec::new() };
        let mut found = Vec::new();
        for function in self.reachable(kernel) {
            let code = &self.functions[function as usize];
            for inst in &code.insts {
                if let Op::Unsupported(what) = &inst.op {
                    found.push((what.to_string(), self.line(code.sites[inst.site as usize].span)));
                }
            }
        }
        found
    }

    pub(crate) fn kernel(&self, name: &str) -> Option<u32> {
        self.kernels.get(name).copied()
    }

    /// The function and all that it may call.
    pub(crate) fn reachable(&self, kernel: u32) -> Vec<u32> {
        let mut found = vec![kernel];
        let mut at = 0;
        while let Some(function) = found.get(at) {
            let code = &self.functions[*function as usize];
            at += 1;
            let mut all = code.calls.clone();
            if code.indirect {
                let callable = (0u32..).zip(&self.functions).filter(|(_, code)| !code.is_kernel);
                all.extend(callable.map(|(number, _)| number));
            }
            for one in all {
                if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
        found
    }

    /// The line that a span starts on.
    pub(crate) fn line(&self, span: Span) -> Option<u32> {
        if span == Span::NONE || self.lines.len() < 2 {
            return None;
        }
        Some(self.lines.partition_point(|start| *start <= span.start) as u32)
    }
}

fn kernels(symbols: &Symbols<'_>, bodies: &[Body<'_>]) -> HashMap<String, u32> {
    let entries = bodies.iter().zip(0u32..).filter(|(body, _)| body.function.kind == FunctionKind::Entry);
    let mut found: HashMap<String, u32> =
        entries.map(|(body, number)| (body.function.name.to_string(), number)).collect();
    for item in &symbols.module.items {
        if let tilt_backend_ptx::ast::Item::Alias(alias) = &item.node
            && let Some(number) = found.get(alias.of.as_str())
        {
            found.insert(alias.name.to_string(), *number);
        }
    }
    found
}

fn line_starts(source: &str) -> Vec<u32> {
    let breaks = source.bytes().zip(0u32..).filter(|(byte, _)| *byte == b'\n').map(|(_, at)| at + 1);
    std::iter::once(0).chain(breaks).collect()
}

struct Layout<'a> {
    names: Names<'a>,
    variables: HashMap<String, (u64, u64)>,
    initialised: Vec<(&'a Variable, &'a Declarator, u64)>,
    /// A variable that cannot be placed.
    failed: Option<String>,
}

impl<'a> Layout<'a> {
    fn place(&mut self, variable: &'a Variable, declarator: &'a Declarator, memory: &mut Memory) {
        match variable.space {
            StateSpace::Shared | StateSpace::SharedCta => {
                let number = self.names.shared_variables.len() as u32;
                self.names.shared_variables.push(shared_variable(variable, declarator));
                self.names.shared.insert(key(declarator), number);
            }
            StateSpace::Reg
            | StateSpace::Sreg
            | StateSpace::Local
            | StateSpace::Param
            | StateSpace::ParamEntry
            | StateSpace::ParamFunc
            | StateSpace::SharedCluster
            | StateSpace::Tex
            | StateSpace::Surf => {}
            _ => self.global(variable, declarator, memory),
        }
    }

    fn global(&mut self, variable: &'a Variable, declarator: &'a Declarator, memory: &mut Memory) {
        let Some(bytes) = bytes_of(variable, declarator) else { return };
        if bytes > MOST_BYTES {
            self.failed = Some(declarator.name.to_string());
            return;
        }
        let constant = variable.space != StateSpace::Global;
        let address = memory.reserve(bytes.max(1), align_of(variable), constant);
        self.names.globals.insert(key(declarator), address);
        self.variables.insert(declarator.name.to_string(), (address, bytes));
        self.initialised.push((variable, declarator, address));
    }
}
