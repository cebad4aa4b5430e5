//! The data that a query runs on, as one key sees it.

use std::ops::Range;
use tilt_ir::{Const, entity::Entity, tir::Input};

/// The rows of every input of a query: those of one key of the keyed inputs, all of the others. Without a key the keyed inputs
/// are empty.
///
/// Rows of regular inputs are numbered as their grids are, those of events 0, 1, … in the order of (stamp, arrival).
pub trait Rows {
    /// The rows of `input` that the data reaches over. All others of a regular input are φ, of events there are no others.
    fn range(&self, input: Input) -> Range<i64>;
    /// A field of a row inside [`Rows::range`]: `None` is φ. The constant is of the field's type.
    fn get(&self, input: Input, field: u32, row: i64) -> Option<Const>;
    /// The stamp of a row of events inside [`Rows::range`]. It does not fall from one row to the next.
    fn stamp(&self, input: Input, row: i64) -> i64 {
        panic!("row {row} of {input} has no stamp of its own: these rows are regular")
    }
    /// Until (not including) when a row of events holds that says so.
    fn until(&self, input: Input, row: i64) -> i64 {
        panic!("row {row} of {input} does not say until when it holds")
    }
    /// The value of key number `number`.
    fn key(&self, number: u32) -> Const {
        panic!("there is no key {number}: nothing here is keyed")
    }
    /// The first stamp of the data, where recursions on grids begin: of the keyed inputs of this key for keyed definitions, of all
    /// inputs of the run (those of all keys, too) for the others. `None` if there is no row.
    fn start(&self, keyed: bool) -> Option<i64> {
        panic!("nobody said where the data (keyed: {keyed}) starts")
    }
}

/// Rows in memory.
///
/// ```
/// use tilt_interp::{Columns, Rows};
/// use tilt_ir::{Const, entity::Entity, tir::Input};
/// // Rows 5, 6 and 7 of a regular input with one field; then two events.
/// let x = [Some(1.5), None, Some(2.5)].map(|x| x.map(Const::f64));
/// let data = Columns::new().input(5, vec![x.to_vec()]).events(vec![10, 12], vec![x[..2].to_vec()]);
/// assert_eq!(data.range(Input::new(0)), 5..8);
/// assert_eq!(data.get(Input::new(0), 0, 7), Some(Const::f64(2.5)));
/// assert_eq!((data.range(Input::new(1)), data.stamp(Input::new(1), 1)), (0..2, 12));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Columns {
    inputs: Vec<Stream>,
    key: Vec<Const>,
    own_start: Option<i64>,
    start: Option<i64>,
}

/// Rows of one input.
#[derive(Clone, Debug)]
struct Stream {
    first: i64,
    fields: Vec<Vec<Option<Const>>>,
    stamps: Vec<i64>,
    until: Vec<i64>,
}

impl Columns {
    /// No input yet.
    pub fn new() -> Columns {
        Columns::default()
    }
    /// Adds the next input of the query, a regular one: its first row and, for each field, the values from there on.
    pub fn input(self, first: i64, fields: Vec<Vec<Option<Const>>>) -> Columns {
        self.stream(Stream { first, fields, stamps: Vec::new(), until: Vec::new() })
    }
    /// Adds the next input of the query: events with these stamps, in order, and the values of each field.
    pub fn events(self, stamps: Vec<i64>, fields: Vec<Vec<Option<Const>>>) -> Columns {
        self.intervals(stamps, Vec::new(), fields)
    }
    /// Adds the next input of the query: events that say until when they hold.
    pub fn intervals(self, stamps: Vec<i64>, until: Vec<i64>, fields: Vec<Vec<Option<Const>>>) -> Columns {
        self.stream(Stream { first: 0, fields, stamps, until })
    }
    /// The values of the key.
    pub fn key(mut self, values: Vec<Const>) -> Columns {
        self.key = values;
        self
    }
    /// The first stamp of the data: of this key, and of all.
    pub fn start(mut self, own: Option<i64>, all: Option<i64>) -> Columns {
        (self.own_start, self.start) = (own, all);
        self
    }
    fn stream(mut self, stream: Stream) -> Columns {
        self.inputs.push(stream);
        self
    }
    fn of(&self, input: Input) -> Option<&Stream> {
        self.inputs.get(input.index())
    }
}

impl Rows for Columns {
    fn range(&self, input: Input) -> Range<i64> {
        let Some(Stream { first, fields, stamps, .. }) = self.of(input) else {
            return 0..0;
        };
        let length = fields.iter().map(Vec::len).max().unwrap_or(0).max(stamps.len());
        *first..first.saturating_add_unsigned(length as u64)
    }
    fn get(&self, input: Input, field: u32, row: i64) -> Option<Const> {
        let Stream { first, fields, .. } = self.of(input)?;
        let place = usize::try_from(row.checked_sub(*first)?).ok()?;
        *fields.get(field as usize)?.get(place)?
    }
    fn stamp(&self, input: Input, row: i64) -> i64 {
        self.inputs[input.index()].stamps[row as usize]
    }
    fn until(&self, input: Input, row: i64) -> i64 {
        self.inputs[input.index()].until[row as usize]
    }
    fn key(&self, number: u32) -> Const {
        self.key[number as usize]
    }
    fn start(&self, keyed: bool) -> Option<i64> {
        if keyed { self.own_start } else { self.start }
    }
}
