//! What crosses clocks: joining, windows, merging, ordering. Everything works on plain slices and knows no query.
//!
//! | operator | what it makes |
//! |---|---|
//! | [`rows_holding`], [`rows_as_of`], [`Holding`] | for each time the row that holds then |
//! | [`gather`], [`gather_as_of`] | the values in chosen rows |
//! | [`rows_until`] | the bounds of windows of time |
//! | [`reduce`], [`weigh`] | a value for each window |
//! | [`merge`] | the rows of several streams in time order |
//! | [`changes`] | when a continuous stream may change |
//! | [`differing`] | the rows that differ from the one before |
//! | [`Pairs`] | rows and the rows of their windows |
//! | [`order`] | the rows of many keys in time order |

mod bits;
mod changes;
mod columns;
mod cursor;
mod differ;
mod expand;
mod gather;
mod interval;
mod merge;
mod order;
mod reduce;
mod values;

pub use bits::{Bitmap, Bits};
pub use changes::{Changing, changes};
pub use cursor::{Cursor, Hold, NONE, rows_as_of, rows_holding, rows_until};
pub use differ::differing;
pub use expand::Pairs;
pub use gather::{gather, gather_as_of, rows_set};
pub use interval::Holding;
pub use merge::{Merged, merge};
pub use order::{Ordered, order};
pub use reduce::{How, OutOfRange, Rows, Stamps, Stretches, Windows, reduce, reduce_durations, weigh};
pub use values::{Data, Made, Numbers, Values};
