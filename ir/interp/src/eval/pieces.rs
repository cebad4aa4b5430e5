//! Continuous bodies: when they can change, and how long each value holds.

use super::{Interp, Outcome, body::Scope, output::same};
use crate::{
    failure::Failure,
    reduce::{Piece, weigh},
    scalar::Scalar,
};
use std::{collections::BTreeSet, rc::Rc};
use tilt_ir::{
    Const,
    analysis::changes::{Change, changes},
    tir::{Body, Clock, Hold, Input, Reduce, Stamps},
};

impl<'a> Interp<'a> {
    /// `first`, and the times after it up to `last` at which a body can change.
    pub(super) fn change_times(&mut self, body: &'a Body, first: i128, last: i128) -> BTreeSet<i128> {
        let address = std::ptr::from_ref(body).addr();
        let query = self.query;
        let changes = self.changes.entry(address).or_insert_with(|| changes(query, body).into());
        let changes = Rc::clone(changes);
        let mut times = BTreeSet::new();
        if first > last {
            return times;
        }
        times.insert(first);
        for change in changes.iter() {
            match change {
                Change::Rows { input, shift } => {
                    times.extend(self.moved_stamps(*input, i128::from(*shift), first, last));
                }
                Change::Ends { input, shift } => match self.query.inputs[*input].stamps {
                    Stamps::Events(Hold::Point) => {
                        times.extend(self.moved_stamps(*input, i128::from(*shift) + 1, first, last));
                    }
                    Stamps::Events(Hold::For(length)) => {
                        let shift = i128::from(*shift) + i128::from(length);
                        times.extend(self.moved_stamps(*input, shift, first, last));
                    }
                    Stamps::Events(Hold::Until) => {
                        let end = |row| i128::from(self.data.until(*input, row)) + i128::from(*shift);
                        times.extend(self.data.range(*input).map(end));
                    }
                    // the next row ends these
                    Stamps::Events(Hold::UntilNext) | Stamps::Every(_) => {}
                },
                Change::Grid(grid) => {
                    let (period, offset) = (i128::from(grid.period), i128::from(grid.offset));
                    let row = |time: i128| (time - offset).div_euclid(period);
                    times.extend((row(first) + 1..=row(last)).map(|row| offset + row * period));
                }
            }
        }
        times.retain(|time| (first..=last).contains(time));
        times
    }

    /// The stamps of events, moved, that then lie after `first` and not after `last`.
    fn moved_stamps(
        &mut self,
        input: Input,
        shift: i128,
        first: i128,
        last: i128,
    ) -> impl Iterator<Item = i128> + use<'a> {
        let (timeline, data) = (self.timeline(&[input]), self.data);
        let rows = timeline.until(data, first - shift)..timeline.until(data, last - shift);
        rows.filter_map(move |row| timeline.row(data, row)).map(move |row| i128::from(row.stamp) + shift)
    }

    /// An integral over a window, or a mean over time.
    pub(super) fn weigh(
        &mut self,
        scope: Scope<'_, 'a>,
        data: &'a Reduce,
        captures: &[Outcome],
    ) -> Result<Scalar, Rc<Failure>> {
        let Some((from, to)) = self.times_of_frame(scope, data.frame) else { return Ok(Ok(None)) };
        let support = self.supports.rows(self.query, self.data, data);
        let (first, last) = support.clip_times(from + 1, to);
        let mut pieces: Vec<(i128, Option<Const>)> = Vec::new();
        for time in self.change_times(&data.row, first, last) {
            let scope = Scope { at: &Clock::Continuous, row: time, t: time, params: captures, ..scope };
            let value = self.value(scope, &data.row, data.row.results[0])?;
            if pieces.last().is_none_or(|(_, before)| !same(*before, value)) {
                pieces.push((time, value));
            }
        }
        let ends = pieces.iter().skip(1).map(|(start, _)| *start).chain([last + 1]);
        let pieces = pieces.iter().zip(ends).filter_map(|((start, value), end)| match value {
            Some(Const::F64(bits)) => Some(Piece { value: f64::from_bits(*bits), length: end - start }),
            _ => None,
        });
        Ok(Ok(weigh(data.kind, data.min_count, pieces.collect::<Vec<_>>().as_slice())))
    }
}
