//! What every name of a program stands for.
//!
//! Streams (inputs and definitions) and functions live in two name spaces: a call names a function, everything else a
//! stream. Items may stand in any order; [`Scope::order`] sorts them so that each comes after what it uses. Modules have
//! functions only, and each sees its own and those that it [uses](uses).

mod near;
mod order;
mod uses;

pub(crate) use near::nearest;

use crate::ast::{Fn, Input, Item, ItemKind, Let, Name, Path};
use crate::diagnostic::Sink;
use crate::load::{Loaded, Module, program_module};
use crate::span::Span;
use std::collections::{HashMap, HashSet};
use tilt_ir::entity::Table;

tilt_ir::entity!(
    /// A stream of the program.
    pub(crate) struct Stream => "stream"
);

tilt_ir::entity!(
    /// A function of the program or of a module.
    pub(crate) struct Function => "function"
);

/// What introduces a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Decl<'p> {
    Input(&'p Input),
    Let(&'p Let),
}

impl<'p> Decl<'p> {
    pub(crate) fn name(self) -> &'p Name {
        match self {
            Decl::Input(input) => &input.name,
            Decl::Let(definition) => &definition.name,
        }
    }
}

/// A function, and the module whose names its body uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionDecl<'p> {
    pub(crate) item: &'p Fn,
    pub(crate) module: Module,
}

/// What names of functions and modules stand for in one module.
#[derive(Debug, Default)]
struct Names<'p> {
    own: HashMap<&'p str, Function>,
    imported: HashMap<&'p str, (Function, Span)>,
    modules: HashMap<&'p str, (Module, Span)>,
    /// Names that could not be read or that stand for something that was reported; no more is said about them.
    broken: HashSet<&'p str>,
}

/// What a call calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee<'p> {
    /// A function of the program or of a module.
    Function(Function),
    /// A name that no function here has; it may be one of the language.
    Unknown,
    /// The module has no function of this name.
    NotIn(Module),
    /// No module is used under this name.
    NoModule(&'p Name),
    /// Something that was reported.
    Broken,
}

/// The names of a program and of the modules that it uses.
#[derive(Debug)]
pub(crate) struct Scope<'p> {
    pub(crate) streams: Table<Stream, Decl<'p>>,
    pub(crate) functions: Table<Function, FunctionDecl<'p>>,
    stream_names: HashMap<&'p str, Stream>,
    names: Table<Module, Names<'p>>,
    loaded: &'p Table<Module, Loaded>,
}

impl<'p> Scope<'p> {
    /// Collects the names of the program and its modules, and reports those given twice.
    pub(crate) fn new(loaded: &'p Table<Module, Loaded>, sink: &mut Sink) -> Scope<'p> {
        let mut scope = Scope {
            streams: Table::new(),
            functions: Table::new(),
            stream_names: HashMap::new(),
            names: Table::new(),
            loaded,
        };
        for (module, Loaded { program, .. }) in loaded.iter() {
            scope.names.push(Names::default());
            for item in &program.items {
                scope.add_item(module, item, sink);
            }
            // a name in unreadable text is only in doubt if nothing else defines it
            let streams = &scope.stream_names;
            scope.names[module].broken.retain(|name| !streams.contains_key(name));
        }
        for module in loaded.ids() {
            scope.add_uses(module, sink);
        }
        scope
    }

    pub(crate) fn stream(&self, name: &str) -> Option<Stream> {
        self.stream_names.get(name).copied()
    }

    /// The function that `name` calls in `module`.
    pub(crate) fn function(&self, module: Module, name: &str) -> Option<Function> {
        let names = &self.names[module];
        names.own.get(name).or(names.imported.get(name).map(|one| &one.0)).copied()
    }

    /// What `path` calls in `module`.
    pub(crate) fn callee(&self, module: Module, path: &'p Path) -> Callee<'p> {
        let names = &self.names[module];
        let name = &*path.name.node;
        let (first, within) = match path.modules.as_slice() {
            [] => return self.function(module, name).map_or(Callee::Unknown, Callee::Function),
            [only] => (only, names.modules.get(&*only.node)),
            [first, ..] => (first, None),
        };
        match within {
            Some((within, _)) => match self.names[*within].own.get(name) {
                Some(function) => Callee::Function(*function),
                None if self.is_broken(*within, name) => Callee::Broken,
                None => Callee::NotIn(*within),
            },
            None if names.broken.contains(&*first.node) => Callee::Broken,
            None => Callee::NoModule(first),
        }
    }

    pub(crate) fn is_broken(&self, module: Module, name: &str) -> bool {
        self.names[module].broken.contains(name)
    }

    pub(crate) fn stream_names(&self) -> impl Iterator<Item = &'p str> {
        self.streams.rows().iter().map(|decl| &*decl.name().node)
    }

    /// The functions that calls in `module` may name alone.
    pub(crate) fn function_names(&self, module: Module) -> impl Iterator<Item = &'p str> {
        let names = &self.names[module];
        names.own.keys().chain(names.imported.keys()).copied()
    }

