//! The loops of a stage.
//!
//! A stage that looks at inputs is cut in three: the prologue and the epilogue, where rows of the inputs may not exist, share one
//! loop body; the steady part between them has no test at all.

use std::collections::HashMap;

use tilt_ir::{
    Const, Grid,
    entity::Entity,
    loops::{Addr, Buffer, Builder, Cmp, Kernel, Value},
    tir::{self, Body, Def, Grouping, Index, Op, Output},
};

use super::{
    blocks::Arrays,
    doubling::Levels,
    numbers::Val,
    plan::{Facts, Mode, SPLICED_ROWS, Site, Stage, StageKey},
    pointwise::{Buf, Frame, Rows},
    ranges::{self, Range},
};

/// Writes a kernel.
pub(super) struct Writer<'w, 'a, 'b> {
    pub(super) facts: &'w Facts<'a>,
    pub(super) b: Builder<'b>,
    outputs: &'w [&'a Output],
    pub(super) buffers: HashMap<(StageKey, u32), Buf>,
    /// Of stages that look at inputs: the rows where all that they look at exists.
    pub(super) steady: HashMap<StageKey, Range>,
    blocks: HashMap<(Def, tir::Value), Arrays>,
}

/// What the rows of a stage give: whether each of its columns may be φ.
type Nullable = Vec<bool>;

impl<'w, 'a, 'b> Writer<'w, 'a, 'b> {
    pub(super) fn new(facts: &'w Facts<'a>, b: Builder<'b>, outputs: &'w [&'a Output]) -> Self {
        Writer { facts, b, outputs, buffers: HashMap::new(), steady: HashMap::new(), blocks: HashMap::new() }
    }

    /// All stages, in order.
    pub(super) fn write(mut self, stages: &[Stage]) -> Kernel {
        let piece = (self.b.lo(), self.b.hi());
        let ranges = ranges::all(&mut self.b, stages, piece);
        for stage in stages {
            let range = ranges[&stage.key];
            match stage.key {
                StageKey::Outputs => self.outputs(stage, range),
                StageKey::Def(_) | StageKey::Sliding(..) => self.producer(stage, range),
            }
        }
        self.b.finish()
    }

    /// A stage that puts its result in scratch.
    pub(super) fn producer(&mut self, stage: &Stage, range: Range) {
        match stage.key {
            StageKey::Outputs => {}
            StageKey::Def(def) => self.definition(stage, def, range),
            StageKey::Sliding(def, value) => self.sliding(stage, def, value, range),
        }
    }

    pub(super) fn rows(&mut self, edge: bool) -> Rows<'_, 'a, 'b> {
        Rows {
            facts: self.facts,
            b: &mut self.b,
            buffers: &self.buffers,
            blocks: &self.blocks,
            edge,
            past: None,
            memo: HashMap::new(),
        }
    }

    /// The rows of `grid` outside which a row body is φ.
    pub(super) fn present(&mut self, body: &Body, grid: Grid) -> Option<(Value, Value)> {
        self.rows(true).present(body, grid)
    }

