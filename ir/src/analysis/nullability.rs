//! Nullability: where φ can occur.
//!
//! ```
//! use tilt_ir::{analysis::nullability::{Nullability, Phi}, tir};
//! let query = tir::parse("\
//! input @x {v: f64, n: i64} every 1s offset 0s
//! def @d {back: f64, filled: f64, ratio: f64, seen: i64} every 1s offset 0s {
//!   %0 = at x.v[t-1s] : f64
//!   %1 = const 0.0 : f64
//!   %2 = coalesce %0, %1 : f64
//!   %3 = at x.n[t] : i64
//!   %4 = div %3, %3 : f64
//!   %5 = reduce count doubling 9 over every 1s offset 0s (t-9s, t] min_count 0 {
//!     %0 = at x.v[t] : f64
//!     yield %0
//!   } : i64
//!   yield %0, %2, %4, %5
//! }
//! ")?;
//! let verified = tir::verify(&query).map_err(|errors| errors[0].clone())?;
//! let phi = Nullability::of(verified, |_input, _field| false);
//! let d = query.defs.ids().next().unwrap();
//! let fields = [0, 1, 2, 3].map(|field| phi.field(d, field));
//! assert_eq!(fields, [Phi::Edge, Phi::Never, Phi::Data, Phi::Never]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An input column without φ in its data can still be looked at before its first or after its last row: that gives φ of kind
//! `Edge`, which a compiler turns into ranges of rows. A φ of kind `Data` needs a bitmap.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::span::fewest_rows;
use crate::{
    Const, Grid,
    entity::{Entity, Table},
    tir::{BinaryOp, Body, Def, Input, Op, Reduce, Reducer, Source, Value, Verified},
};

/// Where a value can be φ. The order is that of knowledge: each includes the ones before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phi {
    /// Nowhere.
    Never,
    /// Only where some input is looked at outside its rows.
    Edge,
    /// Anywhere.
    Data,
}

/// The φ of every value of a body.
#[derive(Clone, Debug)]
pub struct BodyPhi {
    values: Table<Value, Phi>,
    rows: HashMap<Value, BodyPhi>,
}

impl BodyPhi {
    /// Where a value of the body can be φ.
    pub fn value(&self, value: Value) -> Phi {
        self.values[value]
    }

    /// The row body of the reduction that gives `value`.
    pub fn row(&self, value: Value) -> Option<&BodyPhi> {
        self.rows.get(&value)
    }
}

/// The φ of every definition of a query.
#[derive(Clone, Debug)]
pub struct Nullability {
    bodies: Vec<BodyPhi>,
    fields: Vec<Vec<Phi>>,
}

impl Nullability {
    /// The φ of a query, if `nullable` says which input columns have φ among their rows.
    pub fn of(query: Verified<'_>, nullable: impl Fn(Input, u32) -> bool) -> Nullability {
        let mut known = Nullability { bodies: Vec::new(), fields: Vec::new() };
        for def in query.defs.rows() {
            let scope = Scope { before: &known, nullable: &nullable, at: def.grid(), params: Vec::new() };
            let body = scope.body(&def.body);
            let fields = def.body.results.iter().map(|value| body.value(*value));
            let fields = fields.collect();
            known.bodies.push(body);
            known.fields.push(fields);
        }
        known
    }

    /// Where a field of a definition can be φ.
    pub fn field(&self, def: Def, field: u32) -> Phi {
        self.fields[def.index()][field as usize]
    }

    /// Where a value in the body of a definition can be φ.
    pub fn value(&self, def: Def, value: Value) -> Phi {
        self.body(def).value(value)
    }

    /// The φ of all values of a definition.
    pub fn body(&self, def: Def) -> &BodyPhi {
        &self.bodies[def.index()]
    }
}

/// What a body sees.
struct Scope<'a> {
    before: &'a Nullability,
    nullable: &'a dyn Fn(Input, u32) -> bool,
    at: Grid,
    params: Vec<Phi>,
}

