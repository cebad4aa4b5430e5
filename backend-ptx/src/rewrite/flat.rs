//! Bodies without inner scopes: what a scope declares gets a name of its own, and stands in the body itself.

use std::collections::HashMap;

use crate::ast::{Address, Expr, Instruction, Operand, Statement, Variable};
use crate::name::Name;
use crate::span::Spanned;

/// The statements with those of all scopes among them. No name of the module starts with `prefix`.
pub(super) fn flat(body: &[Spanned<Statement>], prefix: &str) -> Vec<Spanned<Statement>> {
    let mut walk = Walk { prefix, scopes: 0, open: Vec::new(), out: Vec::new() };
    for one in body {
        walk.statement(one);
    }
    walk.out
}

/// The name that one of [`flat`]'s names had before; others are as they were.
pub(super) fn original(name: &str, prefix: &str) -> String {
    let rest = name.strip_prefix(prefix).map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    match rest.map(|rest| (rest.strip_prefix("_r_"), rest.strip_prefix("_v_"))) {
        Some((Some(rest), _)) => format!("%{rest}"),
        Some((None, Some(rest))) => rest.to_owned(),
        _ => name.to_owned(),
    }
}

/// The names that one scope declares.
#[derive(Default)]
struct Scope {
    number: u32,
    /// New names by old ones.
    names: HashMap<Name, Name>,
    /// New starts of `%r<10>` by old ones, with the number of registers.
    ranges: HashMap<Name, (u32, Name)>,
}

struct Walk<'p> {
    prefix: &'p str,
    scopes: u32,
    /// The scopes around a place, without the body itself, the innermost last.
    open: Vec<Scope>,
    out: Vec<Spanned<Statement>>,
}

impl Walk<'_> {
    fn block(&mut self, statements: &[Spanned<Statement>]) {
        self.scopes += 1;
        self.open.push(Scope { number: self.scopes, ..Scope::default() });
        // labels are known from the start of their scope, variables from their declaration on
        for one in statements {
            match &one.node {
                Statement::Label(name)
                | Statement::BranchTargets(name, _)
                | Statement::CallTargets(name, _)
                | Statement::CallPrototype(name, _) => {
                    self.declare(name);
                }
                _ => {}
            }
        }
        for one in statements {
            self.statement(one);
        }
        self.open.pop();
    }

    /// The new name of what is declared in the innermost scope.
    fn declare(&mut self, name: &Name) -> Name {
        let Some(scope) = self.open.last_mut() else { return name.clone() };
        let new = scope.name(self.prefix, name);
        scope.names.insert(name.clone(), new.clone());
        new
    }

    fn statement(&mut self, one: &Spanned<Statement>) {
        let new = match &one.node {
            Statement::Block(inner) => return self.block(inner),
            Statement::Label(name) => Statement::Label(self.name(name)),
            Statement::Variable(variable) => Statement::Variable(self.variable(variable)),
            Statement::Instruction(instruction) => Statement::Instruction(self.instruction(instruction)),
            Statement::BranchTargets(name, all) => Statement::BranchTargets(self.name(name), self.all(all)),
            Statement::CallTargets(name, all) => Statement::CallTargets(self.name(name), self.all(all)),
            Statement::CallPrototype(name, prototype) => {
                Statement::CallPrototype(self.name(name), prototype.clone())
            }
            Statement::Pragma(_) | Statement::Loc(_) | Statement::File(_) => one.node.clone(),
            Statement::Section(_) | Statement::Line(_) | Statement::Unknown(_) => one.node.clone(),
        };
        self.out.push(Spanned::at(new, one.span));
    }

    fn variable(&mut self, variable: &Variable) -> Variable {
        let mut variable = variable.clone();
        let prefix = self.prefix;
        for one in &mut variable.names {
            let Some(scope) = self.open.last_mut().filter(|_| one.name != "_") else { continue };
            let new = scope.name(prefix, &one.name);
            match one.count {
                Some(count) => {
                    scope.ranges.insert(one.name.clone(), (count, new.clone()));
                }
                None => {
                    scope.names.insert(one.name.clone(), new.clone());
                }
            }
            one.name = new;
        }
        variable
    }

    fn all(&self, names: &[Name]) -> Vec<Name> {
        names.iter().map(|name| self.name(name)).collect()
    }

    /// What a name is called now.
    fn name(&self, name: &Name) -> Name {
        let found = self.open.iter().rev().find_map(|scope| scope.lookup(name));
        found.unwrap_or_else(|| name.clone())
    }

    fn instruction(&self, instruction: &Instruction) -> Instruction {
        let mut instruction = instruction.clone();
        if let Some(guard) = &mut instruction.guard {
            guard.register = self.name(&guard.register);
        }
        for operand in &mut instruction.operands {
            self.operand(&mut operand.node);
        }
        instruction
    }

    fn operand(&self, operand: &mut Operand) {
        match operand {
            Operand::Name(name) | Operand::Component(name, _) => *name = self.name(name),
            Operand::Sink | Operand::Text(_) => {}
            Operand::Constant(expr) => self.expr(expr),
            Operand::Not(of) | Operand::Negate(of) => self.operand(of),
            Operand::Address(address) => {
                let Address { base, offset, rest } = &mut **address;
                self.operand(base);
                offset.iter_mut().for_each(|offset| self.expr(offset));
                rest.iter_mut().for_each(|one| self.operand(one));
            }
            Operand::Element(array, index) => {
                *array = self.name(array);
                self.expr(index);
            }
            Operand::Vector(all) | Operand::List(all) => all.iter_mut().for_each(|one| self.operand(one)),
            Operand::Pair(first, second) => {
                self.operand(first);
                self.operand(second);
            }
        }
    }

    fn expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Symbol(name) | Expr::Generic(name) => *name = self.name(name),
            Expr::Mask(_, of) | Expr::Unary(_, of) | Expr::Cast(_, of) => self.expr(of),
            Expr::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::Select(condition, a, b) => {
                self.expr(condition);
                self.expr(a);
                self.expr(b);
            }
            Expr::Integer(_) | Expr::F32(_) | Expr::F64(_) | Expr::Decimal(_) => {}
        }
    }
}

