//! The text of instructions and blocks.

use super::{Separated, ty};
use crate::loops::{Addr, Block, Inst, Kernel, Op, Value};
use crate::text::{At, Constant};
use std::fmt;

/// The lines of a block, `depth` levels in.
pub(super) fn block(f: &mut fmt::Formatter<'_>, kernel: &Kernel, block: &Block, depth: usize) -> fmt::Result {
    for inst in &block.insts {
        indent(f, depth)?;
        writeln!(f, "{}", InstText(kernel, inst, depth))?;
    }
    if !block.yields.is_empty() {
        indent(f, depth)?;
        writeln!(f, "yield {}", Separated(&block.yields))?;
    }
    Ok(())
}

fn indent(f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_str("  "))
}

/// An instruction at a depth, without the first indentation and the last line end.
pub(super) struct InstText<'a>(pub(super) &'a Kernel, pub(super) &'a Inst, pub(super) usize);

impl fmt::Display for InstText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inst { op, results, loc } = self.1;
        if !results.is_empty() {
            write!(f, "{} = ", Separated(results))?;
        }
        if let Op::For { .. } | Op::Forv { .. } | Op::Reduce { .. } = op {
            return self.with_blocks(f);
        }
        self.operation(f, op, results.first().copied())?;
        if let Some(result) = results.first() {
            write!(f, " : {}", ty(self.0, *result))?;
        }
        write!(f, "{}", At(*loc))
    }
}

impl InstText<'_> {
    fn operation(&self, f: &mut fmt::Formatter<'_>, op: &Op, result: Option<Value>) -> fmt::Result {
        match op {
            Op::Const(value) => {
                let ty = result.and_then(|v| self.0.values.get(v)).map(|data| data.ty);
                write!(f, "const {}", Constant(*value, ty.unwrap_or(crate::Type::I64)))
            }
            Op::First(stream) => write!(f, "first {stream}"),
            Op::End(stream) => write!(f, "end {stream}"),
            Op::Unary(op, a) => write!(f, "{} {a}", op.name()),
            Op::Binary(op, a, b) => write!(f, "{} {a}, {b}", op.name()),
            Op::Overflows(op, a, b) => write!(f, "overflows {} {a}, {b}", op.name()),
            Op::Compare(cmp, a, b) => write!(f, "{} {a}, {b}", cmp.name()),
            Op::Math(function, operands) => {
                write!(f, "{} {}", function.name(), Separated(operands))
            }
            Op::Select(cond, a, b) => write!(f, "select {cond}, {a}, {b}"),
            Op::Load { buffer, addr, mask } => {
                write!(f, "load {buffer} {addr}{}", Suffix("mask", *mask))
            }
            Op::LoadValid { buffer, addr, mask } => {
                write!(f, "load_valid {buffer} {addr}{}", Suffix("mask", *mask))
            }
            Op::Splice { value, by } => write!(f, "splice {value}, {by}"),
            Op::Store { buffer, addr, value, valid } => {
                let valid = Suffix("valid", *valid);
                write!(f, "store {buffer} {addr}, {value}{valid}")
            }
            Op::Flag(cond) => write!(f, "flag {cond}"),
            Op::Scratch { buffer, first, end } => write!(f, "scratch {buffer} rows {first}, {end}"),
            Op::For { .. } | Op::Forv { .. } | Op::Reduce { .. } => Ok(()),
        }
    }

    fn with_blocks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = format!("{} ", At(self.1.loc));
        if let Op::For { lo, hi, init, body } = &self.1.op {
            let (row, carried) = head(&body.params, 1);
            write!(f, "for {} in {lo}, {hi}", Separated(row))?;
            self.from(f, carried, init)?;
            self.braces(f, &before, body)?;
        }
        if let Op::Forv { lo, hi, warmup, body } = &self.1.op {
            let row = Separated(&body.params);
            write!(f, "forv {row} in {lo}, {hi} warmup {warmup}")?;
            self.braces(f, &before, body)?;
        }
        if let Op::Reduce { lo, hi, init, step, combine } = &self.1.op {
            let (row, state) = head(&step.params, 1);
            let (number, state) = head(state, 1);
            let (row, number) = (Separated(row), Separated(number));
            write!(f, "reduce {row} step {number} in {lo}, {hi}")?;
            self.from(f, state, init)?;
            self.braces(f, &before, step)?;
            let (a, b) = head(&combine.params, init.len());
            let before = format!(" combine ({}), ({}) ", Separated(a), Separated(b));
            self.braces(f, &before, combine)?;
        }
        Ok(())
    }

    /// ` from (%6 = %3 : f64)`: the values that a loop carries, what they start from, their types.
    fn from(&self, f: &mut fmt::Formatter<'_>, carried: &[Value], init: &[Value]) -> fmt::Result {
        if init.is_empty() {
            return Ok(());
        }
        let items = carried.iter().zip(init);
        let items = items.map(|(value, init)| format!("{value} = {init} : {}", ty(self.0, *value)));
        write!(f, " from ({})", Separated(&items.collect::<Vec<_>>()))
    }

    fn braces(&self, f: &mut fmt::Formatter<'_>, before: &str, body: &Block) -> fmt::Result {
        writeln!(f, "{before}{{")?;
        block(f, self.0, body, self.2 + 1)?;
        indent(f, self.2)?;
        f.write_str("}")
    }
}

/// The first `count` values and the others; fewer if there are fewer.
fn head(values: &[Value], count: usize) -> (&[Value], &[Value]) {
    values.split_at(count.min(values.len()))
}

impl fmt::Display for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Addr::Row(0) => f.write_str("[row]"),
            Addr::Row(by) => write!(f, "[row{by:+}]"),
            Addr::At(value) => write!(f, "[{value}]"),
        }
    }
}

/// ` mask %4`, or nothing.
struct Suffix(&'static str, Option<Value>);

impl fmt::Display for Suffix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(value) => write!(f, " {} {value}", self.0),
            None => Ok(()),
        }
    }
}
