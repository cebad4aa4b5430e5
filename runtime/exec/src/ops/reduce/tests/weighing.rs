//! Integrals against a sum over every nanosecond.

use super::super::*;
use crate::ops::{Data, Numbers, Values};
use proptest::prelude::*;

proptest! {
    #[test]
    fn every_nanosecond_counts_once(
        rows in prop::collection::vec((0i64..6, 0i32..3, any::<bool>()), 0..30),
        bounds in prop::collection::vec((0i64..5, 0i64..25), 1..30),
    ) {
        let stamps: Vec<i64> = rows.iter().scan(0, |at, row| { *at += row.0; Some(*at) }).collect();
        let values: Vec<f64> = rows.iter().map(|row| row.1.into()).collect();
        let valid: Bitmap = rows.iter().map(|row| row.2).collect();
        let bytes: Vec<u8> = valid.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        let end = stamps.last().map_or(0, |last| last + 7);
        let column = Values { data: Data::F64(&values), valid: Some(Bits::new(&bytes, 0, rows.len())) };
        let stretches = Stretches::new(&stamps, end.into(), column);
        let starts: Vec<i64> = bounds.iter().scan(-5, |at, bound| { *at += bound.0; Some(*at) }).collect();
        let mut until = i64::MIN;
        let windows: Vec<(i64, i64)> = starts.iter().zip(&bounds).map(|(a, bound)| {
            until = until.max(a + bound.1);
            (*a, until)
        }).collect();
        let wide = || windows.iter().map(|(a, b)| (i128::from(*a), i128::from(*b)));
        let at = |time: i64| {
            let row = stamps.iter().rposition(|stamp| *stamp <= time).filter(|_| time < end)?;
            valid.get(row).then(|| values[row])
        };
        let integral = weigh(&stretches, wide(), Reducer::Integral, 0);
        let mean = weigh(&stretches, wide(), Reducer::DurationMean, 0);
        for (k, (a, b)) in windows.iter().enumerate() {
            let held: Vec<f64> = (a + 1..=*b).filter_map(at).collect();
            // small integers: every sum is exact
            let sum: f64 = held.iter().sum();
            prop_assert_eq!(integral.is_valid(k), !held.is_empty());
            prop_assert_eq!(mean.is_valid(k), !held.is_empty());
            if let (false, Numbers::F64(integral), Numbers::F64(mean)) = (held.is_empty(), &integral.data, &mean.data) {
                prop_assert_eq!((integral[k], mean[k]), (sum / 1e9, sum / held.len() as f64));
            }
        }
    }
}

#[test]
fn one_stretch_has_its_value_as_mean() {
    let values = Values { data: Data::F64(&[0.1, 0.1, 0.3]), valid: None };
    let stretches = Stretches::new(&[0, 4, i64::MAX], i128::from(i64::MAX) + 1, values);
    let windows = [(i128::MIN / 4, -1), (0, 7), (i128::from(i64::MAX) - 1, i128::MAX / 4)];
    let made = weigh(&stretches, windows.into_iter(), Reducer::DurationMean, 0);
    assert_eq!((made.is_valid(0), made.data), (false, Numbers::F64(vec![0.0, 0.1, 0.3])));
}
