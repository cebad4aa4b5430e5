//! From typed trees to TiLT IR.
//!
//! Definitions come after those they use. Each output gets a definition of its own, unless it shows one as it is.

mod body;

use crate::ast::{Name, Rows};
use crate::names::{Decl, Scope, Stream};
use crate::span::{LineIndex, Span};
use crate::types::tree::{Node, Ty, Value};
use crate::types::{Checked, CheckedLet, CheckedOutput, Clock, Fields};
use body::{BodyEmitter, Streams};
use std::collections::{HashMap, HashSet};
use tilt_ir::entity::Entity;
use tilt_ir::tir::{self, Def, DefData, Field, InputData, Op, Output, Query, Source, When};
use tilt_ir::{Const, Loc, Type};

/// Lines and columns of spans.
pub(crate) struct Locator<'s> {
    source: &'s str,
    lines: LineIndex,
}

impl<'s> Locator<'s> {
    pub(crate) fn new(source: &'s str) -> Locator<'s> {
        Locator { source, lines: LineIndex::new(source) }
    }

    fn loc(&self, span: Span) -> Loc {
        let place = self.lines.locate(self.source, span.start);
        Loc::new(place.line, place.column)
    }
}

/// The query that `checked` means; nothing in it may have been reported.
pub(crate) fn lower(name: &str, scope: &Scope<'_>, checked: &Checked<'_>, locator: &Locator<'_>) -> Query {
    let keys = checked.keys.iter().flat_map(|keys| &keys.keys);
    let keys = keys.map(|(name, ty)| field(&name.node, *ty)).collect();
    let symbols = checked.symbols.clone();
    let query = Query { source: name.into(), keys, symbols, ..Query::default() };
    let taken = scope.stream_names().map(String::from).collect();
    let mut lowering = Lowering { scope, checked, locator, query, sources: HashMap::new(), taken };
    lowering.inputs();
    for checked in &checked.lets {
        let name = match scope.streams.get(checked.stream) {
            Some(_) => checked.name.clone(),
            // What an argument became is named after others.
            None => free_name(&checked.name, |name| lowering.taken.contains(name)),
        };
        lowering.taken.insert(name.clone());
        // Its own past is looked at under its number.
        let def = Def::new(lowering.query.defs.len());
        lowering.sources.insert(checked.stream, Source::Def(def));
        let CheckedLet { value, clock, keyed, recursion, .. } = checked;
        let init = recursion.as_ref().map(|recursion| recursion.init.clone());
        lowering.define(Definition {
            name,
            span: checked.span,
            value,
            filter: None,
            clock,
            keyed: *keyed,
            init,
        });
    }
    for output in &checked.outputs {
        lowering.output(output);
    }
    lowering.query
}

/// A definition to be added.
struct Definition<'a> {
    name: String,
    span: Span,
    value: &'a Value,
    filter: Option<&'a Node>,
    clock: &'a Clock,
    keyed: bool,
    init: Option<Vec<Option<Const>>>,
}

struct Lowering<'a, 'p> {
    scope: &'a Scope<'p>,
    checked: &'a Checked<'p>,
    locator: &'a Locator<'a>,
    query: Query,
    sources: HashMap<Stream, Source>,
    /// Names of inputs and definitions.
    taken: HashSet<String>,
}

impl Lowering<'_, '_> {
    fn inputs(&mut self) {
        for (stream, decl) in self.scope.streams.iter() {
            let Decl::Input(input) = decl else { continue };
            let Some(known) = self.checked.types.get(&stream) else {
                continue;
            };
            let (Fields::Struct(fields), Some(stamps)) = (&known.fields, known.stamps) else {
                continue;
            };
            let interval = match &input.rows {
                Some(Rows::Interval(from, to)) => Some((from.node.to_string(), to.node.to_string())),
                Some(Rows::Point | Rows::Every(_) | Rows::Hold(_)) | None => None,
            };
            let input = self.query.inputs.push(InputData {
                name: input.name.node.to_string(),
                fields: fields.iter().map(|(name, ty)| field(name, *ty)).collect(),
                stamps,
                interval,
                keyed: known.keyed,
                loc: self.locator.loc(input.name.span),
            });
            self.sources.insert(stream, Source::Input(input));
        }
    }

