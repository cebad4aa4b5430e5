//! A function with its names resolved and its instructions in one line.

use super::effects::{reads_carry, roles, writes_carry};
use super::scope::{Meaning, Register, RegisterInfo, Scope, Scopes};
use super::{Role, Symbols};
use crate::ast::{Expr, Function, Init, Instruction, Operand, StateSpace, Statement};
use crate::name::Name;
use crate::span::{Span, Spanned};

/// A label of a function, as an index into [`Body::labels`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// A label and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelInfo {
    /// Its name; several scopes may each have one of that name.
    pub name: Name,
    /// The index of the instruction that follows it; the number of instructions at the end of the body.
    pub position: usize,
}

/// A register that an instruction writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Write {
    /// The register.
    pub register: Register,
    /// Whether its old value is gone for certain: not under a guard, not one component of a vector.
    pub whole: bool,
}

/// An instruction in its body.
#[derive(Debug, Clone)]
pub struct Placed<'a> {
    /// The instruction.
    pub instruction: &'a Instruction,
    /// Where it stands in the text.
    pub span: Span,
    /// What each of its names stands for, guard first, then in the order of the text.
    pub names: Vec<(&'a Name, Meaning<'a>)>,
    /// The registers it reads, guard and carry flag included, each once.
    pub reads: Vec<Register>,
    /// The registers it writes, the carry flag included.
    pub writes: Vec<Write>,
}

impl<'a> Placed<'a> {
    /// What a name of this instruction stands for.
    pub fn meaning(&self, name: &str) -> Meaning<'a> {
        self.names.iter().find(|(own, _)| *own == name).map_or(Meaning::Unknown, |(_, meaning)| *meaning)
    }
}

/// One function, resolved.
#[derive(Debug)]
pub struct Body<'a> {
    /// The function.
    pub function: &'a Function,
    /// Its instructions, scopes flattened.
    pub instructions: Vec<Placed<'a>>,
    /// Its registers: the carry flag, and each one that is declared singly or used.
    pub registers: Vec<RegisterInfo>,
    /// Its labels.
    pub labels: Vec<LabelInfo>,
    /// What the names in each `.branchtargets` and `.calltargets` stand for.
    pub targets: Vec<(&'a Statement, Vec<Meaning<'a>>)>,
    /// Names that are declared twice in one scope.
    pub repeated: Vec<(Name, Span)>,
    /// Names in declarations that stand for nothing.
    pub unresolved: Vec<(Name, Span)>,
    /// The registers that hold the results of a function whose results are `.reg`.
    pub results: Vec<Register>,
}

impl<'a> Body<'a> {
    /// Resolves a function. One without a body has no instructions.
    pub fn resolve(symbols: &Symbols<'a>, function: &'a Function) -> Body<'a> {
        let mut walk = Walk {
            symbols,
            scopes: Scopes::new(),
            body: Body {
                function,
                instructions: Vec::new(),
                registers: Vec::new(),
                labels: Vec::new(),
                targets: Vec::new(),
                repeated: Vec::new(),
                unresolved: Vec::new(),
                results: Vec::new(),
            },
        };
        walk.scopes.open.push(Scope::default());
        for variable in &symbols.registers {
            walk.scopes.variable(variable, Span::NONE);
        }
        walk.scopes.open.push(Scope::default());
        for one in function.results.iter().chain(function.parameters()) {
            walk.scopes.variable(&one.node, one.span);
        }
        for one in function.results.iter().filter(|one| one.space == StateSpace::Reg) {
            if let Some(Meaning::Register(register)) =
                one.names.first().map(|own| walk.scopes.lookup(&own.name, symbols))
            {
                walk.body.results.push(register);
            }
        }
        walk.statements(function.body.as_deref().unwrap_or(&[]));
        let mut body = walk.body;
        body.registers = walk.scopes.registers;
        body.repeated = walk.scopes.repeated;
        body
    }
}

struct Walk<'w, 'a> {
    symbols: &'w Symbols<'a>,
    scopes: Scopes<'a>,
    body: Body<'a>,
}

