//! Blocks and the values that can be seen in them.

use super::VerifyError;
use crate::entity::SideTable;
use crate::loops::{Block, Inst, Kernel, Op, Program, Scratch, Value};
use crate::text::MAX_DEPTH;
use crate::{Loc, Type};

/// What is wrong with a kernel.
pub(super) fn kernel(program: &Program, kernel: &Kernel) -> Vec<VerifyError> {
    let mut check = Check {
        program,
        kernel,
        open: Vec::new(),
        values: SideTable::new(State::Unknown),
        made: SideTable::new(false),
        inst: None,
        errors: Vec::new(),
    };
    check.block(Place::Kernel, &kernel.body, &[Type::I64, Type::I64], &[]);
    for value in kernel.values.ids() {
        if check.values[value] == State::Unknown {
            check.error(format!("{value} is never defined"));
        }
    }
    check.errors
}

/// What kind of block an instruction stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The kernel's own.
    Kernel,
    /// The body of a `for`.
    For,
    /// The body of a `forv` with this warm-up.
    Forv(u32),
    /// The first block of a `reduce`.
    Step,
    /// The second block of a `reduce`.
    Combine,
}

/// Where a value is with respect to the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Not defined yet.
    Unknown,
    /// Defined in the open block of this number.
    Seen(usize),
    /// Defined in a block that is over.
    Gone,
}

/// The walk over a kernel, in order.
pub(super) struct Check<'a> {
    pub(super) program: &'a Program,
    pub(super) kernel: &'a Kernel,
    /// The blocks around this place, the kernel's own first.
    pub(super) open: Vec<Place>,
    pub(super) values: SideTable<Value, State>,
    /// Scratch for which there is room.
    pub(super) made: SideTable<Scratch, bool>,
    inst: Option<&'a Inst>,
    errors: Vec<VerifyError>,
}

impl<'a> Check<'a> {
    /// A block whose parameters are of types `params` and that yields values of types `yields`.
    pub(super) fn block(&mut self, place: Place, block: &'a Block, params: &[Type], yields: &[Type]) {
        if self.open.len() == MAX_DEPTH {
            return self.error(format!("blocks are nested more than {MAX_DEPTH} levels deep"));
        }
        let around = self.inst;
        self.open.push(place);
        self.define_all("parameters", &block.params, params);
        for inst in &block.insts {
            self.inst = Some(inst);
            self.inst(inst);
        }
        self.inst = around;
        self.uses("yields", &block.yields, yields);
        self.open.pop();
        let results = block.insts.iter().flat_map(|inst| &inst.results);
        for value in block.params.iter().chain(results) {
            if self.kernel.values.get(*value).is_some() {
                self.values[*value] = State::Gone;
            }
        }
    }

    fn inst(&mut self, inst: &'a Inst) {
        for operand in inst.op.operands() {
            self.seen(operand);
        }
        if self.place() == Place::Combine && !self.is_arithmetic(&inst.op) {
            self.error("`combine` has only arithmetic and `flag`");
        }
        let results = self.results(inst);
        if let Some(types) = results {
            self.define_all("results", &inst.results, &types);
        } else {
            // what they should be is not known
            inst.results.iter().for_each(|value| self.define(*value));
        }
    }

    /// Checks an operation and gives the types of its results; `None` if that cannot be said.
    fn results(&mut self, inst: &'a Inst) -> Option<Vec<Type>> {
        match &inst.op {
            Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Overflows(..)
            | Op::Compare(..)
            | Op::Math(..)
            | Op::Select(..) => {
                let result = inst.results.first().and_then(|value| self.ty(*value));
                self.arithmetic(&inst.op, result).map(|ty| vec![ty])
            }
            Op::First(_)
            | Op::End(_)
            | Op::Load { .. }
            | Op::LoadValid { .. }
            | Op::Splice { .. }
            | Op::Store { .. }
            | Op::Flag(_)
            | Op::Scratch { .. } => self.memory(&inst.op),
            Op::For { .. } | Op::Forv { .. } | Op::Reduce { .. } => self.loops(&inst.op),
        }
    }

    /// The block that this place is in.
    pub(super) fn place(&self) -> Place {
        self.open.last().copied().unwrap_or(Place::Kernel)
    }
    /// The type of a value; `None` if the kernel has no such value.
    pub(super) fn ty(&self, value: Value) -> Option<Type> {
        Some(self.kernel.values.get(value)?.ty)
    }
    /// An operand of type `want`.
    pub(super) fn is(&mut self, value: Value, want: Type) {
        if let Some(ty) = self.ty(value).filter(|ty| *ty != want) {
            self.error(format!("{value} is of type {ty}, not {want}"));
        }
    }
    /// Operands of these types.
    pub(super) fn uses(&mut self, what: &str, values: &[Value], types: &[Type]) {
        if values.len() != types.len() {
            let (found, wanted) = (values.len(), types.len());
            self.error(format!("there are {found} {what}, not {wanted}"));
        }
        for (value, ty) in values.iter().zip(types) {
            self.is(*value, *ty);
        }
        if what == "yields" {
            values.iter().for_each(|value| self.seen(*value));
        }
    }

    fn seen(&mut self, value: Value) {
        match self.values[value] {
            State::Seen(_) => {}
            State::Unknown => self.error(format!("{value} is used before it is defined")),
            State::Gone => self.error(format!("{value} is used outside of its block")),
        }
    }
    fn define(&mut self, value: Value) {
        if self.kernel.values.get(value).is_none() {
            return self.error(format!("the kernel has no {value}"));
        }
        if self.values[value] != State::Unknown {
            self.error(format!("{value} is defined twice"));
        }
        self.values[value] = State::Seen(self.open.len());
    }
    fn define_all(&mut self, what: &str, values: &[Value], types: &[Type]) {
        values.iter().for_each(|value| self.define(*value));
        self.uses(what, values, types);
    }

    /// Something wrong at this instruction.
    pub(super) fn error(&mut self, message: impl Into<String>) {
        self.errors.push(VerifyError {
            kernel: Some(self.kernel.name.clone()),
            loc: self.inst.map_or(Loc::NONE, |inst| inst.loc),
            message: message.into(),
            inst: self.inst.map_or_else(String::new, |inst| self.kernel.headline(inst)),
        });
    }
}
