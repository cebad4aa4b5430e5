//! Looking at streams: at a time, or at a row of the body's own clock.

use super::{Interp, Outcome, body::Scope, timeline};
use tilt_ir::{
    entity::Entity,
    tir::{Clock, Def, Input, Source, When},
};

impl<'a> Interp<'a> {
    pub(super) fn at(&mut self, scope: Scope<'_, 'a>, source: Source, field: u32, when: When) -> Outcome {
        match (source, when) {
            (Source::Input(input), When::Time(index)) => self.input_at(input, field, index.at(scope.t)),
            (Source::Input(input), When::Row(back)) => self.input_row(scope, input, field, back),
            (Source::Def(def), When::Time(index)) if def == scope.def => {
                let Clock::Grid(grid) = scope.at else { return Ok(None) };
                self.past(def, field, index.row(*grid, scope.t))
            }
            (Source::Def(def), When::Row(back)) if def == scope.def => {
                self.past(def, field, scope.row - i128::from(back))
            }
            (Source::Def(def), When::Time(index)) => self.def_at(def, field, index.at(scope.t)),
            (Source::Def(def), When::Row(back)) => self.field(def, field, scope.row - i128::from(back)),
        }
    }

    /// The value of an input at a time.
    fn input_at(&self, input: Input, field: u32, time: i128) -> Outcome {
        let row = timeline::row_at(self.query, self.data, input, time);
        Ok(row.and_then(|row| self.data.get(input, field, row)))
    }

    /// The row of an input so many rows before that of the scope. On a clock of several inputs it is the row itself on the rows
    /// of this input, the value at `t` on the others.
    fn input_row(&mut self, scope: Scope<'_, 'a>, input: Input, field: u32, back: u64) -> Outcome {
        let Clock::Events(inputs) = scope.at else { return Ok(None) };
        let timeline = self.timeline(inputs);
        match timeline.row(self.data, scope.row - i128::from(back)) {
            None => Ok(None),
            Some(found) if found.input == input => Ok(self.data.get(input, field, found.row)),
            Some(_) => self.input_at(input, field, scope.t),
        }
    }

    /// The value of a definition at a time: on a grid that of the last row, of events that of the last row stamped then.
    pub(super) fn def_at(&mut self, def: Def, field: u32, time: i128) -> Outcome {
        match &self.query.defs[def].clock {
            Clock::Grid(grid) => {
                let row = (time - i128::from(grid.offset)).div_euclid(grid.period.into());
                self.field(def, field, row)
            }
            Clock::Events(inputs) => {
                let timeline = self.timeline(inputs);
                let row = timeline.until(self.data, time) - 1;
                match timeline.row(self.data, row) {
                    Some(found) if i128::from(found.stamp) == time => self.field(def, field, row),
                    Some(_) | None => Ok(None),
                }
            }
            Clock::Continuous => self.field(def, field, time),
        }
    }

    /// A field of a definition in a row of its clock; of a continuous one at the time `row`. φ where there is no such row.
    pub(super) fn field(&mut self, def: Def, field: u32, row: i128) -> Outcome {
        let data = &self.query.defs[def];
        if data.init.is_some() {
            return self.recursive(def, field, row);
        }
        if let Some(known) = self.memos[def.index()].get((row, field)) {
            return known;
        }
        let Some(t) = self.time_of(&data.clock, row) else { return Ok(None) };
        let scope = Scope { def, at: &data.clock, row, t, params: &[] };
        let outcome = self.value(scope, &data.body, data.body.results[field as usize]);
        self.memos[def.index()].insert((row, field), outcome.clone());
        outcome
    }

    /// The stamp of a row of a clock, if there is such a row; of a continuous clock the row is the time.
    pub(super) fn time_of(&mut self, clock: &Clock, row: i128) -> Option<i128> {
        match clock {
            Clock::Grid(grid) => Some(i128::from(grid.offset) + row * i128::from(grid.period)),
            Clock::Events(inputs) => self.timeline(inputs).row(self.data, row).map(|row| row.stamp.into()),
            Clock::Continuous => Some(row),
        }
    }
}
