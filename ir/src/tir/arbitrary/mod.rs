//! Random legal queries, for tests (feature `arbitrary`).
//!
//! ```ignore
//! proptest! {
//!     #[test]
//!     fn reads_back(query in tilt_ir::tir::arbitrary::queries(Shape::default())) {
//!         prop_assert_eq!(tir::parse(&query.to_string()), Ok(query));
//!     }
//! }
//! ```
//!
//! A query is a function of a list of numbers, each of which decides one question; where the list has ended the answer is 0,
//! the simplest one. So proptest makes a query simpler by making the list shorter and its numbers smaller.

mod body;
mod choices;
pub mod data;
mod general;
mod op;
mod reduce;
mod rows;
mod streams;
#[cfg(test)]
mod tests;

use proptest::prelude::*;

use super::{Query, verify};
use choices::Choices;

/// What the queries are like.
#[derive(Clone, Debug)]
pub struct Shape {
    /// At most this many inputs; at least one.
    pub inputs: usize,
    /// At most this many definitions; at least one.
    pub defs: usize,
    /// At most this many instructions in a body, before those that provide their operands; at least one.
    pub insts: usize,
    /// Whether there are windows.
    pub windows: bool,
    /// Windows span about this many of the units of time that all periods are small multiples of.
    pub span: i64,
    /// Any legal grouping, not just the one that [`Grouping::choose`](super::Grouping::choose) gives.
    pub any_grouping: bool,
    /// Not only regular queries: events, keys, symbols, clocks of events, continuous definitions, recursion, and all reducers.
    pub general: bool,
    /// What only the text can tell: odd names, places, numbers at the ends of their ranges, payloads of NaN.
    pub odd: bool,
}

impl Default for Shape {
    /// Small queries that are quick to run.
    fn default() -> Shape {
        Shape {
            inputs: 3,
            defs: 4,
            insts: 6,
            windows: true,
            span: 30,
            any_grouping: false,
            general: false,
            odd: false,
        }
    }
}

/// Random legal queries: inputs of several types, definitions on several grids, reductions with captures, every op.
/// [`data::data`] makes rows for them.
pub fn queries(shape: Shape) -> impl Strategy<Value = Query> {
    let numbers = prop::collection::vec(any::<u32>(), 0..400);
    numbers.prop_map(move |numbers| query(&shape, &numbers))
}

/// The query that these numbers stand for.
pub fn query(shape: &Shape, numbers: &[u32]) -> Query {
    let mut build =
        Build { shape, choices: Choices::new(numbers), unit: 1_000_000_000, query: Query::default() };
    build.streams();
    if let Err(errors) = verify(&build.query) {
        panic!("not legal: {}\n{}", errors[0], build.query);
    }
    build.query
}

/// A query in the making.
struct Build<'a> {
    shape: &'a Shape,
    choices: Choices<'a>,
    /// The unit of time.
    unit: i64,
    query: Query,
}
