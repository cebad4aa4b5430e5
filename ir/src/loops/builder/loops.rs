//! Loops: blocks that are open, and how they are closed.

use super::Builder;
use crate::Type;
use crate::loops::{Block, Op, Value};

/// What an open block belongs to.
#[derive(Debug)]
pub(super) enum Frame {
    Kernel,
    For(Bounds),
    Forv(Bounds),
    Step(Bounds),
    Combine,
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
        let carried = self.types(&init);
        let params = [&[Type::I64], &carried[..]].concat();
        let params = self.push_frame(Frame::For(Bounds { lo, hi, init }), &params);
        let yields = body(self, params[0], &params[1..]);
        let open = self.pop_frame();
        let Frame::For(Bounds { lo, hi, init }) = open.frame else {
            panic!("a loop inside this one is still open");
        };
        let body = Block {
            yields,
            ..open.block
        };
        self.append(Op::For { lo, hi, init, body }, &carried, open.loc)
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
        let op = Op::Forv {
            lo,
            hi,
            warmup,
            body,
        };
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
        let state = self.types(&init);
        let params = [&[Type::I64, Type::I64], &state[..]].concat();
        let params = self.push_frame(Frame::Step(Bounds { lo, hi, init }), &params);
        let yields = step(self, params[0], params[1], &params[2..]);
        let open = self.pop_frame();
        let Frame::Step(Bounds { lo, hi, init }) = open.frame else {
            panic!("a loop inside this one is still open");
        };
        let step = Block {
            yields,
            ..open.block
        };
        let combine = self.combine(&state, combine);
        let op = Op::Reduce {
            lo,
            hi,
            init,
            step,
            combine,
        };
        self.append(op, &state, open.loc)
    }
    fn combine(
        &mut self,
        state: &[Type],
        combine: impl FnOnce(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    ) -> Block {
        let params = self.push_frame(Frame::Combine, &[state, state].concat());
        let (a, b) = params.split_at(state.len());
        let yields = combine(self, a, b);
        let block = self.pop_frame().block;
        Block { yields, ..block }
    }

    /// The row of the innermost loop; in `combine` and at the top level there is none.
    pub fn row(&self) -> Option<Value> {
        let open = self.open.last()?;
        match open.frame {
            Frame::Kernel | Frame::Combine => None,
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
