//! Looking at a body from another time: composing time indexes.
//!
//! A body evaluated at the stamps of a grid looks at another one at a time `u`, say `u = floor(t, 1d) - 1h`. If that one
//! looks at `t-5s` in turn, the first sees `floor(t, 1d) - 1h - 5s`. Composition must be exact for every stamp `t`:
//!
//! ```text
//! outer              inner            composed
//! t-10s              t-5s             t-15s
//! t-1d               floor(t,1d)      floor(t,1d)-1d        1d divides the shift
//! t-1h               floor(t,1d)      t-1d                  if every t is a multiple of 1d
//! t-1h               floor(t,1d)      — none —              otherwise
//! floor(t,1d)-1h     floor(t,1h)      floor(t,1d)-1h        the outer one is a multiple of 1h already
//! ```

use tilt_ir::{
    Grid,
    tir::{Base, Body, Frame, Index, Op, When, Window},
};

/// The times at which a body is looked at: `index`, seen from every stamp of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct View {
    at: Grid,
    index: Index,
}

impl View {
    /// `index` seen from the stamps of `at`; in the simplest form, with base `t` where that says the same.
    pub(super) fn new(at: Grid, index: Index) -> View {
        let now = View { at, index: Index::NOW };
        let index = now.compose(index).unwrap_or(index);
        View { at, index }
    }

    /// The index in its simplest form.
    pub(super) fn index(self) -> Index {
        self.index
    }

    /// Whether all these times are stamps of `grid`.
    pub(super) fn lands_on(self, grid: Grid) -> bool {
        self.residue(grid.period) == Some(grid.offset)
    }

    /// What is left of each of these times beyond a multiple of `period`, if that is the same for all.
    fn residue(self, period: i64) -> Option<i64> {
        let (step, origin) = match self.index.base {
            Base::Now => (self.at.period, self.at.offset),
            Base::Floor(step) | Base::Ceil(step) => (step, 0),
        };
        let time = origin as i128 + self.index.shift as i128;
        (step % period == 0).then(|| time.rem_euclid(period as i128) as i64)
    }

    /// The index that a body has to use to see what one evaluated at these times sees at `inner`; `None` if there is none.
    pub(super) fn compose(self, inner: Index) -> Option<Index> {
        let period = match inner.base {
            Base::Now => return shifted(self.index, inner.shift),
            Base::Floor(period) | Base::Ceil(period) => period,
        };
        if let Some(residue) = self.residue(period) {
            let to_multiple = match inner.base {
                Base::Now => 0,
                Base::Floor(_) => -residue,
                Base::Ceil(_) => (period - residue) % period,
            };
            return shifted(shifted(self.index, to_multiple)?, inner.shift);
        }
        if self.index.shift % period != 0 {
            return None;
        }
        let base = match (self.index.base, inner.base) {
            (Base::Now, base) => base,
            (Base::Floor(fine), Base::Floor(_)) if period % fine == 0 => inner.base,
            (Base::Ceil(fine), Base::Ceil(_)) if period % fine == 0 => inner.base,
            (Base::Floor(_) | Base::Ceil(_), _) => return None,
        };
        shifted(Index { base, shift: self.index.shift }, inner.shift)
    }

    /// A body as it is seen from these times; `None` if one of its indexes has no form. Row bodies stay as they are: their
    /// `t` is the row's own stamp.
    pub(super) fn body(self, body: &Body) -> Option<Body> {
        let mut seen = body.clone();
        for value in body.insts.ids() {
            match &mut seen.insts[value].op {
                Op::Time(index) | Op::At { when: When::Time(index), .. } => *index = self.compose(*index)?,
                Op::Reduce(reduce) => reduce.frame = Frame::Time(self.window(reduce.window())?),
                Op::At { when: When::Row(_), .. } => return None,
                Op::Const(_)
                | Op::Null
                | Op::Param(_)
                | Op::Key(_)
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::Compare(..)
                | Op::Math(..)
                | Op::Select { .. }
                | Op::Coalesce(..)
                | Op::IsNull(_) => {}
            }
        }
        Some(seen)
    }