    /// The functions that `module` has.
    pub(crate) fn own_function_names(&self, module: Module) -> impl Iterator<Item = &'p str> {
        self.names[module].own.keys().copied()
    }

    /// The names under which `module` uses others.
    pub(crate) fn module_names(&self, module: Module) -> impl Iterator<Item = &'p str> {
        self.names[module].modules.keys().copied()
    }

    /// The path of `module` in a `use`; empty for the program.
    pub(crate) fn path(&self, module: Module) -> &'p str {
        &self.loaded[module].path
    }

    /// The items of the program itself.
    pub(crate) fn program(&self) -> &'p [Item] {
        &self.loaded[program_module()].program.items
    }

    fn add_item(&mut self, module: Module, item: &'p Item, sink: &mut Sink) {
        let is_program = module == program_module();
        match &item.kind {
            ItemKind::Fn(function) => self.add_function(module, function, sink),
            ItemKind::Error(names) => {
                self.names[module].broken.extend(names.iter().map(|name| &**name));
            }
            ItemKind::Use(_) => {}
            ItemKind::Input(input) if is_program => self.add_stream(Decl::Input(input), sink),
            ItemKind::Let(definition) if is_program => self.add_stream(Decl::Let(definition), sink),
            ItemKind::Output(_) | ItemKind::Outputs(_) if is_program => {}
            ItemKind::Input(_) | ItemKind::Let(_) | ItemKind::Output(_) | ItemKind::Outputs(_) => {
                sink.error("module-item", item.span, "a module has functions and nothing else")
                    .label("only a program has streams")
                    .help("make it a function, and give it the streams that it needs: `fn f(x) = …`");
            }
        }
    }

    fn add_stream(&mut self, decl: Decl<'p>, sink: &mut Sink) {
        let name = decl.name();
        check_reserved(name, sink);
        let stream = self.streams.push(decl);
        if let Some(first) = self.stream_names.get(&*name.node) {
            report_duplicate(name, self.streams[*first].name().span, sink);
        } else {
            self.stream_names.insert(&name.node, stream);
        }
    }

    fn add_function(&mut self, module: Module, function: &'p Fn, sink: &mut Sink) {
        let name = &function.name;
        for (at, param) in function.params.iter().enumerate() {
            check_reserved(param, sink);
            if let Some(first) = function.params[..at].iter().find(|other| *other == param) {
                report_duplicate(param, first.span, sink);
            }
        }
        if crate::types::builtin::exists(&name.node) {
            sink.error("reserved-name", name.span, format!("`{}` is a function of the language", name.node))
                .label("already has a meaning")
                .help("give it another name");
            if module != program_module() {
                self.names[module].broken.insert(&name.node);
            }
        } else if let Some(first) = self.names[module].own.get(&*name.node) {
            report_duplicate(name, self.functions[*first].item.name.span, sink);
        } else {
            let id = self.functions.push(FunctionDecl { item: function, module });
            self.names[module].own.insert(&name.node, id);
        }
    }
}

fn check_reserved(name: &Name, sink: &mut Sink) {
    if &*name.node == "t" {
        sink.error("reserved-name", name.span, "`t` is the time")
            .label("already has a meaning")
            .help("give it another name");
    }
}

pub(crate) fn report_duplicate(name: &Name, first: Span, sink: &mut Sink) {
    sink.error("duplicate-name", name.span, format!("`{}` is defined twice", name.node))
        .label("here again")
        .note(first, "first defined here");
}
