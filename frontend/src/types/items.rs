//! Items: inputs, definitions, outputs.

use super::arrays::element_of;
use super::clock::Clock;
use super::heads::Head;
use super::hidden::Hidden;
use super::keys::Keys;
use super::recursion::Recursion;
use super::tree::{Node, Ty, Value};
use super::{Checker, Env, Fields, StreamType, grid};
use crate::ast::{self, Name, Rows};
use crate::diagnostic::Sink;
use crate::load::program_module;
use crate::names::{Decl, Scope, Stream, nearest, report_duplicate};
use crate::span::Span;
use std::collections::HashMap;
use tilt_ir::Type;
use tilt_ir::tir::{Hold, Stamps};

/// A definition with types.
pub(crate) struct CheckedLet {
    pub(crate) stream: Stream,
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) value: Value,
    pub(crate) clock: Clock,
    pub(crate) keyed: bool,
    pub(crate) recursion: Option<Recursion>,
}

/// An output with types.
pub(crate) enum CheckedOutput<'p> {
    /// Rows of their own: value and filter on a clock.
    Value { name: &'p Name, value: Value, filter: Option<Node>, clock: Clock, keyed: bool },
    /// A stream as it is.
    Stream { name: &'p Name, stream: Stream },
}

/// A program with types. It is complete if nothing was reported.
pub(crate) struct Checked<'p> {
    pub(crate) types: HashMap<Stream, StreamType>,
    pub(crate) lets: Vec<CheckedLet>,
    pub(crate) outputs: Vec<CheckedOutput<'p>>,
    pub(crate) keys: Option<Keys<'p>>,
    pub(crate) symbols: Vec<String>,
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
        at: None,
        own: Vec::new(),
        keys: None,
        symbols: Vec::new(),
        program_len: u32::try_from(len).unwrap_or(u32::MAX),
    };
    for decl in scope.streams.rows() {
        if let Decl::Input(input) = decl {
            checker.add_keys(input);
        }
    }
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
    let Checker { types, keys, symbols, .. } = checker;
    Checked { types, lets, outputs, keys, symbols }
}

impl<'p> Checker<'_, 'p> {
    fn input(&mut self, stream: Stream, input: &'p ast::Input) {
        let mut fields: Vec<(Box<str>, Type)> = Vec::new();
        let mut fine = true;
        for (at, field) in input.fields.iter().enumerate() {
            if let Some(first) = input.fields[..at].iter().find(|other| other.name == field.name) {
                report_duplicate(&field.name, first.name.span, self.sink);
            }
            let len = field.len.as_ref().map(|len| self.array_length(len));
            match (Type::from_name(&field.ty.node), len) {
                (Some(ty), None) => fields.push((field.name.node.clone(), ty)),
                (Some(ty), Some(Some(len))) => {
                    let elements = (0..len).map(|number| (element_of(&field.name.node, number), ty));
                    fields.extend(elements);
                }
                (Some(_), Some(None)) => fine = false,
                (None, _) => {
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
        let stamps = input.rows.as_ref().and_then(|rows| self.stamps(rows));
        let clock = stamps.map(|stamps| stamps.grid().map_or(Clock::Events(vec![stream]), Clock::Grid));
        let fields = if fine { Fields::Struct(fields) } else { Fields::Error };
        self.types.insert(stream, StreamType { fields, clock, stamps, keyed: !input.keys.is_empty() });
    }

    fn stamps(&mut self, rows: &Rows) -> Option<Stamps> {
        match rows {
            Rows::Every(written) => grid::written(written, self.sink).map(Stamps::Every),
            Rows::Point => Some(Stamps::Events(Hold::Point)),
            Rows::Hold(None) => Some(Stamps::Events(Hold::UntilNext)),
            Rows::Hold(Some(length)) if length.nanoseconds() > 0 => {
                Some(Stamps::Events(Hold::For(length.nanoseconds())))
            }
            Rows::Hold(Some(length)) => {
                self.report_period(length.span);
                None
            }
            Rows::Interval(from, to) => {
                if from == to {
                    report_duplicate(to, from.span, self.sink);
                }
                Some(Stamps::Events(Hold::Until))
            }
        }
    }

    pub(super) fn unknown_type(&mut self, name: &Name) {
        let near = nearest(&name.node, Type::ALL.map(Type::name)).map(String::from);
        let diagnostic = self.error("unknown-type", name.span, format!("there is no type `{}`", name.node));
        diagnostic.label("not a type");
        match (&*name.node, near) {
            ("float" | "double" | "real", _) => diagnostic.help("write `f64` or `f32`"),
            ("int" | "integer" | "long", _) => {
                diagnostic.help("write `i64`, or another of i8 … i64, u8 … u64")
            }
            ("timestamp" | "datetime" | "date", _) => diagnostic.help("write `time`"),
            ("string" | "str" | "text" | "varchar", _) => diagnostic.help("write `symbol`"),
            (_, Some(near)) => diagnostic.help(format!("did you mean `{near}`?")),
            (_, None) => diagnostic.help(format!("types are {}", Type::ALL.map(Type::name).join(", "))),
        };
    }

    fn definition(&mut self, stream: Stream, definition: &'p ast::Let) -> Option<CheckedLet> {
        let name = &definition.name;
        self.begin(name);
        let head = self.head(&definition.head);
        self.at = head.clock();
        let (mut value, recursion) =
            self.defined(stream, &definition.value, definition.init.as_ref(), Env::NONE);
        let clock = match head {
            Head::Known(clock) => Some(clock),
            Head::Broken => None,
            Head::Inferred if self.named.is_empty() && value.is_error() => None,
            Head::Inferred => self.inferred(name),
        };
        if let Some(clock) = &clock {
            self.resolve(Some(stream), &mut value, clock, recursion.as_ref());
            if definition.init.is_some() {
                self.check_rows_before(name, clock);
            }
        }
        // Two definitions of one name were reported; the first is meant by its uses.
        let broken = value.is_error() || self.scope.is_broken(program_module(), &name.node);
        let fields = if broken { Fields::Error } else { fields(&value) };
        let keyed = self.names_keyed();
        self.types.insert(stream, StreamType { fields, clock: clock.clone(), stamps: None, keyed });
        let (name, span) = (name.node.to_string(), name.span);
        Some(CheckedLet { stream, name, span, value, clock: clock?, keyed, recursion })
    }

    /// Whether a stream that was named is keyed.
    pub(super) fn names_keyed(&self) -> bool {
        self.named.iter().any(|(stream, _)| self.types.get(stream).is_some_and(|known| known.keyed))
    }

    /// Reports an `init` where there is no row before.
    pub(super) fn check_rows_before(&mut self, name: &Name, clock: &Clock) {
        if *clock == Clock::Continuous {
            let (text, span) = (&name.node, name.span);
            self.error(
                "continuous-rows",
                span,
                format!("`{text}` is continuous: no row comes before another"),
            )
            .label("has an `init`")
            .help("give the definition rows: `[t on x]`, one for each of x, or `[t every 1s]`");
        }
    }

    /// Begins with the definition or output called `name`.
    pub(super) fn begin(&mut self, name: &'p Name) {
        self.owner = &name.node;
        self.at = None;
        self.own.clear();
        self.named.clear();
        self.calls.clear();
        self.rows = None;
        self.depth = 0;
        self.size = 0;
    }
}

pub(super) fn fields(value: &Value) -> Fields {
    let ty = |node: &Node| match node.ty {
        Ty::Known(ty) => Some(ty),
        Ty::Int | Ty::Float | Ty::Null | Ty::Open | Ty::Error => None,
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
