//! Queries: inputs, definitions, outputs.

use super::Body;
use crate::{Grid, Loc, Type, entity::Table};

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

/// An input stream: rows on a grid. A missing row is φ in all its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputData {
    /// Its name in the source; unique among inputs and definitions.
    pub name: String,
    /// The fields of a row.
    pub fields: Vec<Field>,
    /// Where its rows are stamped; each holds for one period.
    pub grid: Grid,
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
    /// Where its rows are stamped; each holds for one period.
    pub grid: Grid,
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
    /// What is read.
    pub inputs: Table<Input, InputData>,
    /// What is computed.
    pub defs: Table<Def, DefData>,
    /// What is put out.
    pub outputs: Vec<Output>,
}
