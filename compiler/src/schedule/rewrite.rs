//! Rewriting a body until it looks at its own clock only.

use std::collections::HashMap;

use tilt_exec::engine::{Clock, Side};
use tilt_ir::{
    Loc, Type,
    entity::Entity,
    tir::{
        self, Body, Def, Frame, Grouping, Index, Input, Inst, Op, Reduce, Source, Stamps, Value, When, Window,
    },
};

use super::{Builder, Group, Made, ROWS, Scope, Stream, slice::slice};

/// A body in the making.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) body: Body,
    /// The values of continuous definitions that are computed here as well.
    inlined: HashMap<Def, Vec<Value>>,
}

/// A look at a column or a fragment of the same clock.
pub(super) fn look(source: Source, field: u32, index: Index) -> Op {
    Op::At { source, field, when: When::Time(index) }
}

pub(super) fn at_column(column: usize, field: u32, index: Index) -> Op {
    look(Source::Input(Input::new(column)), field, index)
}

fn rows_back(back: u64) -> Index {
    Index::now(i64::try_from(back).unwrap_or(i64::MAX).saturating_neg())
}

impl Builder<'_> {
    /// The body of a definition on its own clock.
    pub(super) fn rewritten(&mut self, scope: &Scope, body: &Body) -> Body {
        let mut draft = Draft::default();
        let values = self.append(scope, &mut draft, body);
        draft.body.results = body.results.iter().map(|result| values[result.index()]).collect();
        draft.body
    }

    /// Appends the instructions of a body; gives its values.
    fn append(&mut self, scope: &Scope, draft: &mut Draft, body: &Body) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::with_capacity(body.insts.len());
        for inst in body.insts.rows() {
            let value = match &inst.op {
                Op::At { source, field, when } => self.at(scope, draft, inst, (*source, *field, *when)),
                Op::Time(index) if scope.at.grid().is_none() => {
                    let column = self.column(scope, vec![Type::Time], Made::Time(*index));
                    draft.body.push(at_column(column, 0, Index::NOW), inst.ty, inst.loc)
                }
                Op::Key(key) => {
                    let column = self.column(scope, vec![inst.ty], Made::Key(*key));
                    draft.body.push(at_column(column, 0, Index::NOW), inst.ty, inst.loc)
                }
                Op::Reduce(reduce) => self.reduce(scope, draft, body, inst, reduce, &values),
                op => {
                    let mut op = op.clone();
                    op.map_operands(|operand| values[operand.index()]);
                    draft.body.push(op, inst.ty, inst.loc)
                }
            };
            values.push(value);
        }
        values
    }

    fn at(&mut self, scope: &Scope, draft: &mut Draft, inst: &Inst, at: (Source, u32, When)) -> Value {
        let (source, field, when) = at;
        let op = match source {
            Source::Input(input) => self.at_input(scope, input, field, when),
            Source::Def(def) => {
                let is_now = when == When::NOW && self.query.defs[def].clock == tir::Clock::Continuous;
                if is_now {
                    return self.inlined(scope, draft, def)[field as usize];
                }
                self.at_def(scope, draft, inst, (def, field, when))
            }
        };
        draft.body.push(op, inst.ty, inst.loc)
    }

    fn at_input(&mut self, scope: &Scope, input: Input, field: u32, when: When) -> Op {
        let raw = self.raw(scope.def, input);
        let data = &self.query.inputs[input];
        match (when, data.stamps) {
            (When::Row(back), _) => match &scope.at {
                tir::Clock::Events(inputs) if inputs.len() > 1 => {
                    let ty = self.columns[raw].types[field as usize];
                    at_column(self.column(scope, vec![ty], Made::Own(input, field)), 0, Index::NOW)
                }
                _ => at_column(raw, field, rows_back(back)),
            },
            (When::Time(index), Stamps::Every(_)) if scope.group == Group::Grids => {
                at_column(raw, field, index)
            }
            (When::Time(index), _) => self.seen(scope, Stream::Column(raw), field, index),
        }
    }

    fn at_def(
        &mut self,
        scope: &Scope,
        draft: &mut Draft,
        inst: &Inst,
        (def, field, when): (Def, u32, When),
    ) -> Op {
        let data = &self.query.defs[def];
        if def == scope.def && data.init.is_some() {
            let types = data.fields.iter().map(|field| field.ty).collect();
            let past = self.column(scope, types, Made::Past(def));
            return match when {
                When::Row(back) => at_column(past, field, rows_back(back)),
                When::Time(index) => at_column(past, field, index),
            };
        }
        let fragment = self.fragment_of(def);
        match when {
            When::Row(back) => self.look_back(scope, draft, inst, (fragment, field, rows_back(back))),
            When::Time(index) if scope.group == Group::Grids && data.clock.grid().is_some() => {
                look(Source::Def(Def::new(fragment)), field, index)
            }
            When::Time(index) => self.seen(scope, Stream::Fragment(fragment), field, index),
        }
    }

    /// The value of a stream of another clock.
    fn seen(&mut self, scope: &Scope, of: Stream, field: u32, index: Index) -> Op {
        let ty = self.types(of)[field as usize];
        at_column(self.column(scope, vec![ty], Made::Look { of, field, index }), 0, Index::NOW)
    }

    fn types(&self, stream: Stream) -> Vec<Type> {
        match stream {
            Stream::Fragment(fragment) => self.fragments[fragment].types.clone(),
            Stream::Column(column) => self.columns[column].types.clone(),
        }
    }

    /// The values of a continuous definition, computed here.
    fn inlined(&mut self, scope: &Scope, draft: &mut Draft, def: Def) -> Vec<Value> {
        if let Some(known) = draft.inlined.get(&def) {
            return known.clone();
        }
        let query = self.query;
        let body = &query.defs[def].body;
        let values = self.append(scope, draft, body);
        let results: Vec<Value> = body.results.iter().map(|result| values[result.index()]).collect();
        draft.inlined.insert(def, results.clone());
        results
    }

    fn reduce(
        &mut self,
        scope: &Scope,
        draft: &mut Draft,
        body: &Body,
        inst: &Inst,
        reduce: &Reduce,
        values: &[Value],
    ) -> Value {
        let in_kernel = in_kernel(scope, reduce).and_then(|how| {
            let rows = self.scope(scope.def, &reduce.rows, scope.keyed, &reduce.row);
            let row = self.rewritten(&rows, &reduce.row);
            // a kernel sees rows before the first one: they must not count
            let counts = scope.group != Group::Grids && self.absent(&row).contains(&false);
            (!counts).then_some((how, rows, row))
        });
        if let Some(((frame, grouping), rows, row)) = in_kernel {
            let reduce = Reduce {
                kind: reduce.kind,
                rows: tir::Clock::Grid(rows.grid),
                frame,
                grouping,
                min_count: reduce.min_count,
                captures: reduce.captures.iter().map(|value| values[value.index()]).collect(),
                row,
            };
            return draft.body.push(Op::Reduce(Box::new(reduce)), inst.ty, inst.loc);
        }
        let (kind, min_count) = (reduce.kind, reduce.min_count);
        let what = match (&reduce.rows, reduce.frame) {
            _ if !reduce.captures.is_empty() => {
                let of = self.pairs(scope, body, reduce);
                Made::Fold { of, kind, min_count }
            }
            (tir::Clock::Continuous, Frame::Time(window)) => {
                let (of, _) = self.row_stream(scope, reduce);
                Made::Weigh { of, window, kind, min_count }
            }
            (_, frame) => {
                let (of, fields) = self.row_stream(scope, reduce);
                Made::Window { of, fields, frame, kind, grouping: reduce.grouping, min_count }
            }
        };
        let column = self.column(scope, vec![inst.ty], what);
        draft.body.push(at_column(column, 0, Index::NOW), inst.ty, inst.loc)
    }

    /// The values of the rows of a reduction that captures nothing, and which fields they are.
    fn row_stream(&mut self, scope: &Scope, reduce: &Reduce) -> (Stream, Vec<u32>) {
        let of_keys = match &reduce.rows {
            tir::Clock::Events(inputs) => inputs.iter().any(|input| self.query.inputs[*input].keyed),
            tir::Clock::Grid(_) | tir::Clock::Continuous => false,
        };
        let keyed = scope.keyed && (of_keys || self.looks_at_keyed(&reduce.row));
        let rows = self.scope(scope.def, &reduce.rows, keyed, &reduce.row);
        let body = self.rewritten(&rows, &reduce.row);
        let as_they_are = (reduce.rows != tir::Clock::Continuous).then(|| own_fields(&body)).flatten();
        as_they_are.unwrap_or_else(|| {
            let fields = (0..body.results.len() as u32).collect();
            (Stream::Fragment(self.named_fragment(scope, rows, body)), fields)
        })
    }

    fn named_fragment(&mut self, scope: &Scope, rows: Scope, body: Body) -> usize {
        let types: Vec<Type> = body.results.iter().map(|result| body.ty(*result)).collect();
        let known = self.fragments.iter().position(|fragment| {
            fragment.scan.is_none()
                && (fragment.scope.clock, fragment.scope.keyed) == (rows.clock, rows.keyed)
                && fragment.body == body
        });
        let name = self.query.defs[scope.def].name.clone();
        known.unwrap_or_else(|| self.fragment(name, rows, types, body, None))
    }

    /// Whether a body looks at a stream of which there is one for each key, or at the key.
    fn looks_at_keyed(&self, body: &Body) -> bool {
        body.insts.rows().iter().any(|inst| match &inst.op {
            Op::At { source: Source::Input(input), .. } => self.query.inputs[*input].keyed,
            Op::At { source: Source::Def(def), .. } => self.query.defs[*def].keyed,
            Op::Key(_) => true,
            Op::Reduce(reduce) => self.looks_at_keyed(&reduce.row),
            _ => false,
        })
    }

    /// The row values of a reduction that captures: one for each pair of an outer row and a row of its window.
    fn pairs(&mut self, scope: &Scope, body: &Body, reduce: &Reduce) -> Stream {
        let rows = self.scope(scope.def, &reduce.rows, scope.keyed, &reduce.row);
        let clock = Clock::Pairs { of: scope.clock, rows: rows.clock, frame: reduce.frame };
        let clock = self.clock(clock);
        let group = Group::Clock(clock.index());
        // pairs are seen by nothing but kernels: any clock that is no grid will do
        let at = tir::Clock::Continuous;
        let pairs = Scope { def: scope.def, at, clock, grid: ROWS, group, keyed: scope.keyed };

        let outer = slice(body, &reduce.captures);
        let outer = self.rewritten(scope, &outer);
        let outer = Stream::Fragment(self.named_fragment(scope, scope.clone(), outer));
        let types = self.types(outer);
        let outer = self.column(&pairs, types, Made::Spread { of: outer, side: Side::Outer });

        let is_leaf = |op: &Op| matches!(op, Op::At { .. } | Op::Time(_) | Op::Key(_));
        let leaves: Vec<Value> =
            reduce.row.insts.iter().filter(|(_, inst)| is_leaf(&inst.op)).map(|(v, _)| v).collect();
        let inner = (!leaves.is_empty()).then(|| {
            let inner = slice(&reduce.row, &leaves);
            let inner = self.rewritten(&rows, &inner);
            let inner = Stream::Fragment(self.named_fragment(scope, rows.clone(), inner));
            let types = self.types(inner);
            self.column(&pairs, types, Made::Spread { of: inner, side: Side::Inner })
        });

        let mut row = Body::default();
        for (value, inst) in reduce.row.insts.iter() {
            let op = match (&inst.op, inner, leaves.iter().position(|leaf| *leaf == value)) {
                (Op::Param(number), _, _) => at_column(outer, *number, Index::NOW),
                (_, Some(inner), Some(field)) => at_column(inner, field as u32, Index::NOW),
                (op, _, _) => op.clone(), // values keep their numbers
            };
            row.push(op, inst.ty, if inst.loc == Loc::NONE { Loc::NONE } else { inst.loc });
        }
        row.results = reduce.row.results.clone();
        Stream::Fragment(self.named_fragment(scope, pairs, row))
    }
}

