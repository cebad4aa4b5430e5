//! Schedules: how a query over events, keys and grids is computed, step by step.
//!
//! A *step* makes a stream of columns on one *clock* out of the streams of earlier steps. Inside a clock everything is
//! arithmetic on row numbers and belongs to compiled kernels; what crosses clocks is a step of its own.
//!
//! ```text
//! let spread[t on trades] = trades.price - (quotes.bid + quotes.ask) / 2.0
//!
//! step0 on trades          input trades
//! step1 on quotes          input quotes
//! step2 on trades          look at step1[t]                 the quote that holds when a trade is stamped
//! step3 on trades          kernel 0 (step0, step2)          arithmetic, row by row
//! ```
//!
//! Rows of a grid are numbered by the grid, rows of events from 0 in each key, rows of a changing clock from 0 in each piece.
//! Kernels see the rows of events and changes as a grid of period 1.

use std::fmt;

use tilt_ir::{
    Grid, Type,
    analysis::{bounds::Reach, changes::Change},
    entity::Table,
    tir::{Frame, Grouping, Index, Reducer, Stamps, Window},
};

tilt_ir::entity!(
    /// A clock of a [`Schedule`].
    pub struct ClockId => "clock"
);
tilt_ir::entity!(
    /// A step of a [`Schedule`], and the stream that it makes.
    pub struct StepId => "step"
);

/// When the rows of a step are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// At grid points.
    Grid(Grid),
    /// The rows of these inputs (numbers in the query), merged in time order.
    Events(Vec<usize>),
    /// Whenever one of these changes happens, and where a piece begins.
    Changes(Vec<Change>),
    /// One for each row of `rows` in the frame of each row of `of`.
    Pairs {
        /// The clock of the outer rows.
        of: ClockId,
        /// The clock of the inner rows.
        rows: ClockId,
        /// Which inner rows.
        frame: Frame,
    },
}

/// The side of a pair that a column comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The outer row.
    Outer,
    /// The inner row.
    Inner,
}

/// What a kernel reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feed {
    /// The stream.
    pub step: StepId,
    /// How far it is looked at, in nanoseconds, or rows where the clock is no grid; `None` if it is not.
    pub reach: Option<Reach>,
}

/// A compiled kernel of a schedule and what it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The number of the kernel.
    pub kernel: usize,
    /// Its streams.
    pub feeds: Vec<Feed>,
    /// Of a kernel that computes rows in order: how far it looks at its own past. That is one more stream, where the kernel says.
    pub past: Option<Reach>,
}

/// How a step is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// An input of the query, as it is.
    Input(usize),
    /// A key, the same in all rows.
    Key(usize),
    /// The time that an index names, of each row.
    Time(Index),
    /// On a clock of several inputs: the row of this one if it is its own row, else its value at the row's time.
    Own {
        /// The input.
        input: usize,
        /// Its fields that are looked at.
        fields: Vec<u32>,
    },
    /// The value of a stream at the time that an index names.
    Look {
        /// The stream.
        of: StepId,
        /// Its fields that are looked at.
        fields: Vec<u32>,
        /// When.
        index: Index,
    },
    /// A reduction over rows of a stream.
    Window {
        /// The stream.
        of: StepId,
        /// The fields that are its values, one or two.
        fields: Vec<u32>,
        /// Which rows.
        frame: Frame,
        /// What is computed.
        kind: Reducer,
        /// How terms are grouped.
        grouping: Grouping,
        /// φ below so many values.
        min_count: u64,
    },
    /// An integral over a stream on a changing clock.
    Weigh {
        /// The stream.
        of: StepId,
        /// The field that is its value.
        field: u32,
        /// Which stretch of time.
        window: Window,
        /// `integral` or `duration_mean`.
        kind: Reducer,
        /// φ below so many stretches.
        min_count: u64,
    },
    /// One side of pairs.
    Spread {
        /// The stream, on the clock of that side.
        of: StepId,
        /// Its fields.
        fields: Vec<u32>,
        /// Which side.
        side: Side,
    },
    /// A reduction of the pairs of each outer row.
    Fold {
        /// The stream, on a clock of pairs.
        of: StepId,
        /// The fields that are its values, one or two.
        fields: Vec<u32>,
        /// What is computed.
        kind: Reducer,
        /// φ below so many values.
        min_count: u64,
    },
    /// A compiled kernel.
    Kernel(Call),
}

