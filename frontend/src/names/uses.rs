//! Names of other modules: what a `use` brings, and whether anything is done with it.

use super::{Names, Scope, nearest, report_duplicate};
use crate::ast::{Expr, ExprKind, Fn, ItemKind, Let, Name, Use};
use crate::diagnostic::Sink;
use crate::load::{Module, Target};
use std::collections::HashSet;

/// The functions that a `use` names: those in braces, or the last name of its path.
fn functions(used: &Use) -> &[Name] {
    match &used.names {
        Some(names) => names,
        None => used.path.last().map_or(&[], std::slice::from_ref),
    }
}

impl<'p> Scope<'p> {
    pub(super) fn add_uses(&mut self, module: Module, sink: &mut Sink) {
        for (used, target) in self.loaded[module].uses() {
            match target {
                Target::Whole(of) => used.path.last().into_iter().for_each(|name| {
                    self.add_module(module, name, of, sink);
                }),
                Target::Names(of) => {
                    functions(used).iter().for_each(|name| self.add_import(module, name, of, sink));
                }
                Target::Missing => {
                    let names = functions(used).iter().chain(used.path.last());
                    self.names[module].broken.extend(names.map(|name| &*name.node));
                }
            }
        }
    }

    fn add_module(&mut self, module: Module, name: &'p Name, of: Module, sink: &mut Sink) {
        let Names { modules, .. } = &mut self.names[module];
        match modules.get(&*name.node) {
            Some((_, first)) => report_duplicate(name, *first, sink),
            None => {
                modules.insert(&name.node, (of, name.span));
            }
        }
    }

    fn add_import(&mut self, module: Module, name: &'p Name, of: Module, sink: &mut Sink) {
        let Some(function) = self.names[of].own.get(&*name.node).copied() else {
            if !self.is_broken(of, &name.node) {
                self.report_not_in(of, name, sink);
            }
            self.names[module].broken.insert(&name.node);
            return;
        };
        let names = &self.names[module];
        let own = names.own.get(&*name.node).map(|own| self.functions[*own].item.name.span);
        match own.or(names.imported.get(&*name.node).map(|imported| imported.1)) {
            Some(first) => report_duplicate(name, first, sink),
            None => {
                self.names[module].imported.insert(&name.node, (function, name.span));
            }
        }
    }

    /// Reports that the module `of` has no function called `name`.
    pub(crate) fn report_not_in(&self, of: Module, name: &Name, sink: &mut Sink) {
        let path = self.path(of);
        let mut all: Vec<&str> = self.own_function_names(of).collect();
        all.sort_unstable();
        let help = match nearest(&name.node, all.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it has `{}`", all.join("`, `")),
        };
        let message = format!("there is no function `{}` in `{path}`", name.node);
        let diagnostic = sink.error("unknown-function", name.span, message);
        diagnostic.label("not defined");
        if !all.is_empty() {
            diagnostic.help(help);
        }
    }

    /// Warns of each `use` that nothing needs, in all modules.
    pub(super) fn report_unused_uses(&self, sink: &mut Sink) {
        for loaded in self.loaded.rows() {
            let mut called = Called::default();
            loaded.program.items.iter().for_each(|item| called.item(&item.kind));
            for (used, target) in loaded.uses() {
                let (names, known) = match target {
                    Target::Whole(_) => {
                        (used.path.last().map_or(&[][..], std::slice::from_ref), &called.modules)
                    }
                    Target::Names(_) => (functions(used), &called.functions),
                    Target::Missing => continue,
                };
                for name in names.iter().filter(|name| !known.contains(&*name.node)) {
                    sink.warning("unused-name", name.span, format!("nothing uses `{}`", name.node))
                        .label("not called")
                        .help("leave it out");
                }
            }
        }
    }
}

/// What the calls of a module name.
#[derive(Default)]
struct Called<'p> {
    functions: HashSet<&'p str>,
    modules: HashSet<&'p str>,
}

impl<'p> Called<'p> {
    fn item(&mut self, item: &'p ItemKind) {
        match item {
            ItemKind::Let(Let { init, value, .. }) | ItemKind::Fn(Fn { init, body: value, .. }) => {
                init.iter().chain([value]).for_each(|expr| self.expr(expr));
            }
            ItemKind::Output(output) => {
                self.expr(&output.value);
                output.filter.iter().for_each(|filter| self.expr(filter));
            }
            ItemKind::Use(_) | ItemKind::Input(_) | ItemKind::Outputs(_) | ItemKind::Error(_) => {}
        }
    }

    fn expr(&mut self, expr: &'p Expr) {
        if let ExprKind::Call(path, _) = &expr.kind {
            match path.modules.first() {
                Some(module) => self.modules.insert(&module.node),
                None => self.functions.insert(&path.name.node),
            };
        }
        expr.kind.children().into_iter().for_each(|child| self.expr(child));
    }
}
