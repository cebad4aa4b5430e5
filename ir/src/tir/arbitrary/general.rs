//! Streams that do not lie on grids: keys, events, clocks.

use super::{Build, body::Draft};
use crate::{
    Grid, Loc, Type,
    entity::Entity,
    tir::{Clock, Def, DefData, Field, Hold, Index, Input, Source, Stamps, When},
};

impl Build<'_> {
    /// Keys and symbols.
    pub(super) fn keys(&mut self) {
        self.unit = self.choices.of(&[10, 1_000_000_000, 1]);
        self.query.symbols = ["A", "B", "C"].map(str::to_owned).to_vec();
        let types: &[Type] = match self.choices.below(6) {
            0..=2 => &[],
            3 => &[Type::Symbol],
            4 => &[Type::I64],
            _ => &[Type::Symbol, Type::I8],
        };
        for (name, ty) in ["k", "l"].iter().zip(types) {
            let name = self.name(name);
            self.query.keys.push(Field { name, ty: *ty });
        }
    }

    /// When the rows of an input are stamped: on this grid, or as events.
    pub(super) fn stamps(&mut self, grid: Grid) -> Stamps {
        if !self.shape.general {
            return Stamps::Every(grid);
        }
        Stamps::Events(match self.choices.below(6) {
            0 | 1 => Hold::Point,
            2 => Hold::UntilNext,
            3 => Hold::For(self.choices.between(1, 6) * self.unit),
            4 => Hold::Until,
            _ => return Stamps::Every(grid),
        })
    }

    /// The event inputs that a keyed or unkeyed definition can have on its clock.
    fn event_inputs(&self, keyed: bool) -> Vec<Input> {
        let inputs = self.query.inputs.iter();
        let fits = |data: &super::super::InputData| data.stamps.grid().is_none() && (keyed || !data.keyed);
        inputs.filter(|(_, data)| fits(data)).map(|(input, _)| input).collect()
    }

    /// A clock of one input, sometimes of two; if there are events at all.
    pub(super) fn event_clock(&mut self, keyed: bool) -> Option<Clock> {
        let inputs = self.event_inputs(keyed);
        if inputs.is_empty() {
            return None;
        }
        let first = self.choices.of(&inputs);
        let second = self.choices.of(&inputs);
        let both = self.choices.once_in(3) && first != second;
        Some(Clock::Events(if both { vec![first, second] } else { vec![first] }))
    }

    pub(super) fn general_def(&mut self, n: usize, grid: Grid, loc: Loc) {
        let unkeyed = self.query.inputs.rows().iter().any(|data| !data.keyed);
        let keyed = !self.query.keys.is_empty() && (!unkeyed || !self.choices.once_in(4));
        let clock = match self.choices.below(7) {
            0..=3 => self.event_clock(keyed).unwrap_or(Clock::Grid(grid)),
            4 | 5 => Clock::Grid(grid),
            _ => Clock::Continuous,
        };
        let mut draft = Draft::new(clock.clone(), keyed);
        let mut init = None;
        if clock != Clock::Continuous && self.choices.once_in(4) {
            let mut fields = Vec::new();
            let mut values = Vec::new();
            for n in 0..=self.choices.below(2) {
                let ty = self.ty();
                fields.push(Field { name: self.name(&format!("r{n}")), ty });
                values.push(if self.choices.once_in(4) { None } else { Some(self.constant(ty)) });
            }
            init = Some(values);
            draft.own = Some((Def::new(self.query.defs.len()), fields));
        }
        let own = draft.own.clone();
        let body = self.def_body(draft);
        let fields = match own {
            Some((_, fields)) => fields,
            None => {
                let types = body.results.iter().map(|result| body.ty(*result));
                let field = |(n, ty)| Field { name: self.name(&format!("r{n}")), ty };
                types.enumerate().map(field).collect()
            }
        };
        let name = self.name(&format!("d{n}"));
        self.query.defs.push(DefData { name, fields, clock, keyed, init, body, loc });
    }

    /// A look at the own past: one row back or some.
    pub(super) fn past(&mut self, at: &Clock) -> When {
        let back = 1 + self.choices.below(3) as i64;
        match at {
            // not quite so far
            Clock::Grid(grid) if grid.period > 1 && self.choices.once_in(4) => {
                When::Time(Index::now(1 - back * grid.period))
            }
            Clock::Grid(grid) => When::Time(Index::now(-back * grid.period)),
            Clock::Events(_) | Clock::Continuous => When::Row(back as u64),
        }
    }

    /// A row of the clock of `draft`, if it is one of `source`.
    pub(super) fn row(&mut self, draft: &Draft, source: Source) -> Option<When> {
        let Clock::Events(inputs) = &draft.at else { return None };
        let most = match source {
            Source::Input(input) if !inputs.contains(&input) => return None,
            Source::Input(_) if inputs.len() > 1 => 0,
            Source::Def(def) if self.query.defs[def].clock != draft.at => return None,
            Source::Input(_) | Source::Def(_) => 3,
        };
        match self.choices.below(5) {
            4 => None,
            back @ 2.. => Some(When::Row((back as u64 - 1).min(most))),
            _ => Some(When::Row(0)),
        }
    }
}
