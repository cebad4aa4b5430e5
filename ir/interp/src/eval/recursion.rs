//! Definitions that look at their own past: row after row from the first one on, all of them remembered.
//!
//! ```text
//! def @n every 1s init (0) { n.value[t-1s] + 1 }    first stamp 2500ms
//! row       2     3    4                            row 2 and all before: 0, but only for @n itself; φ for others
//! value     –     1    2
//! ```

use super::{Interp, Outcome, body::Scope};
use tilt_ir::tir::{Clock, Def};

/// The rows of a definition that are computed so far.
#[derive(Debug)]
pub(super) struct Recursion {
    /// The first row; `None` if there is none.
    first: Option<i128>,
    /// The fields of the rows from there on.
    rows: Vec<Vec<Outcome>>,
}

impl Interp<'_> {
    /// A field in a row, as others see it: φ before the first row.
    pub(super) fn recursive(&mut self, def: Def, field: u32, row: i128) -> Outcome {
        let Some(first) = self.recursion(def).first else { return Ok(None) };
        let data = &self.query.defs[def];
        let has_end = match &data.clock {
            Clock::Events(inputs) => row >= self.timeline(inputs).len(self.data),
            Clock::Grid(_) | Clock::Continuous => false,
        };
        if row < first || has_end {
            return Ok(None);
        }
        loop {
            let next = first + self.recursion(def).rows.len() as i128;
            if row < next {
                return self.past(def, field, row);
            }
            let Some(t) = self.time_of(&data.clock, next) else { return Ok(None) };
            let scope = Scope { def, at: &data.clock, row: next, t, params: &[] };
            let results = data.body.results.iter();
            let fields = results.map(|result| self.value(scope, &data.body, *result)).collect();
            self.recursion(def).rows.push(fields);
        }
    }

    /// A field in a row that is computed already, as the definition itself sees it: `init` before the first row.
    pub(super) fn past(&mut self, def: Def, field: u32, row: i128) -> Outcome {
        let init = self.query.defs[def].init.as_ref().and_then(|init| init[field as usize]);
        let Recursion { first, rows } = self.recursion(def);
        match first.and_then(|first| usize::try_from(row - first).ok()) {
            None => Ok(init),
            Some(place) => rows[place][field as usize].clone(),
        }
    }

    fn recursion(&mut self, def: Def) -> &mut Recursion {
        let data = &self.query.defs[def];
        let start = || match &data.clock {
            Clock::Grid(grid) => self.data.start(data.keyed).map(|start| i128::from(grid.row_from(start))),
            Clock::Events(_) => Some(0),
            Clock::Continuous => None,
        };
        self.recursions.entry(def).or_insert_with(|| Recursion { first: start(), rows: Vec::new() })
    }
}
