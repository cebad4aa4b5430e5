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

use super::{Locator, type_of};
use crate::names::Stream;
use crate::types::tree::{Kind, Node, Reduction};
use std::collections::HashMap;
use tilt_ir::Grid;
use tilt_ir::tir::{Body, Grouping, Index, Op, Reduce, Source, Value};

/// Emits the body of a definition.
pub(super) struct BodyEmitter<'a> {
    body: Body,
    sources: &'a HashMap<Stream, Source>,
    at: Grid,
    locator: &'a Locator<'a>,
}

impl<'a> BodyEmitter<'a> {
    pub(super) fn new(
        sources: &'a HashMap<Stream, Source>,
        at: Grid,
        locator: &'a Locator<'a>,
    ) -> BodyEmitter<'a> {
        BodyEmitter { body: Body::default(), sources, at, locator }
    }

    pub(super) fn finish(self) -> Body {
        self.body
    }

    pub(super) fn emit(&mut self, node: &Node) -> Value {
        let op = match &node.kind {
            Kind::Reduce(reduction) => self.reduce(reduction),
            _ => operation(node, self.sources, |child| self.emit(child)),
        };
        self.body.push(op, type_of(node), self.locator.loc(node.span))
    }

    fn reduce(&mut self, reduction: &Reduction) -> Op {
        let mut row = RowEmitter { outer: self, body: Body::default(), captures: Vec::new() };
        let result = row.emit(&reduction.row);
        let RowEmitter { mut body, captures, .. } = row;
        body.results = vec![result];
        let grouping = Grouping::choose(reduction.window, self.at, reduction.rows, !captures.is_empty());
        Op::Reduce(Box::new(Reduce {
            kind: reduction.kind,
            rows: reduction.rows,
            window: reduction.window,
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
    body: Body,
    captures: Vec<Value>,
}

impl RowEmitter<'_, '_> {
    fn emit(&mut self, node: &Node) -> Value {
        let op = match node.has_row() || node.is_constant() {
            true => operation(node, self.outer.sources, |child| self.emit(child)),
            false => {
                self.captures.push(self.outer.emit(node));
                Op::Param(self.captures.len() as u32 - 1)
            }
        };
        self.body.push(op, type_of(node), self.outer.locator.loc(node.span))
    }
}

/// The operation of a node, whose operands `emit` gives.
fn operation(node: &Node, sources: &HashMap<Stream, Source>, mut emit: impl FnMut(&Node) -> Value) -> Op {
    let at = |stream: Stream, field: u32, index: Index| Op::At { source: sources[&stream], field, index };
    match &node.kind {
        Kind::Const(constant) => Op::Const(*constant),
        Kind::Null => Op::Null,
        Kind::Time(index) => Op::Time(*index),
        Kind::At { stream, field, index } => at(*stream, *field, *index),
        // In the body of a row, `t` is its stamp.
        Kind::Row { stream, field } => at(*stream, *field, Index::NOW),
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
