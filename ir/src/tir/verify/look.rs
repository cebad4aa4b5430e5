//! Looking at streams, at the time and at the key.

use super::body::{Check, Scope};
use crate::{
    Type,
    tir::{Base, Clock, DefData, Field, Index, Query, Source, When},
};

/// `floor` and `ceil` need a positive period.
pub(super) fn index(index: Index) -> Check {
    match index.base {
        Base::Floor(period) | Base::Ceil(period) if period <= 0 => {
            Err(format!("the period of `floor` and `ceil` is positive, not {period}ns"))
        }
        Base::Now | Base::Floor(_) | Base::Ceil(_) => Ok(()),
    }
}

pub(super) fn time(scope: &Scope<'_>, when: Index, ty: Type) -> Check {
    index(when)?;
    if *scope.at == Clock::Continuous && when.base == Base::Now {
        return Err("`t` changes at every instant".to_owned());
    }
    if ty == Type::Time {
        return Ok(());
    }
    Err(format!("the result of `time` is time, not {ty}"))
}

pub(super) fn key(query: &Query, scope: &Scope<'_>, number: u32, ty: Type) -> Check {
    match query.keys.get(number as usize) {
        _ if !scope.keyed => Err("only a keyed definition has a key".to_owned()),
        Some(key) if key.ty == ty => Ok(()),
        Some(key) => Err(format!("key `{}` is {}, not {ty}", key.name, key.ty)),
        None => Err(format!("there is no key {number}")),
    }
}

pub(super) fn at(
    query: &Query,
    scope: &Scope<'_>,
    source: Source,
    field: u32,
    when: When,
    ty: Type,
) -> Check {
    if let When::Time(time) = when {
        index(time)?;
    }
    let Stream { name, fields, keyed } = match source {
        Source::Input(input) => {
            let data = query.inputs.get(input).ok_or_else(|| format!("there is no {input}"))?;
            if let When::Row(back) = when {
                input_row(scope, source, back)?;
            }
            Stream { name: &data.name, fields: &data.fields, keyed: data.keyed }
        }
        Source::Def(def) => {
            let data = query.defs.get(def).ok_or_else(|| format!("there is no {def}"))?;
            if def >= scope.def {
                own_past(scope, source, data, when)?;
            }
            if matches!(when, When::Row(_)) && (data.clock != *scope.at || data.clock == Clock::Continuous) {
                return Err(format!("the rows of `{}` are not those of this clock", data.name));
            }
            Stream { name: &data.name, fields: &data.fields, keyed: data.keyed }
        }
    };
    if keyed && !scope.keyed {
        return Err(format!("`{name}` is keyed, but this is not"));
    }
    match fields.get(field as usize) {
        Some(found) if found.ty == ty => Ok(()),
        Some(found) => Err(format!("`{name}.{}` is {}, not {ty}", found.name, found.ty)),
        None => Err(format!("`{name}` has no field {field}")),
    }
}

struct Stream<'a> {
    name: &'a str,
    fields: &'a [Field],
    keyed: bool,
}

/// A row of an input by its number.
fn input_row(scope: &Scope<'_>, source: Source, back: u64) -> Check {
    let Clock::Events(inputs) = scope.at else {
        return Err("rows are looked at from rows of events".to_owned());
    };
    let on = inputs.iter().any(|input| Source::Input(*input) == source);
    match inputs.len() {
        _ if !on => Err("the rows of this input are not those of this clock".to_owned()),
        2.. if back > 0 => {
            Err("on a clock of several inputs only the row itself can be looked at".to_owned())
        }
        _ => Ok(()),
    }
}

/// Only a definition with `init` looks at itself, and only at its past, in its own rows.
fn own_past(scope: &Scope<'_>, source: Source, data: &DefData, when: When) -> Check {
    let is_past = matches!(
        (when, scope.at),
        (When::Time(Index { base: Base::Now, shift: ..0 }), Clock::Grid(_))
            | (When::Row(1..), Clock::Events(_))
    );
    match () {
        () if source != Source::Def(scope.def) => Err("only earlier definitions can be looked at".to_owned()),
        () if data.init.is_none() => Err("a definition that looks at itself has an `init`".to_owned()),
        () if !is_past || scope.params.is_some() => {
            Err("a definition looks at itself at constant lags, one row back or more".to_owned())
        }
        () => Ok(()),
    }
}
