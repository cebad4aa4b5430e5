//! Loops: blocks that are open, and how they are closed.
//!
//! Each loop can be built with closures, or with a pair of `open_…` and `close_…` where closures would have to share
//! what they change.

use super::Builder;
use crate::loops::{Block, Op, Value};
use crate::{Loc, Type};

/// What an open block belongs to.
#[derive(Debug)]
pub(super) enum Frame {
    Kernel,
    For(Bounds),
    Forv(Bounds),
    Step(Bounds),
    Combine(Bounds, Block, Loc),
}

/// The rows of a loop and what it starts from.
#[derive(Debug)]
pub(super) struct Bounds {
    lo: Value,
    hi: Value,
    init: Vec<Value>,
}

impl Builder<'_> {
    /// A loop in order over rows `lo..hi`. `body` gets the row and the carried values and gives their next values; the results
    /// are what they are at the end.
    pub fn for_loop(
        &mut self,
        lo: Value,
        hi: Value,
        init: Vec<Value>,
        body: impl FnOnce(&mut Self, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let (row, carried) = self.open_for(lo, hi, init);
        let yields = body(self, row, &carried);
        self.close_for(yields)
    }
    /// Opens a loop in order over rows `lo..hi` and gives its row and its carried values.
    pub fn open_for(&mut self, lo: Value, hi: Value, init: Vec<Value>) -> (Value, Vec<Value>) {
        let types = [vec![Type::I64], self.types(&init)].concat();
        let mut params = self.push_frame(Frame::For(Bounds { lo, hi, init }), &types);
        (params.remove(0), params)
    }
    /// Closes the open loop in order: `yields` are the next carried values. Its results.
    ///
    /// # Panics
    /// If the innermost open block is not one of a loop in order.
    pub fn close_for(&mut self, yields: Vec<Value>) -> Vec<Value> {
        let open = self.pop_frame();
        let Frame::For(Bounds { lo, hi, init }) = open.frame else {
            panic!("no loop in order is open here");
        };
        let types = self.types(&init);
        let body = Block { yields, ..open.block };
        self.append(Op::For { lo, hi, init, body }, &types, open.loc)
    }

    /// A vector loop over rows `lo..hi`.
    pub fn forv(&mut self, lo: Value, hi: Value, warmup: u32, body: impl FnOnce(&mut Self, Value)) {
        let row = self.open_forv(lo, hi);
        body(self, row);
        self.close_forv(warmup);
    }
    /// Opens a vector loop over rows `lo..hi` and gives its row; [`Builder::close_forv`] closes it.
    pub fn open_forv(&mut self, lo: Value, hi: Value) -> Value {
        let init = vec![];
        self.push_frame(Frame::Forv(Bounds { lo, hi, init }), &[Type::I64])[0]
    }
    /// Closes the open vector loop: `warmup` rows before `lo` are computed, too.
    ///
    /// # Panics
    /// If the innermost open block is not one of a vector loop.
    pub fn close_forv(&mut self, warmup: u32) {
        let open = self.pop_frame();
        let Frame::Forv(Bounds { lo, hi, .. }) = open.frame else {
            panic!("no vector loop is open here");
        };
        let body = open.block;
        let op = Op::Forv { lo, hi, warmup, body };
        self.append(op, &[], open.loc);
    }

    /// Rows `lo..hi` reduced in 64 lanes. `step` gets the row, the step and a lane's state and gives its next state; `combine` gets
    /// two states and gives one.
    pub fn reduce(
        &mut self,
        lo: Value,
        hi: Value,
        init: Vec<Value>,
        step: impl FnOnce(&mut Self, Value, Value, &[Value]) -> Vec<Value>,
        combine: impl FnOnce(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let (row, number, state) = self.open_reduce(lo, hi, init);
        let yields = step(self, row, number, &state);
        let (x, y) = self.open_combine(yields);
        let yields = combine(self, &x, &y);
        self.close_reduce(yields)
    }
    /// Opens a reduction over rows `lo..hi` and gives its row, its step and a lane's state.
    pub fn open_reduce(&mut self, lo: Value, hi: Value, init: Vec<Value>) -> (Value, Value, Vec<Value>) {
        let types = [vec![Type::I64, Type::I64], self.types(&init)].concat();
        let mut params = self.push_frame(Frame::Step(Bounds { lo, hi, init }), &types);
        let state = params.split_off(2);
        (params[0], params[1], state)
    }
    /// Goes on from the steps of the open reduction, whose next state is `yields`, to how two states are combined: these states.
    ///
    /// # Panics
    /// If the innermost open block is not one of the steps of a reduction.
    pub fn open_combine(&mut self, yields: Vec<Value>) -> (Vec<Value>, Vec<Value>) {
        let open = self.pop_frame();
        let Frame::Step(bounds) = open.frame else {
            panic!("no reduction is open here");
        };
        let step = Block { yields, ..open.block };
        let state = self.types(&bounds.init);
        let types = [&state[..], &state[..]].concat();
        let mut x = self.push_frame(Frame::Combine(bounds, step, open.loc), &types);
        let y = x.split_off(state.len());
        (x, y)
    }
    /// Closes the open reduction: `yields` are what two states are combined to. Its results.
    ///
    /// # Panics
    /// If the innermost open block does not say how the states of a reduction are combined.
    pub fn close_reduce(&mut self, yields: Vec<Value>) -> Vec<Value> {
        let open = self.pop_frame();
        let Frame::Combine(Bounds { lo, hi, init }, step, loc) = open.frame else {
            panic!("no states are combined here");
        };
        let types = self.types(&init);
        let combine = Block { yields, ..open.block };
        let op = Op::Reduce { lo, hi, init, step, combine };
        self.append(op, &types, loc)
    }

    /// The row of the innermost loop; in `combine` and at the top level there is none.
    pub fn row(&self) -> Option<Value> {
        let open = self.open.last()?;
        match open.frame {
            Frame::Kernel | Frame::Combine(..) => None,
            Frame::For(_) | Frame::Forv(_) | Frame::Step(_) => open.block.params.first().copied(),
        }
    }
    /// Whether the innermost open block defines `value`.
    pub(super) fn defined_here(&self, value: Value) -> bool {
        self.open.last().is_some_and(|open| {
            let results = open.block.insts.iter().flat_map(|inst| &inst.results);
            open.block.params.iter().chain(results).any(|v| *v == value)
        })
    }
    fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|v| self.ty(*v)).collect()
    }
}
