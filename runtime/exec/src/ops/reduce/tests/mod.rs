//! Every reducer, type and grouping against the slow one.

mod cases;
mod naive;
mod speed;
mod weighing;

use super::*;
use crate::ops::{Data, Numbers, Values, rows_until};
use naive::{Stat, Tree, exact, variance32, variance64};
use proptest::prelude::*;
use tilt_ir::{
    Grid,
    tir::{Base, Index, Window},
};

/// Rows, windows over them, and a grouping that fits.
#[derive(Clone, Debug)]
struct Case {
    first: i64,
    values: Vec<f64>,
    second: Vec<f64>,
    valid: Option<Vec<bool>>,
    /// Of rows of a grid the grid.
    grid: Option<Grid>,
    stamps: Vec<i64>,
    lo: Vec<i64>,
    hi: Vec<i64>,
    window: Window,
    times: Vec<i64>,
    grouping: Grouping,
    min_count: u64,
}

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => (-3i32..4).prop_map(f64::from),
        6 => -1e3..1e3f64,
        1 => prop::sample::select(vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e30, 1e-30]),
    ]
}

fn index() -> impl Strategy<Value = Base> {
    prop_oneof![3 => Just(Base::Now), 1 => (1i64..40).prop_map(Base::Floor), 1 => (1i64..40).prop_map(Base::Ceil)]
}

fn case() -> impl Strategy<Value = Case> {
    let rows =
        prop::collection::vec((value(), value(), any::<bool>(), prop_oneof![0i64..3, 0i64..30]), 0..150);
    let times = prop::collection::vec(prop_oneof![0i64..4, 0i64..40], 1..120);
    let shape = (any::<bool>(), -70i64..70, -80i64..80, 0i64..90, index(), 0usize..4, 1i64..60, 0i64..60);
    (rows, times, any::<bool>(), -50i64..50, shape, 0u64..3).prop_map(
        |(
            rows,
            steps,
            has_null,
            start,
            (is_grid, first, back, span, base, group, length, origin),
            min_count,
        )| {
            let rise = |start: i64, steps: Vec<i64>| -> Vec<i64> {
                steps
                    .iter()
                    .scan(start, |at, step| {
                        *at += step;
                        Some(*at)
                    })
                    .collect()
            };
            let times = rise(start + 20, steps);
            let window =
                Window { from: Index { base, shift: -back - span }, to: Index { base, shift: -back } };
            let grid = is_grid.then(|| Grid::new(3, 1));
            let stamps = match grid {
                Some(grid) => (first..).take(rows.len()).map(|row| grid.offset + row * grid.period).collect(),
                None => rise(-30, rows.iter().map(|row| row.3).collect()),
            };
            let first = if is_grid { first } else { first.max(0) };
            let grouping = match group {
                0 => Grouping::Lanes64,
                1 => Grouping::Doubling { count: span as u64 + 1 },
                2 if is_grid => Grouping::Blocks { rows: length as u64, origin: origin % length },
                _ => Grouping::TimeBlocks { length, origin: origin % length },
            };
            let until = |index: Index| -> Vec<i64> {
                let times = times.iter().map(|time| index.at(i128::from(*time)));
                match grid {
                    Some(grid) => times.map(|time| grid.row_at(time as i64) + 1).collect(),
                    None => rows_until(&stamps, times).into_iter().map(|row| row + first).collect(),
                }
            };
            let (mut lo, hi) = (until(window.from), until(window.to));
            if let Grouping::Doubling { count } = grouping {
                lo = hi.iter().map(|hi| hi - count as i64).collect();
            }
            let valid = has_null.then(|| rows.iter().map(|row| row.2).collect());
            let values = rows.iter().map(|row| row.0).collect();
            let second = rows.iter().map(|row| row.1).collect();
            Case { first, values, second, valid, grid, stamps, lo, hi, window, times, grouping, min_count }
        },
    )
}

impl Case {
    /// The bytes of the validity, from bit 3 on.
    fn bytes(&self) -> Option<Vec<u8>> {
        let valid = self.valid.as_ref()?;
        let mut bytes = vec![0; valid.len() / 8 + 2];
        for (i, _) in valid.iter().enumerate().filter(|(_, valid)| **valid) {
            bytes[(i + 3) / 8] |= 1 << ((i + 3) % 8);
        }
        Some(bytes)
    }