    /// Adds a definition; a filter becomes its last field.
    fn define(&mut self, definition: Definition<'_>) -> Def {
        let Definition { name, span, value, filter, clock, keyed, init } = definition;
        let mut columns = value.nodes();
        let keep = free_name("keep", |name| columns.iter().any(|column| column.0 == name));
        columns.extend(filter.map(|filter| (&*keep, filter)));
        let streams = Streams { sources: &self.sources, types: &self.checked.types };
        let mut emitter = BodyEmitter::new(streams, clock, self.locator);
        let results: Vec<_> = columns.iter().map(|(_, node)| emitter.emit(node)).collect();
        let mut body = emitter.finish();
        body.results = results;
        let fields = columns.iter().map(|(name, node)| field(name, type_of(node))).collect();
        let clock = tir_clock(clock, &self.sources);
        self.query.defs.push(DefData { name, fields, clock, keyed, init, body, loc: self.locator.loc(span) })
    }

    fn output(&mut self, output: &CheckedOutput<'_>) {
        match output {
            CheckedOutput::Value { name, value, filter, clock, keyed } => {
                let def = self.define(Definition {
                    name: self.output_def(name),
                    span: name.span,
                    value,
                    filter: filter.as_ref(),
                    clock,
                    keyed: *keyed,
                    init: None,
                });
                self.taken.insert(self.query.defs[def].name.clone());
                let count = self.query.defs[def].fields.len() as u32;
                let keep = filter.as_ref().map(|_| count - 1);
                self.put_out(name, def, matches!(value, Value::Plain(_)), keep);
            }
            CheckedOutput::Stream { name, stream } => {
                let is_plain = self
                    .checked
                    .types
                    .get(stream)
                    .is_some_and(|known| matches!(known.fields, Fields::Plain(_)));
                match self.sources.get(stream).copied() {
                    Some(Source::Def(def)) => self.put_out(name, def, is_plain, None),
                    Some(Source::Input(input)) => {
                        let def = self.copy(name, input);
                        self.put_out(name, def, false, None);
                    }
                    None => {}
                }
            }
        }
    }

    /// A definition that is an input.
    fn copy(&mut self, name: &Name, input: tir::Input) -> Def {
        let InputData { fields, stamps, keyed, .. } = self.query.inputs[input].clone();
        let (clock, when) = match stamps.grid() {
            Some(grid) => (tir::Clock::Grid(grid), When::NOW),
            None => (tir::Clock::Events(vec![input]), When::Row(0)),
        };
        let loc = self.locator.loc(name.span);
        let mut body = tir::Body::default();
        for (at, field) in fields.iter().enumerate() {
            let op = Op::At { source: Source::Input(input), field: at as u32, when };
            let value = body.push(op, field.ty, loc);
            body.results.push(value);
        }
        let name = self.output_def(name);
        self.taken.insert(name.clone());
        self.query.defs.push(DefData { name, fields, clock, keyed, init: None, body, loc })
    }

    fn put_out(&mut self, name: &Name, def: Def, is_plain: bool, keep: Option<u32>) {
        let fields = &self.query.defs[def].fields;
        let columns = fields.iter().enumerate().filter(|(at, _)| Some(*at as u32) != keep);
        let columns = columns.map(|(at, field)| match is_plain {
            true => (name.node.to_string(), at as u32),
            // an element of an array
            false if field.name.starts_with('[') => (format!("{}{}", name.node, field.name), at as u32),
            false => (field.name.clone(), at as u32),
        });
        let columns = columns.collect();
        self.query.outputs.push(Output { name: name.node.to_string(), def, columns, keep });
    }

    /// The name of the definition of an output: its own if it is free.
    fn output_def(&self, name: &Name) -> String {
        match self.taken.contains(&*name.node) {
            true => free_name(&format!("{}_output", name.node), |name| self.taken.contains(name)),
            false => name.node.to_string(),
        }
    }
}

fn free_name(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|n| format!("{wanted}_{n}"));
    let mut names = std::iter::once(wanted.to_string()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

/// A clock with the inputs of the query.
fn tir_clock(clock: &Clock, sources: &HashMap<Stream, Source>) -> tir::Clock {
    let input = |stream: &Stream| match sources.get(stream) {
        Some(Source::Input(input)) => *input,
        other => panic!("type checking left {other:?} on a clock"),
    };
    match clock {
        Clock::Grid(grid) => tir::Clock::Grid(*grid),
        Clock::Events(streams) => tir::Clock::Events(streams.iter().map(input).collect()),
        Clock::Continuous => tir::Clock::Continuous,
    }
}

fn field(name: &str, ty: Type) -> Field {
    Field { name: name.into(), ty }
}

/// The type of a checked expression.
fn type_of(node: &Node) -> Type {
    match node.ty {
        Ty::Known(ty) => ty,
        Ty::Int | Ty::Float | Ty::Null | Ty::Open | Ty::Error => {
            panic!("type checking left {} at {:?}", node.ty, node.span)
        }
    }
}
