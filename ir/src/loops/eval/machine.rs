//! The walk over a kernel's instructions.

use super::memory::{Memory, Stored};
use super::{Cell, EvalError, arithmetic};
use crate::entity::SideTable;
use crate::loops::{Addr, Block, Buffer, Inst, Kernel, Op, Value};
use crate::{Const, Loc, Type};
use std::collections::{HashMap, HashSet};

pub(super) struct Machine<'a> {
    kernel: &'a Kernel,
    memory: Memory<'a>,
    values: SideTable<Value, Cell>,
    flag: bool,
    /// The row of the innermost loop.
    row: Option<i64>,
    /// Whether this is a row before `lo` of a `forv`.
    warming: bool,
    /// Of the `forv` that runs: what the values that it splices were in its rows so far.
    past: HashMap<Value, Vec<Cell>>,
    loc: Loc,
}

impl<'a> Machine<'a> {
    pub(super) fn new(kernel: &'a Kernel, memory: Memory<'a>) -> Self {
        Machine {
            kernel,
            memory,
            values: SideTable::new(None),
            flag: false,
            row: None,
            warming: false,
            past: HashMap::new(),
            loc: Loc::NONE,
        }
    }
    pub(super) fn run(&mut self, lo: i64, hi: i64) -> Result<(), EvalError> {
        let kernel = self.kernel;
        self.block(&kernel.body, &[int(lo), int(hi)]).map(drop)
    }
    pub(super) fn finish(self) -> (Memory<'a>, bool) {
        (self.memory, self.flag)
    }

    /// Runs a block and gives what it yields.
    fn block(&mut self, block: &Block, params: &[Cell]) -> Result<Vec<Cell>, EvalError> {
        self.set(&block.params, params);
        for inst in &block.insts {
            self.loc = inst.loc;
            let results = self.inst(inst)?;
            self.set(&inst.results, &results);
        }
        Ok(self.all(&block.yields))
    }

    /// Runs an instruction and gives its results.
    fn inst(&mut self, inst: &Inst) -> Result<Vec<Cell>, EvalError> {
        match &inst.op {
            Op::First(stream) => Ok(vec![int(self.memory.rows(*stream).start)]),
            Op::End(stream) => Ok(vec![int(self.memory.rows(*stream).end)]),
            Op::Load { buffer, addr, mask } => Ok(vec![match self.reaches(*mask)? {
                true => self.load(*buffer, *addr)?.value,
                false => Some(arithmetic::zero(self.ty(inst.results[0]))),
            }]),
            Op::LoadValid { buffer, addr, mask } => {
                let valid = self.reaches(*mask)? && self.load(*buffer, *addr)?.valid;
                Ok(vec![Some(Const::Bool(valid))])
            }
            Op::Store { .. } if self.warming => Ok(vec![]),
            Op::Store { buffer, addr, value, valid } => {
                let valid = self.reaches(*valid)?;
                let value = self.values[*value];
                let row = self.address(*addr)?;
                let stored = self.memory.store(*buffer, row, Stored { value, valid });
                stored.map_err(|message| self.error(message))?;
                Ok(vec![])
            }
            Op::Splice { value, by } => Ok(vec![self.splice(*value, *by)]),
            Op::Flag(cond) => {
                self.raise(*cond)?;
                Ok(vec![])
            }
            Op::Scratch { buffer, first, end } => {
                let (first, end) = (self.int(*first)?, self.int(*end)?);
                let made = self.memory.make(*buffer, first, end);
                made.map_err(|message| self.error(message))?;
                Ok(vec![])
            }
            Op::For { lo, hi, init, body } => self.for_loop(*lo, *hi, init, body),
            Op::Forv { lo, hi, warmup, body } => self.forv(*lo, *hi, *warmup, body),
            Op::Reduce { lo, hi, init, step, combine } => self.reduce(*lo, *hi, init, (step, combine)),
            Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Overflows(..)
            | Op::Compare(..)
            | Op::Math(..)
            | Op::Select(..) => {
                let result = arithmetic::inst(self.kernel, inst, |value| self.values[value]);
                Ok(vec![result.map_err(|message| self.error(message))?])
            }
        }
    }

    fn for_loop(
        &mut self,
        lo: Value,
        hi: Value,
        init: &[Value],
        body: &Block,
    ) -> Result<Vec<Cell>, EvalError> {
        let (lo, hi) = (self.int(lo)?, self.int(hi)?);
        let mut carried = self.all(init);
        let around = self.row;
        for row in lo..hi {
            self.row = Some(row);
            carried = self.block(body, &[&[int(row)], &carried[..]].concat())?;
        }
        self.row = around;
        Ok(carried)
    }

