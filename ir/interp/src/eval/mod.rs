//! The interpreter: from a query and its data to the value of any field of any definition in any row.
//!
//! | file | question |
//! |---|---|
//! | `output` | which rows does an output show? |
//! | `body` | what is the value of an instruction? |
//! | `look` | which row of a stream is looked at? |
//! | `timeline` | which rows does a clock of events have? |
//! | `recursion` | what if a definition looks at itself? |
//! | `window` | which rows does a reduction see? |
//! | `pieces` | when does a continuous value change? |

mod body;
mod look;
mod output;
mod pieces;
mod recursion;
mod timeline;
mod window;

use crate::{failure::Failure, memo::Memo, rows::Rows, support::Supports};
use recursion::Recursion;
use std::{collections::HashMap, rc::Rc};
use tilt_ir::{
    Const,
    analysis::changes::Change,
    tir::{Def, Input, Query, Verified},
};
use timeline::Timeline;
use window::Slide;

pub use output::OutputRows;

/// Rows of a definition whose values are remembered (at least; at most twice as many).
const REMEMBERED: usize = 1 << 16;

/// A value, perhaps φ. The failure is shared by all that depend on it.
type Outcome = Result<Option<Const>, Rc<Failure>>;

/// Evaluates the definitions of a query on given data, those of one key or those that have none.
///
/// Values are computed when asked for, one field of one row at a time, and remembered. What is not asked for (the other branch
/// of an `if`, a field that nobody reads) is not evaluated and cannot fail. Only a definition that looks at its own past is
/// evaluated whole, row after row from the first one.
pub struct Interp<'a> {
    query: &'a Query,
    data: &'a dyn Rows,
    pub(crate) supports: Supports,
    /// For each definition: the value of (row, field).
    memos: Vec<Memo<(i128, u32), Outcome>>,
    /// The clocks of events, by their inputs.
    timelines: HashMap<Vec<Input>, Timeline>,
    recursions: HashMap<Def, Recursion>,
    /// For each reduction, by its address in `query`: the rows of its last window.
    slides: HashMap<usize, Slide>,
    /// For each continuous body, by its address in `query`: when it can change.
    changes: HashMap<usize, Rc<[Change]>>,
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
            timelines: HashMap::new(),
            recursions: HashMap::new(),
            slides: HashMap::new(),
            changes: HashMap::new(),
        }
    }

    /// All fields of a definition in the row `row` of its clock. On a grid that may lie anywhere in time; events have the rows 0,
    /// 1, … and are φ elsewhere; of a continuous definition `row` is a time.
    ///
    /// # Errors
    ///
    /// The failure of the first field that fails.
    pub fn row(&mut self, def: Def, row: i128) -> Result<Vec<Option<Const>>, Failure> {
        let fields = 0..self.query.defs[def].body.results.len() as u32;
        fields.map(|field| self.field(def, field, row).map_err(unshare)).collect()
    }

    /// The value of a definition at a time, as other streams see it.
    ///
    /// # Errors
    ///
    /// The failure of the first field that fails.
    pub fn at_time(&mut self, def: Def, time: i128) -> Result<Vec<Option<Const>>, Failure> {
        let fields = 0..self.query.defs[def].body.results.len() as u32;
        fields.map(|field| self.def_at(def, field, time).map_err(unshare)).collect()
    }
}

fn unshare(failure: Rc<Failure>) -> Failure {
    Rc::unwrap_or_clone(failure)
}
