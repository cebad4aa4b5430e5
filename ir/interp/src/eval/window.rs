//! Windows: the rows of a reduction, evaluated and folded.
//!
//! Nothing is carried from one window to the next but the values of the rows, which are the same in both (unless the row body
//! captured something): each window is folded anew, as its grouping says.

use super::{Interp, Outcome, body::Scope};
use crate::{
    failure::Failure,
    reduce::{Terms, finish, fold},
    scalar::Scalar,
    support::Span,
};
use std::{collections::BTreeMap, ops::Range, rc::Rc};
use tilt_ir::{Const, Type, tir::Reduce};

/// The rows of the last window of a reduction.
#[derive(Debug)]
pub(super) struct Slide {
    /// Where in time rows matter.
    support: Span,
    /// The row of `values[0]`.
    first: i128,
    /// The values of the rows from `first` on. φ for a row that failed.
    values: Vec<Option<Const>>,
    /// The rows that failed.
    failures: BTreeMap<i128, Rc<Failure>>,
}

impl Slide {
    /// Forgets all rows before `rows`, and all if some at the start of `rows` are missing.
    fn slide_to(&mut self, rows: &Range<i128>) {
        let end = self.first + self.values.len() as i128;
        if (self.first..=end).contains(&rows.start) {
            self.values.drain(..(rows.start - self.first) as usize);
            self.failures = self.failures.split_off(&rows.start);
        } else {
            self.values.clear();
            self.failures.clear();
        }
        self.first = rows.start;
    }

    fn push(&mut self, outcome: Outcome) {
        let row = self.first + self.values.len() as i128;
        self.values.push(outcome.unwrap_or_else(|failure| {
            self.failures.insert(row, failure);
            None
        }));
    }
}

impl<'a> Interp<'a> {
    /// The result, of type `to`, of a reduction seen from the time of `scope`. If rows fail, the first of them is the failure.
    pub(super) fn reduce(
        &mut self,
        scope: Scope<'_>,
        to: Type,
        reduce: &'a Reduce,
        captures: &[Outcome],
    ) -> Result<Scalar, Rc<Failure>> {
        let window = reduce.window.rows(reduce.rows, scope.t);
        let address = std::ptr::from_ref(reduce).addr();
        let mut slide = self.slides.remove(&address).unwrap_or_else(|| Slide {
            support: self.supports.rows(self.query, reduce),
            first: 0,
            values: Vec::new(),
            failures: BTreeMap::new(),
        });
        if !captures.is_empty() {
            slide.values.clear();
            slide.failures.clear();
        }
        let rows = slide.support.clip(reduce.rows, window.clone());
        slide.slide_to(&rows);
        for row in rows.start + slide.values.len() as i128..rows.end {
            let scope = Scope {
                t: i128::from(reduce.rows.offset) + row * i128::from(reduce.rows.period),
                params: captures,
                ..scope
            };
            slide.push(self.value(scope, &reduce.row, reduce.row.results[0]));
        }
        let outcome = match slide.failures.range(rows.clone()).next() {
            Some((_, failure)) => Err(Rc::clone(failure)),
            None => {
                let terms = Terms {
                    first: window.start,
                    end: window.end.max(window.start),
                    from: rows.start,
                    values: &slide.values[..(rows.end - rows.start) as usize],
                };
                let state = fold(reduce.kind, reduce.grouping, terms);
                Ok(finish(reduce.kind, reduce.min_count, to, state))
            }
        };
        self.slides.insert(address, slide);
        outcome
    }
}
