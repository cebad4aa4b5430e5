//! Time indexes: `t ± D`, `floor(t, P) ± D`, `ceil(t, P) ± D`, with constant D and P.

use super::{Checker, Env};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::span::Span;
use tilt_ir::tir::{Base, Index};

/// A constant, or a constant distance from a time that moves with `t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fixed {
    Time(Index),
    Duration(i64),
    Int(i64),
}

/// What kept an expression from being [`Fixed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// This part is not constant, or not allowed in a time index.
    Not(Span),
    /// This word counts rows.
    Rows(Span),
    /// This part does not fit 64 bits.
    TooLarge(Span),
    /// This period is not positive.
    Period(Span),
    /// This part was reported by the parser.
    Reported,
}

impl<'p> Checker<'_, 'p> {
    /// The time index that `expr` says; reports if it says none.
    pub(super) fn index(&mut self, expr: &'p Expr, env: Env<'_, 'p>) -> Option<Index> {
        match fixed(expr, env, 0) {
            Ok(Fixed::Time(index)) => return Some(index),
            Ok(Fixed::Duration(_) | Fixed::Int(_)) => {
                self.error("time-index", expr.span, "a time index counts from `t`")
                    .label("does not depend on `t`")
                    .help("a shift back by 5 seconds is `x[t-5s]`, the last 5 seconds are `x[t-5s..t]`");
            }
            Err(obstacle) => self.report_obstacle(obstacle, expr.span),
        }
        None
    }

    fn report_obstacle(&mut self, obstacle: Obstacle, whole: Span) {
        match obstacle {
            Obstacle::Not(span) => {
                let diagnostic = self.error("time-index", span, "this is no time index");
                diagnostic.label("not `t`, a constant duration, or a sum of them");
                if !whole.covers(span) {
                    diagnostic.note(whole, "the time index");
                }
                diagnostic.help(
                    "time indexes are `t`, `floor(t, 1d)` or `ceil(t, 1d)`, plus or minus a duration: `t-5s`",
                );
            }
            Obstacle::Rows(span) => {
                self.error("time-index", span, "`prev` stands alone in the brackets, `last` before a number")
                    .label("counts rows, not a time")
                    .help("the row 2 before is `x[prev 2]`, the window of the last 20 rows `x[last 20]`");
            }
            Obstacle::TooLarge(span) => {
                self.error("literal-out-of-range", span, "this duration is out of range")
                    .label("more than 64 bits of nanoseconds");
            }
            Obstacle::Period(span) => self.report_period(span),
            Obstacle::Reported => {}
        }
    }

    pub(super) fn report_period(&mut self, span: Span) {
        self.error("period-not-positive", span, "a period is longer than nothing").label("zero or negative");
    }

    /// A constant whole number: the value of a named argument.
    pub(super) fn constant_count(&mut self, expr: &'p Expr, env: Env<'_, 'p>) -> Option<u64> {
        let count = match fixed(expr, env, 0) {
            Ok(Fixed::Int(value)) => u64::try_from(value).ok(),
            Err(Obstacle::Reported) => return None,
            Ok(Fixed::Time(_) | Fixed::Duration(_)) | Err(_) => None,
        };
        if count.is_none() {
            self.error("not-constant", expr.span, "a constant whole number is needed, 0 or more")
                .label("not one");
        }
        count
    }
}

/// How far back `prev` and `last` reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// So many rows.
    Rows(u64),
    /// So many nanoseconds.
    Time(i64),
}

impl<'p> Checker<'_, 'p> {
    /// What stands behind `prev` or `last`: a number of rows, or a duration.
    pub(super) fn reach(&mut self, expr: &'p Expr, env: Env<'_, 'p>) -> Option<Reach> {
        let (message, label) = match fixed(expr, env, 0) {
            Ok(Fixed::Int(value)) if value > 0 => return u64::try_from(value).ok().map(Reach::Rows),
            Ok(Fixed::Duration(value)) if value > 0 => return Some(Reach::Time(value)),
            Err(Obstacle::Reported) => return None,
            Ok(Fixed::Int(_)) => ("rows are counted from 1 on", "less than one"),
            Ok(Fixed::Duration(_)) => ("this reaches back by a positive duration", "zero or negative"),
            Ok(Fixed::Time(_)) | Err(_) => ("a constant number of rows, or a duration, is needed", "not one"),
        };
        self.error("not-constant", expr.span, message)
            .label(label)
            .help("rows as in `x[prev 2]`, `x[last 20]`; time as in `x[prev 2s]`, `x[last 20s]`");
        None
    }
}

