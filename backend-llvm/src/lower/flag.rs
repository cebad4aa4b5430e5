//! `flag`: this piece must be computed again.
//!
//! Vector loops collect flags lane by lane in a register, and look at it once, after the loop. The kernel's flag itself
//! is a variable on the stack, which LLVM keeps in a register too.

use super::{builder::V, state::Lower};
use crate::error::Error;
use tilt_ir::loops::{Block, Op, Value};

impl<'c> Lower<'c, '_> {
    /// Raises the flag where `condition` is true, in rows of the loop.
    pub(crate) fn raise(&mut self, condition: Value) -> Result<(), Error> {
        if let Some(condition) = self.uniform(condition)? {
            return self.raise_kernel_flag(condition);
        }
        let condition = self.shaped(condition)?;
        let raised = match self.mode.active {
            Some(active) => self.b.same("arith.andi", &[condition, active])?,
            None => condition,
        };
        match self.mode.flag {
            Some(flag) => {
                self.mode.flag = Some(self.b.same("arith.ori", &[flag, raised])?);
                Ok(())
            }
            None => self.raise_lanes(raised),
        }
    }

    /// Raises the kernel's flag if any lane is true.
    pub(crate) fn raise_lanes(&mut self, lanes: V<'c>) -> Result<(), Error> {
        let any = self.b.any(lanes)?;
        self.raise_kernel_flag(any)
    }

    fn raise_kernel_flag(&mut self, condition: V<'c>) -> Result<(), Error> {
        let ty = self.b.int(32);
        let raised = self.b.resize(condition, 32)?;
        let old = self.load_at(self.flag, ty, 4)?;
        let new = self.b.same("arith.ori", &[old, raised])?;
        self.store_at(self.flag, new, 4)
    }

    /// No flag raised yet, in any lane; nothing if the block cannot raise one.
    pub(crate) fn fresh_flag(&mut self, block: &Block, lanes: u32) -> Result<Option<V<'c>>, Error> {
        let raises = block.insts.iter().any(|inst| matches!(inst.op, Op::Flag(_)));
        if !raises {
            return Ok(None);
        }
        let ty = self.b.shaped(self.b.int(1), Some(lanes));
        self.zero(ty).map(Some)
    }
}
