//! The past of values that are spliced from far back.
//!
//! A window of an hour of seconds needs the value of 2048 rows ago: hundreds of blocks, which no registers hold. Such a value
//! is stored block by block into a ring of scratch memory, whose size is a power of two; the blocks that a splice needs are
//! loaded from it again, aligned. It stays in the nearest cache that it fits in.

use super::{
    builder::{Attr, V},
    splice::History,
    state::Lower,
};
use crate::{error::Error, runtime::arena};
use melior::ir::Attribute;
use std::collections::HashMap;
use tilt_ir::{Type as IrType, loops::Value};

/// A ring of past blocks of one value.
#[derive(Clone, Copy)]
pub(crate) struct Ring<'c> {
    memory: V<'c>,
    /// Rows that fit in: a power of two, and a multiple of the lanes.
    rows: i64,
}

impl<'c> Lower<'c, '_> {
    /// Rings full of zeros, for one run of a loop. The memory is taken once per call of the kernel.
    pub(crate) fn fresh_rings(&mut self, history: &History) -> Result<HashMap<Value, Ring<'c>>, Error> {
        let mut rings = HashMap::new();
        for (value, depth) in &history.rings {
            let blocks = (depth + 1).next_power_of_two();
            let rows = i64::try_from(blocks)
                .ok()
                .and_then(|blocks| blocks.checked_mul(i64::from(history.lanes)))
                .ok_or_else(|| Error::Program(format!("{value} is spliced from too far back")))?;
            let bits = i64::from(self.type_of(*value)?.bits());
            let bytes = rows.saturating_mul(bits) / 8;
            let memory = self.prologue_memory(bytes)?;
            self.clear(memory, bytes)?;
            rings.insert(*value, Ring { memory, rows });
        }
        Ok(rings)
    }

    /// Scratch memory that is there for the whole call.
    fn prologue_memory(&mut self, bytes: i64) -> Result<V<'c>, Error> {
        let (word, pointer) = (self.b.int(64), self.pointer_type());
        let size = self.b.int_attribute(64, bytes);
        let size = self.prologue(("arith.constant", &[], word, &[("value", size)]))?;
        let callee: Attr<'c> = ("callee", super::symbol(&self.b, arena::SCRATCH));
        self.called.insert(arena::SCRATCH.to_owned());
        self.prologue(("func.call", &[self.arena, size], pointer, &[callee]))
    }

    fn clear(&mut self, memory: V<'c>, bytes: i64) -> Result<(), Error> {
        let (zero, bytes) = (self.b.int_constant(8, 0)?, self.b.i64(bytes)?);
        let plain = Attribute::parse(self.b.context(), "false")
            .ok_or_else(|| Error::Program("no such attribute: false".into()))?;
        self.b.effect("llvm.intr.memset", &[memory, zero, bytes], &[("isVolatile", plain)])
    }

    /// Stores the present block of every value that has a ring.
    pub(crate) fn store_rings(&mut self, rings: &HashMap<Value, Ring<'c>>) -> Result<(), Error> {
        let mut rings: Vec<_> = rings.iter().collect();
        rings.sort_by_key(|(value, _)| **value);
        for (value, ring) in rings {
            let present = self.present(*value)?;
            let address = self.ring_block(*ring, *value, 0)?;
            self.store_at(address, present, 1)?;
        }
        Ok(())
    }

    /// What `value` was so many blocks ago.
    pub(crate) fn ring_load(&mut self, ring: Ring<'c>, value: Value, blocks: u32) -> Result<V<'c>, Error> {
        let lanes = self.mode.lanes.unwrap_or(1);
        let address = self.ring_block(ring, value, i64::from(blocks) * i64::from(lanes))?;
        let ty = self.carried_type(value, lanes)?;
        self.load_at(address, ty, 1)
    }

    /// The address of the block so many rows ago.
    fn ring_block(&mut self, ring: Ring<'c>, value: Value, ago: i64) -> Result<V<'c>, Error> {
        let row = self.row(-ago)?;
        let mask = self.b.i64(ring.rows - 1)?;
        let place = self.b.same("arith.andi", &[row, mask])?;
        match self.type_of(value)? {
            IrType::Bool => {
                let three = self.b.i64(3)?;
                let byte = self.b.same("arith.shrui", &[place, three])?;
                self.element(ring.memory, byte, self.b.int(8))
            }
            other => self.element(ring.memory, place, self.scalar_type(other)),
        }
    }
}
