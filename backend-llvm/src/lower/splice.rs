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

use super::{
    builder::V,
    state::{Lower, Slot},
};
use crate::error::Error;
use tilt_ir::loops::{Block, Op, Value};

/// Which values of a loop are spliced, and how many past blocks of each are needed.
pub(crate) struct History {
    lanes: u32,
    depths: Vec<(Value, usize)>,
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
        History { lanes, depths }
    }
}

impl<'c> Lower<'c, '_> {
    /// Past blocks before the first: zeros, in the order in which a loop carries them.
    pub(crate) fn fresh_history(&mut self, history: &History) -> Result<Vec<V<'c>>, Error> {
        let mut past = Vec::new();
        for (value, depth) in &history.depths {
            let ty = match self.type_of(*value)? {
                tilt_ir::Type::Bool => self.b.int(history.lanes),
                other => {
                    let element = self.scalar_type(other);
                    self.b.shaped(element, Some(history.lanes))
                }
            };
            let zero = self.zero(ty)?;
            past.extend(std::iter::repeat_n(zero, *depth));
        }
        Ok(past)
    }

    /// Carried values, by the value that they are the past of.
    pub(crate) fn unpack_history(
        &self,
        history: &History,
        mut carried: &[V<'c>],
    ) -> std::collections::HashMap<Value, Vec<V<'c>>> {
        let mut past = std::collections::HashMap::new();
        for (value, depth) in &history.depths {
            let (own, others) = carried.split_at(carried.len().min(*depth));
            past.insert(*value, own.to_vec());
            carried = others;
        }
        past
    }

    /// The past as the next block sees it: the present block, then all but the oldest.
    pub(crate) fn next_history(&mut self, history: &History) -> Result<Vec<V<'c>>, Error> {
        let mut next = Vec::new();
        for (value, depth) in &history.depths {
            let mut blocks = vec![self.present(*value)?];
            if let Some(past) = self.mode.history.get(value) {
                blocks.extend(past);
            }
            next.extend(blocks.into_iter().take(*depth));
        }
        Ok(next)
    }

    /// A value of the present block, as it is carried.
    fn present(&mut self, value: Value) -> Result<V<'c>, Error> {
        let v = self.shaped(value)?;
        match self.type_of(value)? {
            tilt_ir::Type::Bool => self.b.to_bits(v),
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
            Slot::Row(row) => return self.offset(row, -i64::from(by)).map(Slot::Row),
            Slot::Lanes(_) => {}
        }
        let (blocks, rows) = (by / lanes, by % lanes);
        let newer = self.ago(value, blocks)?;
        let is_bool = self.type_of(value)? == tilt_ir::Type::Bool;
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
            true => self.b.from_bits(spliced, lanes)?,
            false => spliced,
        }))
    }

    /// What `value` was so many blocks ago, as it is carried.
    fn ago(&mut self, value: Value, blocks: u32) -> Result<V<'c>, Error> {
        if blocks == 0 {
            return self.present(value);
        }
        self.mode
            .history
            .get(&value)
            .and_then(|past| past.get(blocks as usize - 1))
            .copied()
            .ok_or_else(|| Error::Program(format!("`splice` of {value} outside of its loop")))
    }
}
