//! Small inputs that trip other engines.

use super::super::*;
use crate::ops::{Data, Numbers, Values};
use tilt_ir::Grid;

/// The last `count` rows up to each.
fn last(count: i64, values: Data<'_>, kind: Reducer, min_count: u64) -> (Numbers, Vec<bool>) {
    let rows = Rows {
        first: 0,
        values: Values { data: values, valid: None },
        second: None,
        stamps: Stamps::Grid(Grid::new(1, 0)),
    };
    let hi: Vec<i64> = (1..=rows.len() as i64).collect();
    let lo: Vec<i64> = hi.iter().map(|hi| (hi - count).max(0)).collect();
    let windows = Windows { lo: &lo, hi: &hi, times: None, skipped: None };
    let how = How { kind, grouping: Grouping::Doubling { count: count as u64 }, min_count };
    let made = reduce(&rows, &windows, how).unwrap();
    let valid = (0..hi.len()).map(|k| made.is_valid(k)).collect();
    (made.data, valid)
}

fn floats(count: i64, values: &[f64], kind: Reducer) -> Vec<f64> {
    match last(count, Data::F64(values), kind, 0) {
        (Numbers::F64(values), _) => values,
        other => panic!("{other:?}"),
    }
}

#[test]
fn variance_is_never_negative_and_forgets() {
    let x = [1.0, 1e-7, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let variance = floats(5, &x, Reducer::Var { ddof: 1 });
    assert!((variance[4] - 0.199_999_99).abs() < 1e-8 && (variance[5] - 2e-15).abs() < 1e-20);
    assert_eq!(variance[6..], [0.0; 4]);
    assert_eq!(
        floats(3, &[1.0, 7.0, 2_820_376_000.0, 2_820_376_000.0, 2_820_376_000.0], Reducer::Std { ddof: 1 })
            [4],
        0.0
    );
}

#[test]
fn sums_forget() {
    assert_eq!(
        floats(2, &[2.06, 0.888_889, 0.0, 0.0, 0.0, 0.0], Reducer::Sum)[2..],
        [0.888_889, 0.0, 0.0, 0.0]
    );
    let sums = floats(2, &[1.0, 2.0, 3.0, 1e90, 4.0, 5.0, 6.0, 7.0], Reducer::Sum);
    assert_eq!(sums, [1.0, 3.0, 5.0, 1e90, 1e90, 9.0, 11.0, 13.0]);
    let mut x = vec![1e6; 10];
    x.extend([0.0; 10]);
    assert_eq!(floats(6, &x, Reducer::Mean)[15..], [0.0; 5]);
}

#[test]
fn no_thresholds() {
    let x: Vec<f64> = [0.3, -1.2, 0.8, 1.9, -0.4, 0.1, -2.2, 0.9, 1.1, -0.6].to_vec();
    let small: Vec<f64> = x.iter().map(|x| x * 1e-8).collect();
    for kind in [Reducer::Skew, Reducer::Kurtosis] {
        let (a, b) = (floats(5, &x, kind), floats(5, &small, kind));
        assert!(
            a[4..].iter().zip(&b[4..]).all(|(a, b)| (a - b).abs() < 1e-9 && a.is_finite()),
            "{a:?} {b:?}"
        );
    }
    let tiny: Vec<f64> = x.iter().map(|x| x * 1e-15).collect();
    let variance = |x: &[f64]| floats(5, x, Reducer::Var { ddof: 1 });
    assert!(variance(&x)[4..].iter().zip(&variance(&tiny)[4..]).all(|(a, b)| (a * 1e-30 - b).abs() < 1e-42));
    // of equal values there is neither, of one value no more
    assert_eq!(last(3, Data::F64(&[2.0, 2.0, 2.0]), Reducer::Skew, 0).1, [false; 3]);
}

#[test]
fn the_population_kurtosis_of_one_to_five() {
    let x = [1.0, 2.0, 3.0, 4.0, 5.0];
    assert!((floats(5, &x, Reducer::Kurtosis)[4] + 1.3).abs() < 1e-12);
    assert!(floats(5, &x, Reducer::Skew)[4].abs() < 1e-12);
    assert!((floats(5, &[1.0, 1.0, 1.0, 1.0, 11.0], Reducer::Skew)[4] - 1.5).abs() < 1e-12);
}

#[test]
fn integers_are_exact() {
    let (sums, _) = last(2, Data::I64(&[9_007_199_254_740_993, 0, 0]), Reducer::Sum, 0);
    assert_eq!(sums, Numbers::I64(vec![9_007_199_254_740_993, 9_007_199_254_740_993, 0]));
    let big = [i64::MAX, 1, -5, 7];
    let rows = Rows {
        first: 0,
        values: Values { data: Data::I64(&big), valid: None },
        second: None,
        stamps: Stamps::Events(&[1, 2, 3, 4]),
    };
    let how = |kind, min_count| How { kind, grouping: Grouping::Lanes64, min_count };
    let windows = Windows { lo: &[0, 0, 0, 2], hi: &[1, 2, 3, 4], times: None, skipped: None };
    assert_eq!(reduce(&rows, &windows, how(Reducer::Sum, 0)), Err(OutOfRange(1)));
    // φ is no result that could be out of range; what leaves again does no harm
    let whole = Windows { lo: &[0, 0], hi: &[2, 3], times: None, skipped: None };
    let sums = reduce(&rows, &whole, how(Reducer::Sum, 3)).unwrap();
    assert_eq!((sums.is_valid(0), sums.data), (false, Numbers::I64(vec![0, i64::MAX - 4])));
    let means = reduce_durations(&rows, &windows, how(Reducer::Mean, 0)).unwrap();
    assert_eq!(means.data, Numbers::I64(vec![i64::MAX, 1 << 62, (i64::MAX - 4) / 3, 1]));
}

#[test]
fn extremes_of_extreme_integers() {
    let values = [i64::MAX, i64::MIN, 0];
    let valid = Some(Bits::new(&[0b101], 0, 3));
    let windows = Windows { lo: &[0, 1, 1], hi: &[1, 2, 3], times: None, skipped: None };
    let rows = Rows {
        first: 0,
        values: Values { data: Data::I64(&values), valid },
        second: None,
        stamps: Stamps::Events(&[5, 6, 7]),
    };
    let made =
        |kind| reduce(&rows, &windows, How { kind, grouping: Grouping::Lanes64, min_count: 0 }).unwrap();
    for (kind, first) in
        [(Reducer::Min, i64::MAX), (Reducer::Max, i64::MAX), (Reducer::ArgMin, 5), (Reducer::ArgMax, 5)]
    {
        let made = made(kind);
        let Numbers::I64(found) = &made.data else { panic!("{made:?}") };
        let last = if matches!(kind, Reducer::Min | Reducer::Max) { 0 } else { 7 };
        assert_eq!((found[0], found[2], made.is_valid(1)), (first, last, false), "{kind:?}");
    }
    let unsigned = [u64::MAX, 0, 1 << 63];
    let rows = Rows { values: Values { data: Data::U64(&unsigned), valid: None }, ..rows };
    let windows = Windows { lo: &[0], hi: &[3], times: None, skipped: None };
    let made =
        |kind| reduce(&rows, &windows, How { kind, grouping: Grouping::Lanes64, min_count: 0 }).unwrap().data;
    assert_eq!(
        (made(Reducer::Min), made(Reducer::Max)),
        (Numbers::U64(vec![0]), Numbers::U64(vec![u64::MAX]))
    );
}

#[test]
fn windows_beyond_the_rows_cost_nothing() {
    let rows = Rows {
        first: 7,
        values: Values { data: Data::F64(&[1.0, 2.0, 4.0]), valid: None },
        second: None,
        stamps: Stamps::Grid(Grid::new(1, 0)),
    };
    let windows = Windows {
        lo: &[i64::MIN, i64::MIN + 9, 1 << 62],
        hi: &[i64::MAX - 1, i64::MAX, i64::MAX],
        times: None,
        skipped: None,
    };
    let blocks = Grouping::Blocks { rows: 1 << 62, origin: 0 };
    for grouping in [
        Grouping::Lanes64,
        Grouping::Blocks { rows: 2, origin: 0 },
        blocks,
        Grouping::Doubling { count: u64::MAX },
    ] {
        let sums = reduce(&rows, &windows, How { kind: Reducer::Sum, grouping, min_count: 0 }).unwrap();
        let Numbers::F64(found) = &sums.data else { panic!("{sums:?}") };
        match grouping {
            Grouping::Doubling { .. } => assert_eq!(found[0], 7.0),
            _ => assert_eq!((found[0], found[1], sums.is_valid(2)), (7.0, 7.0, false), "{grouping:?}"),
        }
    }
}

#[test]
fn median() {
    let median = Reducer::Quantile { q: 0.5f64.to_bits() };
    assert_eq!(floats(4, &[1.0, 2.0, 3.0, 4.0], median)[3], 2.5);
    assert_eq!(floats(2, &[f64::MAX, f64::MIN, f64::NAN, 1.0, 2.0], median)[1], 0.0);
    let x: Vec<f64> = (0..3000).map(|i| f64::from(i * 7919 % 3001)).collect();
    for (row, found) in floats(1001, &x, median).iter().enumerate().step_by(97) {
        let mut window = x[(row + 1).saturating_sub(1001)..=row].to_vec();
        window.sort_by(f64::total_cmp);
        assert_eq!(*found, (window[(window.len() - 1) / 2] + window[window.len() / 2]) / 2.0);
    }
}