/// The window and the grouping of a reduction that a kernel computes, in the rows of its clock.
fn in_kernel(scope: &Scope, reduce: &Reduce) -> Option<(Frame, Grouping)> {
    if !reduce.kind.is_folded() {
        return None;
    }
    match (reduce.frame, &reduce.rows) {
        (frame @ Frame::Time(_), tir::Clock::Grid(_)) if scope.group == Group::Grids => {
            let is_regular = !matches!(reduce.grouping, Grouping::TimeBlocks { .. });
            is_regular.then_some((frame, reduce.grouping))
        }
        (Frame::Last(count), tir::Clock::Events(_)) if reduce.rows == scope.at => {
            let window = Window { from: rows_back(count), to: Index::NOW };
            Some((Frame::Time(window), reduce.grouping))
        }
        _ => None,
    }
}

/// The stream whose fields in the row itself a body gives, and which, if it does nothing else.
fn own_fields(body: &Body) -> Option<(Stream, Vec<u32>)> {
    let mut stream = None;
    let mut fields = Vec::new();
    for result in &body.results {
        let Op::At { source, field, when: When::NOW } = body.insts[*result].op else { return None };
        let found = match source {
            Source::Input(column) => Stream::Column(column.index()),
            Source::Def(fragment) => Stream::Fragment(fragment.index()),
        };
        if *stream.get_or_insert(found) != found {
            return None;
        }
        fields.push(field);
    }
    Some((stream?, fields))
}
