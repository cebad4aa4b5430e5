//! Reductions: rows, windows, groupings, and what each reducer makes of its values.

use super::{
    Checker,
    body::{self, Check, Scope},
    look,
    streams::grid_error,
};
use crate::{
    Grid, Type,
    tir::{Grouping, Op, Reduce, Reducer, Window},
};

pub(super) fn check(
    checker: &mut Checker<'_>,
    outer: &Scope<'_>,
    inner: &Scope<'_>,
    reduce: &Reduce,
    ty: Type,
) -> Check {
    if let Some(message) = grid_error(reduce.rows) {
        return Err(message);
    }
    look::index(reduce.window.from)?;
    look::index(reduce.window.to)?;
    if !reduce.captures.is_empty() && reduce.grouping != Grouping::Lanes64 {
        return Err("windows that see captures are reduced each for itself: `lanes64`".to_owned());
    }
    if let Some((value, _)) = reduce.row.insts.iter().find(|(_, inst)| matches!(inst.op, Op::Reduce(_))) {
        return Err(format!("{value} is a reduction in a row body: give it a definition"));
    }
    if grid_error(outer.at).is_none() {
        grouping(reduce.grouping, reduce.window, outer.at, reduce.rows)?;
    }
    let row = match body::body(checker, inner, &reduce.row).as_slice() {
        [Some(row)] => *row,
        [None] => return Ok(()), // said already
        results => {
            return Err(format!("a row body yields one value, not {}", results.len()));
        }
    };
    match result(reduce.kind, row) {
        Some(must) if must == ty => Ok(()),
        Some(must) => Err(format!("`{}` of {row} is {must}, not {ty}", reduce.kind.name())),
        None => Err(format!("`{}` of {row}", reduce.kind.name())),
    }
}

fn grouping(grouping: Grouping, window: Window, at: Grid, rows: Grid) -> Check {
    match grouping {
        Grouping::Lanes64 => Ok(()),
        Grouping::Doubling { count: 0 } => Err("no rows to double".to_owned()),
        Grouping::Doubling { count } => match window.constant_count(at, rows) {
            Some(found) if found == count => Ok(()),
            Some(found) => Err(format!("the windows have {found} rows, not {count}")),
            None => Err("the windows have no constant count of rows".to_owned()),
        },
        Grouping::Blocks { rows, origin } => {
            let legal = i64::try_from(rows).is_ok_and(|rows| (0..rows).contains(&origin));
            match legal {
                true => Ok(()),
                false => Err(format!("no blocks of {rows} rows start at {origin}")),
            }
        }
    }
}

/// The type of a reduction of values of this type, if there is one.
fn result(kind: Reducer, row: Type) -> Option<Type> {
    let is_sum = row.is_float() || row.is_integer() || row == Type::Duration;
    match kind {
        Reducer::Count => Some(Type::I64),
        Reducer::Sum if row.is_integer() => Some(Type::I64),
        Reducer::Mean if row.is_integer() => Some(Type::F64),
        Reducer::Sum | Reducer::Mean => is_sum.then_some(row),
        Reducer::Min | Reducer::Max => (row != Type::Bool).then_some(row),
        Reducer::First | Reducer::Last => Some(row),
        Reducer::Var { .. } | Reducer::Std { .. } => row.is_float().then_some(row),
    }
}
