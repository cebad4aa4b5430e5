//! The small parts of operations: indexes, windows, groupings, reducers.

use crate::{
    Const, Type,
    text::{Cursor, TextError, Token},
    tir::{Base, Frame, Grouping, Index, Reducer, When, Window},
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

/// A time index, or `row`, `row-3`.
pub(super) fn when(cursor: &mut Cursor<'_>) -> Result<When, TextError> {
    if !cursor.eat("row") {
        return index(cursor).map(When::Time);
    }
    let place = cursor.place();
    let back = match cursor.peek() {
        Token::Int(_) => cursor.int::<i64>()?,
        _ => 0,
    };
    let back = back.checked_neg().and_then(|back| u64::try_from(back).ok());
    back.map(When::Row).ok_or_else(|| TextError::new(place, "rows are looked at backward: `row-1`"))
}

/// `(t-20s, t]`, `last 20`.
pub(super) fn frame(cursor: &mut Cursor<'_>) -> Result<Frame, TextError> {
    match cursor.eat("last") {
        true => cursor.int().map(Frame::Last),
        false => window(cursor).map(Frame::Time),
    }
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
fn window(cursor: &mut Cursor<'_>) -> Result<Window, TextError> {
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
    if cursor.eat("time_blocks") {
        let length = cursor.time()?;
        cursor.expect("origin")?;
        let origin = cursor.time()?;
        return Ok(Grouping::TimeBlocks { length, origin });
    }
    Err(cursor.wanted("`lanes64`, `doubling`, `blocks` or `time_blocks`"))
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
        "skew" => Reducer::Skew,
        "kurtosis" => Reducer::Kurtosis,
        "argmin" => Reducer::ArgMin,
        "argmax" => Reducer::ArgMax,
        "count_distinct" => Reducer::CountDistinct,
        "mode" => Reducer::Mode,
        "quantile" => match cursor.literal()?.of_type(Type::F64)? {
            Const::F64(q) => Reducer::Quantile { q },
            _ => return Err(error),
        },
        "wmean" => Reducer::WeightedMean,
        "cov" => Reducer::Cov { ddof: ddof(cursor)? },
        "corr" => Reducer::Corr,
        "integral" => Reducer::Integral,
        "duration_mean" => Reducer::DurationMean,
        _ => return Err(error),
    })
}

fn ddof(cursor: &mut Cursor<'_>) -> Result<u32, TextError> {
    cursor.expect("ddof")?;
    cursor.int()
}
