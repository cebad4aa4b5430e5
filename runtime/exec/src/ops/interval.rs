//! Rows that say until when they hold (`from a to b`): the last one, in order of arrival, among those that hold.
//!
//! ```text
//! row 0  0 ──────────────────── 100
//! row 1     10 ── 30                       at 20: row 1, at 35: row 2, at 45: row 0
//! row 2        20 ────── 40
//! ```
//!
//! A walk keeps a stack of rows of which each ends before the one below it. A row that ends no earlier than the top hides it
//! for good; rows that have ended fall off. To start anywhere, each row knows the last row before it that ends later: the
//! stack at a time is the chain of these.
//!
//! ```
//! use tilt_exec::ops::Holding;
//! let (from, until) = ([0, 10, 20], [100, 30, 40]);
//! let holding = Holding::new(&from, &until);
//! assert_eq!(holding.rows([-1, 20, 29, 35, 45, 100].into_iter().map(i128::from)), [-1, 2, 2, 2, 0, -1]);
//! ```

use std::borrow::Cow;

use super::cursor::{NONE, advance};

/// The rows of an input whose rows hold on intervals.
#[derive(Clone, Debug)]
pub struct Holding<'a> {
    from: &'a [i64],
    until: &'a [i64],
    /// For each row the last one before it that ends later.
    outer: Cow<'a, [i64]>,
}

impl<'a> Holding<'a> {
    /// Rows that hold from (included) `from`, which never falls, to (not included) `until`.
    pub fn new(from: &'a [i64], until: &'a [i64]) -> Holding<'a> {
        Holding { from, until, outer: Cow::Owned(Holding::outer(until)) }
    }

    /// The same, with what [`Holding::outer`] gave for `until` before.
    pub fn again(from: &'a [i64], until: &'a [i64], outer: &'a [i64]) -> Holding<'a> {
        Holding { from, until, outer: Cow::Borrowed(outer) }
    }

    /// For each row the last one before it that ends later; -1 if there is none.
    pub fn outer(until: &[i64]) -> Vec<i64> {
        let mut outer = Vec::with_capacity(until.len());
        for (row, end) in until.iter().enumerate() {
            let mut at = row as i64 - 1;
            while at != NONE && until[at as usize] <= *end {
                at = outer[at as usize];
            }
            outer.push(at);
        }
        outer
    }

    /// The row that holds at each of the rising times.
    pub fn rows(&self, times: impl Iterator<Item = i128>) -> Vec<i64> {
        let mut times = times.peekable();
        let start = times.peek().copied().unwrap_or(0);
        let next = self.from.partition_point(|from| i128::from(*from) <= start);
        let mut walk = Walk { rows: self, next, stack: Vec::new(), base: next as i64 - 1 };
        times.map(|time| walk.at(time)).collect()
    }
}

struct Walk<'a> {
    rows: &'a Holding<'a>,
    next: usize,
    /// Rows since the start; below them is the chain from `base`.
    stack: Vec<i64>,
    base: i64,
}

impl Walk<'_> {
    fn top(&self) -> i64 {
        self.stack.last().copied().unwrap_or(self.base)
    }

    /// Takes off rows that end at or before a time.
    fn pop_until(&mut self, time: i128) {
        while let row @ 0.. = self.top()
            && i128::from(self.rows.until[row as usize]) <= time
        {
            if self.stack.pop().is_none() {
                self.base = self.rows.outer[row as usize];
            }
        }
    }

    fn at(&mut self, time: i128) -> i64 {
        let from = self.rows.from;
        let end = advance(self.next, from.len(), |row| i128::from(from[row]) <= time);
        for row in self.next..end {
            let until = i128::from(self.rows.until[row]);
            if until > time {
                self.pop_until(until);
                self.stack.push(row as i64);
            }
        }
        self.next = end;
        self.pop_until(time);
        self.top()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_last_of_those_that_hold(
            rows in prop::collection::vec((0i64..3, -2i64..30), 0..60),
            start in -3i64..40,
            steps in prop::collection::vec(0i64..4, 0..60),
        ) {
            let from: Vec<i64> = rows.iter().scan(0, |at, (step, _)| { *at += step; Some(*at) }).collect();
            let until: Vec<i64> = from.iter().zip(&rows).map(|(from, (_, long))| from + long).collect();
            let times: Vec<i64> = steps.iter().scan(start, |at, step| { *at += step; Some(*at) }).collect();
            let naive = |time: &i64| {
                let holds = |row: &usize| from[*row] <= *time && *time < until[*row];
                (0..from.len()).rev().find(holds).map_or(NONE, |row| row as i64)
            };
            let rows = Holding::new(&from, &until).rows(times.iter().map(|time| i128::from(*time)));
            prop_assert_eq!(rows, times.iter().map(naive).collect::<Vec<_>>());
        }
    }
}