    fn made(&self, kind: Reducer, data: Data<'_>) -> Result<Made, OutOfRange> {
        let bytes = self.bytes();
        let valid = bytes.as_ref().map(|bytes| Bits::new(bytes, 3, self.values.len()));
        let second = Values { data: Data::F64(&self.second), valid: None };
        let second =
            matches!(kind, Reducer::WeightedMean | Reducer::Cov { .. } | Reducer::Corr).then_some(second);
        let stamps = match self.grid {
            Some(grid) => Stamps::Grid(grid),
            None => Stamps::Events(&self.stamps),
        };
        let rows = Rows { first: self.first, values: Values { data, valid }, second, stamps };
        let times = Some((self.window, &self.times[..]));
        let windows = Windows { lo: &self.lo, hi: &self.hi, times, skipped: None };
        reduce(&rows, &windows, How { kind, grouping: self.grouping, min_count: self.min_count })
    }

    /// The place of a row with a value.
    fn place(&self, row: i64) -> Option<usize> {
        let place = usize::try_from(row - self.first).ok().filter(|place| *place < self.values.len())?;
        self.valid.as_ref().is_none_or(|valid| valid[place]).then_some(place)
    }

    fn fold<S: Clone>(&self, k: usize, leaf: impl Fn(usize) -> S, merge: impl Fn(S, S) -> S) -> Option<S> {
        let tree = Tree { leaf: |row| self.place(row).map(&leaf), merge };
        let stamp = |row: i64| match self.grid {
            Some(grid) => grid.offset + row * grid.period,
            None => self.stamps[(row - self.first) as usize],
        };
        // of events only the rows that are there have stamps
        let clip = |row: i64| row.clamp(self.first, self.first + self.values.len() as i64);
        let bounds = match (self.grid, self.grouping) {
            (None, Grouping::TimeBlocks { .. }) => (clip(self.lo[k]), clip(self.hi[k])),
            _ => (self.lo[k], self.hi[k]),
        };
        tree.fold(self.grouping, bounds, (self.window, self.times[k]), stamp)
    }

    /// The values of a window, with their stamps.
    fn window(&self, k: usize) -> Vec<(f64, i64)> {
        let places = (self.lo[k]..self.hi[k]).filter_map(|row| self.place(row));
        places.map(|place| (self.values[place], self.stamps[place])).collect()
    }

    fn expected(&self, kind: Reducer, k: usize) -> Option<f64> {
        let count = self.window(k).len() as u64;
        if count < self.min_count {
            return None;
        }
        let x = |place: usize| self.values[place];
        let leaf = |place: usize| (1, x(place), x(place) - x(place));
        match kind {
            Reducer::Count => Some(count as f64),
            Reducer::Sum => self.fold(k, x, |a, b| a + b),
            Reducer::Mean => self.fold(k, x, |a, b| a + b).map(|sum| sum / count as f64),
            Reducer::Var { ddof } => {
                let (_, _, m2) = self.fold(k, leaf, variance64)?;
                (count > ddof.into()).then(|| m2 / (count - u64::from(ddof)) as f64)
            }
            Reducer::Std { ddof } => self.expected(Reducer::Var { ddof }, k).map(f64::sqrt),
            Reducer::Skew
            | Reducer::Kurtosis
            | Reducer::WeightedMean
            | Reducer::Cov { .. }
            | Reducer::Corr => {
                self.fold(k, |place| Stat::of(x(place), self.second[place]), Stat::merge)?.finish(kind)
            }
            Reducer::First
            | Reducer::Last
            | Reducer::Min
            | Reducer::Max
            | Reducer::ArgMin
            | Reducer::ArgMax
            | Reducer::CountDistinct
            | Reducer::Mode
            | Reducer::Quantile { .. } => exact(kind, &self.window(k)),
            Reducer::Integral | Reducer::DurationMean => None,
        }
    }

