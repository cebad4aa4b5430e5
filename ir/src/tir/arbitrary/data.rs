//! Random rows for random queries: ties, φ, NaN, gaps, keys with one row or none, stamps at the ends of time.
//!
//! ```
//! use tilt_ir::tir::{self, arbitrary::data::data};
//! let query = tir::parse("input @x {v: f64} events until\n").unwrap();
//! let data = data(&query, &[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
//! let part = &data.inputs[0].parts[0];
//! assert!(part.stamps.is_sorted());
//! assert_eq!((part.stamps.len(), part.stamps.len()), (part.until.len(), part.fields[0].len()));
//! ```

use super::choices::Choices;
use crate::{
    Const, Grid, Type,
    entity::Entity,
    tir::{Hold, Input, InputData, Query, Stamps},
};

/// Rows of all inputs.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// The dictionary: the query's symbols, then more.
    pub symbols: Vec<String>,
    /// The keys in their order (integers by value, symbols by bytes), each with its values. At least one if the query has keys.
    pub keys: Vec<Vec<Const>>,
    /// The inputs, in the order of the query.
    pub inputs: Vec<InputRows>,
}

/// Rows of one input.
#[derive(Clone, Debug, Default)]
pub struct InputRows {
    /// Of a keyed input those of each key, of an unkeyed one all.
    pub parts: Vec<Part>,
}

/// Rows of one stream.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Of a regular input: the first row.
    pub first: i64,
    /// When each row is stamped; of a regular input its grid says so, too.
    pub stamps: Vec<i64>,
    /// Of events that say so: until when each row holds.
    pub until: Vec<i64>,
    /// The values of each field.
    pub fields: Vec<Vec<Option<Const>>>,
}

impl Data {
    /// The rows that a key sees (`None`: what is seen without a key) of an input; of a keyed one without a key, nothing.
    pub fn part(&self, query: &Query, input: Input, key: Option<usize>) -> Option<&Part> {
        let parts = &self.inputs[input.index()].parts;
        match (query.inputs[input].keyed, key) {
            (true, Some(key)) => parts.get(key),
            (true, None) => None,
            (false, _) => parts.first(),
        }
    }

    /// The first and last stamp of the keyed inputs of a key; without a key of everything.
    pub fn extent(&self, query: &Query, key: Option<usize>) -> Option<(i64, i64)> {
        let inputs = query.inputs.iter();
        let seen = inputs.flat_map(|(input, data)| match key {
            None => self.inputs[input.index()].parts.iter().collect::<Vec<_>>(),
            Some(_) if !data.keyed => Vec::new(),
            Some(_) => self.part(query, input, key).into_iter().collect(),
        });
        let ends = seen.filter_map(|part| Some((*part.stamps.first()?, *part.stamps.last()?)));
        ends.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
    }
}

/// The rows that these numbers stand for.
pub fn data(query: &Query, numbers: &[u32]) -> Data {
    let mut draft = Draft { choices: Choices::new(numbers), query, unit: unit(query), base: 0 };
    draft.base = match draft.choices.below(6) {
        4 => i64::MAX - draft.choices.below(100) as i64 * draft.unit.min(1 << 40),
        5 => i64::MIN + draft.choices.below(100) as i64 * draft.unit.min(1 << 40),
        _ => draft.choices.between(-20, 20) * draft.unit,
    };
    let mut data = Data { symbols: query.symbols.clone(), ..Data::default() };
    data.symbols.extend(["AA", "Z", "b"].map(str::to_owned));
    draft.keys(&mut data);
    for input in query.inputs.rows() {
        let parts = if input.keyed { data.keys.len() } else { 1 };
        let parts = (0..parts).map(|_| draft.part(input, data.symbols.len())).collect();
        data.inputs.push(InputRows { parts });
    }
    data
}

/// What most periods and lengths of the query are multiples of.
fn unit(query: &Query) -> i64 {
    let of_inputs = query.inputs.rows().iter().filter_map(|input| match input.stamps {
        Stamps::Every(grid) => Some(grid.period),
        Stamps::Events(Hold::For(length)) => Some(length),
        Stamps::Events(Hold::Point | Hold::UntilNext | Hold::Until) => None,
    });
    let of_defs = query.defs.rows().iter().filter_map(|def| Some(def.clock.grid()?.period));
    of_inputs.chain(of_defs).min().unwrap_or(10)
}

struct Draft<'a> {
    choices: Choices<'a>,
    query: &'a Query,
    unit: i64,
    /// About where the first stamps are.
    base: i64,
}

