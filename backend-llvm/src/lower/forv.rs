//! `forv`: a vector loop.
//!
//! Rows are taken in blocks of `W`, aligned to multiples of `W` of the absolute row: so bitmaps are stored as whole bytes,
//! and the blocks of different loops over the same buffers coincide. The body is built twice. The *main* copy is for blocks
//! of which all rows are in the loop; it has no masks. The *edge* copy masks: it takes the blocks at both ends, and those of
//! the warm-up.
//!
//! ```text
//! block = floor(lo - warmup, W)
//! while block < hi
//!   if lo <= block and block + W <= hi
//!     for block to floor(hi, W) step W { main }
//!   else
//!     edge
//! ```
//!
//! Where a body stores no validity in a buffer that has one, all its rows are valid: the bits are filled before the loop.
//!
//! From block to block are carried: the flags raised, lane by lane, and the history that `splice` looks at.

use super::{
    builder::V,
    pattern::Pattern,
    ring::Ring,
    splice::History,
    state::{Lower, Mode, Slot},
    vectors::IntCmp,
    width,
};
use crate::error::Error;
use melior::ir::{Type, ValueLike};
use std::collections::HashMap;
use tilt_ir::loops::{Block, Value};

/// A vector loop being lowered.
struct Forv<'c, 'b> {
    body: &'b Block,
    row: Value,
    lanes: u32,
    warmup: i64,
    lo: V<'c>,
    hi: V<'c>,
    history: History,
    rings: HashMap<Value, Ring<'c>>,
    flags: bool,
}

