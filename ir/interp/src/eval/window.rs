//! Windows: the rows of a reduction, evaluated and folded.
//!
//! Nothing is carried from one window to the next but the values of the rows, which are the same in both (unless the row body
//! captured something): each window is folded anew, as its grouping says.

use super::{Interp, Outcome, body::Scope};
use crate::{
    failure::Failure,
    reduce::{Term, Terms, reduce},
    scalar::Scalar,
    support::Span,
};
use std::{collections::BTreeMap, ops::Range, rc::Rc};
use tilt_ir::{
    Type,
    tir::{Clock, Frame, Reduce},
};

/// The rows of the last window of a reduction.
#[derive(Debug)]
pub(super) struct Slide {
    /// Where in time rows matter.
    support: Span,
    /// The row of `terms[0]`.
    first: i128,
    /// The rows from `first` on. φ for a row that failed.
    terms: Vec<Option<Term>>,
    /// The rows that failed.
    failures: BTreeMap<i128, Rc<Failure>>,
}

impl Slide {
    /// Forgets all rows before `rows`, and all if some at the start of `rows` are missing.
    fn slide_to(&mut self, rows: &Range<i128>) {
        let end = self.first + self.terms.len() as i128;
        if (self.first..=end).contains(&rows.start) {
            self.terms.drain(..(rows.start - self.first) as usize);
            self.failures = self.failures.split_off(&rows.start);
        } else {
            self.terms.clear();
            self.failures.clear();
        }
        self.first = rows.start;
    }

    fn push(&mut self, term: Result<Option<Term>, Rc<Failure>>) {
        let row = self.first + self.terms.len() as i128;
        self.terms.push(term.unwrap_or_else(|failure| {
            self.failures.insert(row, failure);
            None
        }));
    }
}

impl<'a> Interp<'a> {
    /// The result, of type `to`, of a reduction seen from the row of `scope`. If rows fail, the first of them is the failure.
    pub(super) fn reduce(
        &mut self,
        scope: Scope<'_, 'a>,
        to: Type,
        data: &'a Reduce,
        captures: &[Outcome],
    ) -> Result<Scalar, Rc<Failure>> {
        if data.rows == Clock::Continuous {
            return self.weigh(scope, data, captures);
        }
        let address = std::ptr::from_ref(data).addr();
        let mut slide = self.slides.remove(&address).unwrap_or_else(|| Slide {
            support: self.supports.rows(self.query, self.data, data),
            first: 0,
            terms: Vec::new(),
            failures: BTreeMap::new(),
        });
        if !captures.is_empty() {
            slide.terms.clear();
            slide.failures.clear();
        }
        let window = self.rows_of_frame(scope, data);
        let rows = match &data.rows {
            Clock::Grid(grid) => slide.support.clip(*grid, window.clone()),
            Clock::Events(inputs) => {
                let len = self.timeline(inputs).len(self.data);
                let start = window.start.clamp(0, len);
                start..window.end.clamp(start, len)
            }
            Clock::Continuous => 0..0,
        };
        slide.slide_to(&rows);
        for row in rows.start + slide.terms.len() as i128..rows.end {
            slide.push(self.term(scope, data, captures, row));
        }
        let outcome = match slide.failures.range(rows.clone()).next() {
            Some((_, failure)) => Err(Rc::clone(failure)),
            None => {
                let terms = Terms {
                    first: window.start,
                    end: window.end.max(window.start),
                    times: self.times_of_frame(scope, data.frame),
                    from: rows.start,
                    terms: &slide.terms[..(rows.end - rows.start) as usize],
                };
                Ok(reduce(data.kind, data.grouping, data.min_count, to, terms))
            }
        };
        self.slides.insert(address, slide);
        outcome
    }

    /// What a row contributes.
    fn term(
        &mut self,
        scope: Scope<'_, 'a>,
        data: &'a Reduce,
        captures: &[Outcome],
        row: i128,
    ) -> Result<Option<Term>, Rc<Failure>> {
        let Some(t) = self.time_of(&data.rows, row) else { return Ok(None) };
        let scope = Scope { at: &data.rows, row, t, params: captures, ..scope };
        let mut values = Vec::new();
        for result in &data.row.results {
            values.push(self.value(scope, &data.row, *result)?);
        }
        Ok(match values[..] {
            [Some(value)] => Some(Term { time: t, value, weight: None }),
            [Some(value), Some(weight)] => Some(Term { time: t, value, weight: Some(weight) }),
            _ => None,
        })
    }

    /// The rows of a frame, by their numbers; some of the last so many rows may lie before the first one.
    fn rows_of_frame(&mut self, scope: Scope<'_, 'a>, data: &'a Reduce) -> Range<i128> {
        let timeline = match &data.rows {
            Clock::Grid(grid) => match data.frame {
                Frame::Time(window) => return window.rows(*grid, scope.t),
                Frame::Last(count) => {
                    let end = (scope.t - i128::from(grid.offset)).div_euclid(grid.period.into()) + 1;
                    return end - i128::from(count)..end;
                }
            },
            Clock::Events(inputs) => self.timeline(inputs),
            Clock::Continuous => return 0..0,
        };
        let until = |time| timeline.until(self.data, time);
        match data.frame {
            Frame::Time(window) => until(window.from.at(scope.t))..until(window.to.at(scope.t)),
            Frame::Last(count) => {
                let end = if data.rows == *scope.at { scope.row + 1 } else { until(scope.t) };
                end - i128::from(count)..end
            }
        }
    }

    /// The times of a frame that is a window: after the first and not after the second.
    pub(super) fn times_of_frame(&self, scope: Scope<'_, 'a>, frame: Frame) -> Option<(i128, i128)> {
        match frame {
            Frame::Time(window) => Some((window.from.at(scope.t), window.to.at(scope.t))),
            Frame::Last(_) => None,
        }
    }
}