    /// Writes the loops over `range`: `row` says what happens in one row and which of its columns may be φ.
    fn loops(
        &mut self,
        stage: &Stage,
        range: Range,
        row: impl FnMut(&mut Rows<'_, 'a, 'b>, Value) -> Nullable,
    ) -> Nullable {
        let [edge, steady] = self.loops_apart(stage, range, row);
        edge.iter().zip(steady).map(|(a, b)| *a || b).collect()
    }

    /// As [`Writer::loops`]: which columns may be φ at the edges of the data, and away from them.
    fn loops_apart(
        &mut self,
        stage: &Stage,
        range: Range,
        mut row: impl FnMut(&mut Rows<'_, 'a, 'b>, Value) -> Nullable,
    ) -> [Nullable; 2] {
        if stage.inputs.is_empty() {
            let nullable = self.one_loop(stage, range, false, &mut row);
            return [nullable.clone(), nullable];
        }
        let (first, end) = range;
        let (from, to) = ranges::steady(&mut self.b, range, stage.warmup, &stage.inputs);
        self.steady.insert(stage.key, (from, to));
        let (zero, two) = (self.b.int(0), self.b.int(2));
        let mut nullable = Vec::new();
        let (facts, buffers, blocks) = (self.facts, &self.buffers, &self.blocks);
        self.b.for_loop(zero, two, vec![], |b, edge, _| {
            let zero = b.int(0);
            let before = b.cmp(Cmp::Eq, edge, zero);
            let range = (b.select(before, first, to), b.select(before, from, end));
            let rows = Rows { facts, b, buffers, blocks, edge: true, past: None, memo: HashMap::new() };
            nullable = one_loop(rows, stage, range, &mut row);
            vec![]
        });
        [nullable, self.one_loop(stage, (from, to), false, &mut row)]
    }

    fn one_loop(
        &mut self,
        stage: &Stage,
        range: Range,
        edge: bool,
        row: &mut dyn FnMut(&mut Rows<'_, 'a, 'b>, Value) -> Nullable,
    ) -> Nullable {
        one_loop(self.rows(edge), stage, range, row)
    }

    fn outputs(&mut self, stage: &Stage, range: Range) {
        let outputs = self.outputs;
        let site = Site { grid: stage.grid, offset: 0, mode: Mode::Vector };
        self.loops(stage, range, |rows, row| {
            let mut column = 0;
            let mut put = |rows: &mut Rows<'_, 'a, 'b>, value, valid| {
                rows.b.store(Buffer::Output(column), Addr::Row(0), value, valid);
                column += 1;
            };
            for output in outputs {
                let frame = rows.def_frame(output.def, site, row);
                for (_, field) in &output.columns {
                    let val = rows.look_up(&frame, output.def, *field, Index::NOW);
                    put(rows, val.value, val.valid);
                }
                if let Some(field) = output.keep {
                    let val = rows.look_up(&frame, output.def, field, Index::NOW);
                    let keep = val.valid.map_or(val.value, |valid| rows.b.and(valid, val.value));
                    put(rows, keep, None);
                }
            }
            vec![]
        });
    }

    fn definition(&mut self, stage: &Stage, def: Def, range: Range) {
        let data = &self.facts.query.defs[def];
        self.b.set_loc(data.loc);
        let site = Site { grid: data.grid(), offset: 0, mode: stage.mode };
        self.block_arrays(def, site, range);
        let scratch: Vec<_> = data
            .fields
            .iter()
            .map(|field| self.b.scratch(super::machine(field.ty), true, range.0, range.1))
            .collect();
        let [edge, steady] = self.loops_apart(stage, range, |rows, row| {
            let frame = rows.def_frame(def, site, row);
            let vals = rows.body(&frame);
            let results = frame.body.results.iter().zip(&scratch);
            results.map(|(result, to)| put(rows, *to, vals[result.index()])).collect()
        });
        for (field, scratch) in scratch.into_iter().enumerate() {
            let (nullable, steady) = (edge[field] || steady[field], steady[field]);
            self.buffers.insert((stage.key, field as u32), Buf { scratch, nullable, steady });
        }
    }

    /// The arrays of the definition's reductions over blocks.
    pub(super) fn block_arrays(&mut self, def: Def, site: Site, range: Range) {
        let body = &self.facts.query.defs[def].body;
        for (value, inst) in body.insts.iter() {
            let Op::Reduce(reduce) = &inst.op else { continue };
            let Grouping::Blocks { rows, origin } = reduce.grouping else { continue };
            self.b.set_loc(inst.loc);
            let arrays = Arrays::new(self, reduce, (rows, origin), site, range);
            self.rows(true).fill_blocks(&arrays, (def, value), reduce, (rows, origin));
            self.blocks.insert((def, value), arrays);
        }
    }

    fn sliding(&mut self, stage: &Stage, def: Def, value: tir::Value, range: Range) {
        let body = &self.facts.query.defs[def].body;
        let inst = &body.insts[value];
        let Op::Reduce(reduce) = &inst.op else { unreachable!("a sliding stage is a reduction") };
        let Grouping::Doubling { count } = reduce.grouping else { unreachable!("sliding means doubling") };
        self.b.set_loc(inst.loc);
        let scratch = self.b.scratch(super::machine(inst.ty), true, range.0, range.1);
        let site = Site { grid: reduce.grid(), offset: 0, mode: Mode::Vector };
        let frame = |row| Frame { at: (def, Some(value)), body: &reduce.row, site, row, captures: vec![] };
        // the needs of the stage are told from a window's last row: here they are those of one row
        let mut leaves = stage.clone();
        for need in &mut leaves.inputs {
            need.lo.remove(0);
        }
        let nullable = if count <= SPLICED_ROWS {
            leaves.warmup += (count - 1) as u32;
            self.loops(&leaves, range, |rows, row| {
                let val = rows.window(&frame(row), value, reduce, site, count);
                vec![put(rows, scratch, val)]
            })[0]
        } else {
            let first = self.first_leaf(reduce, count, range);
            let levels = Levels::new(self, reduce, count, first, range.1);
            self.loops(&leaves, (first, range.1), |rows, row| {
                let val = rows.single(&frame(row));
                levels.store_leaf(rows, val);
                vec![]
            });
            levels.fill(&mut self.rows(false));
            let row = self.b.open_forv(range.0, range.1);
            let mut rows = self.rows(false);
            let val = levels.result(&mut rows, row, count, reduce.min_count);
            let nullable = put(&mut rows, scratch, val);
            self.b.close_forv(0);
            nullable
        };
        self.buffers.insert((stage.key, 0), Buf { scratch, nullable, steady: nullable });
    }

    /// The first row of the windows that end in `range`, or the first that can hold a value.
    fn first_leaf(&mut self, reduce: &'a tir::Reduce, count: u64, range: Range) -> Value {
        let back = self.b.int(i64::try_from(count - 1).unwrap_or(i64::MAX));
        let first = self.b.sub(range.0, back);
        match self.present(&reduce.row, reduce.grid()) {
            None => first,
            Some((present, _)) => {
                let present = self.b.min(present, range.1);
                self.b.max(first, present)
            }
        }
    }
}

/// One loop over `range`.
fn one_loop<'a, 'b>(
    mut rows: Rows<'_, 'a, 'b>,
    stage: &Stage,
    (first, end): Range,
    row: &mut dyn FnMut(&mut Rows<'_, 'a, 'b>, Value) -> Nullable,
) -> Nullable {
    match stage.mode {
        Mode::Vector => {
            let at = rows.b.open_forv(first, end);
            let nullable = row(&mut rows, at);
            rows.b.close_forv(stage.warmup);
            nullable
        }
        Mode::Scalar => {
            let (facts, buffers, blocks, edge) = (rows.facts, rows.buffers, rows.blocks, rows.edge);
            let mut nullable = Vec::new();
            rows.b.for_loop(first, end, vec![], |b, at, _| {
                let mut rows = Rows { facts, b, buffers, blocks, edge, past: None, memo: HashMap::new() };
                nullable = row(&mut rows, at);
                vec![]
            });
            nullable
        }
    }
}

/// Stores a value in the loop's row; whether it may be φ.
fn put(rows: &mut Rows<'_, '_, '_>, to: tilt_ir::loops::Scratch, val: Val) -> bool {
    rows.b.store(Buffer::Scratch(to), Addr::Row(0), val.value, val.valid);
    val.valid.is_some_and(|valid| rows.b.const_of(valid) != Some(Const::Bool(true)))
}