/// What `expr` is at every time; nothing is reported.
pub(super) fn fixed(expr: &Expr, env: Env<'_, '_>, depth: u32) -> Result<Fixed, Obstacle> {
    let span = expr.span;
    let inner = |expr: &Expr| fixed(expr, env, depth + 1);
    if depth > crate::parse::build::MAX_DEPTH {
        return Err(Obstacle::Not(span));
    }
    match &expr.kind {
        ExprKind::Duration(literal) => Ok(Fixed::Duration(literal.value)),
        ExprKind::Int(literal) => {
            i64::try_from(literal.value).map(Fixed::Int).map_err(|_| Obstacle::TooLarge(span))
        }
        ExprKind::Name(name) => match env.argument(name) {
            Some((argument, caller)) => fixed(argument, caller, depth + 1),
            None if &**name == "t" => Ok(Fixed::Time(Index::NOW)),
            None if matches!(&**name, "prev" | "last") => Err(Obstacle::Rows(span)),
            None => Err(Obstacle::Not(span)),
        },
        ExprKind::Unary(UnaryOp::Neg, operand) => negate(inner(operand)?, span),
        ExprKind::Binary(op, left, right) => combine(*op, inner(left)?, inner(right)?, span),
        ExprKind::Call(path, _) if !path.modules.is_empty() => Err(Obstacle::Not(span)),
        ExprKind::Call(path, args) => match (&*path.name.node, args.as_slice()) {
            ("floor" | "ceil", [time, period]) if time.name.is_none() && period.name.is_none() => {
                let is_ceil = &*path.name.node == "ceil";
                grid_index(
                    is_ceil,
                    inner(&time.value)?,
                    inner(&period.value)?,
                    time.value.span,
                    period.value.span,
                )
            }
            _ => Err(Obstacle::Not(span)),
        },
        ExprKind::Error => Err(Obstacle::Reported),
        ExprKind::Float(_) | ExprKind::Time(_) | ExprKind::Bool(_) | ExprKind::Null | ExprKind::Symbol(_) => {
            Err(Obstacle::Not(span))
        }
        ExprKind::Prev(..) | ExprKind::Last(..) => Err(Obstacle::Not(span)),
        ExprKind::Struct(_)
        | ExprKind::Array(_)
        | ExprKind::Field(..)
        | ExprKind::At(..)
        | ExprKind::Window(..) => Err(Obstacle::Not(span)),
        ExprKind::Unary(UnaryOp::Not, _) | ExprKind::IsNull(..) => Err(Obstacle::Not(span)),
        ExprKind::If(..) | ExprKind::Where(..) => Err(Obstacle::Not(span)),
    }
}

fn negate(value: Fixed, span: Span) -> Result<Fixed, Obstacle> {
    let negated = match value {
        Fixed::Duration(value) => value.checked_neg().map(Fixed::Duration),
        Fixed::Int(value) => value.checked_neg().map(Fixed::Int),
        Fixed::Time(_) => return Err(Obstacle::Not(span)),
    };
    negated.ok_or(Obstacle::TooLarge(span))
}

fn combine(op: BinaryOp, left: Fixed, right: Fixed, span: Span) -> Result<Fixed, Obstacle> {
    use Fixed::{Duration, Int, Time};
    let shifted = |index: Index, shift: Option<i64>| shift.map(|shift| Time(Index { shift, ..index }));
    let result = match (op, left, right) {
        (BinaryOp::Add, Time(index), Duration(d)) | (BinaryOp::Add, Duration(d), Time(index)) => {
            shifted(index, index.shift.checked_add(d))
        }
        (BinaryOp::Sub, Time(index), Duration(d)) => shifted(index, index.shift.checked_sub(d)),
        (BinaryOp::Add, Duration(a), Duration(b)) => a.checked_add(b).map(Duration),
        (BinaryOp::Sub, Duration(a), Duration(b)) => a.checked_sub(b).map(Duration),
        (BinaryOp::Mul, Duration(d), Int(n)) | (BinaryOp::Mul, Int(n), Duration(d)) => {
            d.checked_mul(n).map(Duration)
        }
        (BinaryOp::Add, Int(a), Int(b)) => a.checked_add(b).map(Int),
        (BinaryOp::Sub, Int(a), Int(b)) => a.checked_sub(b).map(Int),
        (BinaryOp::Mul, Int(a), Int(b)) => a.checked_mul(b).map(Int),
        _ => return Err(Obstacle::Not(span)),
    };
    result.ok_or(Obstacle::TooLarge(span))
}

fn grid_index(
    is_ceil: bool,
    time: Fixed,
    period: Fixed,
    time_span: Span,
    period_span: Span,
) -> Result<Fixed, Obstacle> {
    if time != Fixed::Time(Index::NOW) {
        return Err(Obstacle::Not(time_span));
    }
    let Fixed::Duration(period) = period else {
        return Err(Obstacle::Not(period_span));
    };
    if period <= 0 {
        return Err(Obstacle::Period(period_span));
    }
    let base = if is_ceil { Base::Ceil(period) } else { Base::Floor(period) };
    Ok(Fixed::Time(Index { base, shift: 0 }))
}