impl Scope {
    fn name(&self, prefix: &str, name: &str) -> Name {
        let number = self.number;
        Name::from(match name.strip_prefix('%') {
            Some(rest) => format!("{prefix}{number}_r_{rest}"),
            None => format!("{prefix}{number}_v_{name}"),
        })
    }

    fn lookup(&self, name: &Name) -> Option<Name> {
        if let Some(new) = self.names.get(name) {
            return Some(new.clone());
        }
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        (1..=digits.min(10)).rev().find_map(|length| {
            let (start, number) = name.split_at(name.len() - length);
            let (count, new) = self.ranges.get(start)?;
            let within = number.parse::<u32>().is_ok_and(|number| number < *count);
            within.then(|| Name::from(format!("{new}{number}")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{flat, original};
    use crate::rewrite::inserted::code;
    use crate::{ast, print};

    fn check(body: &str, expected: &str) {
        let flat = flat(&code(body), "s");
        let wrap = |body| {
            let mut module = crate::parse(".version 8.0 .target sm_80 .entry k() { }").expect("it parses");
            if let Some(ast::Item::Function(function)) = module.items.last_mut().map(|one| &mut one.node) {
                function.body = Some(body);
            }
            print(&module)
        };
        assert_eq!(wrap(flat), wrap(code(expected)));
    }

    #[test]
    fn names_follow_their_scopes() {
        check(
            ".reg .b32 %r<3>; mov.u32 %r1, 0;
             { .reg .b32 %r<2>; .reg .pred p; a: mov.u32 %r1, %r2; @p bra a;
               { .reg .b32 p; mov.u32 p, %r1; bra a; } @!p bra a; }
             mov.u32 %r2, %r1;",
            ".reg .b32 %r<3>; mov.u32 %r1, 0;
             .reg .b32 s1_r_r<2>; .reg .pred s1_v_p; s1_v_a: mov.u32 s1_r_r1, %r2; @s1_v_p bra s1_v_a;
             .reg .b32 s2_v_p; mov.u32 s2_v_p, s1_r_r1; bra s1_v_a; @!s1_v_p bra s1_v_a;
             mov.u32 %r2, %r1;",
        );
    }

    #[test]
    fn names_lead_back() {
        assert_eq!(original("s12_r_p_2", "s"), "%p_2");
        assert_eq!(original("s1_v_%r_", "s"), "%r_");
        assert_eq!(original("%p", "s"), "%p");
    }

    #[test]
    fn a_scope_ends() {
        check(
            ".reg .b32 v; { mov.u32 v, 1; .reg .b32 v; mov.u32 v, 2; } { st.u32 [v+4], v; }",
            ".reg .b32 v; mov.u32 v, 1; .reg .b32 s1_v_v; mov.u32 s1_v_v, 2; st.u32 [v+4], v;",
        );
    }
}
