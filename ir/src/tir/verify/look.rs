//! Looking at streams and at the time.

use super::body::Check;
use crate::{
    Type,
    tir::{Base, Def, Index, Query, Source},
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

pub(super) fn time(when: Index, ty: Type) -> Check {
    index(when)?;
    if ty == Type::Time {
        return Ok(());
    }
    Err(format!("the result of `time` is time, not {ty}"))
}

pub(super) fn at(query: &Query, user: Def, source: Source, field: u32, when: Index, ty: Type) -> Check {
    index(when)?;
    let (name, fields) = match source {
        Source::Input(input) => match query.inputs.get(input) {
            Some(data) => (&data.name, &data.fields),
            None => return Err(format!("there is no {input}")),
        },
        Source::Def(def) => match query.defs.get(def) {
            Some(_) if def >= user => {
                return Err("only earlier definitions can be looked at".into());
            }
            Some(data) => (&data.name, &data.fields),
            None => return Err(format!("there is no {def}")),
        },
    };
    match fields.get(field as usize) {
        Some(found) if found.ty == ty => Ok(()),
        Some(found) => Err(format!("`{name}.{}` is {}, not {ty}", found.name, found.ty)),
        None => Err(format!("`{name}` has no field {field}")),
    }
}
