//! A subquery in the making: fragments become definitions, what they look at elsewhere becomes inputs.

use std::collections::HashMap;

use tilt_exec::engine::{StepId, What};
use tilt_ir::{
    Grid, Type,
    entity::Entity,
    tir::{Body, Clock, Def, DefData, Field, Input, InputData, Op, Output, Query, Source, Stamps},
};

use super::{Made, Stream, emit::Emitter};

/// What an input of a subquery stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Feeder {
    Step(StepId),
    Past(usize),
}

/// A subquery in the making.
pub(super) struct Making<'e, 'b, 'q> {
    pub(super) emitter: &'e mut Emitter<'b, 'q>,
    pub(super) inputs: Vec<Option<StepId>>,
    pub(super) raw: Vec<Option<usize>>,
    pub(super) query: Query,
}

impl Making<'_, '_, '_> {
    pub(super) fn def(&mut self, fragment: usize, defs: &HashMap<usize, Def>) -> Def {
        let builder = self.emitter.builder;
        let data = &builder.fragments[fragment];
        let mut body = data.body.clone();
        self.redirect(&mut body, defs);
        let field = |(k, ty): (usize, &Type)| Field { name: format!("f{k}"), ty: *ty };
        self.query.defs.push(DefData {
            name: format!("{}.{fragment}", data.name),
            fields: data.types.iter().enumerate().map(field).collect(),
            clock: Clock::Grid(data.scope.grid),
            keyed: false,
            init: None,
            body,
            loc: builder.query.defs[data.scope.def].loc,
        })
    }

    fn redirect(&mut self, body: &mut Body, defs: &HashMap<usize, Def>) {
        for value in body.insts.ids().collect::<Vec<_>>() {
            match &mut body.insts[value].op {
                Op::At { source, field, .. } => match source {
                    Source::Def(fragment) if defs.contains_key(&fragment.index()) => {
                        *source = Source::Def(defs[&fragment.index()]);
                    }
                    Source::Def(fragment) => {
                        let (step, first) = self.emitter.place(Stream::Fragment(fragment.index()));
                        (*source, *field) = (Source::Input(self.input(Feeder::Step(step))), first + *field);
                    }
                    Source::Input(column) => {
                        let column = column.index();
                        let feeder = match self.emitter.builder.columns[column].what {
                            Made::Past(_) => Feeder::Past(column),
                            _ => {
                                let (step, first) = self.emitter.place(Stream::Column(column));
                                *field += first;
                                Feeder::Step(step)
                            }
                        };
                        *source = Source::Input(self.input(feeder));
                    }
                },
                Op::Reduce(reduce) => self.redirect(&mut reduce.row, defs),
                _ => {}
            }
        }
    }

    pub(super) fn input(&mut self, feeder: Feeder) -> Input {
        let step = match feeder {
            Feeder::Step(step) => Some(step),
            Feeder::Past(_) => None,
        };
        if let Some(known) = self.inputs.iter().position(|known| *known == step) {
            return Input::new(known);
        }
        let builder = self.emitter.builder;
        let schedule = &self.emitter.scheduled.schedule;
        let (types, grid, raw): (&[Type], Grid, Option<usize>) = match feeder {
            Feeder::Past(column) => {
                let column = &builder.columns[column];
                (&column.types, column.scope.grid, None)
            }
            Feeder::Step(step) => {
                let data = &schedule.steps[step];
                let grid = match &schedule.clocks[data.clock] {
                    tilt_exec::engine::Clock::Grid(grid) => *grid,
                    _ => super::ROWS,
                };
                let raw = match data.what {
                    What::Input(input) => Some(input),
                    _ => None,
                };
                (&data.types, grid, raw)
            }
        };
        let field = |(k, ty): (usize, &Type)| Field { name: format!("f{k}"), ty: *ty };
        let input = self.query.inputs.push(InputData {
            name: step.map_or("past".to_owned(), |step| step.to_string()),
            fields: types.iter().enumerate().map(field).collect(),
            stamps: Stamps::Every(grid),
            interval: None,
            keyed: false,
            loc: tilt_ir::Loc::NONE,
        });
        self.inputs.push(step);
        self.raw.push(raw);
        input
    }

    pub(super) fn output(&mut self, def: Def) {
        let data = &self.query.defs[def];
        let name = data.name.clone();
        let columns = (0..).zip(&data.fields).map(|(k, field)| (field.name.clone(), k)).collect();
        self.query.outputs.push(Output { name, def, columns, keep: None });
    }
}
