//! Running a query on data.

use std::{fmt, num::NonZero, time::Duration};

use tilt_exec::{
    Output, RegularStream,
    run::{ColumnLayout, Layout, OutputLayout, TooLarge},
};
use tilt_ir::{
    Grid,
    tir::{self, Base, Frame, Index, Op, When},
};

use crate::{convert::outputs_on, query::Query};

/// What computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum On {
    /// The reference interpreter: slow, and right by definition.
    Interp,
    /// Machine code for this processor.
    #[default]
    Cpu,
}

/// How to run a query.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// What computes.
    pub on: On,
    /// How many threads; all processors if `None`. The results do not depend on it.
    pub threads: Option<NonZero<usize>>,
    /// No row before this time (nanoseconds) is put out; by default the first stamp of the data.
    pub from: Option<i64>,
    /// No row after this time (nanoseconds) is put out; by default grids end at the first point not before the last stamp.
    pub to: Option<i64>,
    /// Rows of a piece of time. The results do not depend on it.
    pub piece_rows: Option<usize>,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunStats {
    /// Time spent making machine code (none if it was there).
    pub compile: Duration,
    /// Time spent computing.
    pub compute: Duration,
    /// Pieces of time.
    pub pieces: usize,
    /// Pieces computed again by the interpreter, because an integer may have left its range.
    pub repeated: usize,
}

/// The outputs of a run.
#[derive(Debug)]
pub struct Results {
    /// The outputs, in the order of the query.
    pub outputs: Vec<Output>,
    /// What it took.
    pub stats: RunStats,
}

/// Why a run gave nothing.
#[derive(Debug)]
pub enum RunError {
    /// The inputs are not those that the query declares.
    Inputs(String),
    /// No input has a row, and no range of time was given.
    NoRows,
    /// The outputs do not fit in memory.
    TooLarge(TooLarge),
    /// A value left the range of its type.
    Data(tilt_exec::run::RunError),
    /// Machine code could not be made: a bug, or a broken installation.
    Backend(tilt_backend_llvm::Error),
    /// The system gave no threads.
    Threads(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Inputs(what) => f.write_str(what),
            RunError::NoRows => f.write_str("no input has a row"),
            RunError::TooLarge(error) => error.fmt(f),
            RunError::Data(error) => error.fmt(f),
            RunError::Backend(error) => error.fmt(f),
            RunError::Threads(what) => write!(f, "no threads: {what}"),
        }
    }
}

impl std::error::Error for RunError {}

impl Query {
    /// Runs the query on one stream for each input, in the order of their declaration; the columns of a stream in the order of
    /// the declared fields.
    ///
    /// # Errors
    /// See [`RunError`]. There are no partial results.
    pub fn run(&self, inputs: &[RegularStream], options: &RunOptions) -> Result<Results, RunError> {
        let mut prepared = self.prepare(inputs, options)?;
        let stats = prepared.fill()?;
        Ok(Results { outputs: prepared.finish(), stats })
    }
}

/// Whether the inputs are those that the query declares.
pub(crate) fn check(query: &tir::Query, inputs: &[RegularStream]) -> Result<(), RunError> {
    let declared = &query.inputs;
    if inputs.len() != declared.len() {
        let (given, wanted) = (inputs.len(), declared.len());
        return Err(RunError::Inputs(format!("{given} inputs are given, the query declares {wanted}")));
    }
    for ((_, data), stream) in declared.iter().zip(inputs) {
        let name = &data.name;
        if stream.grid != data.grid() {
            let (given, wanted) = (stream.grid, data.grid());
            return Err(RunError::Inputs(format!("`{name}` is declared {wanted}, but the data is {given}")));
        }
        if stream.columns.len() != data.fields.len() {
            let (given, wanted) = (stream.columns.len(), data.fields.len());
            return Err(RunError::Inputs(format!(
                "`{name}` has {wanted} fields, but {given} columns are given"
            )));
        }
        for (field, column) in data.fields.iter().zip(&stream.columns) {
            let (field_name, wanted, given) = (&field.name, field.ty, column.ty());
            if wanted != given {
                return Err(RunError::Inputs(format!(
                    "`{name}.{field_name}` is {wanted}, but the column is {given}"
                )));
            }
            if column.len() != stream.len {
                let (rows, wanted) = (column.len(), stream.len);
                return Err(RunError::Inputs(format!(
                    "the column of `{name}.{field_name}` has {rows} rows, the stream {wanted}"
                )));
            }
        }
    }
    Ok(())
}

/// The layout of the outputs on a grid; `nullable` is asked once for each column, in order.
pub(crate) fn layout(query: &tir::Query, grid: Grid, nullable: &mut dyn FnMut(&str) -> bool) -> Layout {
    let outputs = outputs_on(query, grid).map(|output| {
        let fields = &query.defs[output.def].fields;
        let columns = output.columns.iter().map(|(name, field)| ColumnLayout {
            name: name.clone(),
            ty: fields[*field as usize].ty,
            nullable: nullable(name),
        });
        OutputLayout {
            name: output.name.clone(),
            columns: columns.collect(),
            filtered: output.keep.is_some(),
        }
    });
    Layout { grid, outputs: outputs.collect() }
}

/// No value of a query is computed from one further back than this (nanoseconds): generously, all look-backs added up.
pub(crate) fn lookback(query: &tir::Query) -> i64 {
    let mut sum = 0i64;
    let mut look = |index: Index| {
        let base = match index.base {
            Base::Now => 0,
            Base::Floor(period) | Base::Ceil(period) => period,
        };
        sum = sum.saturating_add(base).saturating_add(index.shift.saturating_abs());
    };
    for data in query.defs.rows() {
        let mut bodies = vec![&data.body];
        while let Some(body) = bodies.pop() {
            for inst in body.insts.rows() {
                match &inst.op {
                    Op::At { when: When::Time(index), .. } | Op::Time(index) => look(*index),
                    Op::Reduce(reduce) => {
                        if let Frame::Time(window) = reduce.frame {
                            look(window.from);
                            look(window.to);
                        }
                        look(Index::now(reduce.rows.grid().map_or(0, |grid| grid.period)));
                        bodies.push(&reduce.row);
                    }
                    _ => {}
                }
            }
        }
        look(Index::now(data.clock.grid().map_or(0, |grid| grid.period)));
    }
    sum
}
