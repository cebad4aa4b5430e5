//! What every name of a program stands for.
//!
//! Streams (inputs and definitions) and functions live in two name spaces: a call names a function, everything else a
//! stream. Items may stand in any order; [`Scope::order`] sorts them so that each comes after what it uses.

mod near;
mod order;

pub(crate) use near::nearest;

use crate::ast::{Fn, Input, ItemKind, Let, Name, Program};
use crate::diagnostic::Sink;
use crate::span::Span;
use std::collections::{HashMap, HashSet};

tilt_ir::entity!(
    /// A stream of the program.
    pub(crate) struct Stream => "stream"
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

/// The names of a program.
#[derive(Debug, Default)]
pub(crate) struct Scope<'p> {
    pub(crate) streams: tilt_ir::entity::Table<Stream, Decl<'p>>,
    stream_names: HashMap<&'p str, Stream>,
    functions: HashMap<&'p str, &'p Fn>,
    /// Names that could not be read or that stand for something that was reported; no more is said about them.
    broken: HashSet<&'p str>,
}

impl<'p> Scope<'p> {
    /// Collects the names of `program` and reports those given twice.
    pub(crate) fn new(program: &'p Program, sink: &mut Sink) -> Scope<'p> {
        let mut scope = Scope::default();
        for item in &program.items {
            match &item.kind {
                ItemKind::Input(input) => scope.add_stream(Decl::Input(input), sink),
                ItemKind::Let(definition) => scope.add_stream(Decl::Let(definition), sink),
                ItemKind::Fn(function) => scope.add_function(function, sink),
                ItemKind::Error(names) => scope.broken.extend(names.iter().map(|name| &**name)),
                ItemKind::Output(_) | ItemKind::Outputs(_) => {}
            }
        }
        scope
    }

    pub(crate) fn stream(&self, name: &str) -> Option<Stream> {
        self.stream_names.get(name).copied()
    }

    pub(crate) fn function(&self, name: &str) -> Option<&'p Fn> {
        self.functions.get(name).copied()
    }

    pub(crate) fn is_broken(&self, name: &str) -> bool {
        self.broken.contains(name)
    }

    pub(crate) fn stream_names(&self) -> impl Iterator<Item = &'p str> {
        self.streams.rows().iter().map(|decl| &*decl.name().node)
    }

    pub(crate) fn function_names(&self) -> impl Iterator<Item = &'p str> {
        self.functions.keys().copied()
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

    fn add_function(&mut self, function: &'p Fn, sink: &mut Sink) {
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
        } else if let Some(first) = self.functions.get(&*name.node) {
            report_duplicate(name, first.name.span, sink);
        } else {
            self.functions.insert(&name.node, function);
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