impl What {
    /// Calls `see` with each step that this one reads.
    pub fn sources(&self, see: &mut dyn FnMut(StepId)) {
        match self {
            What::Input(_) | What::Key(_) | What::Time(_) | What::Own { .. } => {}
            What::Look { of, .. }
            | What::Window { of, .. }
            | What::Weigh { of, .. }
            | What::Spread { of, .. }
            | What::Fold { of, .. } => see(*of),
            What::Kernel(call) => call.feeds.iter().for_each(|feed| see(feed.step)),
        }
    }
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it is called in messages: the definition that it belongs to.
    pub name: String,
    /// The definition's place in the query, for the order of errors.
    pub order: u32,
    /// When its rows are.
    pub clock: ClockId,
    /// The types of its columns.
    pub types: Vec<Type>,
    /// Whether there is one for each key.
    pub keyed: bool,
    /// If known: all its rows are φ that are stamped earlier than this many nanoseconds before the first row of the data.
    pub quiet: Option<i64>,
    /// How it is computed.
    pub what: What,
}

/// An output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputStep {
    /// The output's name.
    pub name: String,
    /// The stream.
    pub step: StepId,
    /// The names, types and columns that are put out.
    pub columns: Vec<(String, Type, u32)>,
    /// A bool column: rows where it is not true are dropped.
    pub keep: Option<u32>,
}

/// An input of the query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputSpec {
    /// Its name.
    pub name: String,
    /// When its rows are stamped, and how long they hold.
    pub stamps: Stamps,
    /// Whether there is one stream for each key.
    pub keyed: bool,
}

/// Steps in an order in which they can be computed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Schedule {
    /// The inputs of the query.
    pub inputs: Vec<InputSpec>,
    /// The clocks.
    pub clocks: Table<ClockId, Clock>,
    /// The steps.
    pub steps: Table<StepId, Step>,
    /// The outputs.
    pub outputs: Vec<OutputStep>,
    /// How far compiled code on grids reaches over the times of the data, in nanoseconds, generously: nearer to the ends of time only
    /// the exact definition computes.
    pub reach: i64,
}

impl Schedule {
    /// The clock of a step.
    pub fn clock_of(&self, step: StepId) -> &Clock {
        &self.clocks[self.steps[step].clock]
    }

    /// The clocks on which something is put out, in the order of the outputs, with whether they are for each key.
    pub fn output_clocks(&self) -> Vec<(ClockId, bool)> {
        let mut clocks = Vec::new();
        for output in &self.outputs {
            let step = &self.steps[output.step];
            if !clocks.contains(&(step.clock, step.keyed)) {
                clocks.push((step.clock, step.keyed));
            }
        }
        clocks
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, clock) in self.clocks.iter() {
            write!(f, "{id} = ")?;
            match clock {
                Clock::Grid(grid) => writeln!(f, "{}", tilt_ir::text::GridText(*grid))?,
                Clock::Events(inputs) => {
                    let names: Vec<&str> = inputs.iter().map(|input| &*self.inputs[*input].name).collect();
                    writeln!(f, "on {}", names.join(" | "))?;
                }
                Clock::Changes(changes) => writeln!(f, "changes ({})", changes.len())?,
                Clock::Pairs { of, rows, frame } => writeln!(f, "pairs of {of} and {rows} in {frame}")?,
            }
        }
        for (id, step) in self.steps.iter() {
            let keyed = if step.keyed { " keyed" } else { "" };
            write!(f, "{id} on {}{keyed} @{} = ", step.clock, step.name)?;
            what(f, self, &step.what)?;
            let types: Vec<String> = step.types.iter().map(Type::to_string).collect();
            writeln!(f, " : {}", types.join(", "))?;
        }
        for output in &self.outputs {
            writeln!(f, "output {} = {}", output.name, output.step)?;
        }
        Ok(())
    }
}

fn what(f: &mut fmt::Formatter<'_>, schedule: &Schedule, what: &What) -> fmt::Result {
    match what {
        What::Input(input) => write!(f, "input {}", schedule.inputs[*input].name),
        What::Key(key) => write!(f, "key {key}"),
        What::Time(index) => write!(f, "time {index}"),
        What::Own { input, fields } => write!(f, "own {} {fields:?}", schedule.inputs[*input].name),
        What::Look { of, fields, index } => write!(f, "look {of} {fields:?} [{index}]"),
        What::Window { of, fields, frame, kind, grouping, min_count } => {
            write!(f, "window {kind} {grouping} {of} {fields:?} {frame} min_count {min_count}")
        }
        What::Weigh { of, field, window, kind, min_count } => {
            write!(f, "weigh {kind} {of} [{field}] {window} min_count {min_count}")
        }
        What::Spread { of, fields, side } => {
            let side = match side {
                Side::Outer => "outer",
                Side::Inner => "inner",
            };
            write!(f, "spread {side} {of} {fields:?}")
        }
        What::Fold { of, fields, kind, min_count } => {
            write!(f, "fold {kind} {of} {fields:?} min_count {min_count}")
        }
        What::Kernel(call) => {
            let feeds: Vec<String> = call.feeds.iter().map(|feed| feed.step.to_string()).collect();
            let kind = if call.past.is_some() { "scan" } else { "kernel" };
            write!(f, "{kind} {} ({})", call.kernel, feeds.join(", "))
        }
    }
}
