//! What a kernel computes, in which loops: the plan.
//!
//! A kernel is a list of *stages*, producers first. Each stage is one loop nest over the rows of one grid:
//!
//! - `Def`: the fields of a definition, put in scratch;
//! - `Sliding`: one sliding reduction (`doubling`), its result for every row at which a window ends, put in scratch;
//! - `Outputs`: the columns that are put out (the last stage).
//!
//! A stage whose reductions are all `doubling` is a *vector* stage: definitions on its grid and short sliding windows are
//! *fused* in its one loop. Any other stage is *scalar*: row after row, each window reduced by a vector loop of its own.
//! [`Site`] answers, the same way for the plan and for the code, whether something is fused.

use std::collections::{HashMap, HashSet};

use tilt_ir::{
    Grid,
    analysis::nullability::{Nullability, Phi},
    tir::{Body, Def, Grouping, Index, Input, Op, Query, Reduce, Source, Value, Verified},
};

use super::rows::Look;

/// Windows of more rows than this do not fit in registers: they become stages of their own.
pub(super) const SPLICED_ROWS: u64 = 256;
/// No loop computes more rows than this before its first one.
const WARMUP_ROWS: u64 = 1024;

/// What a stage computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum StageKey {
    /// All fields of a definition.
    Def(Def),
    /// The reduction that is value `.1` of definition `.0`, for every row of its grid at which a window can end.
    Sliding(Def, Value),
    /// The outputs of the kernel.
    Outputs,
}

/// Which loop a body is computed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// One vector loop.
    Vector,
    /// A loop in order.
    Scalar,
}

/// Something outside a stage that its rows need: rows `lo(first row) ..= hi(last row)`.
#[derive(Clone, Debug)]
pub(super) struct Need<T> {
    pub(super) of: T,
    pub(super) lo: Vec<Look>,
    pub(super) hi: Vec<Look>,
}

/// One loop nest.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) key: StageKey,
    pub(super) grid: Grid,
    pub(super) mode: Mode,
    /// Rows computed before the first one.
    pub(super) warmup: u32,
    pub(super) stages: Vec<Need<StageKey>>,
    pub(super) inputs: Vec<Need<Input>>,
}

/// How a reduction is computed at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// In the same vector loop: the window ends `shift` rows later, and has `count` rows.
    Spliced { shift: i64, count: u64 },
    /// A sliding stage of its own, looked up where the window ends.
    Sliding,
    /// A loop over the window's rows inside the scalar loop.
    Inside,
}

/// A place in a stage where a body is computed: on `grid`, `offset` rows after the loop's row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) grid: Grid,
    pub(super) offset: i64,
    pub(super) mode: Mode,
}

impl Site {
    /// Where a body on `grid` is computed that is fused here and looked at `shift` rows on: in a vector loop what lies behind
    /// is computed in the loop's own row and spliced.
    pub(super) fn moved(self, grid: Grid, shift: i64) -> Site {
        let by = match self.mode {
            Mode::Vector => shift.max(0),
            Mode::Scalar => shift,
        };
        Site { grid, offset: self.offset + by, ..self }
    }
}

