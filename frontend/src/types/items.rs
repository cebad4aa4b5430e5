//! Items: inputs, definitions, outputs.

use super::hidden::Hidden;
use super::tree::{Node, Ty, Value};
use super::{Checker, Env, Fields, StreamType, grid};
use crate::ast::{self, ItemKind, Name, Output};
use crate::diagnostic::Sink;
use crate::load::program_module;
use crate::names::{Decl, Scope, Stream, nearest, report_duplicate};
use crate::span::Span;
use std::collections::HashMap;
use tilt_ir::{Grid, Type};

/// A definition with types.
pub(crate) struct CheckedLet {
    pub(crate) stream: Stream,
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) value: Value,
    pub(crate) grid: Grid,
}

/// An output with types.
pub(crate) enum CheckedOutput<'p> {
    /// Rows of their own: value and filter on a grid.
    Value { name: &'p Name, value: Value, filter: Option<Node>, grid: Grid },
    /// A stream as it is.
    Stream { name: &'p Name, stream: Stream },
}

/// A program with types. It is complete if nothing was reported.
pub(crate) struct Checked<'p> {
    pub(crate) types: HashMap<Stream, StreamType>,
    pub(crate) lets: Vec<CheckedLet>,
    pub(crate) outputs: Vec<CheckedOutput<'p>>,
}

/// Checks the program, whose text has `len` bytes and whose definitions are to be taken in this `order`.
pub(crate) fn check<'p>(scope: &Scope<'p>, order: &[Stream], len: usize, sink: &mut Sink) -> Checked<'p> {
    let mut checker = Checker {
        scope,
        types: HashMap::new(),
        sink,
        named: Vec::new(),
        calls: Vec::new(),
        rows: None,
        depth: 0,
        size: 0,
        call_count: 0,
        hidden: Hidden::default(),
        owner: "",
        program_len: u32::try_from(len).unwrap_or(u32::MAX),
    };
    let mut lets = Vec::new();
    for &stream in order {
        match scope.streams[stream] {
            Decl::Input(input) => checker.input(stream, input),
            Decl::Let(definition) => {
                let checked = checker.definition(stream, definition);
                lets.append(&mut checker.hidden.pending);
                lets.extend(checked);
            }
        }
    }
    let outputs = checker.outputs();
    lets.append(&mut checker.hidden.pending);
    Checked { types: checker.types, lets, outputs }
}

