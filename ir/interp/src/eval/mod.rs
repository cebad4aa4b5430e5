//! The interpreter: from a query and its data to the value of any field of any definition in any row.

mod body;
mod window;

use crate::{failure::Failure, memo::Memo, rows::Rows, support::Supports};
use std::{collections::HashMap, ops::Range, rc::Rc};
use tilt_ir::{
    Const,
    entity::Entity,
    tir::{Def, Query, Verified},
};
use window::Slide;

/// Rows of a definition whose values are remembered (at least; at most twice as many).
const REMEMBERED: usize = 1 << 16;

/// A value, perhaps φ. The failure is shared by all that depend on it.
type Outcome = Result<Option<Const>, Rc<Failure>>;

/// Evaluates the definitions of a query on given data.
///
/// Values are computed when asked for, one field of one row at a time, and remembered. What is not asked for (the other branch
/// of an `if`, a field that nobody reads) is not evaluated and cannot fail.
pub struct Interp<'a> {
    query: &'a Query,
    data: &'a dyn Rows,
    supports: Supports,
    /// For each definition: the value of (row, field).
    memos: Vec<Memo<(i128, u32), Outcome>>,
    /// For each reduction, by its address in `query`: the rows of its last window.
    slides: HashMap<usize, Slide>,
}

/// What an output shows.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputRows {
    /// The rows that were kept, as indexes of the grid of the output's definition.
    pub rows: Vec<i64>,
    /// For each column of the output its value in each of these rows.
    pub columns: Vec<Vec<Option<Const>>>,
}

impl<'a> Interp<'a> {
    /// An interpreter of `query` on `data`.
    pub fn new(query: Verified<'a>, data: &'a dyn Rows) -> Interp<'a> {
        let query = query.query();
        Interp {
            query,
            data,
            supports: Supports::of(query, data),
            memos: query.defs.ids().map(|_| Memo::new(REMEMBERED)).collect(),
            slides: HashMap::new(),
        }
    }

    /// All fields of a definition in the row `row` of its grid, which may lie anywhere in time.
    ///
    /// # Errors
    ///
    /// The failure of the first field that fails.
    pub fn row(&mut self, def: Def, row: i128) -> Result<Vec<Option<Const>>, Failure> {
        let fields = 0..self.query.defs[def].body.results.len() as u32;
        fields.map(|field| self.field(def, field, row).map_err(unshare)).collect()
    }

    /// The rows of output number `output` among the rows `rows` of the grid of its definition. Dropped rows are not evaluated
    /// beyond the condition that drops them.
    ///
    /// # Errors
    ///
    /// All rows are evaluated, and among their failures the first by time, then by definition, is reported; among those of
    /// one value, the first met, operands from left to right.
    pub fn output(&mut self, output: usize, rows: Range<i64>) -> Result<OutputRows, Failure> {
        let output = &self.query.outputs[output];
        let mut earliest = Earliest(None);
        let mut result = OutputRows { rows: Vec::new(), columns: vec![Vec::new(); output.columns.len()] };
        for row in rows {
            let mut value = |field| earliest.note(self.field(output.def, field, row.into()));
            let is_kept = output.keep.is_none_or(|keep| value(keep) == Some(Const::Bool(true)));
            if is_kept {
                result.rows.push(row);
                for (column, (_, field)) in result.columns.iter_mut().zip(&output.columns) {
                    column.push(value(*field));
                }
            }
        }
        match earliest.0 {
            Some(failure) => Err(unshare(failure)),
            None => Ok(result),
        }
    }

    /// A field of a definition in a row: its body, at the stamp of the row.
    fn field(&mut self, def: Def, field: u32, row: i128) -> Outcome {
        if let Some(known) = self.memos[def.index()].get((row, field)) {
            return known;
        }
        let data = &self.query.defs[def];
        let scope = body::Scope {
            def,
            t: i128::from(data.grid.offset) + row * i128::from(data.grid.period),
            params: &[],
        };
        let outcome = self.value(scope, &data.body, data.body.results[field as usize]);
        self.memos[def.index()].insert((row, field), outcome.clone());
        outcome
    }
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
}

fn unshare(failure: Rc<Failure>) -> Failure {
    Rc::unwrap_or_clone(failure)
}