    fn forv(&mut self, lo: Value, hi: Value, warmup: u32, body: &Block) -> Result<Vec<Cell>, EvalError> {
        let (lo, hi) = (self.int(lo)?, self.int(hi)?);
        let around = self.row;
        let start = match lo < hi {
            true => lo.saturating_sub(warmup.into()),
            false => hi,
        };
        let spliced = spliced(body);
        for row in start..hi {
            self.row = Some(row);
            self.warming = row < lo;
            self.block(body, &[int(row)])?;
            self.remember(&spliced);
        }
        (self.row, self.warming) = (around, false);
        self.past.clear();
        Ok(vec![])
    }
    /// Keeps what the values that a `forv` splices are in this row.
    fn remember(&mut self, spliced: &HashSet<Value>) {
        for value in spliced {
            let cell = self.values[*value];
            self.past.entry(*value).or_default().push(cell);
        }
    }
    fn splice(&self, value: Value, by: u32) -> Cell {
        let past = self.past.get(&value)?;
        *past.get(past.len().checked_sub(by as usize)?)?
    }

    fn reduce(
        &mut self,
        lo: Value,
        hi: Value,
        init: &[Value],
        (step, combine): (&Block, &Block),
    ) -> Result<Vec<Cell>, EvalError> {
        let (lo, hi) = (self.int(lo)?, self.int(hi)?);
        let mut lanes = vec![self.all(init); 64];
        let around = self.row;
        for row in lo..hi {
            self.row = Some(row);
            let position = row.abs_diff(lo);
            let lane = (position % 64) as usize;
            let head = [int(row), int((position / 64) as i64)];
            lanes[lane] = self.block(step, &[&head[..], &lanes[lane]].concat())?;
        }
        self.row = around;
        for half in [32, 16, 8, 4, 2, 1] {
            for lane in 0..half {
                let states = [&lanes[lane][..], &lanes[lane + half]].concat();
                lanes[lane] = self.block(combine, &states)?;
            }
        }
        Ok(lanes.swap_remove(0))
    }

    fn load(&self, buffer: Buffer, addr: Addr) -> Result<Stored, EvalError> {
        let row = self.address(addr)?;
        let stored = self.memory.load(buffer, row);
        stored.map_err(|message| self.error(message))
    }
    fn address(&self, addr: Addr) -> Result<i64, EvalError> {
        match addr {
            Addr::At(row) => self.int(row),
            Addr::Row(by) => {
                let row = self.row.and_then(|row| row.checked_add(by));
                row.ok_or_else(|| self.error("no such row"))
            }
        }
    }
    /// Whether a mask is true here, or there is none.
    fn reaches(&self, mask: Option<Value>) -> Result<bool, EvalError> {
        match mask.map(|mask| (mask, self.values[mask])) {
            None => Ok(true),
            Some((_, Some(cell))) => Ok(cell == Const::Bool(true)),
            Some((mask, None)) => Err(self.error(format!("{mask} may be anything here"))),
        }
    }
    fn raise(&mut self, cond: Value) -> Result<(), EvalError> {
        self.flag |= match self.values[cond] {
            None if self.warming => false,
            _ => self.reaches(Some(cond))?,
        };
        Ok(())
    }

    fn ty(&self, value: Value) -> Type {
        self.kernel.values[value].ty
    }
    fn int(&self, value: Value) -> Result<i64, EvalError> {
        match self.values[value] {
            Some(Const::Int(i)) => i64::try_from(i).map_err(|_| self.error("no i64")),
            _ => Err(self.error(format!("{value} may be anything here"))),
        }
    }
    fn all(&self, values: &[Value]) -> Vec<Cell> {
        values.iter().map(|value| self.values[*value]).collect()
    }
    fn set(&mut self, values: &[Value], cells: &[Cell]) {
        for (value, cell) in values.iter().zip(cells) {
            self.values[*value] = *cell;
        }
    }
    fn error(&self, message: impl Into<String>) -> EvalError {
        EvalError { loc: self.loc, row: self.row, message: message.into() }
    }
}

fn int(i: i64) -> Cell {
    Some(Const::Int(i.into()))
}

/// The values that a block splices.
fn spliced(body: &Block) -> HashSet<Value> {
    let mut values = HashSet::new();
    for inst in &body.insts {
        if let Op::Splice { value, .. } = inst.op {
            values.insert(value);
        }
    }
    values
}
