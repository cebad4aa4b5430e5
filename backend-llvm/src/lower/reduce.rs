//! `reduce`: 64 partial results and a fixed tree.
//!
//! The grouping is part of the query's meaning, so it does not depend on the target: the state is always 64 lanes wide, and
//! the code generator spreads it over as many registers as that takes. The rows after the last whole 64 are one masked step.
//! Then the lanes are halved six times by `combine`: 64 → 32 → … → 1.

use super::{
    builder::{V, lanes_of},
    state::{Lower, Mode, Slot},
};
use crate::{error::Error, target::MAX_LANES};
use melior::ir::{Type, ValueLike};
use tilt_ir::loops::{Block, Value};

impl<'c> Lower<'c, '_> {
    /// Rows `lo..hi` reduced; gives one scalar for each value of the state.
    pub(crate) fn reduction(
        &mut self,
        (lo, hi): (Value, Value),
        init: &[Value],
        step: &Block,
        combine: &Block,
    ) -> Result<Vec<V<'c>>, Error> {
        let count = init.len();
        let matches = step.params.len() == count + 2
            && step.yields.len() == count
            && combine.params.len() == 2 * count
            && combine.yields.len() == count;
        if !matches || self.mode.lanes.is_some() {
            return Err(Error::Program("`reduce` carries values that do not match".into()));
        }
        let (lo, hi) = (self.scalar(lo)?, self.scalar(hi)?);
        let flag = self.fresh_flag(step, MAX_LANES)?;
        let flags = flag.is_some();
        let mut carried: Vec<V<'c>> = flag.into_iter().collect();
        for value in init {
            let scalar = self.scalar(*value)?;
            carried.push(self.b.broadcast(scalar, Some(MAX_LANES))?);
        }

        let around = std::mem::take(&mut self.mode);
        let rows = self.rows_between(lo, hi)?;
        let (carried, steps) = self.whole_steps(step, lo, rows, carried, flags)?;
        let mut carried = self.last_step(step, lo, rows, steps, carried, flags)?;
        self.mode = around.clone();
        if flags {
            let flag = carried.remove(0);
            self.raise_lanes(flag)?;
        }
        let result = self.tree(combine, carried)?;
        self.mode = around;
        Ok(result)
    }

    fn rows_between(&mut self, lo: V<'c>, hi: V<'c>) -> Result<V<'c>, Error> {
        let zero = self.b.i64(0)?;
        let rows = self.b.same("arith.subi", &[hi, lo])?;
        self.b.same("arith.maxsi", &[rows, zero])
    }

    /// The steps of which all 64 rows exist; gives the state, and how many steps there were.
    fn whole_steps(
        &mut self,
        step: &Block,
        lo: V<'c>,
        rows: V<'c>,
        carried: Vec<V<'c>>,
        flags: bool,
    ) -> Result<(Vec<V<'c>>, V<'c>), Error> {
        let (zero, one, six) = (self.b.i64(0)?, self.b.i64(1)?, self.b.i64(6)?);
        let steps = self.b.same("arith.shrui", &[rows, six])?;
        let types: Vec<Type<'c>> = carried.iter().map(|v| v.r#type()).collect();
        let mut params = vec![self.b.int(64)];
        params.extend(&types);
        let (region, now, outer) = self.b.open(&params);
        let next = self.one_step(step, lo, now[0], None, &now[1..], flags)?;
        self.b.close(outer, "scf.yield", &next)?;
        let mut operands = vec![zero, steps, one];
        operands.extend(carried);
        let end = self.b.build("scf.for", &operands, &types, &[], vec![region])?;
        Ok((end, steps))
    }

    /// The step of fewer than 64 rows at the end, if there is one.
    fn last_step(
        &mut self,
        step: &Block,
        lo: V<'c>,
        rows: V<'c>,
        steps: V<'c>,
        carried: Vec<V<'c>>,
        flags: bool,
    ) -> Result<Vec<V<'c>>, Error> {
        let mask = self.b.i64(i64::from(MAX_LANES) - 1)?;
        let rest = self.b.same("arith.andi", &[rows, mask])?;
        let some = self.is_nonzero(rest)?;
        let types: Vec<Type<'c>> = carried.iter().map(|v| v.r#type()).collect();

        let (then, _, outer) = self.b.open(&[]);
        let bits = self.b.low_bits(rest, MAX_LANES)?;
        let active = self.b.unpack(bits, MAX_LANES)?;
        let mut next = self.one_step(step, lo, steps, Some(active), &carried, flags)?;
        for (new, old) in next.iter_mut().zip(&carried).skip(usize::from(flags)) {
            *new = self.b.select(active, *new, *old)?;
        }
        self.b.close(outer, "scf.yield", &next)?;

        let (otherwise, _, outer) = self.b.open(&[]);
        self.b.close(outer, "scf.yield", &carried)?;
        self.branch(some, &types, then, otherwise)
    }

    /// The step block, once, for 64 rows.
    fn one_step(
        &mut self,
        step: &Block,
        lo: V<'c>,
        number: V<'c>,
        active: Option<V<'c>>,
        carried: &[V<'c>],
        flags: bool,
    ) -> Result<Vec<V<'c>>, Error> {
        let six = self.b.i64(6)?;
        let offset = self.b.same("arith.shli", &[number, six])?;
        let row = self.b.same("arith.addi", &[lo, offset])?;
        let (flag, state) = match (flags, carried) {
            (true, [flag, state @ ..]) => (Some(*flag), state),
            (true, []) | (false, _) => (None, carried),
        };
        self.mode = Mode { lanes: Some(MAX_LANES), row: Some(row), active, flag, ..Mode::default() };
        let slots = [Slot::Steps(row, 1), Slot::Uniform(number)].into_iter();
        for (param, slot) in step.params.iter().zip(slots.chain(state.iter().map(|v| Slot::Lanes(*v)))) {
            self.bind(*param, slot);
        }
        self.block(step)?;
        let mut next: Vec<V<'c>> = self.mode.flag.into_iter().collect();
        for value in &step.yields {
            next.push(self.shaped(*value)?);
        }
        Ok(next)
    }

    /// Lane `l` with lane `l + n/2`, until one lane is left.
    fn tree(&mut self, combine: &Block, mut state: Vec<V<'c>>) -> Result<Vec<V<'c>>, Error> {
        let mut half = MAX_LANES / 2;
        while half >= 1 {
            let (mut low, mut high) = (Vec::new(), Vec::new());
            for v in &state {
                low.push(self.lanes_from(*v, 0, half)?);
                high.push(self.lanes_from(*v, half, half)?);
            }
            self.mode = Mode { lanes: (half > 1).then_some(half), ..Mode::default() };
            for (param, v) in combine.params.iter().zip(low.iter().chain(&high)) {
                self.bind_shaped(*param, *v);
            }
            self.block(combine)?;
            state = combine.yields.iter().map(|value| self.shaped(*value)).collect::<Result<_, _>>()?;
            half /= 2;
        }
        Ok(state)
    }

    /// `count` lanes of a vector from `first` on; a scalar if it is one lane.
    fn lanes_from(&mut self, v: V<'c>, first: u32, count: u32) -> Result<V<'c>, Error> {
        if count == 1 {
            return self.b.extract(v, i64::from(first));
        }
        debug_assert_eq!(lanes_of(v.r#type()), Some(2 * count));
        let picks: Vec<i64> = (i64::from(first)..i64::from(first + count)).collect();
        self.b.shuffle(v, v, &picks)
    }
}
