//! From typed trees to TiLT IR.
//!
//! Definitions come after those they use. Each output gets a definition of its own, unless it shows one as it is.

mod body;

use crate::ast::Name;
use crate::names::{Decl, Scope, Stream};
use crate::span::{LineIndex, Span};
use crate::types::tree::{Node, Ty, Value};
use crate::types::{Checked, CheckedOutput, Fields};
use body::BodyEmitter;
use std::collections::{HashMap, HashSet};
use tilt_ir::tir::{Def, DefData, Field, InputData, Op, Output, Query, Source};
use tilt_ir::{Grid, Loc, Type};

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
    let query = Query { source: name.into(), ..Query::default() };
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
        let def = lowering.define(name, checked.span, &checked.value, None, checked.grid);
        lowering.sources.insert(checked.stream, Source::Def(def));
    }
    for output in &checked.outputs {
        lowering.output(output);
    }
    lowering.query
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
            let (Fields::Struct(fields), Some(grid)) = (&known.fields, known.grid) else {
                continue;
            };
            let input = self.query.inputs.push(InputData {
                name: input.name.node.to_string(),
                fields: fields.iter().map(|(name, ty)| field(name, *ty)).collect(),
                grid,
                loc: self.locator.loc(input.name.span),
            });
            self.sources.insert(stream, Source::Input(input));
        }
    }

    /// Adds a definition; a filter becomes its last field.
    fn define(&mut self, name: String, span: Span, value: &Value, filter: Option<&Node>, grid: Grid) -> Def {
        let mut columns: Vec<(&str, &Node)> = match value {
            Value::Plain(node) => vec![("value", node)],
            Value::Struct(fields, _) => fields.iter().map(|(name, node)| (&**name, node)).collect(),
        };
        let keep = free_name("keep", |name| columns.iter().any(|column| column.0 == name));
        columns.extend(filter.map(|filter| (&*keep, filter)));
        let mut emitter = BodyEmitter::new(&self.sources, grid, self.locator);
        let results: Vec<_> = columns.iter().map(|(_, node)| emitter.emit(node)).collect();
        let mut body = emitter.finish();
        body.results = results;
        let fields = columns.iter().map(|(name, node)| field(name, type_of(node))).collect();
        self.query.defs.push(DefData { name, fields, grid, body, loc: self.locator.loc(span) })
    }

    fn output(&mut self, output: &CheckedOutput<'_>) {
        match output {
            CheckedOutput::Value { name, value, filter, grid } => {
                let def = self.define(self.output_def(name), name.span, value, filter.as_ref(), *grid);
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
    fn copy(&mut self, name: &Name, input: tilt_ir::tir::Input) -> Def {
        let InputData { fields, grid, .. } = self.query.inputs[input].clone();
        let loc = self.locator.loc(name.span);
        let mut body = tilt_ir::tir::Body::default();
        for (at, field) in fields.iter().enumerate() {
            let op =
                Op::At { source: Source::Input(input), field: at as u32, index: tilt_ir::tir::Index::NOW };
            let value = body.push(op, field.ty, loc);
            body.results.push(value);
        }
        let name = self.output_def(name);
        self.taken.insert(name.clone());
        self.query.defs.push(DefData { name, fields, grid, body, loc })
    }

    fn put_out(&mut self, name: &Name, def: Def, is_plain: bool, keep: Option<u32>) {
        let fields = &self.query.defs[def].fields;
        let columns = fields.iter().enumerate().filter(|(at, _)| Some(*at as u32) != keep);
        let columns = columns.map(|(at, field)| match is_plain {
            true => (name.node.to_string(), at as u32),
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

fn field(name: &str, ty: Type) -> Field {
    Field { name: name.into(), ty }
}

/// The type of a checked expression.
fn type_of(node: &Node) -> Type {
    match node.ty {
        Ty::Known(ty) => ty,
        Ty::Int | Ty::Float | Ty::Null | Ty::Error => {
            panic!("type checking left {} at {:?}", node.ty, node.span)
        }
    }
}
