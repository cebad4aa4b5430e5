//! Bodies and their operations.

use std::fmt;

use super::{ClockText, FieldText};
use crate::{
    Type,
    text::{At, Constant, Name},
    tir::{Body, Op, Query, Reduce, Source, Value},
};

/// The lines of a body, each ended, indented by two spaces a level.
pub(super) struct BodyText<'a> {
    pub(super) query: &'a Query,
    pub(super) body: &'a Body,
    pub(super) indent: usize,
}

impl fmt::Display for BodyText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (value, inst) in self.body.insts.iter() {
            self.start(f)?;
            write!(f, "{value} = ")?;
            self.op(f, &inst.op, inst.ty)?;
            writeln!(f, " : {}{}", inst.ty, At(inst.loc))?;
        }
        self.start(f)?;
        f.write_str("yield")?;
        self.operands(f, &self.body.results)?;
        writeln!(f)
    }
}

impl BodyText<'_> {
    fn start(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:width$}", "", width = 2 * self.indent)
    }

    fn op(&self, f: &mut fmt::Formatter<'_>, op: &Op, ty: Type) -> fmt::Result {
        match op {
            Op::Const(constant) => return write!(f, "const {}", Constant(*constant, ty)),
            Op::Null => f.write_str("null")?,
            Op::Time(index) => return write!(f, "time {index}"),
            Op::Param(number) => return write!(f, "param {number}"),
            Op::Key(number) => return write!(f, "key {number}"),
            Op::At { source, field, when } => {
                return write!(f, "at {}[{when}]", self.column(*source, *field));
            }
            Op::Unary(op, _) => f.write_str(op.name())?,
            Op::Binary(op, _, _) => f.write_str(op.name())?,
            Op::Compare(op, _, _) => f.write_str(op.name())?,
            Op::Math(function, _) => f.write_str(function.name())?,
            Op::Select { .. } => f.write_str("select")?,
            Op::Coalesce(_, _) => f.write_str("coalesce")?,
            Op::IsNull(_) => f.write_str("is_null")?,
            Op::Reduce(reduce) => return self.reduce(f, reduce),
        }
        self.operands(f, &op.operands())
    }

    /// ` %0, %1`.
    fn operands(&self, f: &mut fmt::Formatter<'_>, operands: &[Value]) -> fmt::Result {
        for (n, operand) in operands.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            write!(f, "{comma} {operand}")?;
        }
        Ok(())
    }

    fn reduce(&self, f: &mut fmt::Formatter<'_>, reduce: &Reduce) -> fmt::Result {
        let Reduce { kind, rows, frame, grouping, min_count, captures, row } = reduce;
        let rows = ClockText(self.query, rows);
        write!(f, "reduce {kind} {grouping} over {rows} {frame} min_count {min_count}")?;
        if !captures.is_empty() {
            f.write_str(" captures (")?;
            for (n, capture) in captures.iter().enumerate() {
                let comma = if n == 0 { "" } else { ", " };
                write!(f, "{comma}{capture}")?;
            }
            f.write_str(")")?;
        }
        let row = BodyText { query: self.query, body: row, indent: self.indent + 1 };
        write!(f, " {{\n{row}")?;
        self.start(f)?;
        f.write_str("}")
    }

    /// `x.v`, or what can be said of it.
    fn column(&self, source: Source, field: u32) -> impl fmt::Display {
        let stream = match source {
            Source::Input(input) => {
                let input = self.query.inputs.get(input);
                input.map(|input| (&input.name, &input.fields))
            }
            Source::Def(def) => {
                let def = self.query.defs.get(def);
                def.map(|def| (&def.name, &def.fields))
            }
        };
        match (stream, source) {
            (Some((name, fields)), _) => format!("{}.{}", Name(name), FieldText(fields, field)),
            (None, Source::Input(input)) => format!("#{input}.#{field}"),
            (None, Source::Def(def)) => format!("#{def}.#{field}"),
        }
    }
}
