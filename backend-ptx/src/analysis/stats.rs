//! What is in a module, in numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::{Body, Meaning, Symbols};
use crate::ast::{FunctionKind, Module, Opcode, ScalarType, StateSpace, Statement, Variable};
use crate::name::Name;
use crate::span::Spanned;

/// The numbers of a module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// The functions that have a body, in the order of the text.
    pub functions: Vec<FunctionStats>,
    /// The bytes of shared memory that the module declares outside functions, where their length is known.
    pub shared_bytes: u64,
    /// Whether it declares dynamic shared memory: `.extern .shared`.
    pub dynamic_shared: bool,
}

/// The numbers of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionStats {
    /// Its name.
    pub name: Name,
    /// Whether it is a kernel.
    pub kind: FunctionKind,
    /// Its instructions by opcode and modifiers, such as `ld.global.f32`.
    pub forms: BTreeMap<String, u64>,
    /// The registers that it names, by type. These are virtual: what the hardware needs, only `ptxas` knows.
    pub registers: BTreeMap<ScalarType, u64>,
    /// Instructions at which the threads of a block wait or arrive: `bar`, `barrier` (not `bar.warp`, not of clusters), and
    /// those on mbarrier objects.
    pub barriers: u64,
    /// `atom` and `red`, and `multimem.red`.
    pub atomics: u64,
    /// The special registers that it reads, without components.
    pub special_registers: BTreeSet<Name>,
    /// The bytes of shared memory that it declares.
    pub shared_bytes: u64,
    /// The bytes of local memory that it declares.
    pub local_bytes: u64,
    /// Instructions whose opcode this crate does not know.
    pub unknown: u64,
}

impl Stats {
    /// The numbers of a module.
    ///
    /// ```
    /// let source = ".version 8.0 .target sm_80 .address_size 64 .entry k() {
    ///     .reg .b32 %r<2>; .shared .align 4 .b8 s[64];
    ///     mov.u32 %r1, %tid.x; bar.sync 0; ret; }";
    /// let module = tilt_backend_ptx::parse(source).unwrap();
    /// let stats = tilt_backend_ptx::analysis::Stats::of(&module);
    /// let kernel = &stats.functions[0];
    /// assert_eq!((kernel.barriers, kernel.shared_bytes, kernel.forms["mov.u32"]), (1, 64, 1));
    /// assert!(kernel.special_registers.contains("%tid"));
    /// ```
    pub fn of(module: &Module) -> Stats {
        let symbols = Symbols::of(module);
        let defined = module.functions().filter(|function| function.body.is_some());
        let functions =
            defined.map(|function| FunctionStats::of(&Body::resolve(&symbols, function))).collect();
        let shared = |variable: &&Variable| is_shared(variable.space);
        Stats {
            functions,
            shared_bytes: module.variables().filter(shared).map(bytes).sum(),
            dynamic_shared: module.variables().filter(shared).any(is_open),
        }
    }
}

impl FunctionStats {
    /// The numbers of one function.
    pub fn of(body: &Body<'_>) -> FunctionStats {
        let function = body.function;
        let mut stats = FunctionStats {
            name: function.name.node.clone(),
            kind: function.kind,
            forms: BTreeMap::new(),
            registers: BTreeMap::new(),
            barriers: 0,
            atomics: 0,
            special_registers: BTreeSet::new(),
            shared_bytes: 0,
            local_bytes: 0,
            unknown: 0,
        };
        for placed in &body.instructions {
            let instruction = placed.instruction;
            *stats.forms.entry(instruction.form()).or_default() += 1;
            match instruction.opcode {
                Opcode::Bar | Opcode::Barrier if !instruction.has("warp") && !instruction.has("cluster") => {
                    stats.barriers += 1;
                }
                Opcode::Mbarrier => stats.barriers += 1,
                Opcode::Atom | Opcode::Red => stats.atomics += 1,
                Opcode::Multimem if instruction.has("red") => stats.atomics += 1,
                Opcode::Other(_) => stats.unknown += 1,
                _ => {}
            }
            let special = placed.names.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Special));
            stats.special_registers.extend(special.map(|(name, _)| (*name).clone()));
        }
        for ty in body.registers.iter().filter_map(|register| register.ty.as_ref()?.scalar()) {
            *stats.registers.entry(ty).or_default() += 1;
        }
        stats.memory(function.body.as_deref().unwrap_or(&[]));
        stats
    }

    /// Adds the memory that is declared in these statements and the scopes among them.
    fn memory(&mut self, statements: &[Spanned<Statement>]) {
        let mut open = vec![statements];
        while let Some(scope) = open.pop() {
            for one in scope {
                match &one.node {
                    Statement::Block(inner) => open.push(inner),
                    Statement::Variable(variable) if is_shared(variable.space) => {
                        self.shared_bytes += bytes(variable)
                    }
                    Statement::Variable(variable) if variable.space == StateSpace::Local => {
                        self.local_bytes += bytes(variable);
                    }
                    _ => {}
                }
            }
        }
    }
}

fn is_shared(space: StateSpace) -> bool {
    matches!(space, StateSpace::Shared | StateSpace::SharedCta | StateSpace::SharedCluster)
}

/// The bytes of all names of a declaration, those of unknown length left out.
fn bytes(variable: &Variable) -> u64 {
    variable.names.iter().filter_map(|one| variable.bytes(one)).fold(0, u64::saturating_add)
}

/// Whether the length of an array is left to the launch.
fn is_open(variable: &Variable) -> bool {
    variable.names.iter().any(|one| one.init.is_none() && one.dimensions.iter().any(Option::is_none))
}
