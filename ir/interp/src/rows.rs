//! The data that a query runs on.

use std::ops::Range;
use tilt_ir::{Const, tir::Input};

/// The rows of every input of a query.
pub trait Rows {
    /// The rows of `input` (indexes of its grid) that the data reaches over. All others are φ.
    fn range(&self, input: Input) -> Range<i64>;
    /// A field of a row inside [`Rows::range`]: `None` is φ. The constant is of the field's type.
    fn get(&self, input: Input, field: u32, row: i64) -> Option<Const>;
}

/// Rows in memory.
///
/// ```
/// use tilt_interp::{Columns, Rows};
/// use tilt_ir::{Const, entity::Entity, tir::Input};
/// // One input; its rows 5, 6 and 7 have one field.
/// let x = [Some(1.5), None, Some(2.5)].map(|x| x.map(Const::f64));
/// let data = Columns::new().input(5, vec![x.to_vec()]);
/// assert_eq!(data.range(Input::new(0)), 5..8);
/// assert_eq!(data.get(Input::new(0), 0, 7), Some(Const::f64(2.5)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Columns {
    inputs: Vec<(i64, Vec<Vec<Option<Const>>>)>,
}

impl Columns {
    /// No input yet.
    pub fn new() -> Columns {
        Columns::default()
    }
    /// Adds the next input of the query: its first row and, for each field, the values from there on.
    pub fn input(mut self, first: i64, fields: Vec<Vec<Option<Const>>>) -> Columns {
        self.inputs.push((first, fields));
        self
    }
    fn of(&self, input: Input) -> Option<&(i64, Vec<Vec<Option<Const>>>)> {
        use tilt_ir::entity::Entity;
        self.inputs.get(input.index())
    }
}

impl Rows for Columns {
    fn range(&self, input: Input) -> Range<i64> {
        let Some((first, fields)) = self.of(input) else {
            return 0..0;
        };
        let length = fields.iter().map(Vec::len).max().unwrap_or(0);
        *first..first.saturating_add_unsigned(length as u64)
    }
    fn get(&self, input: Input, field: u32, row: i64) -> Option<Const> {
        let (first, fields) = self.of(input)?;
        let place = usize::try_from(row.checked_sub(*first)?).ok()?;
        *fields.get(field as usize)?.get(place)?
    }
}
