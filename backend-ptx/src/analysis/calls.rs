//! Who calls whom.

use std::collections::{BTreeMap, BTreeSet};

use super::{Body, Meaning, Symbols};
use crate::ast::{Expr, Function, Init, Module, Opcode, Statement};
use crate::name::Name;

/// What one function calls.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallNode {
    /// The functions that it calls by name, through aliases.
    pub direct: BTreeSet<Name>,
    /// Whether it calls through a register.
    pub indirect: bool,
    /// The functions that its indirect calls name as possible targets with `.calltargets`, where all of them do.
    pub targets: Option<BTreeSet<Name>>,
    /// Whether its address is taken, by an instruction or in the initial value of a variable: it may be called indirectly.
    pub address_taken: bool,
    /// Whether it has a body in this module.
    pub defined: bool,
}

/// The calls of a module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallGraph {
    /// The functions by name, those that are declared included.
    pub nodes: BTreeMap<Name, CallNode>,
}

impl CallGraph {
    /// The graph of a module, from the bodies of all its functions.
    pub fn of<'a>(symbols: &Symbols<'a>, bodies: &[Body<'a>]) -> CallGraph {
        let mut graph = CallGraph::default();
        for function in symbols.module.functions() {
            let node = graph.nodes.entry(function.name.node.clone()).or_default();
            node.defined |= function.body.is_some();
        }
        for body in bodies {
            let (node, taken) = calls_of(body);
            if let Some(own) = graph.nodes.get_mut(&*body.function.name) {
                let CallNode { direct, indirect, targets, .. } = node;
                (own.direct, own.indirect, own.targets) = (direct, indirect, targets);
            }
            graph.take(taken.iter());
        }
        graph.take(taken_by_variables(symbols).iter());
        graph
    }

    fn take<'n>(&mut self, names: impl Iterator<Item = &'n Name>) {
        for name in names {
            if let Some(node) = self.nodes.get_mut(name) {
                node.address_taken = true;
            }
        }
    }

    /// The functions that a call of `name` may run, itself included. Where one of them calls through a register with no
    /// `.calltargets`, every function whose address is taken is among them.
    pub fn reachable(&self, name: &str) -> BTreeSet<Name> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&Name> = self.nodes.get_key_value(name).map(|(name, _)| name).into_iter().collect();
        while let Some(at) = open.pop() {
            if found.insert(at.clone()) {
                open.extend(self.callees(at));
            }
        }
        found
    }

    /// Whether a call of `name` may call it again before it returns.
    pub fn is_recursive(&self, name: &str) -> bool {
        self.callees(name).into_iter().any(|callee| self.reachable(callee).contains(name))
    }

    /// The functions that `name` itself may call.
    pub fn callees(&self, name: &str) -> Vec<&Name> {
        let Some(node) = self.nodes.get(name) else { return Vec::new() };
        let mut all: Vec<&Name> = node.direct.iter().collect();
        match &node.targets {
            Some(targets) => all.extend(targets),
            None if node.indirect => {
                all.extend(self.nodes.iter().filter(|(_, node)| node.address_taken).map(|(name, _)| name));
            }
            None => {}
        }
        all
    }
}

/// The calls of a body, and the functions whose address it takes.
fn calls_of(body: &Body<'_>) -> (CallNode, BTreeSet<Name>) {
    let mut node = CallNode::default();
    let mut taken = BTreeSet::new();
    let mut listed = Some(BTreeSet::new());
    for placed in &body.instructions {
        let callee = placed.instruction.call().and_then(|call| call.callee.as_name());
        for (name, meaning) in &placed.names {
            if let Meaning::Function(function) = meaning {
                let own = function.name.node.clone();
                if callee == Some(*name) {
                    node.direct.insert(own)
                } else {
                    taken.insert(own)
                };
            }
        }
        let by_name = callee.is_some_and(|name| matches!(placed.meaning(name), Meaning::Function(_)));
        if placed.instruction.opcode == Opcode::Call && !by_name {
            node.indirect = true;
            listed =
                listed.and_then(|all| Some(&all | &call_targets(body, placed.instruction.call()?.targets?)?));
        }
    }
    node.targets = listed.filter(|_| node.indirect);
    (node, taken)
}

/// The functions in the `.calltargets` of that name.
fn call_targets(body: &Body<'_>, name: &Name) -> Option<BTreeSet<Name>> {
    body.targets.iter().find_map(|(statement, meanings)| match statement {
        Statement::CallTargets(own, _) if own == name => {
            let functions = meanings.iter().filter_map(|meaning| match meaning {
                Meaning::Function(function) => Some(function.name.node.clone()),
                _ => None,
            });
            Some(functions.collect())
        }
        _ => None,
    })
}

/// The functions whose address stands in the initial value of a variable, of the module or of a function.
fn taken_by_variables(symbols: &Symbols<'_>) -> BTreeSet<Name> {
    let mut taken = BTreeSet::new();
    let mut inits: Vec<&Init> = inits(symbols.module).collect();
    while let Some(init) = inits.pop() {
        match init {
            Init::List(all) => inits.extend(all),
            Init::Value(Expr::Integer(_)) | Init::Field(..) => {}
            Init::Value(expr) => expr.names(&mut |name| {
                taken.extend(symbols.function(name).map(|function: &Function| function.name.node.clone()));
            }),
        }
    }
    taken
}

fn inits(module: &Module) -> impl Iterator<Item = &Init> {
    let local = module.functions().flat_map(|function| function.body.iter().flatten()).filter_map(|one| {
        match &one.node {
            Statement::Variable(variable) => Some(variable),
            _ => None,
        }
    });
    module.variables().chain(local).flat_map(|variable| &variable.names).filter_map(|one| one.init.as_ref())
}
