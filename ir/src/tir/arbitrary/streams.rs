//! Inputs, definitions and outputs; grids and indexes.

use super::{Build, body::Draft};
use crate::{
    Grid, Loc, Type,
    entity::Entity,
    tir::{Base, Clock, Def, DefData, Field, Index, InputData, Output, Source},
};

/// Types, the more usual ones first and more than once.
const TYPES: &[Type] = &[
    Type::F64,
    Type::F32,
    Type::I64,
    Type::I32,
    Type::Bool,
    Type::F64,
    Type::I8,
    Type::I16,
    Type::U8,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::Time,
    Type::Duration,
    Type::F32,
];

impl Build<'_> {
    pub(super) fn streams(&mut self) {
        self.unit = self.choices.of(&[1_000_000_000, 1_800_000_000_000, 1_000_000, 1]);
        if self.shape.odd && self.choices.once_in(2) {
            self.query.source = "dir/\"odd\"\\name\n.tilt".to_owned();
        }
        if self.shape.general {
            self.keys();
        }
        for n in 0..=self.choices.below(self.shape.inputs) {
            self.input(n);
        }
        for n in 0..=self.choices.below(self.shape.defs) {
            self.def(n);
        }
        for n in 0..=self.choices.below(2) {
            self.output(n);
        }
    }

    fn input(&mut self, n: usize) {
        let mut fields = Vec::new();
        for name in &["a", "b", "c"][..=self.choices.below(3)] {
            let ty = self.ty();
            let name = self.name(name);
            fields.push(Field { name, ty });
        }
        let name = self.name(["x", "y", "z", "w"].get(n).unwrap_or(&"v"));
        let name = if n < 4 { name } else { format!("v{n}") };
        let (grid, loc) = (self.grid(), self.loc());
        let stamps = self.stamps(grid);
        let keyed = !self.query.keys.is_empty() && !self.choices.once_in(3);
        self.query.inputs.push(InputData { name, fields, stamps, interval: None, keyed, loc });
    }

    fn def(&mut self, n: usize) {
        let (grid, loc) = (self.grid(), self.loc());
        if self.shape.general {
            return self.general_def(n, grid, loc);
        }
        let body = self.def_body(Draft::new(Clock::Grid(grid), false));
        let mut fields = Vec::new();
        for (n, result) in body.results.iter().enumerate() {
            let name = self.name(&format!("r{n}"));
            let ty = body.ty(*result);
            fields.push(Field { name, ty });
        }
        let name = self.name(&format!("d{n}"));
        let clock = Clock::Grid(grid);
        self.query.defs.push(DefData { name, fields, clock, keyed: false, init: None, body, loc });
    }

    fn output(&mut self, n: usize) {
        let last = self.query.defs.len() - 1;
        let def = Def::new(last - self.choices.below(last + 1));
        let fields = self.query.defs[def].fields.clone();
        let skip = self.choices.below(fields.len());
        let mut columns = Vec::new();
        for (number, field) in (0u32..).zip(&fields).skip(skip) {
            columns.push((self.name(&field.name), number));
        }
        if self.shape.general {
            columns.truncate(1 + self.choices.below(columns.len()));
        }
        let mut bools = (0..).zip(&fields).filter(|(_, field)| field.ty == Type::Bool);
        let keep = bools.next().map(|(number, _)| number);
        let keep = keep.filter(|_| self.choices.once_in(2));
        let name = self.name(&format!("o{n}"));
        self.query.outputs.push(Output { name, def, columns, keep });
    }

    pub(super) fn ty(&mut self) -> Type {
        if self.shape.general && self.choices.once_in(12) {
            return Type::Symbol;
        }
        self.choices.of(TYPES)
    }

    /// This name or a variant of it that needs quotes.
    pub(super) fn name(&mut self, name: &str) -> String {
        if self.shape.odd && self.choices.once_in(6) {
            return format!("{name} \"odd\"\t\\é\u{7}");
        }
        name.to_owned()
    }

    pub(super) fn loc(&mut self) -> Loc {
        if self.shape.odd && self.choices.once_in(2) {
            return Loc::new(self.choices.number(), self.choices.number());
        }
        Loc::NONE
    }

    pub(super) fn grid(&mut self) -> Grid {
        let period = self.choices.of(&[1, 1, 1, 2, 3, 4, 5, 6, 12]) * self.unit;
        let mut offset = 0;
        if self.choices.once_in(3) {
            offset = self.choices.between(-5, 5) * self.unit;
        }
        if self.choices.once_in(8) {
            offset += self.unit / 3;
        }
        Grid::new(period, offset)
    }

    /// One of the grids of the query, or any.
    pub(super) fn some_grid(&mut self) -> Grid {
        let inputs = self.query.inputs.rows().iter().filter_map(|input| input.stamps.grid());
        let defs = self.query.defs.rows().iter().filter_map(|def| def.clock.grid());
        let grids: Vec<Grid> = inputs.chain(defs).collect();
        match self.choices.once_in(5) || grids.is_empty() {
            true => self.grid(),
            false => self.choices.of(&grids),
        }
    }

    /// An input, or a definition before the one that is being made; none that is keyed if that is not.
    pub(super) fn source(&mut self, draft: &Draft) -> (Source, Vec<Field>) {
        let inputs = self.query.inputs.iter().filter(|(_, data)| draft.keyed || !data.keyed);
        let defs = self.query.defs.iter().filter(|(_, data)| draft.keyed || !data.keyed);
        let sources: Vec<(Source, &Vec<Field>)> = inputs
            .map(|(input, data)| (Source::Input(input), &data.fields))
            .chain(defs.map(|(def, data)| (Source::Def(def), &data.fields)))
            .collect();
        let (source, fields) = sources[self.choices.below(sources.len())];
        (source, fields.clone())
    }

    /// A time near `t`.
    pub(super) fn index(&mut self) -> Index {
        let shift = self.shift(6);
        let base = self.base();
        Index { base, shift }
    }

    pub(super) fn base(&mut self) -> Base {
        let period = [2, 3, 4, 6, 12, 24];
        match self.choices.below(6) {
            0..=3 => Base::Now,
            4 => Base::Floor(self.choices.of(&period) * self.unit),
            _ => Base::Ceil(self.choices.of(&period) * self.unit),
        }
    }

    /// A shift by at most about so many units.
    pub(super) fn shift(&mut self, units: i64) -> i64 {
        if self.shape.odd && self.choices.once_in(20) {
            return self.choices.of(&[i64::MIN, i64::MAX, -1]);
        }
        let mut shift = self.choices.between(-units, units) * self.unit;
        if self.choices.once_in(8) {
            shift += self.unit / 2;
        }
        shift
    }
}