    /// A window as it is seen from these times.
    pub(super) fn window(self, window: Window) -> Option<Window> {
        let (from, to) = (self.compose(window.from)?, self.compose(window.to)?);
        Some(Window { from, to })
    }
}

fn shifted(index: Index, by: i64) -> Option<Index> {
    let shift = index.shift.checked_add(by)?;
    Some(Index { base: index.base, shift })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASES: [Base; 5] = [Base::Now, Base::Floor(4), Base::Floor(6), Base::Ceil(3), Base::Ceil(12)];

    /// Every composition that is offered is exact, over many grids, indexes and times; and many are offered.
    #[test]
    fn composition_is_exact() {
        let mut offered = 0;
        for (period, offset) in [(1, 0), (4, 1), (6, 0), (12, 5), (24, 12)] {
            let at = Grid::new(period, offset);
            for (outer, inner) in BASES.iter().flat_map(|a| BASES.map(|b| (*a, b))) {
                for (a, b) in (-7..=12).flat_map(|a| (-13..=13).map(move |b| (a, b))) {
                    let outer = Index { base: outer, shift: a };
                    let inner = Index { base: inner, shift: b };
                    let view = View::new(at, outer);
                    let composed = view.compose(inner);
                    offered += composed.is_some() as usize;
                    for t in (-9..9).map(|k| (offset + k * period) as i128) {
                        assert_eq!(view.index().at(t), outer.at(t), "{view:?} {outer:?} {t}");
                        if let Some(composed) = composed {
                            let expected = inner.at(outer.at(t));
                            assert_eq!(composed.at(t), expected, "{view:?} {inner:?} {t}");
                        }
                    }
                }
            }
        }
        assert!(offered > 30_000, "{offered} of 67500 composed");
    }

    #[test]
    fn landing_needs_the_same_or_a_multiple_period() {
        let lands = |at: (i64, i64), shift, on: (i64, i64)| {
            View::new(Grid::new(at.0, at.1), Index::now(shift)).lands_on(Grid::new(on.0, on.1))
        };
        assert!(lands((10, 3), 0, (10, 3)));
        assert!(lands((10, 3), -20, (5, 3)));
        assert!(lands((10, 3), -1, (5, 2)));
        assert!(!lands((10, 3), -1, (5, 3)));
        assert!(!lands((5, 0), 0, (10, 0)));
        let midnight = Index { base: Base::Floor(100), shift: -5 };
        assert!(View::new(Grid::new(7, 0), midnight).lands_on(Grid::new(50, 45)));
    }

    #[test]
    fn what_overflows_has_no_form() {
        let view = View::new(Grid::new(1, 0), Index::now(i64::MIN + 1));
        assert_eq!(view.compose(Index::now(-1)), Some(Index::now(i64::MIN)));
        assert_eq!(view.compose(Index::now(-2)), None);
    }

    #[test]
    fn windows_move_and_row_bodies_do_not() {
        let text = |index: &str, window: &str| {
            format!(
                "input @x {{v: f64}} every 1s offset 0s
                 def @d {{value: f64}} every 1s offset 0s {{
                   %0 = at x.v[{index}] : f64
                   %1 = reduce sum lanes64 over every 1s offset 0s {window} min_count 1 captures (%0) {{
                     %0 = at x.v[t-1s] : f64
                     yield %0
                   }} : f64
                   yield %1
                 }}"
            )
        };
        let body = |text: &str| {
            let query = tilt_ir::tir::parse(text).expect(text);
            query.defs.rows()[0].body.clone()
        };
        let before = body(&text("t", "(floor(t, 1d)-1h, t]"));
        let seen = |at, index| View::new(at, index).body(&before);
        let second = Grid::new(1_000_000_000, 0);
        let (hour, day) = (3_600_000_000_000, 86_400_000_000_000);
        let after = body(&text("t-1d", "(floor(t, 1d)-25h, t-1d]"));
        assert_eq!(seen(second, Index::now(-day)), Some(after));
        assert_eq!(seen(second, Index::now(-hour)), None);
        let after = body(&text("t-1h", "(t-25h, t-1h]"));
        assert_eq!(seen(Grid::new(day, 0), Index::now(-hour)), Some(after));
    }
}
