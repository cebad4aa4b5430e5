//! From TiLT IR to a schedule: what compiled kernels compute, and what crosses clocks between them.
//!
//! A body on a clock is *rewritten* (`rewrite`) until all that it looks at lies on its own clock: a look at another stream
//! becomes a column of its own, made by a step of the runtime, and so does a window over other rows, or one whose reducer no
//! kernel folds. What is left is a [`Fragment`]: an ordinary regular body, in which the rows of events are a grid of period 1.
//! Fragments on one clock that need no step between them share a kernel (`emit`); those that do are on different *levels*.
//!
//! ```text
//! def gain on trades { max(trades.price[row] - trades.price[row-1], 0) }        level 0 ─┐ one kernel on trades
//! def up   on trades { sum of gain over (t-5s, t] }     step: window over gain   level 1 ─┘ another one
//! ```

mod absent;
mod compile;
mod emit;
mod making;
mod quiet;
mod rewrite;
mod slice;

use std::collections::HashMap;

use tilt_exec::engine::{Clock, ClockId, Schedule, Side};
use tilt_ir::{
    Const, Grid, Type,
    entity::{Entity, Table},
    tir::{self, Body, Def, Frame, Grouping, Index, Input, Query, Reducer, Verified, Window},
};

pub(crate) use compile::{CompiledSchedule, compile, programs};
pub(crate) use emit::Subquery;

/// A schedule with the queries that its kernels compute.
pub(crate) struct Scheduled {
    pub(crate) schedule: Schedule,
    /// The regular queries, in the order of the kernels' steps.
    pub(crate) subqueries: Vec<Subquery>,
    /// For each kernel of the schedule: the subquery and the number of its kernel there.
    pub(crate) kernels: Vec<(usize, usize)>,
}

/// Schedules the outputs of a query.
pub(crate) fn schedule(query: Verified<'_>) -> Scheduled {
    let mut builder = Builder::new(query.query());
    let outputs: Vec<usize> =
        query.query().outputs.iter().map(|output| builder.fragment_of(output.def)).collect();
    emit::emit(builder, &outputs)
}

/// The clock of row numbers.
pub(crate) const ROWS: Grid = Grid { period: 1, offset: 0 };

/// Which fragments can look at each other within a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Group {
    /// Those on grids, whatever their periods.
    Grids,
    /// Those on one clock that is no grid.
    Clock(usize),
}

/// Where a body is evaluated.
#[derive(Clone, Debug)]
struct Scope {
    /// What it is called in messages.
    def: Def,
    /// The clock, as the query says it.
    at: tir::Clock,
    /// The clock, as the schedule says it.
    clock: ClockId,
    /// The grid on which kernels see its rows.
    grid: Grid,
    group: Group,
    keyed: bool,
}

/// A stream of the schedule before it is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stream {
    Fragment(usize),
    Column(usize),
}

/// A body that looks at nothing but its own clock. In it `Source::Def` is a fragment and `Source::Input` a column.
struct Fragment {
    name: String,
    scope: Scope,
    types: Vec<Type>,
    body: Body,
    /// Which kernels come before.
    level: usize,
    /// Of a recursive definition: its values before the first row, and the column that stands for its own past.
    scan: Option<(Vec<Option<Const>>, usize)>,
    quiet: Option<i64>,
    /// Which results are φ in rows that do not exist.
    absent: Vec<bool>,
}

/// Columns that a step of the runtime makes.
struct Column {
    scope: Scope,
    types: Vec<Type>,
    level: usize,
    what: Made,
    quiet: Option<i64>,
}

/// How columns are made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Made {
    Raw(Input),
    Key(u32),
    Time(Index),
    /// One field of an input on a clock of several.
    Own(Input, u32),
    /// One field of a stream of another clock.
    Look {
        of: Stream,
        field: u32,
        index: Index,
    },
    /// Over one or two fields.
    Window {
        of: Stream,
        fields: Vec<u32>,
        frame: Frame,
        kind: Reducer,
        grouping: Grouping,
        min_count: u64,
    },
    Weigh {
        of: Stream,
        window: Window,
        kind: Reducer,
        min_count: u64,
    },
    Spread {
        of: Stream,
        side: Side,
    },
    Fold {
        of: Stream,
        kind: Reducer,
        min_count: u64,
    },
    /// The rows of a fragment that are computed so far.
    Past(Def),
}

struct Builder<'q> {
    query: &'q Query,
    clocks: Table<ClockId, Clock>,
    fragments: Vec<Fragment>,
    columns: Vec<Column>,
    made: HashMap<(ClockId, bool, Made), usize>,
    of_defs: HashMap<Def, usize>,
}

