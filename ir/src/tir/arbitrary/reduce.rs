//! Reductions: windows, groupings, captures.

use super::{Build, body::Draft};
use crate::{
    Grid, Type,
    tir::{Base, Clock, Frame, Grouping, Index, Op, Reduce, Reducer, Value, Window},
};

impl Build<'_> {
    pub(super) fn reduce(&mut self, draft: &mut Draft) -> Value {
        let at = match (self.shape.general, draft.at.grid()) {
            (false, Some(at)) => at,
            (_, _) => return self.general_reduce(draft),
        };
        let rows = self.some_grid();
        let window = self.window();
        let mut captures = Vec::new();
        for _ in 0..self.choices.below(5).saturating_sub(2) {
            captures.push(self.any(draft));
        }
        let params = captures.iter().map(|value| draft.body.ty(*value)).collect();
        let row = self.row_body(Draft { params, ..Draft::new(Clock::Grid(rows), false) }).body;
        let (kind, ty) = self.reducer(row.ty(row.results[0]));
        let min_count = match self.choices.below(4) {
            0 | 1 => u64::from(kind != Reducer::Count),
            2 => 0,
            _ => self.choices.below(8) as u64,
        };
        let grouping = self.grouping(window, at, rows, !captures.is_empty());
        let reduce = Reduce {
            kind,
            rows: Clock::Grid(rows),
            frame: Frame::Time(window),
            grouping,
            min_count,
            captures,
            row,
        };
        self.push(draft, Op::Reduce(Box::new(reduce)), ty)
    }

    /// A window that is seldom empty and spans about as much as it may.
    pub(super) fn window(&mut self) -> Window {
        let base = self.base();
        let index = |base, shift| Index { base, shift };
        let to = self.shift(3);
        let span = match self.choices.below(4) {
            0 => 2 * self.unit,
            1 => self.choices.between(0, self.shape.span) * self.unit,
            2 => self.choices.between(-1, 6) * self.unit,
            _ => 20 * self.unit + self.unit / 3,
        };
        let from = to.saturating_sub(span);
        let (from, to) = match (self.choices.below(6), base) {
            (4, Base::Floor(period) | Base::Ceil(period)) => {
                (index(Base::Floor(period), to), index(Base::Ceil(period), to))
            }
            (5, _) => (index(base, from), index(self.base(), to)),
            _ => (index(base, from), index(base, to)),
        };
        Window { from, to }
    }

    /// A reducer of values of type `row`, and the type of its result.
    fn reducer(&mut self, row: Type) -> (Reducer, Type) {
        let ddof = self.choices.below(3) as u32;
        let sum = if row.is_integer() { Type::I64 } else { row };
        let mean = if row.is_integer() { Type::F64 } else { row };
        let any = [(Reducer::Last, row), (Reducer::First, row), (Reducer::Count, Type::I64)];
        let order = [(Reducer::Min, row), (Reducer::Max, row)];
        let sums = [(Reducer::Sum, sum), (Reducer::Mean, mean)];
        let moments = [(Reducer::Var { ddof }, row), (Reducer::Std { ddof }, row)];
        let can_add = !matches!(row, Type::Bool | Type::Time);
        let mut legal = Vec::new();
        legal.extend(sums.into_iter().filter(|_| can_add));
        legal.extend(any);
        legal.extend(order.into_iter().filter(|_| row != Type::Bool));
        legal.extend(moments.into_iter().filter(|_| row.is_float()));
        self.choices.of(&legal)
    }

    pub(super) fn grouping(&mut self, window: Window, at: Grid, rows: Grid, has_captures: bool) -> Grouping {
        let chosen = Grouping::choose(window, at, rows, has_captures);
        if !self.shape.any_grouping || has_captures {
            return chosen;
        }
        let length = 1 + self.choices.below(20) as u64;
        let origin = self.choices.below(length as usize) as i64;
        match (self.choices.below(5), window.constant_count(at, rows)) {
            (2, _) => Grouping::Lanes64,
            (3, _) => Grouping::Blocks { rows: length, origin },
            (4, Some(count)) if count > 0 => Grouping::Doubling { count },
            _ => chosen,
        }
    }
}
