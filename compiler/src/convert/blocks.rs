//! Grouping `blocks`: windows whose count of rows varies.
//!
//! Before the loop that wants them, two passes over the rows put in scratch, for each row, the fold of its block up to it
//! (prefix) and from it on (suffix). A window is then a suffix, whole blocks, and a prefix.

use tilt_ir::{
    loops::{Addr, Buffer, Cmp, Scratch, Value},
    tir::{self, Def, Reduce},
};

use super::{
    doubling::kind,
    numbers::Val,
    plan::{Mode, Site},
    pointwise::{Frame, Rows},
    rows::Look,
    stage::Writer,
    state::{Kind, State},
};

/// Prefixes and suffixes for rows `first..end`; rows outside are φ, or asked for by no one.
#[derive(Clone, Debug)]
pub(super) struct Arrays {
    kind: Kind,
    prefix: Vec<Scratch>,
    suffix: Vec<Scratch>,
    first: Value,
    end: Value,
}

/// Where blocks are cut.
#[derive(Clone, Copy)]
struct Cut {
    rows: Value,
    origin: Value,
}

impl Cut {
    fn new(b: &mut tilt_ir::loops::Builder<'_>, rows: u64, origin: i64) -> Cut {
        Cut { rows: b.int(i64::try_from(rows).unwrap_or(i64::MAX)), origin: b.int(origin) }
    }
    /// The block of a row.
    fn block(self, b: &mut tilt_ir::loops::Builder<'_>, row: Value) -> Value {
        let from = b.sub(row, self.origin);
        b.floor_div(from, self.rows)
    }
    /// The first row of a block.
    fn start(self, b: &mut tilt_ir::loops::Builder<'_>, block: Value) -> Value {
        let from = b.mul(block, self.rows);
        b.add(from, self.origin)
    }
    fn starts(self, b: &mut tilt_ir::loops::Builder<'_>, row: Value) -> Value {
        let block = self.block(b, row);
        let start = self.start(b, block);
        b.cmp(Cmp::Eq, row, start)
    }
}

impl Arrays {
    /// Makes room for the arrays of `reduce`, wanted by rows `first..end` of `site`.
    pub(super) fn new(
        writer: &mut Writer<'_, '_, '_>,
        reduce: &Reduce,
        (rows, origin): (u64, i64),
        site: Site,
        (first, end): (Value, Value),
    ) -> Arrays {
        let kind = kind(reduce);
        let b = &mut writer.b;
        let cut = Cut::new(b, rows, origin);
        let lowest = Look::new(reduce.window().from, site.grid, reduce.grid()).emit(b, first);
        let lowest = b.add_int(lowest, 1);
        let last = b.add_int(end, -1);
        let highest = Look::new(reduce.window().to, site.grid, reduce.grid()).emit(b, last);
        let (block, last_block) = (cut.block(b, lowest), cut.block(b, highest));
        let mut from = cut.start(b, block);
        let next = b.add_int(last_block, 1);
        let mut to = cut.start(b, next);
        if let Some((first, end)) = writer.present(&reduce.row, reduce.grid()) {
            from = writer.b.max(from, first);
            to = writer.b.min(to, end);
        }
        let mut room = || {
            let types = kind.flat_types();
            types.into_iter().map(|ty| writer.b.scratch(ty, true, from, to)).collect::<Vec<_>>()
        };
        Arrays { kind, prefix: room(), suffix: room(), first: from, end: to }
    }

    fn store(&self, rows: &mut Rows<'_, '_, '_>, buffers: &[Scratch], row: Value, flat: &[Value]) {
        for (buffer, value) in buffers.iter().zip(flat) {
            rows.b.store(Buffer::Scratch(*buffer), Addr::At(row), *value, None);
        }
    }

    /// The fold of the rows of `block` up to `row`, which lies in it.
    fn prefix_to(&self, rows: &mut Rows<'_, '_, '_>, cut: Cut, block: Value, row: Value) -> State {
        let greatest = rows.b.add_int(self.end, -1);
        let row = rows.b.min(row, greatest);
        self.load(rows, &self.prefix, cut, block, row)
    }

