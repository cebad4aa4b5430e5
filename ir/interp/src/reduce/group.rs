//! How the rows of a window are grouped, each way as [`Grouping`] says it.
//!
//! With letters for rows and `(ab)` for `a ⊕ b`, the seven rows `a … g` of a window come out as
//!
//! ```text
//! doubling 7                               (4 + 2 + 1)     ((((ab)(cd))(ef))g)
//! blocks 3 origin 1, the first row being 0 (a | bcd | efg) ((a((bc)d))((ef)g))
//! lanes64                                  (one per lane)  (((ae)(cg))((bf)d))
//! ```

use super::{State, Terms};
use std::{array, collections::BTreeMap, ops::Range};
use tilt_ir::tir::{Grouping, Reducer};

/// The state of all values of a window, merged as `grouping` says.
///
/// ```
/// use tilt_interp::reduce::{Term, Terms, finish, fold};
/// use tilt_ir::{Const, Type, tir::{Grouping, Reducer}};
/// // (1e16 + 1) + 1 loses both ones, 1e16 + (1 + 1) does not.
/// let rows = [1e16, 1.0, 1.0].map(|x| Some(Term { time: 0, value: Const::f64(x), weight: None }));
/// let terms = Terms { first: 0, end: 3, times: None, from: 0, terms: &rows };
/// let sum = |grouping| finish(Reducer::Sum, 1, Type::F64, fold(Reducer::Sum, grouping, terms));
/// assert_eq!(sum(Grouping::Blocks { rows: 3, origin: 0 }), Ok(Some(Const::f64(1e16))));
/// assert_eq!(sum(Grouping::Blocks { rows: 3, origin: 1 }), Ok(Some(Const::f64(1e16 + 2.0))));
/// ```
pub fn fold(kind: Reducer, grouping: Grouping, terms: Terms<'_>) -> Option<State> {
    Tree {
        window: terms.first..terms.end,
        live: terms.from..terms.from + terms.terms.len() as i128,
        leaf: |row| Some(State::leaf(kind, row, terms.term(row)?)),
        merge: State::merge,
    }
    .fold(grouping, terms.times, |row| terms.term(row).map(|term| term.time))
}

/// What a grouping works on: it knows nothing of the states that it puts together.
struct Tree<Leaf, Merge> {
    /// The rows of the window.
    window: Range<i128>,
    /// Those of them that may contribute something.
    live: Range<i128>,
    /// What a row contributes.
    leaf: Leaf,
    /// `a ⊕ b`.
    merge: Merge,
}

impl<S, Leaf: Fn(i128) -> Option<S>, Merge: Fn(S, S) -> S> Tree<Leaf, Merge> {
    /// Time blocks also need the window in time and the stamps of the rows.
    fn fold(
        &self,
        grouping: Grouping,
        times: Option<(i128, i128)>,
        stamp: impl Fn(i128) -> Option<i128>,
    ) -> Option<S> {
        match grouping {
            Grouping::Lanes64 => self.lanes64(),
            Grouping::Doubling { count } => self.doubling(count),
            Grouping::Blocks { rows, origin } => self.blocks(rows.into(), origin.into()),
            Grouping::TimeBlocks { length, origin } => {
                let (from, to) = times?;
                let block_of = |time: i128| (time - i128::from(origin) - 1).div_euclid(length.into());
                self.time_blocks((block_of(from + 1), block_of(to)), |row| stamp(row).map(block_of))
            }
        }
    }

    /// `a ⊕ b`, where nothing leaves the other as it is.
    fn merge(&self, a: Option<S>, b: Option<S>) -> Option<S> {
        match (a, b) {
            (Some(a), Some(b)) => Some((self.merge)(a, b)),
            (a, b) => a.or(b),
        }
    }

    /// Those of some rows of the window that may contribute something.
    fn live(&self, rows: Range<i128>) -> Range<i128> {
        rows.start.max(self.live.start)..rows.end.min(self.live.end)
    }

    fn lanes64(&self) -> Option<S> {
        let mut lanes: [Option<S>; 64] = array::from_fn(|_| None);
        for row in self.live(self.window.clone()) {
            let lane = (row - self.window.start) as usize % 64;
            lanes[lane] = self.merge(lanes[lane].take(), (self.leaf)(row));
        }
        for half in [32, 16, 8, 4, 2, 1] {
            for lane in 0..half {
                lanes[lane] = self.merge(lanes[lane].take(), lanes[lane + half].take());
            }
        }
        lanes[0].take()
    }

