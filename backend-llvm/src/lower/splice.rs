//! `splice`: what a value was some rows earlier.
//!
//! With blocks of `W` rows, the value `k = q·W + s` rows earlier lies in two neighbouring blocks: the last `s` lanes of the
//! one `q + 1` blocks ago, and the others of the one `q` blocks ago. Both are still there, in registers, because the loop
//! carries as many past blocks of a spliced value as its longest splice needs.
//!
//! ```text
//! W = 4, k = 1:    one block ago  a b c d      now  e f g h      spliced  d e f g
//! ```
//!
//! Bools are carried as integers of `W` bits, which shift in one instruction.
//!
//! Registers do for short distances only. What is spliced from farther back goes through a ring in memory (`ring.rs`).

use super::{
    builder::V,
    state::{Lower, Slot},
};
use crate::error::Error;
use melior::ir::Type;
use std::collections::HashMap;
use tilt_ir::{
    Type as IrType,
    loops::{Block, Op, Value},
};

/// More past blocks than this are not carried in registers.
const MOST_CARRIED: usize = 4;

/// Which values of a loop are spliced, and how many past blocks of each are needed.
pub(crate) struct History {
    pub(crate) lanes: u32,
    /// Values whose past is carried in registers.
    carried: Vec<(Value, usize)>,
    /// Values whose past is in memory.
    pub(crate) rings: Vec<(Value, usize)>,
}

impl History {
    /// The history that the body of a loop needs.
    pub(crate) fn of(body: &Block, lanes: u32) -> History {
        let mut depths: Vec<(Value, usize)> = Vec::new();
        for inst in &body.insts {
            if let Op::Splice { value, by } = inst.op {
                let depth = by.div_ceil(lanes) as usize;
                match depths.iter_mut().find(|(known, _)| *known == value) {
                    Some((_, known)) => *known = depth.max(*known),
                    None => depths.push((value, depth)),
                }
            }
        }
        let (carried, rings) = depths.into_iter().partition(|(_, depth)| *depth <= MOST_CARRIED);
        History { lanes, carried, rings }
    }
}

impl<'c> Lower<'c, '_> {
    /// Past blocks before the first: zeros, in the order in which a loop carries them.
    pub(crate) fn fresh_history(&mut self, history: &History) -> Result<Vec<V<'c>>, Error> {
        let mut past = Vec::new();
        for (value, depth) in &history.carried {
            let ty = self.carried_type(*value, history.lanes)?;
            let zero = self.zero(ty)?;
            past.extend(std::iter::repeat_n(zero, *depth));
        }
        Ok(past)
    }

    /// The type of one block of a value, as it is carried.
    pub(crate) fn carried_type(&self, value: Value, lanes: u32) -> Result<Type<'c>, Error> {
        Ok(match self.type_of(value)? {
            IrType::Bool => self.b.int(lanes),
            other => self.b.shaped(self.scalar_type(other), Some(lanes)),
        })
    }

    /// Carried values, by the value that they are the past of.
    pub(crate) fn unpack_history(
        &self,
        history: &History,
        mut carried: &[V<'c>],
    ) -> HashMap<Value, Vec<V<'c>>> {
        let mut past = HashMap::new();
        for (value, depth) in &history.carried {
            let (own, others) = carried.split_at(carried.len().min(*depth));
            past.insert(*value, own.to_vec());
            carried = others;
        }
        past
    }

    /// The past as the next block sees it: the present block, then all but the oldest.
    pub(crate) fn next_history(&mut self, history: &History) -> Result<Vec<V<'c>>, Error> {
        let mut next = Vec::new();
        for (value, depth) in &history.carried {
            let mut blocks = vec![self.present(*value)?];
            if let Some(past) = self.mode.history.get(value) {
                blocks.extend(past);
            }
            next.extend(blocks.into_iter().take(*depth));
        }
        Ok(next)
    }

    /// A value of the present block, as it is carried.
    pub(crate) fn present(&mut self, value: Value) -> Result<V<'c>, Error> {
        let v = self.shaped(value)?;
        match self.type_of(value)? {
            IrType::Bool => self.b.pack(v),
            _ => Ok(v),
        }
    }

    /// What `value` was `by` rows earlier.
    pub(crate) fn splice(&mut self, value: Value, by: u32) -> Result<Slot<'c>, Error> {
        let Some(lanes) = self.mode.lanes else {
            return Err(Error::Program("`splice` outside of `forv`".into()));
        };
        match self.slot(value)? {
            Slot::Uniform(same) => return Ok(Slot::Uniform(same)),
            Slot::Steps(first, step) => {
                let back = i64::from(by).saturating_mul(step);
                let first = self.offset(first, back.wrapping_neg())?;
                return Ok(Slot::Steps(first, step));
            }
            Slot::Lanes(_) => {}
        }
        let (blocks, rows) = (by / lanes, by % lanes);
        let newer = self.ago(value, blocks)?;
        let is_bool = self.type_of(value)? == IrType::Bool;
        let spliced = if rows == 0 {
            newer
        } else {
            let older = self.ago(value, blocks + 1)?;
            if is_bool {
                let distance = self.b.int_like(newer, i64::from(rows))?;
                self.b.same("llvm.intr.fshl", &[newer, older, distance])?
            } else {
                let first = i64::from(lanes - rows);
                let picks: Vec<i64> = (first..first + i64::from(lanes)).collect();
                self.b.shuffle(older, newer, &picks)?
            }
        };
        Ok(Slot::Lanes(match is_bool {
            true => self.b.unpack(spliced, lanes)?,
            false => spliced,
        }))
    }

    /// What `value` was so many blocks ago, as it is carried.
    fn ago(&mut self, value: Value, blocks: u32) -> Result<V<'c>, Error> {
        if blocks == 0 {
            return self.present(value);
        }
        if let Some(ring) = self.mode.rings.get(&value).copied() {
            return self.ring_load(ring, value, blocks);
        }
        self.mode
            .history
            .get(&value)
            .and_then(|past| past.get(blocks as usize - 1))
            .copied()
            .ok_or_else(|| Error::Program(format!("`splice` of {value} outside of its loop")))
    }
}
