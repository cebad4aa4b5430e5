//! The rows of clocks of events.
//!
//! ```text
//! l  stamped 10, 20     on l, r:  row 0  1  2  3
//! r  stamped 10, 15               of l0 r0 r1 l1
//! ```

use super::Interp;
use crate::rows::Rows;
use std::rc::Rc;
use tilt_ir::tir::{Input, Query, Stamps};

/// A row of a clock of events: which row of which input it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventRow {
    pub(super) stamp: i64,
    pub(super) input: Input,
    pub(super) row: i64,
}

/// The rows of a clock of events, numbered from 0 in the order of (stamp, place of the input on the clock, arrival).
#[derive(Clone, Debug)]
pub(super) enum Timeline {
    /// The rows of one input are those of the data.
    One(Input),
    /// Those of several, merged.
    Several(Rc<[EventRow]>),
}

impl Timeline {
    fn of(data: &dyn Rows, inputs: &[Input]) -> Timeline {
        if let [input] = inputs {
            return Timeline::One(*input);
        }
        let rows_of = |input: Input| {
            data.range(input).map(move |row| EventRow { stamp: data.stamp(input, row), input, row })
        };
        let mut rows: Vec<EventRow> = inputs.iter().flat_map(|input| rows_of(*input)).collect();
        // stable: before the sort they stand in the order of the inputs, then of arrival
        rows.sort_by_key(|row| row.stamp);
        Timeline::Several(rows.into())
    }

    /// How many rows there are.
    pub(super) fn len(&self, data: &dyn Rows) -> i128 {
        match self {
            Timeline::One(input) => data.range(*input).end.into(),
            Timeline::Several(rows) => rows.len() as i128,
        }
    }

    /// A row by its number.
    pub(super) fn row(&self, data: &dyn Rows, number: i128) -> Option<EventRow> {
        match self {
            Timeline::One(input) => {
                let row = i64::try_from(number).ok().filter(|row| data.range(*input).contains(row))?;
                Some(EventRow { stamp: data.stamp(*input, row), input: *input, row })
            }
            Timeline::Several(rows) => rows.get(usize::try_from(number).ok()?).copied(),
        }
    }

    /// How many rows are stamped at or before `time`.
    pub(super) fn until(&self, data: &dyn Rows, time: i128) -> i128 {
        let is_before = |number| self.row(data, number).is_some_and(|row| i128::from(row.stamp) <= time);
        let (mut before, mut end) = (0, self.len(data));
        while before < end {
            let middle = (before + end) / 2;
            if is_before(middle) {
                before = middle + 1;
            } else {
                end = middle;
            }
        }
        before
    }
}

impl Interp<'_> {
    /// The rows of a clock of these inputs.
    pub(super) fn timeline(&mut self, inputs: &[Input]) -> Timeline {
        if let Some(known) = self.timelines.get(inputs) {
            return known.clone();
        }
        let timeline = Timeline::of(self.data, inputs);
        self.timelines.insert(inputs.to_vec(), timeline.clone());
        timeline
    }
}

/// The row of an input that holds at `time`: the last one in the order of arrival.
pub(super) fn row_at(query: &Query, data: &dyn Rows, input: Input, time: i128) -> Option<i64> {
    use tilt_ir::tir::Hold;
    let range = data.range(input);
    let hold = match query.inputs[input].stamps {
        Stamps::Every(grid) => {
            let row = (time - i128::from(grid.offset)).div_euclid(grid.period.into());
            return i64::try_from(row).ok().filter(|row| range.contains(row));
        }
        Stamps::Events(hold) => hold,
    };
    let last = i64::try_from(Timeline::One(input).until(data, time)).ok()? - 1;
    let holds = |row: &i64| {
        let stamp = i128::from(data.stamp(input, *row));
        match hold {
            Hold::Point => time == stamp,
            Hold::UntilNext => true,
            Hold::For(length) => time < stamp + i128::from(length),
            Hold::Until => time < i128::from(data.until(input, *row)),
        }
    };
    match hold {
        // the next row ends the one before
        Hold::Point | Hold::UntilNext | Hold::For(_) => range.contains(&last).then_some(last).filter(holds),
        Hold::Until => (range.start..=last).rev().find(holds),
    }
}