    fn doubling(&self, count: u64) -> Option<S> {
        let mut all = None;
        let mut end = self.window.end - i128::from(count);
        for power in (0..u64::BITS).rev().map(|bit| 1 << bit) {
            if count & power != 0 {
                end += i128::from(power);
                all = self.merge(all, self.power_of_two(power, end - 1));
            }
        }
        all
    }

    /// `S_count(row)`: the `count` rows up to `row`, where `count` is a power of two.
    fn power_of_two(&self, count: u64, row: i128) -> Option<S> {
        if self.live(row + 1 - i128::from(count)..row + 1).is_empty() {
            return None; // φ rows only
        }
        if count == 1 {
            return (self.leaf)(row);
        }
        let half = count / 2;
        self.merge(self.power_of_two(half, row - i128::from(half)), self.power_of_two(half, row))
    }

    fn blocks(&self, rows: i128, origin: i128) -> Option<S> {
        let Range { start, end } = self.window;
        if start >= end {
            return None;
        }
        let block_of = |row: i128| (row - origin).div_euclid(rows);
        let start_of = |block: i128| origin + block * rows;
        let first = block_of(start);
        if first == block_of(end - 1) {
            return self.fold_left(start..end);
        }
        let second = start_of(first + 1);
        let mut all = self.fold_right(start..second);
        let rest = self.live(second..end);
        if !rest.is_empty() {
            for block in block_of(rest.start)..=block_of(rest.end - 1) {
                let rows = start_of(block)..start_of(block + 1).min(end);
                all = self.merge(all, self.fold_left(rows));
            }
        }
        all
    }

    /// A window from one block of time to another; `block_of` says in which one a row is that is not φ.
    fn time_blocks(&self, (first, last): (i128, i128), block_of: impl Fn(i128) -> Option<i128>) -> Option<S> {
        let live = self.live(self.window.clone());
        if first >= last {
            return self.fold_left(live);
        }
        let mut blocks: BTreeMap<i128, Range<i128>> = BTreeMap::new();
        for row in live {
            if let Some(block) = block_of(row) {
                blocks.entry(block).or_insert(row..row).end = row + 1;
            }
        }
        let parts = blocks
            .into_iter()
            .map(|(block, rows)| if block == first { self.fold_right(rows) } else { self.fold_left(rows) });
        parts.fold(None, |all, part| self.merge(all, part))
    }

    /// `((x₁ ⊕ x₂) ⊕ x₃) ⊕ …`
    fn fold_left(&self, rows: Range<i128>) -> Option<S> {
        self.live(rows).fold(None, |all, row| self.merge(all, (self.leaf)(row)))
    }