impl<'a> Walk<'_, 'a> {
    /// The statements of a body with those of its scopes, in the order of the text.
    fn statements(&mut self, body: &'a [Spanned<Statement>]) {
        self.enter(body);
        let mut open = vec![body.iter()];
        while let Some(scope) = open.last_mut() {
            match scope.next() {
                None => {
                    open.pop();
                    self.scopes.open.pop();
                }
                Some(Spanned { node: Statement::Block(inner), .. }) => {
                    self.enter(inner);
                    open.push(inner.iter());
                }
                Some(one) => self.statement(&one.node, one.span),
            }
        }
    }

    /// Opens a scope. Its labels are known from its start, its registers from their declaration on.
    fn enter(&mut self, statements: &'a [Spanned<Statement>]) {
        self.scopes.open.push(Scope::default());
        for one in statements {
            match &one.node {
                Statement::Label(name) => {
                    let label = Label(self.body.labels.len() as u32);
                    self.body.labels.push(LabelInfo { name: name.clone(), position: usize::MAX });
                    self.scopes.declare(name, Meaning::Label(label), one.span);
                }
                Statement::BranchTargets(name, _)
                | Statement::CallTargets(name, _)
                | Statement::CallPrototype(name, _) => {
                    self.scopes.declare(name, Meaning::Targets(&one.node), one.span);
                }
                Statement::Block(_)
                | Statement::Variable(_)
                | Statement::Instruction(_)
                | Statement::Pragma(_) => {}
                Statement::Loc(_) | Statement::File(_) | Statement::Section(_) | Statement::Line(_) => {}
                Statement::Unknown(_) => {}
            }
        }
    }

    fn statement(&mut self, statement: &'a Statement, span: Span) {
        match statement {
            Statement::Label(name) => {
                if let Meaning::Label(label) = self.scopes.lookup(name, self.symbols) {
                    self.body.labels[label.0 as usize].position = self.body.instructions.len();
                }
            }
            Statement::Variable(variable) => {
                self.scopes.variable(variable, span);
                for init in variable.names.iter().filter_map(|one| one.init.as_ref()) {
                    self.init(init, span);
                }
            }
            Statement::Instruction(instruction) => self.instruction(instruction, span),
            Statement::BranchTargets(_, names) | Statement::CallTargets(_, names) => {
                let meanings = names.iter().map(|name| self.scopes.lookup(name, self.symbols)).collect();
                self.body.targets.push((statement, meanings));
            }
            Statement::CallPrototype(..) | Statement::Block(_) | Statement::Pragma(_) | Statement::Loc(_) => {
            }
            Statement::File(_) | Statement::Section(_) | Statement::Line(_) | Statement::Unknown(_) => {}
        }
    }

    fn init(&mut self, init: &'a Init, span: Span) {
        match init {
            Init::Value(expr) => expr.names(&mut |name| {
                if let Meaning::Unknown = self.scopes.lookup(name, self.symbols) {
                    self.body.unresolved.push((name.clone(), span));
                }
            }),
            Init::List(all) => all.iter().for_each(|one| self.init(one, span)),
            Init::Field(..) => {}
        }
    }

    fn instruction(&mut self, instruction: &'a Instruction, span: Span) {
        let mut placed =
            Placed { instruction, span, names: Vec::new(), reads: Vec::new(), writes: Vec::new() };
        if let Some(guard) = &instruction.guard {
            self.read_name(&guard.register, &mut placed);
        }
        for (operand, role) in instruction.operands.iter().zip(roles(instruction)) {
            self.operand(&operand.node, role, false, &mut placed);
        }
        if reads_carry(instruction) {
            read(Register::CARRY, &mut placed);
        }
        if writes_carry(instruction) {
            placed.writes.push(Write { register: Register::CARRY, whole: instruction.guard.is_none() });
        }
        self.body.instructions.push(placed);
    }

    fn operand(&mut self, operand: &'a Operand, role: Role, part: bool, placed: &mut Placed<'a>) {
        match operand {
            Operand::Name(name) => self.name(name, role, part, placed),
            Operand::Component(name, _) => self.name(name, role, true, placed),
            Operand::Vector(all) | Operand::List(all) => {
                all.iter().for_each(|one| self.operand(one, role, part, placed));
            }
            Operand::Pair(first, second) => {
                self.operand(first, role, part, placed);
                self.operand(second, role, part, placed);
            }
            Operand::Not(of) | Operand::Negate(of) => self.operand(of, Role::Read, part, placed),
            Operand::Constant(expr) => self.expr(expr, placed),
            Operand::Element(array, index) => {
                self.read_name(array, placed);
                self.expr(index, placed);
            }
            Operand::Address(address) => {
                self.operand(&address.base, Role::Read, part, placed);
                address.offset.iter().for_each(|offset| self.expr(offset, placed));
                address.rest.iter().for_each(|one| self.operand(one, Role::Read, part, placed));
            }
            Operand::Sink | Operand::Text(_) => {}
        }
    }

    fn expr(&mut self, expr: &'a Expr, placed: &mut Placed<'a>) {
        expr.names(&mut |name| self.read_name(name, placed));
    }

    fn read_name(&mut self, name: &'a Name, placed: &mut Placed<'a>) {
        self.name(name, Role::Read, false, placed);
    }

    fn name(&mut self, name: &'a Name, role: Role, part: bool, placed: &mut Placed<'a>) {
        let meaning = self.scopes.lookup(name, self.symbols);
        placed.names.push((name, meaning));
        let Meaning::Register(register) = meaning else { return };
        let whole = !part && placed.instruction.guard.is_none();
        match role {
            Role::Read => read(register, placed),
            Role::Write => placed.writes.push(Write { register, whole }),
            Role::ReadWrite => {
                read(register, placed);
                placed.writes.push(Write { register, whole });
            }
            Role::Either => {
                read(register, placed);
                placed.writes.push(Write { register, whole: false });
            }
        }
    }
}

fn read(register: Register, placed: &mut Placed<'_>) {
    if !placed.reads.contains(&register) {
        placed.reads.push(register);
    }
}
