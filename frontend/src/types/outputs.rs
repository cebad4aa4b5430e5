//! Outputs: streams as they are, or expressions with rows of their own.

use super::clock::Clock;
use super::heads::Head;
use super::items::CheckedOutput;
use super::tree::{Node, Value};
use super::{Checker, Env, Fields};
use crate::ast::{self, ItemKind, Name, Output};
use crate::names::Stream;
use crate::span::Span;

impl<'p> Checker<'_, 'p> {
    pub(super) fn outputs(&mut self) -> Vec<CheckedOutput<'p>> {
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
                        outputs.extend(stream.map(|stream| self.put_out(name, stream)));
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

    /// A stream as it is.
    fn put_out(&mut self, name: &'p Name, stream: Stream) -> CheckedOutput<'p> {
        // of an input that was reported where it is declared
        let known = self.types.get(&stream).filter(|known| known.keyed && known.stamps.is_none());
        let columns: Vec<Box<str>> = match known.map(|known| &known.fields) {
            Some(Fields::Struct(fields)) => fields.iter().map(|(column, _)| column.clone()).collect(),
            Some(Fields::Plain(_)) => vec![name.node.clone()],
            Some(Fields::Error) | None => Vec::new(),
        };
        for column in columns {
            self.report_key_column(&column, name.span);
        }
        CheckedOutput::Stream { name, stream }
    }

    fn output(&mut self, output: &'p Output) -> Option<CheckedOutput<'p>> {
        let name = &output.name;
        self.begin(name);
        let head = output.head.as_ref().map(|head| self.head(head));
        self.at = head.as_ref().and_then(Head::clock);
        let value = self.value(&output.value, Env::NONE);
        let mut value = self.settle_value(value);
        let mut filter = output.filter.as_ref().map(|filter| {
            let node = self.plain(filter, Env::NONE);
            self.boolean(node, "`where`")
        });
        let is_error = value.is_error() || filter.as_ref().is_some_and(Node::is_error);
        let clock = match head {
            Some(Head::Known(clock)) => Some(clock),
            Some(Head::Broken) => None,
            Some(Head::Inferred) | None if self.named.is_empty() && is_error => None,
            Some(Head::Inferred) => self.inferred(name),
            None => self.output_clock(name),
        };
        let clock = clock?;
        self.resolve(None, &mut value, &clock, None);
        if let Some(filter) = &mut filter {
            self.resolve_plain(filter, &clock);
        }
        let keyed = self.names_keyed();
        if keyed {
            match &value {
                Value::Plain(_) => self.report_key_column(&name.node, name.span),
                Value::Struct(..) => self.report_key_columns(&output.value, &value),
            }
        }
        Some(CheckedOutput::Value { name, value, filter, clock, keyed })
    }

    fn report_key_columns(&mut self, written: &'p ast::Expr, value: &Value) {
        let place = |column: &str| match &written.kind {
            ast::ExprKind::Struct(fields) => {
                fields.iter().find(|field| &*field.name.node == column).map(|field| field.name.span)
            }
            _ => None,
        };
        for (column, _) in value.nodes() {
            self.report_key_column(column, place(column).unwrap_or(written.span));
        }
    }

    /// When an output without brackets has rows: with those of the points that it names, if it names some, else as `[t]`.
    fn output_clock(&mut self, name: &Name) -> Option<Clock> {
        if !self.names_a_stream(name) {
            return None;
        }
        let named = self.named.clone();
        let (calls, streams): (Vec<_>, Vec<_>) =
            named.iter().copied().partition(|(stream, _)| self.is_call(*stream));
        let mut points = self.points(&streams);
        if points.is_empty() {
            // calls hold between their rows, but if there is nothing else these will do
            points = self.points(&calls);
            points.truncate(if points.len() == 1 { 1 } else { 0 });
        }
        match points.as_slice() {
            [] => self.clock_of_named(name, &named),
            [(_, clock)] => Some(clock.clone()),
            [(first, _), (second, _), ..] => {
                let message = format!("the rows of `{}` could be those of several streams", name.node);
                self.error("clock-mismatch", *second, message)
                    .label("rows of its own")
                    .note(*first, "and this has others")
                    .help(format!("say which are meant: `output {0}[t on x] = …`, or `output {0}[t on l | r] = …` for both", name.node));
                None
            }
        }
    }

    /// The clocks of those that are points, each once.
    fn points(&self, named: &[(Stream, Span)]) -> Vec<(Span, Clock)> {
        let mut points: Vec<(Span, Clock)> = Vec::new();
        for (stream, span) in named {
            let Some(known) = self.types.get(stream).filter(|known| known.is_point()) else { continue };
            if let Some(clock) = &known.clock
                && points.iter().all(|point| point.1 != *clock)
            {
                points.push((*span, clock.clone()));
            }
        }
        points
    }
}
