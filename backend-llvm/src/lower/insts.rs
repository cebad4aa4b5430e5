//! One instruction after the other.

use super::{
    builder::V,
    state::{Lower, Slot},
};
use crate::error::Error;
use melior::ir::{Location, Region, Type};
use tilt_ir::{
    Const, Loc,
    loops::{Block, Inst, Op, Value},
};

impl<'c> Lower<'c, '_> {
    /// Lowers the instructions of a block, whose parameters are bound.
    pub(crate) fn block(&mut self, block: &Block) -> Result<(), Error> {
        block.insts.iter().try_for_each(|inst| self.inst(inst))
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), Error> {
        let location = self.location(inst.loc);
        self.b.set_location(location);
        match &inst.op {
            Op::Const(value) => {
                let (result, ty) = self.result(inst)?;
                let v = self.constant(*value, ty)?;
                self.bind(result, Slot::Uniform(v));
                if let Const::Int(value) = value {
                    self.constants.extend(i64::try_from(*value).map(|value| (result, value)));
                }
                Ok(())
            }
            Op::First(stream) => {
                let v = self.arg(crate::abi::Arg::First(*stream))?;
                self.define(inst, v)
            }
            Op::End(stream) => {
                let v = self.arg(crate::abi::Arg::End(*stream))?;
                self.define(inst, v)
            }
            Op::Unary(op, a) => {
                let (_, ty) = self.result(inst)?;
                let v = self.unary(*op, *a, ty)?;
                self.define(inst, v)
            }
            Op::Binary(op, a, b) => {
                let (result, _) = self.result(inst)?;
                let slot = match self.on_patterns(*op, result, (*a, *b))? {
                    Some(slot) => Some(slot),
                    None => self.on_steps(*op, result, (*a, *b))?,
                };
                if let Some(slot) = slot {
                    self.bind(result, slot);
                    return Ok(());
                }
                let v = self.binary(*op, *a, *b)?;
                self.define(inst, v)
            }
            Op::Overflows(op, a, b) => {
                let v = self.overflows(*op, *a, *b)?;
                self.define(inst, v)
            }
            Op::Compare(by, a, b) => {
                let v = self.comparison(*by, *a, *b)?;
                self.define(inst, v)
            }
            Op::Math(function, args) => {
                let v = self.math(*function, args)?;
                self.define(inst, v)
            }
            Op::Select(condition, a, b) => {
                let v = self.selection(*condition, *a, *b)?;
                self.define(inst, v)
            }
            Op::Load { buffer, addr, mask } => {
                let v = self.load(*buffer, *addr, *mask)?;
                self.define(inst, v)
            }
            Op::LoadValid { buffer, addr, mask } => {
                let v = self.load_valid(*buffer, *addr, *mask)?;
                self.define(inst, v)
            }
            Op::Splice { value, by } => {
                let (result, _) = self.result(inst)?;
                let slot = self.splice(*value, *by)?;
                self.bind(result, slot);
                Ok(())
            }
            Op::Store { buffer, addr, value, valid } => self.store(*buffer, *addr, *value, *valid),
            Op::Flag(condition) => self.raise(*condition),
            Op::Scratch { buffer, first, end } => self.scratch(*buffer, *first, *end),
            Op::For { lo, hi, init, body } => {
                let results = self.ordered_loop((*lo, *hi), init, body)?;
                self.define_all(inst, &results)
            }
            Op::Forv { lo, hi, warmup, body } => self.vector_loop((*lo, *hi), *warmup, body),
            Op::Reduce { lo, hi, init, step, combine } => {
                let results = self.reduction((*lo, *hi), init, step, combine)?;
                self.define_all(inst, &results)
            }
        }
    }

    fn location(&self, loc: Loc) -> Location<'c> {
        let context = self.b.context();
        if loc == Loc::NONE {
            return Location::unknown(context);
        }
        let name = &self.program.source;
        Location::new(context, name, loc.line as usize, loc.column as usize)
    }

    fn result(&self, inst: &Inst) -> Result<(Value, tilt_ir::Type), Error> {
        match inst.results.as_slice() {
            [result] => Ok((*result, self.type_of(*result)?)),
            other => {
                Err(Error::Program(format!("an operation with {} results where one is due", other.len())))
            }
        }
    }

    fn define(&mut self, inst: &Inst, v: V<'c>) -> Result<(), Error> {
        self.define_all(inst, &[v])
    }

    fn define_all(&mut self, inst: &Inst, values: &[V<'c>]) -> Result<(), Error> {
        if inst.results.len() != values.len() {
            return Err(Error::Program(format!(
                "an operation with {} results where {} are due",
                inst.results.len(),
                values.len()
            )));
        }
        for (result, v) in inst.results.iter().zip(values) {
            self.bind_shaped(*result, *v);
        }
        Ok(())
    }

    /// `scf.if` with two regions.
    pub(crate) fn branch(
        &mut self,
        condition: V<'c>,
        results: &[Type<'c>],
        then: Region<'c>,
        otherwise: Region<'c>,
    ) -> Result<Vec<V<'c>>, Error> {
        self.b.build("scf.if", &[condition], results, &[], vec![then, otherwise])
    }

    /// Exactly `N` of something that Loop IR says there are `N` of.
    pub(crate) fn exactly<const N: usize>(values: &[Value], what: &str) -> Result<[Value; N], Error> {
        values.try_into().map_err(|_| Error::Program(format!("{what}: {} where {N} are due", values.len())))
    }
}
