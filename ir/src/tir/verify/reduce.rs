//! Reductions: rows, windows, groupings, and what each reducer makes of its values.

use super::{
    Checker,
    body::{self, Check, Scope},
    look,
    streams::{clock_error, is_keyed},
};
use crate::{
    Type,
    tir::{Base, Clock, Frame, Grouping, Op, Reduce, Reducer, Window},
};

pub(super) fn check(
    checker: &mut Checker<'_>,
    outer: &Scope<'_>,
    inner: &Scope<'_>,
    reduce: &Reduce,
    ty: Type,
) -> Check {
    if let Some(message) = clock_error(checker.query, &reduce.rows) {
        return Err(message);
    }
    if !outer.keyed && is_keyed(checker.query, &reduce.rows) {
        return Err("the rows are keyed, but this is not".to_owned());
    }
    if reduce.kind.is_weighted() && !reduce.captures.is_empty() {
        return Err(format!("`{}` captures nothing: give its argument a definition", reduce.kind.name()));
    }
    frame(reduce, outer)?;
    if !reduce.captures.is_empty() && reduce.grouping != Grouping::Lanes64 {
        return Err("windows that see captures are reduced each for itself: `lanes64`".to_owned());
    }
    if let Some((value, _)) = reduce.row.insts.iter().find(|(_, inst)| matches!(inst.op, Op::Reduce(_))) {
        return Err(format!("{value} is a reduction in a row body: give it a definition"));
    }
    if clock_error(checker.query, outer.at).is_none() {
        grouping(reduce.grouping, reduce.frame, outer.at, &reduce.rows)?;
    }
    if let Reducer::Quantile { q } = reduce.kind
        && !(0.0..=1.0).contains(&f64::from_bits(q))
    {
        return Err("a quantile is between 0 and 1".to_owned());
    }
    let results = body::body(checker, inner, &reduce.row);
    let arity = reduce.kind.arity();
    if results.len() != arity {
        let values = if arity == 1 { "one value".to_owned() } else { format!("{arity} values") };
        return Err(format!("a row body yields {values}, not {}", results.len()));
    }
    let Some(results) = results.into_iter().collect::<Option<Vec<Type>>>() else {
        return Ok(()); // said already
    };
    let row = results[0];
    if results.iter().any(|ty| *ty != row) {
        return Err(format!("the values of `{}` are of one type", reduce.kind.name()));
    }
    match reduce.kind.result(row) {
        Some(must) if must == ty => Ok(()),
        Some(must) => Err(format!("`{}` of {row} is {must}, not {ty}", reduce.kind.name())),
        None => Err(format!("`{}` of {row}", reduce.kind.name())),
    }
}

/// Whether the rows, the frame and the reducer go together.
fn frame(reduce: &Reduce, outer: &Scope<'_>) -> Check {
    if reduce.kind.is_weighted() != (reduce.rows == Clock::Continuous) {
        return Err(format!("`{}` over such rows", reduce.kind.name()));
    }
    match reduce.frame {
        Frame::Last(0) => Err("the last 0 rows".to_owned()),
        Frame::Last(_) if reduce.kind.is_weighted() => Err("a function of time has no last rows".to_owned()),
        Frame::Last(_) => Ok(()),
        Frame::Time(Window { from, to }) => {
            look::index(from)?;
            look::index(to)?;
            let slides = from.base == Base::Now || to.base == Base::Now;
            match reduce.kind.is_weighted() && *outer.at == Clock::Continuous && slides {
                true => Err(format!("`{}` changes at every instant", reduce.kind.name())),
                false => Ok(()),
            }
        }
    }
}

fn grouping(grouping: Grouping, frame: Frame, at: &Clock, rows: &Clock) -> Check {
    let on_grids = at.grid().zip(rows.grid());
    match grouping {
        Grouping::Lanes64 => Ok(()),
        Grouping::Doubling { count: 0 } => Err("no rows to double".to_owned()),
        Grouping::Doubling { count } => {
            let found = match (frame, on_grids) {
                (Frame::Last(rows), _) => Some(rows),
                (Frame::Time(window), Some((at, rows))) => window.constant_count(at, rows),
                (Frame::Time(_), None) => None,
            };
            match found {
                Some(found) if found == count => Ok(()),
                Some(found) => Err(format!("the windows have {found} rows, not {count}")),
                None => Err("the windows have no constant count of rows".to_owned()),
            }
        }
        Grouping::Blocks { .. } if on_grids.is_none() || matches!(frame, Frame::Last(_)) => {
            Err("only windows on grids are cut in blocks of rows".to_owned())
        }
        Grouping::Blocks { rows, origin } => {
            let legal = i64::try_from(rows).is_ok_and(|rows| (0..rows).contains(&origin));
            match legal {
                true => Ok(()),
                false => Err(format!("no blocks of {rows} rows start at {origin}")),
            }
        }
        Grouping::TimeBlocks { length, origin } => match (0..length).contains(&origin) {
            _ if matches!(frame, Frame::Last(_)) => Err("the last rows are no window of time".to_owned()),
            true => Ok(()),
            false => Err(format!("no blocks of {length}ns start at {origin}ns")),
        },
    }
}
