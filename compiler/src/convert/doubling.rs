//! Grouping `doubling`: sums of 2, 4, 8, … neighbours, combined for the window's count.
//!
//! Short windows live in one vector loop: `S_2m` is `S_m` combined with what `S_m` was `m` rows ago (`splice`). Long ones take a pass
//! over scratch for each doubling.

use tilt_ir::{
    Type,
    loops::{Addr, Buffer, Cmp, Scratch, Value},
    tir::{self, Grouping, Reduce},
};

use super::{
    numbers::Val,
    plan::Site,
    pointwise::{Frame, Rows},
    stage::Writer,
    state::{Count, Kind, State},
};

/// The powers of two of `count`, greatest first.
fn powers(count: u64) -> impl Iterator<Item = u64> {
    (0..u64::BITS).rev().map(|k| 1 << k).filter(move |power| count & power != 0)
}

/// The kind of a reduction.
pub(super) fn kind(reduce: &Reduce) -> Kind {
    let row = reduce.row.ty(reduce.row.results[0]);
    match reduce.grouping {
        Grouping::Doubling { count } => {
            Kind::new(reduce.kind, row).with_rows(Some(count)).with_presence(reduce.min_count)
        }
        Grouping::Lanes64 | Grouping::Blocks { .. } | Grouping::TimeBlocks { .. } => {
            Kind::new(reduce.kind, row).with_rows(None)
        }
    }
}

impl<'a> Rows<'_, 'a, '_> {
    /// A window of `count` rows ending `shift` rows later, in a vector loop.
    pub(super) fn spliced(
        &mut self,
        frame: &Frame<'a>,
        value: tir::Value,
        reduce: &'a Reduce,
        shift: i64,
        count: u64,
    ) -> Val {
        let val = self.window(frame, value, reduce, frame.site.moved(reduce.grid(), shift), count);
        self.delayed(val, frame.site.mode, shift)
    }

    /// The window of `count` rows that ends at the row of `site`.
    pub(super) fn window(
        &mut self,
        frame: &Frame<'a>,
        value: tir::Value,
        reduce: &'a Reduce,
        site: Site,
        count: u64,
    ) -> Val {
        let row = Frame {
            at: (frame.at.0, Some(value)),
            body: &reduce.row,
            site,
            row: frame.row,
            captures: vec![],
        };
        let kind = kind(reduce);
        let val = self.single(&row);
        let mut sums = vec![(1u64, kind.leaf(self.b, val))];
        while let Some((rows, last)) = sums.last().filter(|(rows, _)| rows * 2 <= count) {
            let (rows, last) = (*rows, last.clone());
            let earlier = self.ago(&last, rows);
            let sum = kind.combine(self.b, &earlier, &last);
            sums.push((rows * 2, sum));
        }
        let mut left = count;
        let mut total: Option<State> = None;
        for power in powers(count) {
            left -= power;
            let sum = &sums[power.trailing_zeros() as usize].1;
            let piece = self.ago(sum, left);
            total = Some(match total {
                None => piece,
                Some(total) => kind.combine(self.b, &total, &piece),
            });
        }
        let total = total.unwrap_or_else(|| kind.nothing(self.b));
        kind.finish(self.b, &total, reduce.min_count)
    }

    /// A state as it was some rows ago.
    fn ago(&mut self, state: &State, rows: u64) -> State {
        let by = u32::try_from(rows).expect("spliced windows are short");
        let count = match state.count {
            Count::Static(n) => Count::Static(n),
            Count::Dynamic(n) => Count::Dynamic(self.b.splice(n, by)),
        };
        State { count, parts: state.parts.iter().map(|part| self.b.splice(*part, by)).collect() }
    }
}

/// Sums of one length, for rows `first..end`.
struct Level {
    rows: u64,
    buffers: Vec<Scratch>,
}

/// What long windows are computed from: the sums of every power of two, over rows `first..end`.
pub(super) struct Levels {
    kind: Kind,
    levels: Vec<Level>,
    first: Value,
    end: Value,
}

impl Levels {
    /// Makes room for the levels of a window of `count` rows.
    pub(super) fn new(
        writer: &mut Writer<'_, '_, '_>,
        reduce: &Reduce,
        count: u64,
        first: Value,
        end: Value,
    ) -> Levels {
        let kind = kind(reduce);
        let mut levels = Vec::new();
        let mut rows = 1u64;
        loop {
            let types: Vec<Type> = kind.flat_types();
            let buffers = types.into_iter().map(|ty| writer.b.scratch(ty, true, first, end)).collect();
            levels.push(Level { rows, buffers });
            match rows.checked_mul(2) {
                Some(next) if next <= count => rows = next,
                _ => break,
            }
        }
        Levels { kind, levels, first, end }
    }

    /// Puts the state of one row in the first level.
    pub(super) fn store_leaf(&self, rows: &mut Rows<'_, '_, '_>, val: Val) {
        let leaf = self.kind.leaf(rows.b, val);
        self.store(rows, 0, &leaf);
    }

    fn store(&self, rows: &mut Rows<'_, '_, '_>, level: usize, state: &State) {
        let flat = self.kind.flat(rows.b, state);
        for (buffer, value) in self.levels[level].buffers.iter().zip(flat) {
            rows.b.store(Buffer::Scratch(*buffer), Addr::Row(0), value, None);
        }
    }

    /// The sums of a level that end `ago` rows before `row`; nothing before the first row.
    fn load(&self, rows: &mut Rows<'_, '_, '_>, row: Value, level: usize, ago: u64) -> State {
        let back = rows.b.int(i64::try_from(ago).unwrap_or(i64::MAX));
        let from = rows.b.sub(row, back);
        let exists = rows.b.cmp(Cmp::Ge, from, self.first);
        self.load_if(rows, from, level, Some(exists))
    }

    /// The sums of a level in row `from`; nothing where it does not exist.
    fn load_if(
        &self,
        rows: &mut Rows<'_, '_, '_>,
        from: Value,
        level: usize,
        exists: Option<Value>,
    ) -> State {
        let flat: Vec<Value> = self.levels[level]
            .buffers
            .iter()
            .map(|buffer| rows.b.load(Buffer::Scratch(*buffer), Addr::At(from), exists))
            .collect();
        let state = self.kind.unflat(&flat);
        match exists {
            None => state,
            Some(exists) => {
                let nothing = self.kind.nothing(rows.b);
                self.kind.select(rows.b, exists, &state, &nothing)
            }
        }
    }

    /// Fills the levels above the first.
    pub(super) fn fill(&self, rows: &mut Rows<'_, '_, '_>) {
        for level in 1..self.levels.len() {
            let half = self.levels[level - 1].rows;
            let row = rows.b.open_forv(self.first, self.end);
            let earlier = self.load(rows, row, level - 1, half);
            let later = self.load_if(rows, row, level - 1, None);
            let sum = self.kind.combine(rows.b, &earlier, &later);
            self.store(rows, level, &sum);
            rows.b.close_forv(0);
        }
    }

    /// The result of the window of `count` rows that ends at the loop's row.
    pub(super) fn result(&self, rows: &mut Rows<'_, '_, '_>, row: Value, count: u64, min_count: u64) -> Val {
        let mut left = count;
        let mut total: Option<State> = None;
        for power in powers(count) {
            left -= power;
            let piece = self.load(rows, row, power.trailing_zeros() as usize, left);
            total = Some(match total {
                None => piece,
                Some(total) => self.kind.combine(rows.b, &total, &piece),
            });
        }
        let total = total.unwrap_or_else(|| self.kind.nothing(rows.b));
        self.kind.finish(rows.b, &total, min_count)
    }
}