impl<'q> Builder<'q> {
    fn new(query: &'q Query) -> Builder<'q> {
        Builder {
            query,
            clocks: Table::new(),
            fragments: Vec::new(),
            columns: Vec::new(),
            made: HashMap::new(),
            of_defs: HashMap::new(),
        }
    }

    fn clock(&mut self, clock: Clock) -> ClockId {
        let known = self.clocks.iter().find(|(_, known)| **known == clock).map(|(id, _)| id);
        known.unwrap_or_else(|| self.clocks.push(clock))
    }

    /// The scope of bodies on a clock; `body` is one of them, for what makes a continuous clock change.
    fn scope(&mut self, def: Def, at: &tir::Clock, keyed: bool, body: &Body) -> Scope {
        let (clock, grid) = match at {
            tir::Clock::Grid(grid) => (Clock::Grid(*grid), *grid),
            tir::Clock::Events(inputs) => {
                (Clock::Events(inputs.iter().map(|input| input.index()).collect()), ROWS)
            }
            tir::Clock::Continuous => {
                (Clock::Changes(tilt_ir::analysis::changes::changes(self.query, body)), ROWS)
            }
        };
        let clock = self.clock(clock);
        let group = if at.grid().is_some() { Group::Grids } else { Group::Clock(clock.index()) };
        Scope { def, at: at.clone(), clock, grid, group, keyed }
    }

    fn column(&mut self, scope: &Scope, types: Vec<Type>, what: Made) -> usize {
        let key = (scope.clock, scope.keyed, what);
        if let Some(known) = self.made.get(&key) {
            return *known;
        }
        let (level, quiet) = (self.level_of(&key.2), self.quiet_of(&key.2));
        let what = key.2.clone();
        self.columns.push(Column { scope: scope.clone(), types, level, what, quiet });
        self.made.insert(key, self.columns.len() - 1);
        self.columns.len() - 1
    }

    /// The level of the first kernels that can read such a column.
    fn level_of(&self, what: &Made) -> usize {
        match what {
            Made::Raw(_) | Made::Key(_) | Made::Time(_) | Made::Own(..) | Made::Past(_) => 0,
            Made::Look { of, .. }
            | Made::Window { of, .. }
            | Made::Weigh { of, .. }
            | Made::Spread { of, .. }
            | Made::Fold { of, .. } => match of {
                Stream::Fragment(fragment) => self.fragments[*fragment].level + 1,
                Stream::Column(column) => self.columns[*column].level,
            },
        }
    }

    /// An input on its own clock.
    fn raw(&mut self, def: Def, input: Input) -> usize {
        let data = &self.query.inputs[input];
        let at = match data.stamps {
            tir::Stamps::Every(grid) => tir::Clock::Grid(grid),
            tir::Stamps::Events(_) => tir::Clock::Events(vec![input]),
        };
        let scope = self.scope(def, &at, data.keyed, &Body::default());
        let types = data.fields.iter().map(|field| field.ty).collect();
        self.column(&scope, types, Made::Raw(input))
    }

    /// The fragment of a definition, made now or before.
    fn fragment_of(&mut self, def: Def) -> usize {
        if let Some(known) = self.of_defs.get(&def) {
            return *known;
        }
        let query = self.query;
        let data = &query.defs[def];
        let scope = self.scope(def, &data.clock, data.keyed, &data.body);
        let types: Vec<Type> = data.fields.iter().map(|field| field.ty).collect();
        let init = data.init.clone();
        let past = init.is_some().then(|| self.column(&scope, types.clone(), Made::Past(def)));
        let body = self.rewritten(&scope, &data.body);
        let scan = init.zip(past);
        let fragment = self.fragment(data.name.clone(), scope, types, body, scan);
        self.of_defs.insert(def, fragment);
        fragment
    }

    fn fragment(
        &mut self,
        name: String,
        scope: Scope,
        types: Vec<Type>,
        body: Body,
        scan: Option<(Vec<Option<Const>>, usize)>,
    ) -> usize {
        let level = self.level(&body, scan.is_some());
        let quiet = if scan.is_some() { None } else { self.quiet_body(&scope, &body) };
        // rows of a recursion are kept, and no others are there
        let absent = if scan.is_some() { vec![true; types.len()] } else { self.absent(&body) };
        self.fragments.push(Fragment { name, scope, types, body, level, scan, quiet, absent });
        self.fragments.len() - 1
    }

    /// A body's level: that of the last kernel that comes before, and one more where it cannot be part of that one.
    fn level(&self, body: &Body, is_scan: bool) -> usize {
        let levels = body.insts.rows().iter().map(|inst| match &inst.op {
            tir::Op::At { source: tir::Source::Input(column), .. } => self.columns[column.index()].level,
            tir::Op::At { source: tir::Source::Def(fragment), .. } => {
                let fragment = &self.fragments[fragment.index()];
                fragment.level + usize::from(is_scan || fragment.scan.is_some())
            }
            tir::Op::Reduce(reduce) => self.level(&reduce.row, is_scan),
            _ => 0,
        });
        levels.max().unwrap_or(0)
    }
}