/// Facts about the definitions of a query.
pub(super) struct Facts<'a> {
    pub(super) query: &'a Query,
    nullability: Nullability,
    /// A definition that is always a stage of its own.
    pub(super) separate: Option<Def>,
    /// Rows of warm-up that a definition needs in a vector loop; `None` if it cannot be in one.
    warmup: HashMap<Def, Option<u64>>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(query: Verified<'a>, nullable: &dyn Fn(Input, u32) -> bool) -> Facts<'a> {
        let nullability = Nullability::of(query, nullable);
        let query = query.query();
        let mut facts = Facts { query, nullability, separate: None, warmup: HashMap::new() };
        for (def, data) in query.defs.iter() {
            let site = Site { grid: data.grid(), offset: 0, mode: Mode::Vector };
            let warmup = facts.body_warmup(&data.body, site);
            facts.warmup.insert(def, warmup.filter(|rows| *rows <= WARMUP_ROWS));
        }
        facts
    }

    /// Rows of warm-up of a body in a vector loop.
    fn body_warmup(&self, body: &Body, site: Site) -> Option<u64> {
        let mut rows = 0;
        for inst in body.insts.rows() {
            rows = rows.max(match &inst.op {
                Op::At { source: Source::Def(def), when, .. } => match self.fused(site, *def, when.time()) {
                    Some(shift) => self.warmup(*def)? + shift.min(0).unsigned_abs(),
                    None => 0,
                },
                Op::Reduce(reduce) => match self.way(site, reduce) {
                    Way::Spliced { shift, count } => {
                        self.body_warmup(&reduce.row, site.moved(reduce.grid(), shift))? + count - 1
                            + shift.min(0).unsigned_abs()
                    }
                    Way::Sliding => 0,
                    Way::Inside => return None,
                },
                _ => 0,
            });
        }
        Some(rows)
    }

    fn warmup(&self, def: Def) -> Option<u64> {
        self.warmup.get(&def).copied().flatten()
    }

    fn pointwise(&self, def: Def) -> bool {
        !self.query.defs[def].body.insts.rows().iter().any(|inst| matches!(inst.op, Op::Reduce(_)))
    }

    /// The rows by which a look-up of a definition is shifted, if it is computed in the same loop.
    pub(super) fn fused(&self, site: Site, def: Def, index: Index) -> Option<i64> {
        let shift = Look::new(index, site.grid, self.query.defs[def].grid()).as_shift()?;
        let near = shift.unsigned_abs() + site.offset.unsigned_abs() <= SPLICED_ROWS;
        let here = match site.mode {
            Mode::Vector => self.warmup(def)? + shift.unsigned_abs() <= WARMUP_ROWS,
            Mode::Scalar => self.pointwise(def),
        };
        (near && here && self.separate != Some(def)).then_some(shift)
    }

    /// How a reduction is computed.
    pub(super) fn way(&self, site: Site, reduce: &Reduce) -> Way {
        let Grouping::Doubling { count } = reduce.grouping else { return Way::Inside };
        let shift = Look::new(reduce.window().to, site.grid, reduce.grid()).as_shift();
        let Some(shift) = shift.filter(|_| site.mode == Mode::Vector) else { return Way::Sliding };
        let near = shift.unsigned_abs() + site.offset.unsigned_abs() <= SPLICED_ROWS && count <= SPLICED_ROWS;
        match self.body_warmup(&reduce.row, site.moved(reduce.grid(), shift)) {
            Some(rows) if near && rows + count + shift.unsigned_abs() <= WARMUP_ROWS => {
                Way::Spliced { shift, count }
            }
            _ => Way::Sliding,
        }
    }

    /// The stages of the kernel that puts out `outputs`, columns of definitions on `grid`; producers first.
    pub(super) fn plan(&self, grid: Grid, outputs: &[Def]) -> Vec<Stage> {
        let mut planner = Planner { facts: self, done: HashSet::new(), stages: Vec::new() };
        planner.outputs(grid, outputs);
        planner.stages
    }

    /// The stages of a recursion: the last one is the loop that computes `def` row after row, looking at `past`.
    pub(super) fn plan_scan(&self, def: Def, past: Input) -> Vec<Stage> {
        let mut planner = Planner { facts: self, done: HashSet::new(), stages: Vec::new() };
        let data = &self.query.defs[def];
        let site = Site { grid: data.grid(), offset: 0, mode: Mode::Scalar };
        let mut needs = Needs::default();
        planner.body(&mut needs, site, (def, None), &data.body, &Path { lo: vec![], hi: vec![] });
        needs.inputs.retain(|need| need.of != past);
        planner.finish(StageKey::Outputs, site, 0, needs);
        planner.stages
    }

    /// Where the body of a stage's own definition is computed.
    pub(super) fn site(&self, key: StageKey) -> Option<Site> {
        match key {
            StageKey::Def(def) => {
                let mode = if self.warmup(def).is_some() { Mode::Vector } else { Mode::Scalar };
                Some(Site { grid: self.query.defs[def].grid(), offset: 0, mode })
            }
            StageKey::Sliding(def, value) => self.reduce(def, value).map(|reduce| Site {
                grid: reduce.grid(),
                offset: 0,
                mode: Mode::Vector,
            }),
            StageKey::Outputs => None,
        }
    }

    /// Whether a row of the reduction that is `value` of `def` may be φ, at the edge of the data or away from it.
    pub(super) fn row_may_be_null(&self, def: Def, value: Value, edge: bool) -> bool {
        let Some(reduce) = self.reduce(def, value) else { return true };
        let row = self.nullability.body(def).row(value);
        match row.map_or(Phi::Data, |row| row.value(reduce.row.results[0])) {
            Phi::Never => false,
            Phi::Edge => {
                let site = Site { grid: reduce.grid(), offset: 0, mode: Mode::Scalar };
                edge || self.looks_at_stages(&reduce.row, site)
            }
            Phi::Data => true,
        }
    }

    /// Whether a body reads the result of an earlier stage, or captures what may: that may have seen an edge of its own.
    fn looks_at_stages(&self, body: &Body, site: Site) -> bool {
        body.insts.rows().iter().any(|inst| match &inst.op {
            Op::At { source: Source::Def(def), when, .. } => match self.fused(site, *def, when.time()) {
                Some(_) => {
                    let data = &self.query.defs[*def];
                    self.looks_at_stages(&data.body, Site { grid: data.grid(), ..site })
                }
                None => true,
            },
            Op::Param(_) => true,
            _ => false,
        })
    }

    /// The reduction that is `value` of `def`.
    pub(super) fn reduce(&self, def: Def, value: Value) -> Option<&'a Reduce> {
        match &self.query.defs[def].body.insts[value].op {
            Op::Reduce(reduce) => Some(reduce),
            _ => None,
        }
    }
}

