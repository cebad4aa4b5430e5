//! All keys, on all threads.

use std::ops::Range;

use rayon::prelude::*;

use super::{
    assemble::KeyedPart,
    driver::{Options, PIECE_ROWS, Parts, Run, Stats},
    flat::Flat,
    schedule::StepId,
    unit::Stop,
    whole,
    world::{Whole, World},
};
use crate::{column::Column, run::RunError, stream::EventStream};

/// The parts of an output, in the order of their keys.
pub type OutputParts = Vec<KeyedPart>;

/// What every key sees.
pub trait Worlds: Sync {
    /// The columns of the keys: one row for each key.
    fn keys(&self) -> &[Column];

    /// How many keys there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What one key sees.
    fn world(&self, key: usize) -> World;

    /// The rows of all keys of an input of events, in the order of keys.
    fn events(&self, input: usize) -> &EventStream;

    /// The rows of a key among the flat rows of an input; any empty range if there are none, or the input has no keys.
    fn rows(&self, input: usize, key: usize) -> Range<usize>;
}

/// A key takes as much work as so many rows, at least.
const KEY_ROWS: usize = 4;

/// What was computed of some keys.
struct Ran {
    outputs: Vec<OutputParts>,
    stats: Stats,
    /// The earliest error, with its time and its key.
    earliest: Option<(i64, usize, RunError)>,
}

impl Ran {
    fn new(outputs: usize) -> Ran {
        Ran { outputs: vec![Vec::new(); outputs], stats: Stats::default(), earliest: None }
    }

    /// Adds the outputs of a key, which is behind all others.
    fn put(&mut self, key: usize, parts: Result<Parts, RunError>) {
        match parts {
            Ok(parts) => {
                for (output, part) in self.outputs.iter_mut().zip(parts) {
                    if !part.columns.is_empty() {
                        output.push(KeyedPart { keys: vec![(key as u32, part.when.len())], part });
                    }
                }
            }
            Err(error) => self.fail((error.time, key, error)),
        }
    }

    fn fail(&mut self, error: (i64, usize, RunError)) {
        if self.earliest.as_ref().is_none_or(|known| (error.0, error.1) < (known.0, known.1)) {
            self.earliest = Some(error);
        }
    }

    /// Adds what was computed of later keys.
    fn append(&mut self, other: Ran) {
        self.outputs.iter_mut().zip(other.outputs).for_each(|(all, more)| all.extend(more));
        self.stats.units += other.stats.units;
        self.stats.repeated += other.stats.repeated;
        other.earliest.into_iter().for_each(|error| self.fail(error));
    }
}

impl Run<'_> {
    /// Computes all outputs in all worlds, on the threads of the current pool. `shared` is the world without a key, in which unkeyed
    /// outputs are computed. Gives for each output its parts (of an unkeyed one a single part).
    ///
    /// # Errors
    /// The earliest value out of range: of several at one time that of the first key, then of the first definition.
    pub fn worlds(&self, shared: World, worlds: &dyn Worlds) -> Result<(Vec<OutputParts>, Stats), RunError> {
        let mut shared = shared;
        let mut all = Ran::new(self.schedule.outputs.len());
        let common = self.common_needs(worlds);
        let parts = self.world(&mut shared, false, &common, &mut all.stats);
        all.put(0, parts);
        // without what is common to all keys each of them is computed exactly
        let is_near = self.near_the_ends_of_time(&shared);
        let common = match is_near {
            true => Err(Stop::Flagged),
            false => whole::recursions(self.schedule, &mut shared, self.kernels, &common)
                .and_then(|()| whole::common(self.schedule, &shared, self.kernels, &common)),
        };
        let common = common.ok();
        let exact = self.options.exact || common.is_none();
        let keyed = Run { options: Options { exact, ..self.options }, ..*self };
        let common = common.unwrap_or_default();
        let flat = (!exact).then(|| Flat::of(self.schedule, self.kernels)).flatten();
        let ran: Vec<Ran> = self
            .runs_of_keys(worlds)
            .into_par_iter()
            .map(|keys| keyed.keys(flat.as_ref(), worlds, keys, &common))
            .collect();
        ran.into_iter().for_each(|ran| all.append(ran));
        match all.earliest {
            Some((_, _, error)) => Err(error),
            None => Ok((all.outputs, all.stats)),
        }
    }

    /// Cuts the keys: about as many rows as a piece has are computed by one thread.
    fn runs_of_keys(&self, worlds: &dyn Worlds) -> Vec<Range<usize>> {
        let most = self.options.piece_rows.unwrap_or(PIECE_ROWS);
        let inputs = 0..self.schedule.inputs.len();
        let size = |key| inputs.clone().map(|input| worlds.rows(input, key).len()).sum::<usize>() + KEY_ROWS;
        let mut runs = Vec::new();
        let (mut start, mut sum) = (0, 0);
        for key in 0..worlds.len() {
            let rows = size(key);
            if key > start && sum + rows > most {
                runs.push(start..key);
                (start, sum) = (key, 0);
            }
            sum += rows;
        }
        runs.extend((start < worlds.len()).then_some(start..worlds.len()));
        runs
    }

    /// Consecutive keys.
    fn keys(
        &self,
        flat: Option<&Flat>,
        worlds: &dyn Worlds,
        keys: Range<usize>,
        common: &[(StepId, Whole)],
    ) -> Ran {
        let mut ran = Ran::new(self.schedule.outputs.len());
        let most = self.options.piece_rows.unwrap_or(PIECE_ROWS);
        // what goes wrong is computed key by key: then it is known where and when
        if let Some(flat) = flat.filter(|flat| keys.len() > 1 || flat.rows(worlds, keys.start) <= most)
            && let Ok(Some(parts)) = flat.run(self, worlds, keys.clone())
        {
            ran.stats.units += 1;
            ran.outputs.iter_mut().zip(parts).for_each(|(output, part)| output.extend(part));
            return ran;
        }
        for key in keys {
            let mut world = worlds.world(key);
            world.whole.extend(common.iter().map(|(step, whole)| (*step, whole.clone())));
            let parts = self.world(&mut world, true, &[], &mut ran.stats);
            ran.put(key, parts);
        }
        for (output, parts) in self.schedule.outputs.iter().zip(&mut ran.outputs) {
            if parts.len() > 1 {
                *parts = vec![KeyedPart::joined(output, std::mem::take(parts))];
            }
        }
        ran
    }
}