impl<'c> Lower<'c, '_> {
    /// Rows `lo..hi`, after `warmup` rows that are computed but not stored.
    pub(crate) fn vector_loop(
        &mut self,
        (lo, hi): (Value, Value),
        warmup: u32,
        body: &Block,
    ) -> Result<(), Error> {
        let [row] = Self::exactly(&body.params, "parameters of `forv`")?;
        let lanes = width::lanes(self.kernel, body, self.vector_bits);
        let (lo, hi) = (self.scalar(lo)?, self.scalar(hi)?);
        self.fill_validity(body, lo, hi)?;
        let flag = self.fresh_flag(body, lanes)?;
        let history = History::of(body, lanes);
        let mut carried: Vec<V<'c>> = flag.into_iter().collect();
        carried.extend(self.fresh_history(&history)?);
        let rings = self.fresh_rings(&history)?;
        let forv = Forv {
            body,
            row,
            lanes,
            warmup: i64::from(warmup),
            lo,
            hi,
            history,
            rings,
            flags: flag.is_some(),
        };

        let first = self.first_block(&forv)?;
        let around = std::mem::take(&mut self.mode);
        let carried = self.all_blocks(&forv, first, carried)?;
        self.mode = around;
        match carried.first() {
            Some(flag) if forv.flags => self.raise_lanes(*flag),
            Some(_) | None => Ok(()),
        }
    }

    /// The first block; `hi` if there are no rows, so that there is no block either.
    fn first_block(&mut self, forv: &Forv<'c, '_>) -> Result<V<'c>, Error> {
        let some = self.b.compare(IntCmp::Slt, forv.lo, forv.hi)?;
        let warm = self.offset(forv.lo, -forv.warmup)?;
        let first = self.b.floor_to(warm, i64::from(forv.lanes))?;
        self.b.select(some, first, forv.hi)
    }

    /// The `while` over stretches of main blocks and single edge blocks.
    fn all_blocks(
        &mut self,
        forv: &Forv<'c, '_>,
        first: V<'c>,
        carried: Vec<V<'c>>,
    ) -> Result<Vec<V<'c>>, Error> {
        let mut state = vec![first];
        state.extend(carried);
        let types: Vec<Type<'c>> = state.iter().map(|v| v.r#type()).collect();

        let (before, now, outer) = self.b.open(&types);
        let more = self.b.compare(IntCmp::Slt, now[0], forv.hi)?;
        let mut condition = vec![more];
        condition.extend(&now);
        self.b.close(outer, "scf.condition", &condition)?;

        let (after, now, outer) = self.b.open(&types);
        let lanes = i64::from(forv.lanes);
        let past = self.offset(now[0], lanes)?;
        let begun = self.b.compare(IntCmp::Sge, now[0], forv.lo)?;
        let fits = self.b.compare(IntCmp::Sle, past, forv.hi)?;
        let whole = self.b.same("arith.andi", &[begun, fits])?;

        let (main, _, inner) = self.b.open(&[]);
        let end = self.b.floor_to(forv.hi, lanes)?;
        let mut next = vec![end];
        next.extend(self.main_blocks(forv, now[0], end, &now[1..])?);
        self.b.close(inner, "scf.yield", &next)?;

        let (edge, _, inner) = self.b.open(&[]);
        let mut next = vec![past];
        next.extend(self.edge_block(forv, now[0], &now[1..])?);
        self.b.close(inner, "scf.yield", &next)?;

        let next = self.branch(whole, &types, main, edge)?;
        self.b.close(outer, "scf.yield", &next)?;
        let mut end = self.b.build("scf.while", &state, &types, &[], vec![before, after])?;
        end.remove(0);
        Ok(end)
    }

    fn main_blocks(
        &mut self,
        forv: &Forv<'c, '_>,
        first: V<'c>,
        end: V<'c>,
        carried: &[V<'c>],
    ) -> Result<Vec<V<'c>>, Error> {
        let types: Vec<Type<'c>> = carried.iter().map(|v| v.r#type()).collect();
        let mut params = vec![self.b.int(64)];
        params.extend(&types);
        let (region, now, outer) = self.b.open(&params);
        let next = self.one_block(forv, now[0], None, None, &now[1..])?;
        self.b.close(outer, "scf.yield", &next)?;
        let mut operands = vec![first, end, self.b.i64(i64::from(forv.lanes))?];
        operands.extend(carried);
        self.b.build("scf.for", &operands, &types, &[], vec![region])
    }

    fn edge_block(
        &mut self,
        forv: &Forv<'c, '_>,
        block: V<'c>,
        carried: &[V<'c>],
    ) -> Result<Vec<V<'c>>, Error> {
        let from = self.b.same("arith.subi", &[forv.lo, block])?;
        let to = self.b.same("arith.subi", &[forv.hi, block])?;
        let stored = self.b.lane_range(from, to, forv.lanes)?;
        let active = match forv.warmup {
            0 => stored,
            warmup => {
                let from = self.offset(from, -warmup)?;
                self.b.lane_range(from, to, forv.lanes)?
            }
        };
        self.one_block(forv, block, Some(active), Some(stored), carried)
    }

    /// The body, once, for the rows of one block.
    fn one_block(
        &mut self,
        forv: &Forv<'c, '_>,
        block: V<'c>,
        active: Option<V<'c>>,
        stored: Option<V<'c>>,
        carried: &[V<'c>],
    ) -> Result<Vec<V<'c>>, Error> {
        let (flag, past) = match (forv.flags, carried) {
            (true, [flag, past @ ..]) => (Some(*flag), past),
            (true, []) | (false, _) => (None, carried),
        };
        self.mode = Mode {
            lanes: Some(forv.lanes),
            filled: true,
            row: Some(block),
            aligned: true,
            active,
            stored,
            flag,
            history: self.unpack_history(&forv.history, past),
            rings: forv.rings.clone(),
        };
        self.bind(forv.row, Slot::Steps(block, 1));
        self.patterns.insert(forv.row, Pattern::rows(forv.lanes));
        self.block(forv.body)?;
        self.store_rings(&forv.rings)?;
        let mut next: Vec<V<'c>> = self.mode.flag.into_iter().collect();
        next.extend(self.next_history(&forv.history)?);
        Ok(next)
    }
}