impl Draft<'_> {
    fn keys(&mut self, data: &mut Data) {
        if self.query.keys.is_empty() {
            return;
        }
        for _ in 0..=self.choices.below(4) {
            let mut key = Vec::new();
            for field in &self.query.keys {
                key.push(Const::Int(match field.ty {
                    Type::Symbol => self.choices.below(data.symbols.len()) as i128,
                    _ => self.choices.between(-3, 3).into(),
                }));
            }
            if !data.keys.contains(&key) {
                data.keys.push(key);
            }
        }
        let query = self.query;
        let order = |key: &Vec<Const>| {
            let places = key.iter().zip(&query.keys).map(|(value, field)| match (value, field.ty) {
                (Const::Int(id), Type::Symbol) => (0, data.symbols[*id as usize].clone()),
                (Const::Int(value), _) => (*value, String::new()),
                (Const::Bool(_) | Const::F32(_) | Const::F64(_), _) => (0, String::new()),
            });
            places.collect::<Vec<(i128, String)>>()
        };
        let mut keys = std::mem::take(&mut data.keys);
        keys.sort_by_key(order);
        data.keys = keys;
    }

    fn part(&mut self, input: &InputData, symbols: usize) -> Part {
        let len = match self.choices.below(8) {
            5 => 0,
            6 => 1,
            7 => 20 + self.choices.below(200),
            n => 2 + 4 * n + self.choices.below(5),
        };
        let mut part = match input.stamps {
            Stamps::Every(grid) => self.regular(grid, len),
            Stamps::Events(_) => Part { stamps: self.stamps(len), ..Part::default() },
        };
        if input.stamps == Stamps::Events(Hold::Until) {
            for stamp in &part.stamps {
                let length = self.choices.between(-1, 12).saturating_mul(self.unit);
                part.until.push(stamp.saturating_add(length));
            }
        }
        for field in &input.fields {
            let often = self.choices.of(&[0, 5, 2]);
            let is_null = |draft: &mut Self| often > 0 && draft.choices.below(often) == 0;
            let values = (0..part.stamps.len()).map(|_| match is_null(self) {
                true => None,
                false => Some(self.value(field.ty, symbols)),
            });
            part.fields.push(values.collect());
        }
        part
    }

    fn regular(&mut self, grid: Grid, len: usize) -> Part {
        let first = grid.row_from(self.base).saturating_add(self.choices.between(-3, 3));
        // the row after the last one has a number, too
        let stamps = (1..=len as i64).map_while(|row| grid.stamp(first.checked_add(row)? - 1));
        Part { first, stamps: stamps.collect(), ..Part::default() }
    }

    /// Stamps that rise: ties, neighbours, on and off the multiples of the unit, gaps. Toward the end of time they stay there.
    fn stamps(&mut self, len: usize) -> Vec<i64> {
        let mut stamp = self.base.saturating_add(self.choices.between(-5, 5).saturating_mul(self.unit));
        let mut stamps = Vec::new();
        for _ in 0..len {
            let step = match self.choices.below(8) {
                0..=2 => self.unit,
                3 | 4 => 0,
                5 => 1,
                6 => self.choices.below(self.unit.min(1 << 30) as usize) as i64,
                _ => (self.choices.below(12) as i64).saturating_mul(self.unit),
            };
            stamp = stamp.saturating_add(step);
            stamps.push(stamp);
        }
        stamps
    }

    fn value(&mut self, ty: Type, symbols: usize) -> Const {
        let small = self.choices.between(-4, 4);
        let special = self.choices.of(&[f64::NAN, -0.0, f64::INFINITY, 1e300, -1e-300, 0.1]);
        let float = if self.choices.once_in(7) { special } else { small as f64 / 2.0 };
        match ty {
            Type::Bool => Const::Bool(small > 0),
            Type::F32 => Const::f32(float as f32),
            Type::F64 => Const::f64(float),
            Type::Symbol => Const::Int(small.unsigned_abs() as i128 % symbols.max(1) as i128),
            Type::Time | Type::Duration => Const::Int(i128::from(small) * i128::from(self.unit)),
            Type::U8 | Type::U16 | Type::U32 | Type::U64 => Const::Int(small.unsigned_abs().into()),
            Type::I8 if self.choices.once_in(40) => Const::Int(127),
            Type::I64 if self.choices.once_in(40) => Const::Int(i64::MAX.into()),
            Type::I8 | Type::I16 | Type::I32 | Type::I64 => Const::Int(small.into()),
        }
    }
}
