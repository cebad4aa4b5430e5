//! Checks on what stands at the top level.

use std::collections::HashMap;

use super::Violation;
use crate::analysis::Symbols;
use crate::ast::{Expr, Function, FunctionKind, Init, Item, Linkage, Module, StateSpace, Tuning, Variable};
use crate::span::Span;

/// The directives that only kernels have.
const FOR_KERNELS: &[&str] = &[
    "maxntid",
    "reqntid",
    "minnctapersm",
    "maxnctapersm",
    "maxnreg",
    "reqnctapercluster",
    "explicitcluster",
    "maxclusterrank",
    "blocksareclusters",
];

/// The directives that only device functions have.
const FOR_FUNCTIONS: &[&str] = &["noreturn", "abi_preserve", "abi_preserve_control"];

pub(super) fn check(module: &Module, violations: &mut Vec<Violation>) {
    header(module, violations);
    names(module, violations);
    let symbols = Symbols::of(module);
    for item in &module.items {
        match &item.node {
            Item::Function(function) => directives(function, item.span, violations),
            Item::Variable(variable) => initial_values(&symbols, variable, item.span, violations),
            Item::Alias(alias) if symbols.function(&alias.name).is_none() => {
                let message = format!("`{}` is an alias of `{}`, which is no function", alias.name, alias.of);
                violations.push(Violation::new("unknown-name", item.span, message));
            }
            _ => {}
        }
    }
}

/// `.version`, then `.target`, then everything else.
fn header(module: &Module, violations: &mut Vec<Violation>) {
    let mut items = module.items.iter().filter(|item| !matches!(item.node, Item::Line(_) | Item::Pragma(_)));
    let mut expect = |what: &str, fits: fn(&Item) -> bool| {
        let next = items.next();
        if !next.is_some_and(|item| fits(&item.node)) {
            let span = next.map_or(Span::NONE, |item| item.span);
            violations.push(Violation::new(
                "misplaced-directive",
                span,
                format!("a module starts with {what}"),
            ));
        }
    };
    expect("`.version` and `.target`", |item| matches!(item, Item::Version(..)));
    expect("`.target` after `.version`", |item| matches!(item, Item::Target(_)));
}

/// Whether two declarations of one name can stand together.
#[derive(Clone, Copy, PartialEq)]
enum Declared {
    /// A variable or function that is only declared, or that the linker merges.
    Again,
    /// One with a value or a body.
    Once,
}

fn names(module: &Module, violations: &mut Vec<Violation>) {
    let mut seen: HashMap<&str, Declared> = HashMap::new();
    let mut declare = |name, declared, span| {
        let old = seen.insert(name, declared);
        if old == Some(Declared::Once) && declared == Declared::Once {
            violations.push(Violation::new("repeated-name", span, format!("`{name}` is declared twice")));
        }
    };
    for item in &module.items {
        match &item.node {
            Item::Variable(variable) => {
                let merged =
                    variable.linkage.iter().any(|one| matches!(one, Linkage::Extern | Linkage::Common));
                for one in &variable.names {
                    declare(
                        one.name.as_str(),
                        if merged { Declared::Again } else { Declared::Once },
                        item.span,
                    );
                }
            }
            Item::Function(function) => {
                let defined = if function.body.is_some() { Declared::Once } else { Declared::Again };
                declare(function.name.as_str(), defined, function.name.span);
            }
            _ => {}
        }
    }
}

fn directives(function: &Function, span: Span, violations: &mut Vec<Violation>) {
    let wrong = match function.kind {
        FunctionKind::Entry => FOR_FUNCTIONS,
        FunctionKind::Func => FOR_KERNELS,
    };
    for one in &function.tuning {
        match one {
            Tuning::Directive(name, _) if wrong.contains(&name.as_str()) => {
                let message = format!("`.{name}` does not belong to `.{}`", function.kind);
                violations.push(Violation::new("misplaced-directive", span, message));
            }
            Tuning::Directive(..) | Tuning::Pragma(_) => {}
        }
    }
    for one in function.results.iter().chain(function.parameters()) {
        if !matches!(one.space, StateSpace::Param | StateSpace::Reg) {
            let message = format!("a parameter cannot live in `.{}`", one.space);
            violations.push(Violation::new("misplaced-variable", one.span, message));
        }
    }
}

/// The names in the initial values of a variable stand for variables or functions.
fn initial_values(symbols: &Symbols<'_>, variable: &Variable, span: Span, violations: &mut Vec<Violation>) {
    let mut open: Vec<&Init> = variable.names.iter().filter_map(|one| one.init.as_ref()).collect();
    while let Some(init) = open.pop() {
        match init {
            Init::List(all) => open.extend(all),
            Init::Value(Expr::Integer(_)) | Init::Field(..) => {}
            Init::Value(expr) => expr.names(&mut |name| {
                if symbols.get(name).is_none() {
                    violations.push(Violation::new(
                        "unknown-name",
                        span,
                        format!("nothing here is named `{name}`"),
                    ));
                }
            }),
        }
    }
}
