//! The TiLT side: a query prepared on its data.

use std::num::NonZero;

use tilt::{Output, Prepared, Query, RegularStream, RunError, RunOptions};

/// A query with its data, threads and output memory: only the computing is left.
pub struct TiltLoop<'a> {
    prepared: Prepared<'a>,
}

impl<'a> TiltLoop<'a> {
    /// Compiles for this data and makes room for the outputs.
    ///
    /// # Errors
    /// See [`Query::prepare`].
    pub fn new(query: &'a Query, inputs: &'a [RegularStream], threads: usize) -> Result<Self, RunError> {
        let options = RunOptions { threads: NonZero::new(threads), ..RunOptions::default() };
        Ok(TiltLoop { prepared: query.prepare(inputs, &options)? })
    }

    /// Computes the outputs.
    ///
    /// # Errors
    /// See [`Prepared::fill`].
    pub fn run(&mut self) -> Result<(), RunError> {
        self.prepared.fill().map(drop)
    }

    /// The only output of the query.
    ///
    /// # Panics
    /// If the query has more outputs than one.
    pub fn output(self) -> Output {
        let mut outputs = self.prepared.finish();
        assert_eq!(outputs.len(), 1, "each application puts out one thing");
        outputs.remove(0)
    }
}
