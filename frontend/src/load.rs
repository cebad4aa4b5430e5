//! The modules that a program uses, and those that they use.
//!
//! Each module is read once, however often it is used. [`load`] says of every `use` which module it means; whether the names
//! are there is for [`names`](crate::names) to see.

use crate::World;
use crate::ast::{ItemKind, Name, Program, Use};
use crate::diagnostic::{ModuleTexts, Sink};
use crate::names::nearest;
use crate::parse::parse_module;
use crate::span::Span;
use std::collections::{HashMap, HashSet, VecDeque};
use tilt_ir::entity::{Entity, Table};

tilt_ir::entity!(
    /// A module, or the program itself, which is number 0.
    pub(crate) struct Module => "module"
);

/// What a `use` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A module by its last name: `use std::stats`.
    Whole(Module),
    /// Functions of a module: `use std::stats::{zscore}`, `use std::stats::zscore`.
    Names(Module),
    /// There is no such module, which was reported.
    Missing,
}

/// A program or module, read.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// Its path; empty for the program.
    pub(crate) path: String,
    pub(crate) program: Program,
    /// What each `use` in it means, in the order of the items.
    pub(crate) targets: Vec<Target>,
}

impl Loaded {
    /// The `use` items with what they mean.
    pub(crate) fn uses(&self) -> impl Iterator<Item = (&Use, Target)> {
        written_uses(&self.program).zip(self.targets.iter().copied())
    }
}

fn written_uses(program: &Program) -> impl Iterator<Item = &Use> {
    program.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Use(used) => Some(used),
        _ => None,
    })
}

/// The number of the program among the modules.
pub(crate) fn program_module() -> Module {
    Module::new(0)
}

/// Reads what `program`, whose text has `len` bytes, uses.
pub(crate) fn load(
    world: &dyn World,
    program: Program,
    len: usize,
    sink: &mut Sink,
) -> Table<Module, Loaded> {
    let mut loader = Loader {
        world,
        sink,
        len,
        texts: ModuleTexts::default(),
        known: HashMap::new(),
        modules: Table::new(),
    };
    loader.add(String::new(), program);
    let mut next = 0;
    while let Some(loaded) = loader.modules.get(Module::new(next)) {
        let uses: Vec<Use> = written_uses(&loaded.program).cloned().collect();
        let targets = uses.iter().map(|used| loader.target(used)).collect();
        loader.modules[Module::new(next)].targets = targets;
        next += 1;
    }
    let Loader { mut modules, texts, .. } = loader;
    sink.set_modules(texts);
    report_circles(&mut modules, sink);
    modules
}

struct Loader<'w, 's> {
    world: &'w dyn World,
    sink: &'s mut Sink,
    len: usize,
    texts: ModuleTexts,
    known: HashMap<String, Module>,
    modules: Table<Module, Loaded>,
}

impl Loader<'_, '_> {
    fn add(&mut self, path: String, program: Program) -> Module {
        self.modules.push(Loaded { path, program, targets: Vec::new() })
    }

    fn target(&mut self, used: &Use) -> Target {
        let path = &used.path;
        if let Some(module) = self.module(&join(path), path_span(path)) {
            return if used.names.is_some() { Target::Names(module) } else { Target::Whole(module) };
        }
        let parent = parent(path);
        if used.names.is_none()
            && !parent.is_empty()
            && let Some(module) = self.module(&join(parent), path_span(path))
        {
            return Target::Names(module);
        }
        self.unknown_module(path);
        Target::Missing
    }

    /// The module called `path`, read if it is new.
    fn module(&mut self, path: &str, used: Span) -> Option<Module> {
        if let Some(known) = self.known.get(path) {
            return Some(*known);
        }
        let text = self.world.module(path)?;
        let program = match self.texts.add(path, &text, self.len) {
            Some(start) => parse_module(&text, start, self.sink),
            None => {
                self.sink
                    .error("source-too-large", used, "a program and its modules have 4 GiB or more")
                    .label("one too many");
                Program::default()
            }
        };
        let module = self.add(path.into(), program);
        self.known.insert(path.into(), module);
        Some(module)
    }

    fn unknown_module(&mut self, path: &[Name]) {
        let wanted = join(path);
        let paths = self.world.paths();
        // The last name may be that of a function.
        let near = [path, parent(path)]
            .into_iter()
            .find_map(|path| nearest(&join(path), paths.iter().map(|path| &**path)));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are `{}`", paths.join("`, `")),
        };
        let diagnostic =
            self.sink.error("unknown-module", path_span(path), format!("there is no module `{wanted}`"));
        diagnostic.label("not found").help(help);
    }
}

fn join(path: &[Name]) -> String {
    path.iter().map(|name| &*name.node).collect::<Vec<_>>().join("::")
}

fn parent(path: &[Name]) -> &[Name] {
    path.split_last().map_or(&[], |(_, parent)| parent)
}

fn path_span(path: &[Name]) -> Span {
    path.iter().map(|name| name.span).reduce(Span::to).unwrap_or_default()
}

/// Reports every `use` that leads back to a module it stands in or below. It then means nothing.
fn report_circles(modules: &mut Table<Module, Loaded>, sink: &mut Sink) {
    let mut done = HashSet::new();
    // Each entry: a module, the `use` that led to it, and the uses in it that are left.
    let mut path = vec![(program_module(), Span::default(), uses_of(modules, program_module()))];
    while let Some((module, _, left)) = path.last_mut() {
        let (user, next) = (*module, left.pop_front());
        let Some((next, span, number)) = next else {
            done.insert(user);
            path.pop();
            continue;
        };
        if let Some(at) = path.iter().position(|entry| entry.0 == next) {
            let circle: Vec<(&str, Span)> =
                path[at..].iter().map(|entry| (&*modules[entry.0].path, entry.1)).collect();
            report_circle(&circle, span, sink);
            modules[user].targets[number] = Target::Missing;
        } else if !done.contains(&next) {
            path.push((next, span, uses_of(modules, next)));
        }
    }
}

/// The modules that `module` uses: where, and by which `use`.
fn uses_of(modules: &Table<Module, Loaded>, module: Module) -> VecDeque<(Module, Span, usize)> {
    let used = modules[module].uses().enumerate().filter_map(|(number, (used, target))| match target {
        Target::Whole(module) | Target::Names(module) => Some((module, path_span(&used.path), number)),
        Target::Missing => None,
    });
    used.collect()
}

/// The modules of `circle`, each with the `use` of it in the one before; `closing` uses the first again.
fn report_circle(circle: &[(&str, Span)], closing: Span, sink: &mut Sink) {
    let names = circle.iter().chain(circle.first()).map(|(path, _)| format!("`{path}`"));
    let names = names.collect::<Vec<_>>().join(" → ");
    let first = circle.first().map_or("", |(path, _)| path);
    let diagnostic = sink.error("cyclic-use", closing, format!("the module `{first}` uses itself"));
    match circle {
        [_] => {
            diagnostic.label("this is the same module").help("leave it out: its functions are known in it")
        }
        _ => diagnostic
            .label(format!("the circle is {names}"))
            .help("put what they share into a module of its own"),
    };
    for (_, span) in circle.iter().skip(1) {
        diagnostic.note(*span, "and this is part of the circle");
    }
}
