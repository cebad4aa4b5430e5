//! Reductions of rows of any clock.

use super::{Build, body::Draft};
use crate::{
    Type,
    tir::{Base, Clock, Frame, Grouping, Index, Op, Reduce, Reducer, Value, Window},
};

impl Build<'_> {
    pub(super) fn general_reduce(&mut self, draft: &mut Draft) -> Value {
        let rows = self.clock_of_rows(draft);
        let is_weighted = rows == Clock::Continuous;
        let mut captures = Vec::new();
        if !is_weighted {
            for _ in 0..self.choices.below(6).saturating_sub(4) {
                captures.push(self.any(draft));
            }
        }
        let params = captures.iter().map(|value| draft.body.ty(*value)).collect();
        let mut row = self.row_body(Draft { params, ..Draft::new(rows.clone(), draft.keyed) });
        let kind = self.any_reducer(&mut row, is_weighted);
        let row = row.body;
        let frame = self.frame(draft, &rows);
        let min_count = match self.choices.below(4) {
            0 | 1 => u64::from(kind != Reducer::Count),
            2 => 0,
            _ if is_weighted => 1,
            _ => self.choices.below(8) as u64,
        };
        let grouping = self.any_grouping(frame, &draft.at, &rows, !captures.is_empty());
        // `any_reducer` has taken care of this
        let ty = kind.result(row.ty(row.results[0])).unwrap_or(Type::I64);
        let reduce = Reduce { kind, rows, frame, grouping, min_count, captures, row };
        self.push(draft, Op::Reduce(Box::new(reduce)), ty)
    }

    fn clock_of_rows(&mut self, draft: &Draft) -> Clock {
        match (self.choices.below(8), &draft.at) {
            (0..=2, at @ Clock::Events(_)) => at.clone(),
            (0..=4, _) => match self.event_clock(draft.keyed) {
                Some(clock) => clock,
                None => Clock::Grid(self.some_grid()),
            },
            (5 | 6, _) => Clock::Grid(self.some_grid()),
            (_, _) => Clock::Continuous,
        }
    }

    /// A reducer that takes what a row body gives; where it wants something else the body gives that.
    fn any_reducer(&mut self, row: &mut Draft, is_weighted: bool) -> Reducer {
        if is_weighted {
            let value = self.of_type(row, Type::F64);
            row.body.results = vec![value];
            return self.choices.of(&[Reducer::DurationMean, Reducer::Integral]);
        }
        let ddof = self.choices.below(3) as u32;
        let q = self.choices.of(&[0.5f64, 0.0, 1.0, 0.25, 0.9]).to_bits();
        let one = [
            Reducer::Sum,
            Reducer::Mean,
            Reducer::Last,
            Reducer::First,
            Reducer::Count,
            Reducer::Min,
            Reducer::Max,
            Reducer::CountDistinct,
            Reducer::Mode,
            Reducer::ArgMin,
            Reducer::ArgMax,
            Reducer::Var { ddof },
            Reducer::Std { ddof },
            Reducer::Skew,
            Reducer::Kurtosis,
            Reducer::Quantile { q },
        ];
        let two = [Reducer::WeightedMean, Reducer::Cov { ddof }, Reducer::Corr];
        if self.choices.once_in(5) {
            let ty = self.choices.of(&[Type::F64, Type::F32]);
            row.body.results = vec![self.of_type(row, ty), self.of_type(row, ty)];
            return self.choices.of(&two);
        }
        let ty = row.body.ty(row.body.results[0]);
        let legal: Vec<Reducer> = one.into_iter().filter(|kind| kind.result(ty).is_some()).collect();
        self.choices.of(&legal)
    }

    fn frame(&mut self, draft: &Draft, rows: &Clock) -> Frame {
        let is_weighted = *rows == Clock::Continuous;
        if !is_weighted && self.choices.once_in(3) {
            return Frame::Last(1 + self.choices.below(9) as u64);
        }
        let Window { from, to } = self.window();
        if !is_weighted || draft.at != Clock::Continuous {
            return Frame::Time(Window { from, to });
        }
        let fixed = |index: Index, base| match index.base {
            Base::Now => Index { base, ..index },
            Base::Floor(_) | Base::Ceil(_) => index,
        };
        let period = 4 * self.unit;
        Frame::Time(Window { from: fixed(from, Base::Floor(period)), to: fixed(to, Base::Ceil(period)) })
    }

    fn any_grouping(&mut self, frame: Frame, at: &Clock, rows: &Clock, has_captures: bool) -> Grouping {
        let chosen = Grouping::of(frame, at, rows, has_captures);
        if !self.shape.any_grouping || has_captures || *rows == Clock::Continuous {
            return chosen;
        }
        let on_grids = at.grid().zip(rows.grid());
        let length = self.choices.between(1, 20) * self.unit;
        let origin = self.choices.between(0, 19) * self.unit % length;
        match (frame, on_grids, self.choices.below(3)) {
            (Frame::Time(window), Some((at, rows)), _) => self.grouping(window, at, rows, false),
            (_, _, 2) => Grouping::Lanes64,
            (Frame::Time(_), None, 1) => Grouping::TimeBlocks { length, origin },
            (Frame::Last(_), _, 1) | (_, _, _) => chosen,
        }
    }
}
