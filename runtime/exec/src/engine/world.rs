//! What one key sees.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use arrow::buffer::ScalarBuffer;
use tilt_ir::Const;

use super::schedule::{ClockId, StepId};
use crate::{
    column::Column,
    ops::{Merged, merge},
    stream::Stream,
};

/// Consecutive rows of a stream: entry i of each column is row `first + i` of the stream's clock.
#[derive(Clone, Debug, Default)]
pub struct Slab {
    /// The number of the first row.
    pub first: i64,
    /// How many rows.
    pub len: usize,
    /// The fields.
    pub columns: Vec<Column>,
}

impl Slab {
    /// One past the last row.
    pub fn end(&self) -> i64 {
        self.first.saturating_add_unsigned(self.len as u64)
    }
}

/// A stream that is computed before the units.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) slab: Slab,
    /// On a changing clock: when its rows are.
    pub(super) stamps: Option<Arc<[i64]>>,
}

/// The rows of one input in a world.
#[derive(Clone, Debug, Default)]
pub struct WorldInput {
    /// The fields.
    pub slab: Slab,
    /// Of events: the stamps, ascending.
    pub stamps: ScalarBuffer<i64>,
    /// Of events that say how long they hold: until when.
    pub until: Option<ScalarBuffer<i64>>,
    /// Of those, for each row the last one before it that holds longer: made when it is first needed.
    pub(super) outer: OnceLock<Vec<i64>>,
}

impl From<Stream> for WorldInput {
    fn from(stream: Stream) -> WorldInput {
        match stream {
            Stream::Regular(stream) => WorldInput {
                slab: Slab { first: stream.first, len: stream.len, columns: stream.columns },
                ..WorldInput::default()
            },
            Stream::Events(stream) => WorldInput {
                slab: Slab { first: 0, len: stream.len(), columns: stream.columns },
                stamps: stream.stamps,
                until: stream.until,
                outer: OnceLock::new(),
            },
        }
    }
}

impl WorldInput {
    /// No rows of such columns.
    pub fn empty(columns: &[Column], until: bool) -> WorldInput {
        let columns = columns.iter().map(|column| column.slice(0..0)).collect();
        WorldInput {
            slab: Slab { first: 0, len: 0, columns },
            stamps: Vec::new().into(),
            until: until.then(|| Vec::new().into()),
            outer: OnceLock::new(),
        }
    }
}

/// What one key, or a query without keys, sees.
#[derive(Debug, Default)]
pub struct World {
    /// The place of the key among all keys in their order; 0 without keys.
    pub number: usize,
    /// The key's values.
    pub key: Vec<Const>,
    /// The inputs, in the order of the query.
    pub inputs: Vec<WorldInput>,
    /// The first and the last stamp of the data: of the key's own inputs, or of all if there is no key. `None` without rows.
    pub extent: Option<(i64, i64)>,
    /// The first stamp of all rows that can be seen.
    pub earliest: i64,
    /// The first stamp of the run: of all inputs, and all keys.
    pub run_start: Option<i64>,
    /// Streams that are computed whole: recursions, and what is the same for all keys.
    pub(super) whole: HashMap<StepId, Whole>,
    pub(super) merged: Vec<OnceLock<Merged>>,
}

impl World {
    /// A world of these inputs; `clocks` is the number of clocks of the schedule.
    pub fn new(number: usize, key: Vec<Const>, inputs: Vec<WorldInput>, clocks: usize) -> World {
        World {
            number,
            key,
            inputs,
            extent: None,
            earliest: i64::MIN,
            run_start: None,
            whole: HashMap::new(),
            merged: (0..clocks).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The first and last stamps of all inputs.
    pub(super) fn ends(&self) -> impl Iterator<Item = i64> + '_ {
        let of_events = self.inputs.iter().flat_map(|input| [input.stamps.first(), input.stamps.last()]);
        let of_all = self.extent.into_iter().flat_map(|(first, last)| [first, last]);
        of_events.flatten().copied().chain(of_all)
    }

    /// The merged rows of a clock of several inputs.
    pub(super) fn merged(&self, clock: ClockId, inputs: &[usize]) -> &Merged {
        use tilt_ir::entity::Entity;
        self.merged[clock.index()].get_or_init(|| {
            let stamps: Vec<&[i64]> = inputs.iter().map(|input| &*self.inputs[*input].stamps).collect();
            merge(&stamps)
        })
    }
}