/// Collects the stages.
struct Planner<'f, 'a> {
    facts: &'f Facts<'a>,
    done: HashSet<StageKey>,
    stages: Vec<Stage>,
}

/// What the rows of one stage need, while it is being found.
#[derive(Default)]
struct Needs {
    stages: Vec<Need<StageKey>>,
    inputs: Vec<Need<Input>>,
    seen: HashSet<(Def, Option<Value>, i64)>,
}

/// The maps from the stage's row to the lowest and highest row at which a body is computed.
#[derive(Clone)]
struct Path {
    lo: Vec<Look>,
    hi: Vec<Look>,
}

impl Path {
    fn then(&self, map: Look) -> Path {
        let mut path = self.clone();
        path.lo.push(map);
        path.hi.push(map);
        path
    }
    fn need<T>(self, of: T) -> Need<T> {
        Need { of, lo: self.lo, hi: self.hi }
    }
}

impl Planner<'_, '_> {
    fn outputs(&mut self, grid: Grid, outputs: &[Def]) {
        let site = Site { grid, offset: 0, mode: Mode::Vector };
        let mut needs = Needs::default();
        let start = Path { lo: vec![], hi: vec![] };
        let mut warmup = 0;
        for def in outputs {
            self.look_up(&mut needs, site, *def, Index::NOW, &start);
            if self.facts.fused(site, *def, Index::NOW).is_some() {
                warmup = warmup.max(self.facts.warmup(*def).unwrap_or(0));
            }
        }
        self.finish(StageKey::Outputs, site, warmup, needs);
    }

    fn finish(&mut self, key: StageKey, site: Site, warmup: u64, needs: Needs) {
        for need in &needs.stages {
            self.stage(need.of);
        }
        let warmup = u32::try_from(warmup).expect("warm-up is limited");
        let Needs { stages, inputs, .. } = needs;
        self.stages.push(Stage { key, grid: site.grid, mode: site.mode, warmup, stages, inputs });
    }

