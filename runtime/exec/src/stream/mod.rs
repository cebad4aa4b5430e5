//! Streams: rows in time, with or without keys.
//!
//! | stream | rows | stamps |
//! |---|---|---|
//! | [`RegularStream`] | on a grid, one after the other; missing ones are φ | none are stored |
//! | [`EventStream`] | whenever something happens | a column of them |
//!
//! An [`Input`] of a query is one stream, or one for each key. Those of all keys lie in *one* set of flat
//! columns, key after key; [`Input::part`] cuts out a key without copying anything.
//!
//! ```
//! use tilt_exec::{Column, EventStream, Input, Keys, Stream};
//! use tilt_ir::Type;
//! let flat = EventStream {
//!     stamps: vec![1, 5, 2].into(),
//!     until: None,
//!     columns: vec![Column::from_values("price", Type::F64, vec![1.5, 2.5, 9.0])],
//! };
//! let keys = Keys {
//!     columns: vec![Column::from_values("id", Type::I64, vec![7i64, 8])],
//!     offsets: vec![0, 2, 3],
//!     firsts: vec![],
//! };
//! let input = Input { stream: Stream::Events(flat), keys: Some(keys) };
//! let Stream::Events(seven) = input.part(0) else { unreachable!() };
//! assert_eq!(seven.stamps[..], [1, 5]);
//! assert_eq!(input.extent(), Some((1, 5)));
//! ```

mod events;
mod keys;
mod regular;

pub use events::EventStream;
pub(crate) use keys::{KeyOrder, symbol_ranks};
pub use keys::{Keys, MatchedKeys};
pub use regular::RegularStream;

use crate::column::Column;

/// Rows in time.
#[derive(Clone, Debug)]
pub enum Stream {
    /// On a grid.
    Regular(RegularStream),
    /// At any times.
    Events(EventStream),
}

impl Stream {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Stream::Regular(stream) => stream.len,
            Stream::Events(stream) => stream.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The fields.
    pub fn columns(&self) -> &[Column] {
        match self {
            Stream::Regular(stream) => &stream.columns,
            Stream::Events(stream) => &stream.columns,
        }
    }

    /// The first and the last stamp; `None` without rows, or if they lie outside the 64-bit range of
    /// times.
    pub fn extent(&self) -> Option<(i64, i64)> {
        match self {
            Stream::Regular(stream) => stream.extent(),
            Stream::Events(stream) => stream.extent(),
        }
    }
}

/// The data of an input.
#[derive(Clone, Debug)]
pub struct Input {
    /// The rows. With keys: those of all keys, key after key, and the `first` row of a regular stream is
    /// 0 and means nothing.
    pub stream: Stream,
    /// The keys, if the input has some.
    pub keys: Option<Keys>,
}

impl Input {
    /// How many streams there are: one for each key, or one.
    pub fn parts(&self) -> usize {
        self.keys.as_ref().map_or(1, Keys::len)
    }

    /// The stream of a key, in key order; without keys part 0 is the stream. Nothing is copied.
    ///
    /// # Panics
    /// If there is no such key.
    pub fn part(&self, key: usize) -> Stream {
        let Some(keys) = &self.keys else {
            assert_eq!(key, 0, "an input without keys is one part");
            return self.stream.clone();
        };
        let rows = keys.rows(key);
        match &self.stream {
            Stream::Events(flat) => Stream::Events(flat.slice(rows)),
            Stream::Regular(flat) => Stream::Regular(RegularStream {
                grid: flat.grid,
                first: keys.firsts[key],
                len: rows.len(),
                columns: flat.columns.iter().map(|column| column.slice(rows.clone())).collect(),
            }),
        }
    }

    /// The first and the last stamp of a key (or of the stream); see [`Stream::extent`].
    ///
    /// # Panics
    /// If there is no such key.
    pub fn part_extent(&self, key: usize) -> Option<(i64, i64)> {
        let Some(keys) = &self.keys else { return self.stream.extent() };
        let rows = keys.rows(key);
        match &self.stream {
            Stream::Events(flat) => {
                let stamps = &flat.stamps[rows];
                Some((*stamps.first()?, *stamps.last()?))
            }
            Stream::Regular(flat) => {
                let (grid, first, len) = (flat.grid, keys.firsts[key], rows.len());
                RegularStream { grid, first, len, columns: vec![] }.extent()
            }
        }
    }

    /// The first and the last stamp of all keys; `None` without rows.
    pub fn extent(&self) -> Option<(i64, i64)> {
        let extents = (0..self.parts()).filter_map(|key| self.part_extent(key));
        extents.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
    }
}

impl From<RegularStream> for Input {
    fn from(stream: RegularStream) -> Input {
        Input { stream: Stream::Regular(stream), keys: None }
    }
}

impl From<EventStream> for Input {
    fn from(stream: EventStream) -> Input {
        Input { stream: Stream::Events(stream), keys: None }
    }
}
