//! Maps against [`Index::row`].

use super::*;
use proptest::prelude::*;

fn index() -> impl Strategy<Value = Index> {
    let base =
        prop_oneof![Just(Base::Now), (1i64..30).prop_map(Base::Floor), (1i64..30).prop_map(Base::Ceil)];
    (base, -50i64..50).prop_map(|(base, shift)| Index { base, shift })
}

fn grid() -> impl Strategy<Value = Grid> {
    (1i64..30, -20i64..20).prop_map(|(period, offset)| Grid::new(period, offset))
}

fn agrees(index: Index, from: Grid, to: Grid) {
    let map = RowMap::of(index, from, to);
    for i in -200..200 {
        let Some(row) = map.row(i) else { continue };
        let t = from.offset as i128 + i * from.period as i128;
        assert_eq!(row, index.row(to, t), "{map:?} at row {i}");
    }
    if let RowMap::Segments { scale, mul, add, div, .. } = map {
        assert!(scale >= 1 && mul >= 1 && div > 1 && (0..div).contains(&add));
        assert_eq!(gcd(mul.into(), div.into()), 1);
    }
}

proptest! {
    #[test]
    fn a_map_is_the_row(index in index(), from in grid(), to in grid()) {
        agrees(index, from, to);
    }

    /// Periods that divide one another, so that few maps are general.
    #[test]
    fn a_map_is_the_row_on_related_grids(
        index in index(), from in grid(), to in grid(), scales in [0usize..4, 0..4, 0..4]
    ) {
        let [f, t, p] = scales.map(|n| [1i64, 2, 6, 12][n]);
        let base = match index.base {
            Base::Now => Base::Now,
            Base::Floor(_) => Base::Floor(p),
            Base::Ceil(_) => Base::Ceil(p),
        };
        let (from, to) = (Grid::new(f, from.offset), Grid::new(t, to.offset));
        let index = Index { base, ..index };
        prop_assert!(RowMap::of(index, from, to) != RowMap::General);
        agrees(index, from, to);
    }
}

#[test]
fn forms() {
    let floor = |period| Index { base: Base::Floor(period), shift: 0 };
    let ceil = |period| Index { base: Base::Ceil(period), shift: 0 };
    let of = |index, from, to| RowMap::of(index, Grid::new(from, 0), Grid::new(to, 0));
    assert_eq!(of(floor(2), 4, 4), RowMap::Shift(0));
    assert_eq!(of(floor(2), 6, 2), RowMap::Stride { mul: 3, add: 0 });
    assert_eq!(of(ceil(10), 1, 10), RowMap::Segments { scale: 1, mul: 1, add: 9, div: 10, post: 0 });
    assert_eq!(of(Index::NOW, 2, 3), RowMap::Segments { scale: 1, mul: 2, add: 0, div: 3, post: 0 });
    assert_eq!(of(floor(3), 1, 2), RowMap::General);
    let far = RowMap::of(Index::now(i64::MIN), Grid::new(1, 0), Grid { period: 2, offset: 1 });
    let post = i64::MIN / 2 - 1;
    assert_eq!(far, RowMap::Segments { scale: 1, mul: 1, add: 1, div: 2, post });
}
