//! The small parts of operations: indexes, windows, groupings, reducers.

use crate::{
    text::{Cursor, TextError, Token},
    tir::{Base, Grouping, Index, Reducer, Window},
};

/// `t-20s`, `floor(t, 1d)`, `ceil(t, 1d)+30m`.
pub(super) fn index(cursor: &mut Cursor<'_>) -> Result<Index, TextError> {
    let base = if cursor.eat("floor") {
        Base::Floor(period(cursor)?)
    } else if cursor.eat("ceil") {
        Base::Ceil(period(cursor)?)
    } else if cursor.eat("t") {
        Base::Now
    } else {
        return Err(cursor.wanted("`t`, `floor` or `ceil`"));
    };
    let shift = match cursor.peek() {
        Token::Time(_) => cursor.time()?,
        _ => 0,
    };
    Ok(Index { base, shift })
}

/// `(t, 1d)`: the time in it.
fn period(cursor: &mut Cursor<'_>) -> Result<i64, TextError> {
    cursor.expect("(")?;
    cursor.expect("t")?;
    cursor.expect(",")?;
    let period = cursor.time()?;
    cursor.expect(")")?;
    Ok(period)
}

/// `(t-20s, t]`.
pub(super) fn window(cursor: &mut Cursor<'_>) -> Result<Window, TextError> {
    cursor.expect("(")?;
    let from = index(cursor)?;
    cursor.expect(",")?;
    let to = index(cursor)?;
    cursor.expect("]")?;
    Ok(Window { from, to })
}

/// `lanes64`, `doubling 20`, `blocks 48 origin 0`.
pub(super) fn grouping(cursor: &mut Cursor<'_>) -> Result<Grouping, TextError> {
    if cursor.eat("lanes64") {
        return Ok(Grouping::Lanes64);
    }
    if cursor.eat("doubling") {
        let count = cursor.int()?;
        return Ok(Grouping::Doubling { count });
    }
    if cursor.eat("blocks") {
        let rows = cursor.int()?;
        cursor.expect("origin")?;
        let origin = cursor.int()?;
        return Ok(Grouping::Blocks { rows, origin });
    }
    Err(cursor.wanted("`lanes64`, `doubling` or `blocks`"))
}

/// `sum`, `var ddof 1`.
pub(super) fn reducer(cursor: &mut Cursor<'_>) -> Result<Reducer, TextError> {
    let error = cursor.wanted("a reducer");
    Ok(match cursor.ident()? {
        "count" => Reducer::Count,
        "sum" => Reducer::Sum,
        "mean" => Reducer::Mean,
        "min" => Reducer::Min,
        "max" => Reducer::Max,
        "first" => Reducer::First,
        "last" => Reducer::Last,
        "var" => Reducer::Var { ddof: ddof(cursor)? },
        "std" => Reducer::Std { ddof: ddof(cursor)? },
        _ => return Err(error),
    })
}

fn ddof(cursor: &mut Cursor<'_>) -> Result<u32, TextError> {
    cursor.expect("ddof")?;
    cursor.int()
}
