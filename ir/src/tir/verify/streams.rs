//! Grids, names, fields and outputs.

use std::collections::HashSet;

use super::{Checker, body};
use crate::{
    Const, Grid, Loc, Type,
    tir::{Clock, Def, DefData, Field, Hold, Input, Output, Query, Stamps},
};

/// What is wrong with a grid, if anything.
pub(super) fn grid_error(grid: Grid) -> Option<String> {
    let Grid { period, offset } = grid;
    if period <= 0 {
        return Some(format!("the period of a grid is positive, not {period}ns"));
    }
    let canonical = (0..period).contains(&offset);
    (!canonical).then(|| format!("the offset {offset}ns of a grid is not in 0..{period}ns"))
}

fn stamps_error(stamps: Stamps) -> Option<String> {
    match stamps {
        Stamps::Every(grid) => grid_error(grid),
        Stamps::Events(Hold::For(ns)) if ns <= 0 => {
            Some(format!("rows hold for a positive time, not {ns}ns"))
        }
        Stamps::Events(Hold::Point | Hold::UntilNext | Hold::For(_) | Hold::Until) => None,
    }
}

/// What is wrong with a clock, if anything.
pub(super) fn clock_error(query: &Query, clock: &Clock) -> Option<String> {
    let inputs = match clock {
        Clock::Grid(grid) => return grid_error(*grid),
        Clock::Continuous => return None,
        Clock::Events(inputs) => inputs,
    };
    let is_events =
        |input: &Input| query.inputs.get(*input).is_some_and(|data| matches!(data.stamps, Stamps::Events(_)));
    let repeated = inputs.iter().enumerate().any(|(n, input)| inputs[..n].contains(input));
    match inputs.as_slice() {
        [] => Some("a clock of no inputs".to_owned()),
        _ if repeated => Some("a clock names an input twice".to_owned()),
        inputs => inputs.iter().find(|input| !is_events(input)).map(|input| format!("{input} has no events")),
    }
}

/// Whether the rows of a clock are those of keyed inputs.
pub(super) fn is_keyed(query: &Query, clock: &Clock) -> bool {
    let Clock::Events(inputs) = clock else { return false };
    inputs.iter().any(|input| query.inputs.get(*input).is_some_and(|data| data.keyed))
}

fn init(checker: &mut Checker<'_>, data: &DefData, init: &[Option<Const>]) {
    let fits = |(value, field): (&Option<Const>, &Field)| value.is_none_or(|value| value.fits(field.ty));
    if init.len() != data.fields.len() || !init.iter().zip(&data.fields).all(fits) {
        checker.error(&data.name, data.loc, "`init` gives each field a value of its type");
    }
    if data.clock == Clock::Continuous {
        checker.error(&data.name, data.loc, "a continuous definition has no row before");
    }
}

pub(super) fn inputs(checker: &mut Checker<'_>) {
    let mut names = HashSet::new();
    for input in checker.query.inputs.rows() {
        stream(checker, &input.name, &input.fields, stamps_error(input.stamps), input.loc);
        if input.keyed && checker.query.keys.is_empty() {
            checker.error(&input.name, input.loc, "a keyed input of a query without keys");
        }
        if !names.insert(input.name.as_str()) {
            checker.error(&input.name, input.loc, "two streams have this name");
        }
    }
    for def in checker.query.defs.rows() {
        if !names.insert(def.name.as_str()) {
            checker.error(&def.name, def.loc, "two streams have this name");
        }
    }
}

pub(super) fn def(checker: &mut Checker<'_>, def: Def, data: &DefData) {
    stream(checker, &data.name, &data.fields, clock_error(checker.query, &data.clock), data.loc);
    if !data.keyed && is_keyed(checker.query, &data.clock) {
        checker.error(&data.name, data.loc, "its rows are keyed, but it is not");
    }
    if let Some(init) = &data.init {
        self::init(checker, data, init);
    }
    let results = body::def(checker, def, data);
    let (fields, found) = (data.fields.len(), results.len());
    if fields != found {
        let message = format!("{fields} fields, but the body yields {found} values");
        return checker.error(&data.name, data.loc, message);
    }
    for (Field { name, ty }, result) in data.fields.iter().zip(results) {
        if result.is_some_and(|result| result != *ty) {
            let message = format!("field `{name}` is of another type than the value yielded");
            checker.error(&data.name, data.loc, message);
        }
    }
}

fn stream(checker: &mut Checker<'_>, name: &str, fields: &[Field], wrong: Option<String>, loc: Loc) {
    if let Some(message) = wrong {
        checker.error(name, loc, message);
    }
    if fields.is_empty() {
        checker.error(name, loc, "a stream has at least one field");
    }
    let mut names = HashSet::new();
    for field in fields {
        if !names.insert(&field.name) {
            checker.error(name, loc, format!("two fields are named `{}`", field.name));
        }
    }
}

pub(super) fn outputs(checker: &mut Checker<'_>) {
    let mut names = HashSet::new();
    for data in &checker.query.outputs {
        if !names.insert(data.name.as_str()) {
            checker.error(&data.name, Loc::NONE, "two outputs have this name");
        }
        output(checker, data);
    }
}

fn output(checker: &mut Checker<'_>, output: &Output) {
    let Some(def) = checker.query.defs.get(output.def) else {
        return checker.error(&output.name, Loc::NONE, "there is no such definition");
    };
    let mut names = HashSet::new();
    for (column, field) in &output.columns {
        if !names.insert(column) {
            let message = format!("two columns are named `{column}`");
            checker.error(&output.name, def.loc, message);
        }
        if def.fields.get(*field as usize).is_none() {
            let message = format!("column `{column}` shows field {field}, which does not exist");
            checker.error(&output.name, def.loc, message);
        }
    }
    if output.columns.is_empty() {
        checker.error(&output.name, def.loc, "an output has at least one column");
    }
    let Some(keep) = output.keep else { return };
    match def.fields.get(keep as usize) {
        Some(field) if field.ty == Type::Bool => {}
        Some(field) => {
            let message = format!("the field that says which rows are kept is a {}", field.ty);
            checker.error(&output.name, def.loc, message);
        }
        None => checker.error(&output.name, def.loc, format!("there is no field {keep}")),
    }
}
