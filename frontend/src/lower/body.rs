//! Bodies of definitions, and of the rows of reductions.
//!
//! ```text
//! sum((x[t-5s..t].v - m) * 2.0)   →   %0 = at m.value[t] : f64
//!                                     %1 = reduce sum … (t-5s, t] captures (%0) {
//!                                       at x.v[t], param 0, sub, const 2.0, mul
//!                                     }
//! ```
//!
//! In a row, what looks at the window is computed at the row's time; everything else is a value of the enclosing body,
//! at its `t`, and is captured. Constants are repeated instead.

use super::{Locator, tir_clock, type_of};
use crate::names::Stream;
use crate::types::clock::Look;
use crate::types::tree::{Kind, Node, Reduction};
use crate::types::{Clock, StreamType};
use std::collections::HashMap;
use tilt_ir::tir::{Body, Grouping, Op, Reduce, Source, Value, When};

/// What is known of the streams that a body looks at.
#[derive(Clone, Copy)]
pub(super) struct Streams<'a> {
    pub(super) sources: &'a HashMap<Stream, Source>,
    pub(super) types: &'a HashMap<Stream, StreamType>,
}

/// Emits the body of a definition.
pub(super) struct BodyEmitter<'a> {
    body: Body,
    streams: Streams<'a>,
    at: &'a Clock,
    locator: &'a Locator<'a>,
}

impl<'a> BodyEmitter<'a> {
    pub(super) fn new(streams: Streams<'a>, at: &'a Clock, locator: &'a Locator<'a>) -> BodyEmitter<'a> {
        BodyEmitter { body: Body::default(), streams, at, locator }
    }

    pub(super) fn finish(self) -> Body {
        self.body
    }

    pub(super) fn emit(&mut self, node: &Node) -> Value {
        let op = match &node.kind {
            Kind::Reduce(reduction) => self.reduce(reduction),
            _ => {
                let (streams, at) = (self.streams, self.at);
                operation(node, streams, at, |child| self.emit(child))
            }
        };
        self.body.push(op, type_of(node), self.locator.loc(node.span))
    }

    fn reduce(&mut self, reduction: &Reduction) -> Op {
        let mut row =
            RowEmitter { outer: self, rows: &reduction.rows, body: Body::default(), captures: Vec::new() };
        let results = reduction.row.iter().map(|node| row.emit(node)).collect();
        let RowEmitter { mut body, captures, .. } = row;
        body.results = results;
        let frame = self.at.frame(reduction.frame, &reduction.rows);
        let rows = tir_clock(&reduction.rows, self.streams.sources);
        let at = tir_clock(self.at, self.streams.sources);
        let grouping = Grouping::of(frame, &at, &rows, !captures.is_empty());
        Op::Reduce(Box::new(Reduce {
            kind: reduction.kind,
            rows,
            frame,
            grouping,
            min_count: reduction.min_count,
            captures,
            row: body,
        }))
    }
}

/// Emits the row of a reduction of `outer`.
struct RowEmitter<'e, 'a> {
    outer: &'e mut BodyEmitter<'a>,
    rows: &'e Clock,
    body: Body,
    captures: Vec<Value>,
}

impl RowEmitter<'_, '_> {
    fn emit(&mut self, node: &Node) -> Value {
        let op = match node.has_row() || node.is_repeated() {
            true => {
                let (streams, rows) = (self.outer.streams, self.rows);
                operation(node, streams, rows, |child| self.emit(child))
            }
            false => {
                self.captures.push(self.outer.emit(node));
                Op::Param(self.captures.len() as u32 - 1)
            }
        };
        self.body.push(op, type_of(node), self.outer.locator.loc(node.span))
    }
}

/// The operation of a node on the rows of `clock`, whose operands `emit` gives.
fn operation(node: &Node, streams: Streams<'_>, clock: &Clock, mut emit: impl FnMut(&Node) -> Value) -> Op {
    let at =
        |stream: Stream, field: u32, when: When| Op::At { source: streams.sources[&stream], field, when };
    match &node.kind {
        Kind::Const(constant) => Op::Const(*constant),
        Kind::Null => Op::Null,
        Kind::Time(index) => Op::Time(*index),
        Kind::At { stream, field, look } => {
            at(*stream, *field, clock.when(*stream, &streams.types[stream], *look))
        }
        // In the body of a row, `t` is its stamp.
        Kind::Row { stream, field } => {
            at(*stream, *field, clock.when(*stream, &streams.types[stream], Look::Here))
        }
        Kind::Key(number) => Op::Key(*number),
        Kind::Unary(op, a) => Op::Unary(*op, emit(a)),
        Kind::Binary(op, a, b) => Op::Binary(*op, emit(a), emit(b)),
        Kind::Compare(op, a, b) => Op::Compare(*op, emit(a), emit(b)),
        Kind::Math(function, operands) => Op::Math(*function, operands.iter().map(emit).collect()),
        Kind::Select(condition, yes, no) => {
            Op::Select { cond: emit(condition), then: emit(yes), otherwise: emit(no) }
        }
        Kind::Coalesce(a, b) => Op::Coalesce(emit(a), emit(b)),
        Kind::IsNull(a) => Op::IsNull(emit(a)),
        Kind::IntLiteral(_) | Kind::FloatLiteral(_) | Kind::Reduce(_) | Kind::Error => {
            panic!("type checking left {:?} at {:?}", node.kind, node.span)
        }
    }
}