    fn check(&self, kind: Reducer, made: &Made) -> Result<(), TestCaseError> {
        for k in 0..self.lo.len() {
            let found = made.is_valid(k).then(|| number(&made.data, k));
            let expected = self.expected(kind, k);
            let same = match (found, expected) {
                (Some(a), Some(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
                (a, b) => a.is_none() && b.is_none(),
            };
            prop_assert!(same, "{:?} window {}: {:?}, not {:?}", kind, k, found, expected);
        }
        Ok(())
    }
}

fn number(numbers: &Numbers, k: usize) -> f64 {
    match numbers {
        Numbers::I64(x) => x[k] as f64,
        Numbers::F32(x) => x[k].into(),
        Numbers::F64(x) => x[k],
        other => panic!("{other:?}"),
    }
}

fn kinds() -> Vec<Reducer> {
    let quantile = |q: f64| Reducer::Quantile { q: q.to_bits() };
    vec![
        Reducer::Count,
        Reducer::Sum,
        Reducer::Mean,
        Reducer::Min,
        Reducer::Max,
        Reducer::First,
        Reducer::Last,
        Reducer::Var { ddof: 1 },
        Reducer::Std { ddof: 0 },
        Reducer::Skew,
        Reducer::Kurtosis,
        Reducer::ArgMin,
        Reducer::ArgMax,
        Reducer::CountDistinct,
        Reducer::Mode,
        quantile(0.0),
        quantile(0.3),
        quantile(0.5),
        quantile(1.0),
        Reducer::WeightedMean,
        Reducer::Cov { ddof: 1 },
        Reducer::Corr,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn floats_of_64_bits(case in case()) {
        for kind in kinds() {
            let made = case.made(kind, Data::F64(&case.values)).unwrap();
            case.check(kind, &made)?;
        }
    }

    #[test]
    fn floats_of_32_bits(case in case()) {
        let values: Vec<f32> = case.values.iter().map(|x| *x as f32).collect();
        let widened = Case { values: values.iter().map(|x| f64::from(*x)).collect(), ..case.clone() };
        for kind in kinds() {
            let made = case.made(kind, Data::F32(&values)).unwrap();
            let own = matches!(kind, Reducer::Sum | Reducer::Mean | Reducer::Var { .. } | Reducer::Std { .. });
            for k in (0..case.lo.len()).filter(|k| made.is_valid(*k)) {
                let expected = match kind {
                    _ if !own => widened.expected(kind, k).map(|x| if matches!(made.data, Numbers::I64(_)) { x } else { (x as f32).into() }),
                    Reducer::Sum => case.fold(k, |row| values[row], |a, b| a + b).map(f64::from),
                    Reducer::Mean => {
                        let count = case.window(k).len();
                        case.fold(k, |row| values[row], |a, b| a + b).map(|sum| f64::from(sum / count as f32))
                    }
                    _ => case.fold(k, |row| (1, values[row], values[row] - values[row]), variance32).map(|(n, _, m2)| {
                        let ddof = if kind == (Reducer::Var { ddof: 1 }) { 1 } else { 0 };
                        let variance = m2 / (n - ddof) as f32;
                        f64::from(if ddof == 0 { variance.sqrt() } else { variance })
                    }),
                };
                let found = number(&made.data, k);
                prop_assert!(expected.is_some_and(|x| x == found || (x.is_nan() && found.is_nan())), "{kind:?} {k}: {found} {expected:?}");
            }
        }
    }

    #[test]
    fn integers(case in case()) {
        let values: Vec<i32> = case.values.iter().map(|x| *x as i32).collect();
        let as_floats: Vec<f64> = values.iter().map(|x| f64::from(*x)).collect();
        let case = Case { values: as_floats, ..case };
        let of_floats = |kind: &Reducer| {
            matches!(kind, Reducer::Var { .. } | Reducer::Std { .. }) || kind.arity() == 2
        };
        for kind in kinds().into_iter().filter(|kind| !of_floats(kind)) {
            let made = case.made(kind, Data::I32(&values)).unwrap();
            let data = match made.data {
                Numbers::I32(values) => Numbers::F64(values.into_iter().map(f64::from).collect()),
                data => data,
            };
            let made = Made { data, ..made };
            let unsigned = |x: f64| x + 0.0;
            for k in 0..case.lo.len() {
                let expected = case.expected(kind, k).map(unsigned);
                let found = made.is_valid(k).then(|| unsigned(number(&made.data, k)));
                prop_assert_eq!(found, expected, "{:?} {}", kind, k);
            }
        }
    }
}