    fn stage(&mut self, key: StageKey) {
        if !self.done.insert(key) {
            return;
        }
        let Some(site) = self.facts.site(key) else { return };
        let mut needs = Needs::default();
        let start = Path { lo: vec![], hi: vec![] };
        let warmup = match key {
            StageKey::Def(def) => {
                self.body(&mut needs, site, (def, None), &self.facts.query.defs[def].body, &start);
                self.facts.warmup(def).unwrap_or(0)
            }
            StageKey::Sliding(def, value) => {
                let reduce = self.facts.reduce(def, value).expect("a sliding stage is a reduction");
                let Grouping::Doubling { count } = reduce.grouping else {
                    unreachable!("sliding means doubling")
                };
                let reach = i64::try_from(count - 1).unwrap_or(i64::MAX);
                let back = Path { lo: vec![Look::shift(reach.saturating_neg())], hi: vec![] };
                self.body(&mut needs, site, (def, Some(value)), &reduce.row, &back);
                self.facts.body_warmup(&reduce.row, site).unwrap_or(0)
            }
            StageKey::Outputs => 0,
        };
        self.finish(key, site, warmup, needs);
    }

    /// What one body needs, computed at `site` in the rows that `path` leads to.
    fn body(&mut self, needs: &mut Needs, site: Site, at: (Def, Option<Value>), body: &Body, path: &Path) {
        if site.mode == Mode::Vector && !needs.seen.insert((at.0, at.1, site.offset)) {
            return;
        }
        let here = path.then(Look::shift(site.offset));
        for (value, inst) in body.insts.iter() {
            match &inst.op {
                Op::At { source: Source::Input(input), when, .. } => {
                    let map = Look::new(when.time(), site.grid, self.facts.query.inputs[*input].grid());
                    needs.inputs.push(here.then(map).need(*input));
                }
                Op::At { source: Source::Def(def), when, .. } => {
                    self.look_up(needs, site, *def, when.time(), path)
                }
                Op::Reduce(reduce) => self.reduce(needs, site, (at.0, value), reduce, path),
                _ => {}
            }
        }
    }

    fn look_up(&mut self, needs: &mut Needs, site: Site, def: Def, index: Index, path: &Path) {
        let data = &self.facts.query.defs[def];
        match self.facts.fused(site, def, index) {
            Some(shift) => {
                self.body(needs, site.moved(data.grid(), shift), (def, None), &data.body, path);
            }
            None => {
                let map = Look::new(index, site.grid, data.grid());
                needs.stages.push(path.then(Look::shift(site.offset)).then(map).need(StageKey::Def(def)));
            }
        }
    }

    fn reduce(&mut self, needs: &mut Needs, site: Site, at: (Def, Value), reduce: &Reduce, path: &Path) {
        let here = path.then(Look::shift(site.offset));
        let from = Look::new(reduce.window().from, site.grid, reduce.grid());
        let to = Look::new(reduce.window().to, site.grid, reduce.grid());
        match self.facts.way(site, reduce) {
            Way::Spliced { shift, .. } => {
                let row = site.moved(reduce.grid(), shift);
                self.body(needs, row, (at.0, Some(at.1)), &reduce.row, path);
            }
            Way::Sliding => needs.stages.push(here.then(to).need(StageKey::Sliding(at.0, at.1))),
            Way::Inside => {
                let (mut lo, mut hi) = (here.lo, here.hi);
                lo.extend([from, Look::shift(1)]);
                hi.push(to);
                if let Grouping::Blocks { rows, .. } = reduce.grouping {
                    // prefixes start, and suffixes end, at the ends of blocks
                    let rows = i64::try_from(rows).unwrap_or(i64::MAX);
                    lo.push(Look::shift(-rows));
                    hi.push(Look::shift(rows));
                }
                let row = Site { grid: reduce.grid(), offset: 0, mode: Mode::Scalar };
                self.body(needs, row, (at.0, Some(at.1)), &reduce.row, &Path { lo, hi });
            }
        }
    }
}
