//! What can be said of a value without running the query: its constant, that it is never φ, that it is never an error.
//!
//! ```text
//! at x.v[t]              may be φ, never an error
//! coalesce %0, 1.0       never φ
//! add %i, %j : i64       may be an error (out of range)
//! div %0, %1 : f64       may be φ if the operands are integers: a divisor of 0
//! ```

use tilt_ir::{
    Const, Type,
    tir::{BinaryOp, Grouping, Inst, MathFn, Op, Reduce, Reducer, Source, UnaryOp, Value},
};

use super::Scope;

/// What is known of a value. By default nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// `Op::Const` or `Op::Null`, if that is what it is.
    pub(super) constant: Option<Op>,
    /// It is never φ.
    pub(super) never_null: bool,
    /// Computing it, and all that it needs, is never an error.
    pub(super) never_fails: bool,
}

impl Known {
    /// The constant, with φ as `None`.
    pub(super) fn scalar(&self) -> Option<Option<Const>> {
        match self.constant {
            Some(Op::Const(constant)) => Some(Some(constant)),
            Some(Op::Null) => Some(None),
            _ => None,
        }
    }
    /// Whether it is always φ.
    pub(super) fn is_null(&self) -> bool {
        self.scalar() == Some(None)
    }
    /// Whether it always has a value, so that what ignores the value may ignore the computation.
    pub(super) fn always_there(&self) -> bool {
        self.never_null && self.never_fails
    }
}

impl Scope<'_> {
    /// What is known of the result of an instruction; `row` is what is known of a row's value, if it is a reduction.
    pub(super) fn known(&self, inst: &Inst, row: &Known) -> Known {
        match &inst.op {
            Op::Const(_) => Known { constant: Some(inst.op.clone()), never_null: true, never_fails: true },
            Op::Null => Known { constant: Some(Op::Null), never_null: false, never_fails: true },
            Op::Time(_) => Known {
                constant: None,
                never_null: true,
                never_fails: false, // an index may lead out of the range of time
            },
            Op::Key(_) => Known { constant: None, never_null: true, never_fails: true },
            Op::Param(k) => self.captures[*k as usize].clone(),
            Op::At { source: Source::Def(def), field, .. } => self.defs[*def][*field as usize].clone(),
            Op::At { source: Source::Input(_), .. } => {
                Known { constant: None, never_null: false, never_fails: true }
            }
            Op::Reduce(reduce) => self.reduction(reduce, row),
            Op::Unary(op, a) => self.strict(&[*a], true, self.unary_fits(*op, *a, inst.ty)),
            Op::Binary(op, a, b) => {
                self.strict(&[*a, *b], self.divides(*op, *a, *b), self.binary_fits(*op, *a, *b))
            }
            Op::Compare(_, a, b) => self.strict(&[*a, *b], true, true),
            Op::Math(function, operands) => {
                let fits = *function != MathFn::Abs || inst.ty.is_float();
                self.strict(operands, true, fits)
            }
            Op::Select { cond, then, otherwise } => self.strict(&[*cond, *then, *otherwise], true, true),
            Op::Coalesce(a, b) => Known {
                constant: None,
                never_null: self.is(*a).never_null || self.is(*b).never_null,
                never_fails: self.is(*a).never_fails && self.is(*b).never_fails,
            },
            Op::IsNull(a) => Known { constant: None, never_null: true, never_fails: self.is(*a).never_fails },
        }
    }

    /// An operation on these operands that by itself never makes a φ, and never an error.
    fn strict(&self, operands: &[Value], never_null: bool, never_fails: bool) -> Known {
        Known {
            constant: None,
            never_null: never_null && operands.iter().all(|value| self.is(*value).never_null),
            never_fails: never_fails && operands.iter().all(|value| self.is(*value).never_fails),
        }
    }

    /// Whether every result of a conversion or negation fits its type.
    fn unary_fits(&self, op: UnaryOp, a: Value, to: Type) -> bool {
        match op {
            UnaryOp::Not => true,
            UnaryOp::Neg => to.is_float(),
            UnaryOp::Cast => match (self.body.ty(a).int_range(), to.int_range()) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(from), Some(to)) => to.0 <= from.0 && from.1 <= to.1,
            },
        }
    }

    /// Whether every result of an operation fits its type.
    fn binary_fits(&self, op: BinaryOp, a: Value, b: Value) -> bool {
        use BinaryOp::*;
        match op {
            Add | Sub | Mul => self.body.ty(a).is_float(),
            // The least integer divided by -1 is one more than the greatest.
            FloorDiv => self.body.ty(a).is_float() || self.is_other_than(b, -1),
            Div | Mod | Min | Max | And | Or => true,
        }
    }

    /// Whether an operation is no integer division, or one by what is not 0.
    fn divides(&self, op: BinaryOp, a: Value, b: Value) -> bool {
        use BinaryOp::*;
        match op {
            Div | FloorDiv | Mod => self.body.ty(a).is_float() || self.is_other_than(b, 0),
            Add | Sub | Mul | Min | Max | And | Or => true,
        }
    }

    fn is_other_than(&self, value: Value, number: i128) -> bool {
        matches!(self.op(value), Op::Const(Const::Int(other)) if *other != number)
    }

    fn reduction(&self, reduce: &Reduce, row: &Known) -> Known {
        let rows = match reduce.grouping {
            Grouping::Doubling { count } if row.never_null => count,
            Grouping::Doubling { .. }
            | Grouping::Lanes64
            | Grouping::Blocks { .. }
            | Grouping::TimeBlocks { .. } => 0,
        };
        let needed = match reduce.kind {
            Reducer::Count => reduce.min_count,
            Reducer::Var { ddof } | Reducer::Std { ddof } => reduce.min_count.max(u64::from(ddof) + 1),
            Reducer::Sum | Reducer::Mean | Reducer::Min | Reducer::Max | Reducer::First | Reducer::Last => {
                reduce.min_count.max(1)
            }
            Reducer::Skew
            | Reducer::Kurtosis
            | Reducer::ArgMin
            | Reducer::ArgMax
            | Reducer::CountDistinct
            | Reducer::Mode
            | Reducer::Quantile { .. }
            | Reducer::WeightedMean
            | Reducer::Cov { .. }
            | Reducer::Corr
            | Reducer::Integral
            | Reducer::DurationMean => u64::MAX,
        };
        let of_floats = reduce.row.results.iter().all(|value| reduce.row.ty(*value).is_float());
        let captured = reduce.captures.iter().all(|value| self.is(*value).never_fails);
        Known {
            constant: None,
            never_null: rows >= needed,
            never_fails: row.never_fails && captured && (of_floats || reduce.kind != Reducer::Sum),
        }
    }
}