impl Scope<'_> {
    fn body(&self, body: &Body) -> BodyPhi {
        let mut known = BodyPhi { values: Table::new(), rows: HashMap::new() };
        for (value, inst) in body.insts.iter() {
            let phi = match &inst.op {
                Op::Reduce(reduce) => {
                    let row = self.row(&known, reduce);
                    let phi = self.reduce(reduce, row.value(reduce.row.results[0]));
                    known.rows.insert(value, row);
                    phi
                }
                op => self.op(body, &known, op),
            };
            known.values.push(phi);
        }
        known
    }

    fn op(&self, body: &Body, known: &BodyPhi, op: &Op) -> Phi {
        let any = || {
            let operands = op.operands().into_iter();
            operands.map(|value| known.value(value)).max()
        };
        match op {
            Op::Const(_) | Op::Time(_) | Op::Key(_) | Op::IsNull(_) => Phi::Never,
            Op::Null => Phi::Data,
            Op::Param(number) => self.params[*number as usize],
            Op::At { source, field, .. } => self.look(*source, *field),
            Op::Binary(op, _, divisor) if may_divide_by_zero(*op, body, *divisor) => Phi::Data,
            Op::Coalesce(a, b) => known.value(*a).min(known.value(*b)),
            Op::Select { .. }
            | Op::Unary(_, _)
            | Op::Binary(_, _, _)
            | Op::Compare(_, _, _)
            | Op::Math(_, _)
            | Op::Reduce(_) => any().unwrap_or(Phi::Never),
        }
    }

    fn look(&self, source: Source, field: u32) -> Phi {
        match source {
            Source::Input(input) if (self.nullable)(input, field) => Phi::Data,
            Source::Input(_) => Phi::Edge,
            Source::Def(def) => self.before.field(def, field),
        }
    }

    fn row(&self, known: &BodyPhi, reduce: &Reduce) -> BodyPhi {
        let captures = reduce.captures.iter();
        let scope =
            Scope { at: reduce.grid(), params: captures.map(|value| known.value(*value)).collect(), ..*self };
        scope.body(&reduce.row)
    }

    /// φ where too few rows have a value: as often as rows are φ, if windows have rows enough.
    fn reduce(&self, reduce: &Reduce, row: Phi) -> Phi {
        let needed = match reduce.kind {
            Reducer::Count => reduce.min_count,
            Reducer::Sum | Reducer::Mean | Reducer::Min | Reducer::Max | Reducer::First | Reducer::Last => {
                reduce.min_count.max(1)
            }
            Reducer::Var { ddof } | Reducer::Std { ddof } => reduce.min_count.max(u64::from(ddof) + 1),
            Reducer::CountDistinct | Reducer::ArgMin | Reducer::ArgMax | Reducer::Mode => {
                reduce.min_count.max(1)
            }
            Reducer::Skew
            | Reducer::Kurtosis
            | Reducer::Quantile { .. }
            | Reducer::WeightedMean
            | Reducer::Cov { .. }
            | Reducer::Corr
            | Reducer::Integral
            | Reducer::DurationMean => return Phi::Data,
        };
        match needed {
            0 => Phi::Never,
            _ if fewest_rows(reduce.window(), self.at, reduce.grid()) >= needed => row,
            _ => Phi::Data,
        }
    }
}

/// Whether this is a division of integers or durations by something that is not a constant other than 0.
fn may_divide_by_zero(op: BinaryOp, body: &Body, divisor: Value) -> bool {
    let divisor = &body.insts[divisor];
    let by_zero = || !divisor.ty.is_float() && !matches!(divisor.op, Op::Const(Const::Int(n)) if n != 0);
    match op {
        BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod => by_zero(),
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Min
        | BinaryOp::Max
        | BinaryOp::And
        | BinaryOp::Or => false,
    }
}