    /// `x₁ ⊕ (x₂ ⊕ (x₃ ⊕ …))`
    fn fold_right(&self, rows: Range<i128>) -> Option<S> {
        self.live(rows).rev().fold(None, |all, row| self.merge((self.leaf)(row), all))
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use std::collections::BTreeMap;
    use tilt_ir::tir::Grouping;

    /// The tree over the rows `first ..` of a window, one letter each; `_` is φ.
    fn tree(grouping: Grouping, first: i128, rows: &str) -> String {
        let letters: BTreeMap<i128, char> = (first..).zip(rows.chars()).collect();
        let window = first..first + letters.len() as i128;
        let leaf = |row| Some(letters[&row]).filter(|c| *c != '_').map(String::from);
        let merge = |a, b| format!("({a}{b})");
        let live = window.clone();
        let whole = Tree { window, live, leaf, merge }.fold(grouping, None, |_| None);
        whole.unwrap_or_default()
    }

    #[test]
    fn doubling() {
        let doubling = |rows: &str| {
            let count = rows.len() as u64;
            tree(Grouping::Doubling { count }, -3, rows)
        };
        assert_eq!(doubling("a"), "a");
        assert_eq!(doubling("abc"), "((ab)c)");
        assert_eq!(doubling("abcdefg"), "((((ab)(cd))(ef))g)");
        assert_eq!(doubling("abcdefgh"), "(((ab)(cd))((ef)(gh)))");
        assert_eq!(doubling("ab__e_g"), "(((ab)e)g)");
        assert_eq!(doubling("____"), "");
        // 50 = 32 + 16 + 2, the two newest rows last.
        let rows: String = ('A'..='r').collect::<String>();
        let fifty = doubling(&rows);
        let newest = &rows[48..];
        assert_eq!(rows.len(), 50);
        assert!(fifty.ends_with(&format!(")({newest}))")), "{fifty}");
    }

    #[test]
    fn lanes() {
        let lanes = |rows: &str| tree(Grouping::Lanes64, 5, rows);
        assert_eq!(lanes(""), "");
        assert_eq!(lanes("abcdefg"), "(((ae)(cg))((bf)d))");
        assert_eq!(lanes("_b___f_"), "(bf)");
        // Rows 0 and 64 of the window are in one lane, before lane 32 is combined with it.
        let mut rows = ["_"; 70];
        (rows[0], rows[32], rows[64], rows[1]) = ("a", "b", "c", "d");
        assert_eq!(lanes(&rows.concat()), "(((ac)b)d)");
    }

    #[test]
    fn blocks() {
        let blocks = |rows, origin, first, letters| tree(Grouping::Blocks { rows, origin }, first, letters);
        assert_eq!(blocks(3, 1, 0, "abcdefg"), "((a((bc)d))((ef)g))");
        assert_eq!(blocks(8, 0, 0, "abcd"), "(((ab)c)d)"); // within one block
        assert_eq!(blocks(4, 0, 0, "abcde"), "((a(b(cd)))e)"); // a whole first block
        assert_eq!(blocks(4, 0, -2, "abcd"), "((ab)(cd))"); // blocks before row 0
        assert_eq!(blocks(4, 2, -3, "abcd"), "(a((bc)d))"); // block −1 starts at −2
        assert_eq!(blocks(2, 0, 0, "__cd_f"), "((cd)f)");
        assert_eq!(blocks(2, 0, 0, ""), "");
    }

    /// Rows with these stamps, a letter each, in the window `times` in blocks of 10 that begin after 3.
    fn time_blocks(times: (i128, i128), rows: &[(i128, char)]) -> String {
        let tree = Tree {
            window: 0..rows.len() as i128,
            live: 0..rows.len() as i128,
            leaf: |row: i128| Some(rows[row as usize].1).filter(|c| *c != '_').map(String::from),
            merge: |a, b| format!("({a}{b})"),
        };
        let stamp = |row: i128| Some(rows[row as usize]).filter(|row| row.1 != '_').map(|row| row.0);
        tree.fold(Grouping::TimeBlocks { length: 10, origin: 3 }, Some(times), stamp).unwrap_or_default()
    }

    #[test]
    fn blocks_of_time() {
        // Blocks are (3, 13], (13, 23], (23, 33], …
        let rows = [(5, 'a'), (9, 'b'), (13, 'c'), (14, 'd'), (14, 'e'), (23, 'f'), (24, 'g')];
        assert_eq!(time_blocks((4, 13), &rows[..3]), "((ab)c)");
        assert_eq!(time_blocks((4, 30), &rows), "(((a(bc))((de)f))g)");
        // The window's ends decide, not which rows there are.
        assert_eq!(time_blocks((3, 14), &rows[..3]), "(a(bc))");
        assert_eq!(time_blocks((-8, 13), &rows[..3]), "((ab)c)");
        assert_eq!(time_blocks((-8, 23), &[(5, 'a'), (9, '_'), (14, 'd')]), "(ad)");
        assert_eq!(time_blocks((20, 10), &[]), "");
    }

    #[test]
    fn rows_far_from_all_data_cost_nothing() {
        let window = -(1i128 << 62)..1 << 62;
        for grouping in [
            Grouping::Lanes64,
            Grouping::Doubling { count: 1 << 63 },
            Grouping::Blocks { rows: 10, origin: 0 },
        ] {
            let tree = Tree {
                window: window.clone(),
                live: 7..10,
                leaf: |row: i128| Some(row.to_string()),
                merge: |a, b| format!("({a} {b})"),
            };
            let whole = tree.fold(grouping, None, |_| None).unwrap_or_default();
            let digits: Vec<_> = whole.split(['(', ' ', ')']).filter(|s| !s.is_empty()).collect();
            assert_eq!(digits.len(), 3, "{grouping:?}: {whole}");
        }
    }
}