impl<'p> Checker<'_, 'p> {
    fn input(&mut self, stream: Stream, input: &'p ast::Input) {
        let mut fields: Vec<(Box<str>, Type)> = Vec::new();
        let mut fine = true;
        for (at, field) in input.fields.iter().enumerate() {
            if let Some(first) = input.fields[..at].iter().find(|other| other.name == field.name) {
                report_duplicate(&field.name, first.name.span, self.sink);
            }
            match Type::from_name(&field.ty.node) {
                Some(ty) => fields.push((field.name.node.clone(), ty)),
                None => {
                    self.unknown_type(&field.ty);
                    fine = false;
                }
            }
        }
        if input.fields.is_empty() {
            self.error(
                "empty-struct",
                input.name.span,
                format!("the input `{}` has no fields", input.name.node),
            )
            .label("nothing to read");
            fine = false;
        }
        let grid = input.grid.as_ref().and_then(|written| grid::written(written, self.sink));
        let fields = if fine { Fields::Struct(fields) } else { Fields::Error };
        self.types.insert(stream, StreamType { fields, grid });
    }

    fn unknown_type(&mut self, name: &Name) {
        let near = nearest(&name.node, Type::ALL.map(Type::name)).map(String::from);
        let diagnostic = self.error("unknown-type", name.span, format!("there is no type `{}`", name.node));
        diagnostic.label("not a type");
        match (&*name.node, near) {
            ("float" | "double" | "real", _) => diagnostic.help("write `f64` or `f32`"),
            ("int" | "integer" | "long", _) => {
                diagnostic.help("write `i64`, or another of i8 … i64, u8 … u64")
            }
            ("timestamp" | "datetime" | "date", _) => diagnostic.help("write `time`"),
            ("symbol" | "string" | "str" | "text", _) => diagnostic.help("columns of text are not available"),
            (_, Some(near)) => diagnostic.help(format!("did you mean `{near}`?")),
            (_, None) => diagnostic.help(format!("types are {}", Type::ALL.map(Type::name).join(", "))),
        };
    }

    fn definition(&mut self, stream: Stream, definition: &'p ast::Let) -> Option<CheckedLet> {
        self.begin(&definition.name);
        let value = self.value(&definition.value, Env::NONE);
        let value = self.settle_value(value);
        let grid = match &definition.grid {
            Some(written) => grid::written(written, self.sink),
            None if self.named.is_empty() && value.is_error() => None,
            None => self.inferred(&definition.name),
        };
        // Two definitions of one name were reported; the first is meant by its uses.
        let broken = value.is_error() || self.scope.is_broken(program_module(), &definition.name.node);
        let fields = if broken { Fields::Error } else { fields(&value) };
        self.types.insert(stream, StreamType { fields, grid });
        let Name { node: name, span } = &definition.name;
        Some(CheckedLet { stream, name: name.to_string(), span: *span, value, grid: grid? })
    }

    /// Begins with the definition or output called `name`.
    fn begin(&mut self, name: &'p Name) {
        self.owner = &name.node;
        self.named.clear();
        self.calls.clear();
        self.rows = None;
        self.depth = 0;
        self.size = 0;
    }

    fn outputs(&mut self) -> Vec<CheckedOutput<'p>> {
        let items = self.scope.program();
        let mut outputs = Vec::new();
        let mut names: Vec<&'p Name> = Vec::new();
        for item in items {
            match &item.kind {
                ItemKind::Output(output) => {
                    self.output_name(&output.name, &mut names);
                    outputs.extend(self.output(output));
                }
                ItemKind::Outputs(listed) => {
                    for name in listed {
                        self.output_name(name, &mut names);
                        self.begin(name);
                        let stream = self.stream_named(&name.node, name.span, Env::NONE);
                        outputs.extend(stream.map(|stream| CheckedOutput::Stream { name, stream }));
                    }
                }
                ItemKind::Use(_) | ItemKind::Input(_) | ItemKind::Let(_) => {}
                ItemKind::Fn(_) | ItemKind::Error(_) => {}
            }
        }
        if names.is_empty() && !self.sink.has_errors() {
            let end = items.last().map_or(Span::default(), |item| item.span);
            self.error("no-output", end, "nothing is put out")
                .label("an output is missing behind this")
                .help("end with `output name`, or `output name = …`");
        }
        outputs
    }

    fn output_name(&mut self, name: &'p Name, names: &mut Vec<&'p Name>) {
        match names.iter().find(|other| other.node == name.node) {
            Some(first) => {
                let (message, first) = (format!("there are two outputs called `{}`", name.node), first.span);
                self.error("duplicate-output", name.span, message)
                    .label("here again")
                    .note(first, "the first one");
            }
            None => names.push(name),
        }
    }

    fn output(&mut self, output: &'p Output) -> Option<CheckedOutput<'p>> {
        self.begin(&output.name);
        let value = self.value(&output.value, Env::NONE);
        let value = self.settle_value(value);
        let filter = output.filter.as_ref().map(|filter| {
            let node = self.plain(filter, Env::NONE);
            self.boolean(node, "`where`")
        });
        let is_error = value.is_error() || filter.as_ref().is_some_and(Node::is_error);
        let grid = match self.named.is_empty() && is_error {
            true => None,
            false => self.inferred(&output.name),
        };
        Some(CheckedOutput::Value { name: &output.name, value, filter, grid: grid? })
    }
}

pub(super) fn fields(value: &Value) -> Fields {
    let ty = |node: &Node| match node.ty {
        Ty::Known(ty) => Some(ty),
        Ty::Int | Ty::Float | Ty::Null | Ty::Error => None,
    };
    match value {
        Value::Plain(node) => ty(node).map_or(Fields::Error, Fields::Plain),
        Value::Struct(fields, _) => {
            let typed: Option<Vec<_>> =
                fields.iter().map(|(name, node)| Some((name.clone(), ty(node)?))).collect();
            typed.map_or(Fields::Error, Fields::Struct)
        }
    }
}
