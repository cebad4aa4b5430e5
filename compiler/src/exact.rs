//! The interpreter as the exact definition of outputs over events and keys.

use std::ops::Range;

use tilt_exec::{
    Column,
    engine::{Exact, Part, When, World},
    run::RunError,
};
use tilt_interp::{Failure, Interp, OutputRows, Rows};
use tilt_ir::{
    Const, Type,
    entity::Entity,
    tir::{Clock, Input, Verified},
};

/// Interprets outputs.
pub(crate) struct ExactInterp<'a> {
    query: Verified<'a>,
}

impl<'a> ExactInterp<'a> {
    pub(crate) fn new(query: Verified<'a>) -> ExactInterp<'a> {
        ExactInterp { query }
    }
}

impl Exact for ExactInterp<'_> {
    fn part(
        &self,
        world: &World,
        output: usize,
        rows: Range<i64>,
        times: (i64, i64),
    ) -> Result<Part, RunError> {
        let data = Seen(world);
        let mut interp = Interp::new(self.query, &data);
        let query = self.query.query();
        let shown = &query.outputs[output];
        let def = &query.defs[shown.def];
        let found = match def.clock {
            Clock::Continuous => interp.changes(output, times.0..=times.1),
            Clock::Grid(_) | Clock::Events(_) => interp.output(output, rows),
        };
        let OutputRows { stamps, columns, .. } = found.map_err(failure)?;
        let types = shown.columns.iter().map(|(_, field)| def.fields[*field as usize].ty);
        let columns = columns.iter().zip(types).map(|(values, ty)| column(ty, values));
        Ok(Part { when: When::Listed(stamps.into()), columns: columns.collect() })
    }
}

fn failure(failure: Failure) -> RunError {
    RunError {
        time: failure.time,
        order: failure.def.index() as u32,
        definition: failure.name,
        message: "an integer is out of the range of its type".to_owned(),
    }
}

fn column(ty: Type, values: &[Option<Const>]) -> Column {
    Column::from_constants("", ty, values)
}

/// A world, as the interpreter sees it.
struct Seen<'a>(&'a World);

impl Rows for Seen<'_> {
    fn range(&self, input: Input) -> Range<i64> {
        let slab = &self.0.inputs[input.index()].slab;
        slab.first..slab.end()
    }

    fn get(&self, input: Input, field: u32, row: i64) -> Option<Const> {
        let slab = &self.0.inputs[input.index()].slab;
        let row = usize::try_from(row - slab.first).ok()?;
        slab.columns[field as usize].get(row)
    }

    fn stamp(&self, input: Input, row: i64) -> i64 {
        self.0.inputs[input.index()].stamps[row as usize]
    }

    fn until(&self, input: Input, row: i64) -> i64 {
        let input = &self.0.inputs[input.index()];
        input.until.as_ref().map_or(i64::MIN, |until| until[row as usize])
    }

    fn key(&self, number: u32) -> Const {
        self.0.key[number as usize]
    }

    fn start(&self, keyed: bool) -> Option<i64> {
        match keyed {
            true => self.0.extent.map(|(first, _)| first),
            false => self.0.run_start,
        }
    }
}
