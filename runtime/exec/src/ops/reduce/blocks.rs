//! `blocks` and `time_blocks`: windows that share the results of blocks.
//!
//! ```text
//! rows      a b c | d e f | g h i        window b … h: ((b⊕c) ⊕ ((d⊕e)⊕f)) ⊕ (g⊕h)
//!             └─┘   └───┘   └─┘
//!          from the  whole  from the
//!            right   block    left
//! ```
//!
//! The part in the window's first block comes out of a table of all such parts of the block (folded from the right), the
//! others grow with the windows' ends. A window inside one block is folded from the left.

use std::collections::VecDeque;

use super::{
    cuts::{Cut, Cuts},
    terms::Terms,
    windows::{Live, Windows},
};

/// All windows; `put` gets each window's number and result.
pub(super) fn all<T: Terms>(
    terms: &T,
    windows: &Windows<'_>,
    (first, len): (i64, usize),
    cuts: &mut impl Cuts,
    put: &mut impl FnMut(usize, T::State),
) {
    let mut heads = Heads::<T>::default();
    let mut inner = Run::<T> { start: 0, end: 0, state: T::NOTHING };
    let mut rest = Blocks::<T>::default();
    for k in 0..windows.len() {
        let live = windows.live(k, first, len);
        if live.start == live.end {
            put(k, T::NOTHING);
            continue;
        }
        match cuts.first(k, live) {
            Cut::Inside => put(k, inner.grown(terms, live)),
            Cut::At(end) => {
                let end = end.clamp(live.start, live.end);
                let head = if live.start < end { heads.from(terms, live.start, end) } else { T::NOTHING };
                put(k, rest.after(terms, cuts, head, end, live.end));
            }
        }
    }
}

/// A fold from the left of the rows `start..end`.
struct Run<T: Terms> {
    start: usize,
    end: usize,
    state: T::State,
}

impl<T: Terms> Run<T> {
    /// That of other rows; it goes on from the rows that it has, where they begin alike.
    fn grown(&mut self, terms: &T, live: Live) -> T::State {
        if self.start != live.start || self.end > live.end {
            *self = Run { start: live.start, end: live.start, state: T::NOTHING };
        }
        self.extend(terms, live.end);
        self.state
    }

    #[inline]
    fn extend(&mut self, terms: &T, end: usize) {
        self.state = (self.end..end).fold(self.state, |all, row| T::merge(all, terms.leaf(row)));
        self.end = self.end.max(end);
    }
}

/// Folds from the right that end where one block does.
struct Heads<T: Terms> {
    start: usize,
    end: usize,
    /// Entry i: the rows `start + i .. end`.
    states: Vec<T::State>,
}

impl<T: Terms> Default for Heads<T> {
    fn default() -> Heads<T> {
        Heads { start: 0, end: 0, states: Vec::new() }
    }
}

impl<T: Terms> Heads<T> {
    /// That of the rows `start..end`.
    fn from(&mut self, terms: &T, start: usize, end: usize) -> T::State {
        if end != self.end || start < self.start || start >= self.end {
            self.states.clear();
            self.states.resize(end - start, T::NOTHING);
            let mut all = T::NOTHING;
            for row in (start..end).rev() {
                all = T::merge(terms.leaf(row), all);
                self.states[row - start] = all;
            }
            (self.start, self.end) = (start, end);
        }
        self.states[start - self.start]
    }
}

/// Folds from the left of consecutive blocks.
struct Blocks<T: Terms> {
    /// Whole blocks.
    whole: VecDeque<Run<T>>,
    /// The one after them, as far as windows reach.
    last: Run<T>,
    /// Where that block ends; 0 before there is any.
    end: usize,
}

impl<T: Terms> Default for Blocks<T> {
    fn default() -> Blocks<T> {
        Blocks { whole: VecDeque::new(), last: Run { start: 0, end: 0, state: T::NOTHING }, end: 0 }
    }
}

impl<T: Terms> Blocks<T> {
    /// `head` and then the blocks from row `start`, where one begins, up to row `end`.
    #[inline]
    fn after(
        &mut self,
        terms: &T,
        cuts: &mut impl Cuts,
        head: T::State,
        start: usize,
        end: usize,
    ) -> T::State {
        if start == end {
            return head;
        }
        while self.whole.front().is_some_and(|run| run.start < start) {
            self.whole.pop_front();
        }
        if self.end == 0 || self.last.start < start {
            self.open(cuts, start);
        }
        while end > self.end {
            self.last.extend(terms, self.end);
            let next = self.end;
            let whole = self.open(cuts, next);
            self.whole.push_back(whole);
        }
        self.last.extend(terms, end);
        let whole = self.whole.iter().fold(head, |all, run| T::merge(all, run.state));
        T::merge(whole, self.last.state)
    }

    /// Begins the block of row `start`; the one before.
    fn open(&mut self, cuts: &mut impl Cuts, start: usize) -> Run<T> {
        self.end = cuts.block_end(start);
        std::mem::replace(&mut self.last, Run { start, end: start, state: T::NOTHING })
    }
}
