//! How far from `t` an index, a row or a window can be, over all stamps `t` of a grid.
//!
//! The stamps of a grid `(P, O)` leave the residues `O mod g`, `O mod g + g`, …, `m - g + O mod g` modulo `m`, where
//! `g = gcd(P, m)`; from this everything here follows.

use crate::{
    Grid,
    tir::{Base, Index, Window},
};

/// The distances `least ..= greatest` from `t`, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) least: i128,
    pub(super) greatest: i128,
}

impl Span {
    pub(super) const ZERO: Span = Span { least: 0, greatest: 0 };

    /// All sums of a distance in `self` and one in `other`.
    pub(super) fn plus(self, other: Span) -> Span {
        Span { least: self.least + other.least, greatest: self.greatest + other.greatest }
    }

    /// All distances in `self` or in `other` (and between).
    pub(super) fn or(self, other: Span) -> Span {
        Span { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }

    fn minus(self, other: Span) -> Span {
        Span { least: self.least - other.greatest, greatest: self.greatest - other.least }
    }

    fn shifted(self, by: i64) -> Span {
        self.plus(Span { least: by.into(), greatest: by.into() })
    }
}

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least and greatest residue modulo `modulus` of `any + k·step`.
fn residues(any: i128, step: i128, modulus: i128) -> Span {
    let step = gcd(step, modulus);
    let least = any.rem_euclid(step);
    Span { least, greatest: modulus - step + least }
}

/// How far an index is from `t`, for the stamps `t` of `at`. Exact.
pub(super) fn of_index(index: Index, at: Grid) -> Span {
    let (offset, step) = (at.offset as i128, at.period as i128);
    let base = match index.base {
        Base::Now => Span::ZERO,
        Base::Floor(period) => Span::ZERO.minus(residues(offset, step, period.into())),
        Base::Ceil(period) => residues(-offset, step, period.into()),
    };
    base.shifted(index.shift)
}

/// How far from `t` the row of `rows` that holds at an index is stamped, for the stamps `t` of `at`. Exact for `t + D`.
pub(super) fn of_row(index: Index, at: Grid, rows: Grid) -> Span {
    let (start, step) = match index.base {
        Base::Now => (at.offset, at.period),
        Base::Floor(period) | Base::Ceil(period) => (0, period),
    };
    let into_row = start as i128 + index.shift as i128 - rows.offset as i128;
    of_index(index, at).minus(residues(into_row, step.into(), rows.period.into()))
}

/// How far from `t` the rows in a window are stamped; `None` if there is never one.
pub(super) fn of_window(window: Window, at: Grid, rows: Grid) -> Option<Span> {
    let span = Span {
        least: of_row(window.from, at, rows).least + rows.period as i128,
        greatest: of_row(window.to, at, rows).greatest,
    };
    (span.least <= span.greatest).then_some(span)
}

/// A number of rows that no window, seen from a stamp of `at`, has fewer of.
pub(super) fn fewest_rows(window: Window, at: Grid, rows: Grid) -> u64 {
    if let Some(count) = window.constant_count(at, rows) {
        return count;
    }
    let shift = window.to.shift as i128 - window.from.shift as i128;
    let shortest = match (window.from.base, window.to.base) {
        (Base::Now, Base::Now) => shift,
        (Base::Floor(p), Base::Floor(q)) | (Base::Ceil(p), Base::Ceil(q)) if p == q => shift,
        (Base::Floor(p), Base::Ceil(q)) if p == q => {
            let meets = at.offset as i128 % gcd(at.period.into(), p.into()) == 0;
            shift + if meets { 0 } else { p as i128 }
        }
        _ => of_index(window.to, at).minus(of_index(window.from, at)).least,
    };
    // floor(a) - floor(b) >= floor(a - b)
    let rows = shortest.div_euclid(rows.period.into()).max(0);
    u64::try_from(rows).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(super) fn index() -> impl Strategy<Value = Index> {
        let base =
            prop_oneof![Just(Base::Now), (1i64..20).prop_map(Base::Floor), (1i64..20).prop_map(Base::Ceil)];
        (base, -30i64..30).prop_map(|(base, shift)| Index { base, shift })
    }

    fn grid() -> impl Strategy<Value = Grid> {
        (1i64..16, -20i64..20).prop_map(|(period, offset)| Grid::new(period, offset))
    }

    /// Stamps enough to see every case.
    fn stamps(at: Grid) -> impl Iterator<Item = i128> {
        (-500..500).map(move |row| at.offset as i128 + row * at.period as i128)
    }

    proptest! {
        #[test]
        fn spans_hold_and_are_tight(index in index(), at in grid(), rows in grid()) {
            let distances: Vec<_> = stamps(at).map(|t| index.at(t) - t).collect();
            let span = of_index(index, at);
            prop_assert_eq!(distances.iter().min(), Some(&span.least));
            prop_assert_eq!(distances.iter().max(), Some(&span.greatest));
            let stamped = |t| rows.offset as i128 + index.row(rows, t) * rows.period as i128 - t;
            let distances: Vec<_> = stamps(at).map(stamped).collect();
            let (least, greatest) = (*distances.iter().min().unwrap(), *distances.iter().max().unwrap());
            let span = of_row(index, at, rows);
            prop_assert!(span.least <= least && greatest <= span.greatest);
            if index.base == Base::Now {
                prop_assert_eq!((least, greatest), (span.least, span.greatest));
            }
        }

        #[test]
        fn windows_hold(from in index(), to in index(), at in grid(), rows in grid()) {
            let window = Window { from, to };
            let fewest = fewest_rows(window, at, rows) as i128;
            for t in stamps(at) {
                let inside = window.rows(rows, t);
                prop_assert!(fewest <= (inside.end - inside.start).max(0));
                for row in inside {
                    let distance = rows.offset as i128 + row * rows.period as i128 - t;
                    let span = of_window(window, at, rows).unwrap();
                    prop_assert!((span.least..=span.greatest).contains(&distance));
                }
            }
        }
    }

    #[test]
    fn windows_between_floor_and_ceil_may_be_empty() {
        let index = |base| Index { base, shift: 0 };
        let window = Window { from: index(Base::Floor(10)), to: index(Base::Ceil(10)) };
        let rows = Grid::new(2, 0);
        assert_eq!(fewest_rows(window, rows, rows), 0);
        assert_eq!(fewest_rows(window, Grid::new(2, 1), rows), 5);
    }
}