    /// The fold of the rows of `block` from `row` on, which lies in it.
    fn suffix_from(&self, rows: &mut Rows<'_, '_, '_>, cut: Cut, block: Value, row: Value) -> State {
        let row = rows.b.max(row, self.first);
        self.load(rows, &self.suffix, cut, block, row)
    }

    /// The state in a row, if it is one of the arrays and of `block`; else nothing.
    fn load(
        &self,
        rows: &mut Rows<'_, '_, '_>,
        buffers: &[Scratch],
        cut: Cut,
        block: Value,
        row: Value,
    ) -> State {
        let (from, to) = (rows.b.cmp(Cmp::Ge, row, self.first), rows.b.cmp(Cmp::Lt, row, self.end));
        let exists = rows.b.and(from, to);
        let own = cut.block(rows.b, row);
        let same = rows.b.cmp(Cmp::Eq, own, block);
        let exists = rows.b.and(exists, same);
        let flat: Vec<Value> = buffers
            .iter()
            .map(|buffer| rows.b.load(Buffer::Scratch(*buffer), Addr::At(row), Some(exists)))
            .collect();
        let nothing = self.kind.nothing(rows.b);
        let state = self.kind.unflat(&flat);
        self.kind.select(rows.b, exists, &state, &nothing)
    }
}

impl<'a> Rows<'_, 'a, '_> {
    fn row_state(
        &mut self,
        def: Def,
        value: tir::Value,
        reduce: &'a Reduce,
        kind: Kind,
        row: Value,
    ) -> State {
        let site = Site { grid: reduce.grid(), offset: 0, mode: Mode::Scalar };
        let frame = Frame { at: (def, Some(value)), body: &reduce.row, site, row, captures: vec![] };
        let val = self.single(&frame);
        kind.leaf(self.b, val)
    }

    /// Fills the arrays: forward for the prefixes, backward for the suffixes.
    pub(super) fn fill_blocks(
        &mut self,
        arrays: &Arrays,
        (def, value): (Def, tir::Value),
        reduce: &'a Reduce,
        (block_rows, origin): (u64, i64),
    ) {
        let kind = arrays.kind;
        let cut = Cut::new(self.b, block_rows, origin);
        let (zero, length) = (self.b.int(0), self.b.sub(arrays.end, arrays.first));
        for forward in [true, false] {
            let nothing = kind.nothing(self.b);
            let init = kind.flat(self.b, &nothing);
            let (facts, buffers, blocks) = (self.facts, self.buffers, self.blocks);
            self.b.for_loop(zero, length, init, |b, k, carried| {
                let mut rows =
                    Rows { facts, b, buffers, blocks, edge: true, past: None, memo: Default::default() };
                let row = match forward {
                    true => rows.b.add(arrays.first, k),
                    false => {
                        let last = rows.b.add_int(arrays.end, -1);
                        rows.b.sub(last, k)
                    }
                };
                let leaf = rows.row_state(def, value, reduce, kind, row);
                let carried = kind.unflat(carried);
                let (fresh, sum, to) = match forward {
                    true => (cut.starts(rows.b, row), kind.combine(rows.b, &carried, &leaf), &arrays.prefix),
                    false => {
                        let next = rows.b.add_int(row, 1);
                        (cut.starts(rows.b, next), kind.combine(rows.b, &leaf, &carried), &arrays.suffix)
                    }
                };
                let state = kind.select(rows.b, fresh, &leaf, &sum);
                let flat = kind.flat(rows.b, &state);
                arrays.store(&mut rows, to, row, &flat);
                flat
            });
        }
    }

