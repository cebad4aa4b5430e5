//! Outputs: the rows of a definition that are shown.

use super::{Interp, Outcome, unshare};
use crate::failure::Failure;
use std::{
    ops::{Range, RangeInclusive},
    rc::Rc,
};
use tilt_ir::{
    Const,
    tir::{Clock, Def, Output},
};

/// What an output shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputRows {
    /// The rows that were kept, by their numbers on the clock of the output's definition; of a continuous one their times.
    pub rows: Vec<i64>,
    /// Their stamps; at the ends of time the end.
    pub stamps: Vec<i64>,
    /// For each column of the output its value in each of these rows.
    pub columns: Vec<Vec<Option<Const>>>,
}

impl OutputRows {
    /// Without the φ rows at the start: those of a continuous output that say that there is no value yet.
    #[must_use]
    pub fn without_leading_null(mut self) -> OutputRows {
        let is_null = |row: &usize| self.columns.iter().all(|column| column[*row].is_none());
        let count = (0..self.rows.len()).take_while(is_null).count();
        self.rows.drain(..count);
        self.stamps.drain(..count);
        self.columns.iter_mut().for_each(|column| drop(column.drain(..count)));
        self
    }
}

impl<'a> Interp<'a> {
    /// The rows of output number `output` among the rows `rows` of the grid or the events of its definition. Dropped rows are
    /// not evaluated beyond the condition that drops them.
    ///
    /// # Errors
    ///
    /// All rows are evaluated, and among their failures the first by time, then by definition, is reported; among those of
    /// one value, the first met, operands from left to right.
    pub fn output(&mut self, output: usize, rows: Range<i64>) -> Result<OutputRows, Failure> {
        let output = &self.query.outputs[output];
        let clock = &self.query.defs[output.def].clock;
        let mut earliest = Earliest(None);
        let mut result =
            OutputRows { columns: vec![Vec::new(); output.columns.len()], ..OutputRows::default() };
        for row in rows {
            let Some(stamp) = self.time_of(clock, row.into()) else { continue };
            if let Some(values) = self.shown(output, row.into(), &mut earliest) {
                result.rows.push(row);
                result.stamps.push(stamp.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
                result.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
            }
        }
        earliest.or(result)
    }

    /// The rows of a continuous output: the value at the start of `times` and, as long as `times` last, each value that differs
    /// from the one before (all NaN are the same, `-0.0` is not `0.0`). Where the output's condition is not true there is
    /// no value: φ in all columns. Leading φ is there; [`OutputRows::without_leading_null`] drops it.
    ///
    /// # Errors
    ///
    /// As [`Interp::output`].
    pub fn changes(&mut self, output: usize, times: RangeInclusive<i64>) -> Result<OutputRows, Failure> {
        let output = &self.query.outputs[output];
        let body = &self.query.defs[output.def].body;
        let mut earliest = Earliest(None);
        let mut result =
            OutputRows { columns: vec![Vec::new(); output.columns.len()], ..OutputRows::default() };
        let (first, last) = (i128::from(*times.start()), i128::from(*times.end()));
        let mut before: Option<Vec<Option<Const>>> = None;
        for time in self.change_times(body, first, last) {
            let nothing = || vec![None; output.columns.len()];
            let values = self.shown(output, time, &mut earliest).unwrap_or_else(nothing);
            if before.as_ref().is_some_and(|before| before.iter().zip(&values).all(|(a, b)| same(*a, *b))) {
                continue;
            }
            result.rows.push(time as i64);
            result.stamps.push(time as i64);
            result.columns.iter_mut().zip(&values).for_each(|(column, value)| column.push(*value));
            before = Some(values);
        }
        earliest.or(result)
    }

    /// The columns of an output in a row; `None` if it is dropped.
    fn shown(&mut self, output: &Output, row: i128, earliest: &mut Earliest) -> Option<Vec<Option<Const>>> {
        let mut value = |field| earliest.note(self.field(output.def, field, row));
        let is_kept = output.keep.is_none_or(|keep| value(keep) == Some(Const::Bool(true)));
        is_kept.then(|| output.columns.iter().map(|(_, field)| value(*field)).collect())
    }

    /// How many rows a definition on events has; `None` if it is on a grid or continuous.
    pub fn row_count(&mut self, def: Def) -> Option<i64> {
        match &self.query.defs[def].clock {
            Clock::Events(inputs) => Some(self.timeline(inputs).len(self.data) as i64),
            Clock::Grid(_) | Clock::Continuous => None,
        }
    }
}

/// Whether two neighbours of a continuous stream are one row.
pub(super) fn same(a: Option<Const>, b: Option<Const>) -> bool {
    let is_nan = |value: Option<Const>| match value {
        Some(Const::F32(bits)) => f32::from_bits(bits).is_nan(),
        Some(Const::F64(bits)) => f64::from_bits(bits).is_nan(),
        Some(Const::Bool(_) | Const::Int(_)) | None => false,
    };
    a == b || (is_nan(a) && is_nan(b))
}

/// The failure to report among those seen so far.
struct Earliest(Option<Rc<Failure>>);

impl Earliest {
    /// The value, φ if it failed.
    fn note(&mut self, outcome: Outcome) -> Option<Const> {
        outcome.unwrap_or_else(|failure| {
            if self.0.as_ref().is_none_or(|earliest| failure.precedes(earliest)) {
                self.0 = Some(failure);
            }
            None
        })
    }

    fn or(self, rows: OutputRows) -> Result<OutputRows, Failure> {
        match self.0 {
            Some(failure) => Err(unshare(failure)),
            None => Ok(rows),
        }
    }
}
