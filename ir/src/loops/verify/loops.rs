//! Loops.

use super::scope::{Check, Place};
use crate::Type;
use crate::loops::{Block, Buffer, Op, Value};

impl<'a> Check<'a> {
    /// Checks a loop with its blocks and gives the types of its results.
    pub(super) fn loops(&mut self, op: &'a Op) -> Option<Vec<Type>> {
        match self.place() {
            Place::Kernel | Place::For => {}
            Place::Forv(_) => self.error("there are no loops in `forv`"),
            Place::Step | Place::Combine => self.error("there are no loops in `reduce`"),
        }
        match op {
            Op::For { lo, hi, init, body } => {
                let carried = self.bounds(*lo, *hi, init)?;
                let params = [&[Type::I64], &carried[..]].concat();
                self.block(Place::For, body, &params, &carried);
                Some(carried)
            }
            Op::Forv { lo, hi, warmup, body } => {
                self.bounds(*lo, *hi, &[])?;
                self.block(Place::Forv(*warmup), body, &[Type::I64], &[]);
                self.no_order(body);
                Some(vec![])
            }
            Op::Reduce { lo, hi, init, step, combine } => {
                let state = self.bounds(*lo, *hi, init)?;
                let params = [&[Type::I64, Type::I64], &state[..]].concat();
                self.block(Place::Step, step, &params, &state);
                let params = [&state[..], &state[..]].concat();
                self.block(Place::Combine, combine, &params, &state);
                Some(state)
            }
            Op::Const(_) | Op::Unary(..) | Op::Binary(..) | Op::Overflows(..) => None,
            Op::Compare(..) | Op::Math(..) | Op::Select(..) | Op::Flag(_) => None,
            Op::First(_) | Op::End(_) | Op::Splice { .. } | Op::Scratch { .. } => None,
            Op::Load { .. } | Op::LoadValid { .. } | Op::Store { .. } => None,
        }
    }

    fn bounds(&mut self, lo: Value, hi: Value, init: &[Value]) -> Option<Vec<Type>> {
        self.is(lo, Type::I64);
        self.is(hi, Type::I64);
        init.iter().map(|value| self.ty(*value)).collect()
    }

    /// A vector loop does not load from scratch that it stores.
    fn no_order(&mut self, body: &Block) {
        let stored = |buffer: &Buffer| {
            let mut insts = body.insts.iter();
            insts.any(|inst| matches!(&inst.op, Op::Store { buffer: b, .. } if b == buffer))
        };
        for inst in &body.insts {
            if let Op::Load { buffer, .. } | Op::LoadValid { buffer, .. } = &inst.op
                && stored(buffer)
            {
                self.error(format!("this `forv` loads {buffer} and stores it"));
            }
        }
    }
}