    /// The result for the window seen from the frame's row.
    pub(super) fn blocks(
        &mut self,
        frame: &Frame<'a>,
        value: tir::Value,
        reduce: &'a Reduce,
        rows: u64,
        origin: i64,
    ) -> Val {
        let arrays = self.blocks[&(frame.at.0, value)].clone();
        let kind = arrays.kind;
        let cut = Cut::new(self.b, rows, origin);
        let here = self.here(frame);
        let from = Look::new(reduce.window().from, frame.site.grid, reduce.grid()).emit(self.b, here);
        let first = self.b.add_int(from, 1);
        let last = Look::new(reduce.window().to, frame.site.grid, reduce.grid()).emit(self.b, here);
        let (low, high) = (cut.block(self.b, first), cut.block(self.b, last));
        let within = self.b.cmp(Cmp::Eq, low, high);
        let starts = cut.starts(self.b, first);

        let prefix = arrays.prefix_to(self, cut, high, last);
        let suffix = arrays.suffix_from(self, cut, low, first);
        let across = self.whole_blocks(&arrays, cut, low, high, &suffix);
        let across = kind.combine(self.b, &across, &prefix);
        // a window inside a block that starts after it does: row by row
        let direct = self.b.not(starts);
        let direct = self.b.and(within, direct);
        let folded = self.fold_rows(frame.at.0, value, reduce, &arrays, (direct, first, last));
        let inside = kind.select(self.b, starts, &prefix, &folded);
        let state = kind.select(self.b, within, &inside, &across);
        let nothing = kind.nothing(self.b);
        let empty = self.b.cmp(Cmp::Lt, last, first);
        let state = kind.select(self.b, empty, &nothing, &state);
        kind.finish(self.b, &state, reduce.min_count)
    }

    /// `start` combined with the blocks between `low` and `high`.
    fn whole_blocks(&mut self, arrays: &Arrays, cut: Cut, low: Value, high: Value, start: &State) -> State {
        let kind = arrays.kind;
        let init = kind.flat(self.b, start);
        // blocks outside the arrays hold nothing
        let (least, greatest) = (cut.block(self.b, arrays.first), cut.block(self.b, arrays.end));
        let next = self.b.add_int(low, 1);
        let (next, end) = (self.b.max(next, least), self.b.add_int(greatest, 1));
        let high = self.b.min(high, end);
        let (facts, buffers, blocks, edge) = (self.facts, self.buffers, self.blocks, self.edge);
        let flat = self.b.for_loop(next, high, init, |b, block, carried| {
            let mut rows = Rows { facts, b, buffers, blocks, edge, past: None, memo: Default::default() };
            let after = rows.b.add_int(block, 1);
            let after = cut.start(rows.b, after);
            let last = rows.b.add_int(after, -1);
            let whole = arrays.prefix_to(&mut rows, cut, block, last);
            let sum = kind.combine(rows.b, &kind.unflat(carried), &whole);
            kind.flat(rows.b, &sum)
        });
        kind.unflat(&flat)
    }

    fn fold_rows(
        &mut self,
        def: Def,
        value: tir::Value,
        reduce: &'a Reduce,
        arrays: &Arrays,
        (wanted, first, last): (Value, Value, Value),
    ) -> State {
        let kind = arrays.kind;
        let nothing = kind.nothing(self.b);
        let init = kind.flat(self.b, &nothing);
        let end = self.b.add_int(last, 1);
        // rows outside the arrays are φ
        let (first, end) = (self.b.max(first, arrays.first), self.b.min(end, arrays.end));
        let end = self.b.select(wanted, end, first);
        let (facts, buffers, blocks) = (self.facts, self.buffers, self.blocks);
        let flat = self.b.for_loop(first, end, init, |b, row, carried| {
            let mut rows =
                Rows { facts, b, buffers, blocks, edge: true, past: None, memo: Default::default() };
            let leaf = rows.row_state(def, value, reduce, kind, row);
            let sum = kind.combine(rows.b, &kind.unflat(carried), &leaf);
            kind.flat(rows.b, &sum)
        });
        kind.unflat(&flat)
    }
}
