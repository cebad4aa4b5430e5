//! Queries: inputs, definitions, outputs.

use super::{Body, Clock, Stamps};
use crate::{Const, Grid, Loc, Type, entity::Table};

crate::entity!(
    /// An input of a [`Query`].
    pub struct Input => "input"
);
crate::entity!(
    /// A definition of a [`Query`].
    pub struct Def => "def"
);

/// A field of a stream: its name and type. The one field of a plain value is named `value`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: Type,
}

/// An input stream. A missing row of a regular one is φ in all its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputData {
    /// Its name in the source; unique among inputs and definitions.
    pub name: String,
    /// The fields of a row.
    pub fields: Vec<Field>,
    /// When its rows are stamped, and how long they hold.
    pub stamps: Stamps,
    /// Of rows that hold until the time in a second column: what the columns with their first and (excluded) last time are called.
    pub interval: Option<(String, String)>,
    /// Whether there is one such stream for each key.
    pub keyed: bool,
    /// Where it is declared.
    pub loc: Loc,
}

/// A definition: a stream whose row at stamp `t` has the results of `body` as its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefData {
    /// Its name in the source, or one made up; unique among inputs and definitions.
    pub name: String,
    /// The fields of a row, one for each result of the body.
    pub fields: Vec<Field>,
    /// When it has rows.
    pub clock: Clock,
    /// Whether it is computed for each key: so it is if it looks at a keyed stream, and may be if it looks at none.
    pub keyed: bool,
    /// Of a definition that looks at its own past rows: the values of its fields before the first row. Rows start with the first
    /// one of the data: row 0 of events, on a grid the first point at or after the first stamp of the data (of the key).
    pub init: Option<Vec<Option<Const>>>,
    /// The value at `t`.
    pub body: Body,
    /// Where it is defined.
    pub loc: Loc,
}

/// A stream that is put out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// The definition that it shows.
    pub def: Def,
    /// The fields that are put out: the name of the column and the field of `def`. A plain value's column has the output's name.
    pub columns: Vec<(String, u32)>,
    /// A bool field of `def`: rows in which it is not true (false or φ) are dropped.
    pub keep: Option<u32>,
}

/// A query. Definitions only look at inputs and at definitions before them in the table.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Query {
    /// The name of the source (a file name), for messages and locations.
    pub source: String,
    /// What keyed streams are keyed by: names and types (symbol or integers). Empty if no stream is keyed.
    pub keys: Vec<Field>,
    /// The symbols that the query names: number k has id k. Those of the data follow.
    pub symbols: Vec<String>,
    /// What is read.
    pub inputs: Table<Input, InputData>,
    /// What is computed.
    pub defs: Table<Def, DefData>,
    /// What is put out.
    pub outputs: Vec<Output>,
}

impl InputData {
    /// The grid of a regular input.
    ///
    /// # Panics
    /// If it is events: for code that only meets regular streams.
    pub fn grid(&self) -> Grid {
        self.stamps.grid().unwrap_or_else(|| panic!("input {} has no grid", self.name))
    }
}

impl DefData {
    /// The grid of a definition that lies on one.
    ///
    /// # Panics
    /// If it does not: for code that only meets regular streams.
    pub fn grid(&self) -> Grid {
        self.clock.grid().unwrap_or_else(|| panic!("definition {} has no grid", self.name))
    }
}

impl Query {
    /// Whether all streams lie on grids and nothing looks at its own past: what [`crate::loops`] can say in one kernel.
    pub fn is_regular(&self) -> bool {
        let regular_body = |body: &Body| {
            body.insts.rows().iter().all(|inst| match &inst.op {
                super::Op::Reduce(reduce) => reduce.is_regular(),
                _ => true,
            })
        };
        self.inputs.rows().iter().all(|input| input.stamps.grid().is_some())
            && self
                .defs
                .rows()
                .iter()
                .all(|def| def.clock.grid().is_some() && def.init.is_none() && regular_body(&def.body))
    }
}
