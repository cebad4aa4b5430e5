//! The rows of many keys in time order.
//!
//! ```
//! use tilt_exec::ops::order;
//! // two keys, one after the other; at equal times the first key first
//! assert_eq!(order(&[5, 9, 9, 2, 9, 11], 2), [3, 0, 1, 2, 4, 5]);
//! ```

/// From here on more parts are sorted by digits.
const PARTS: usize = 16;

/// Bits of a digit.
const DIGIT: u32 = 11;

/// For each place in time order the row that belongs there, of the rows of `parts` parts in order, each of which is in time
/// order: a stable sort. The number of parts only says which way is fast.
pub fn order(stamps: &[i64], parts: usize) -> Vec<i64> {
    let mut rows: Vec<(u64, u64)> =
        stamps.iter().zip(0..).map(|(stamp, row)| (*stamp as u64 ^ 1 << 63, row)).collect();
    if stamps.is_sorted() {
        // nothing to do
    } else if parts <= PARTS || stamps.len() < 1 << DIGIT {
        rows.sort_by_key(|(stamp, _)| *stamp);
    } else {
        by_digits(&mut rows);
    }
    rows.into_iter().map(|(_, row)| row as i64).collect()
}

/// Sorts by the least digit first; each pass keeps the order of equals.
fn by_digits(rows: &mut Vec<(u64, u64)>) {
    let least = rows.iter().map(|(stamp, _)| *stamp).min().unwrap_or(0);
    rows.iter_mut().for_each(|(stamp, _)| *stamp -= least);
    let all = rows.iter().fold(0, |all, (stamp, _)| all | stamp);
    let mut other = vec![(0, 0); rows.len()];
    for shift in (0..u64::BITS).step_by(DIGIT as usize) {
        let digit = |stamp: u64| (stamp >> shift) as usize & ((1 << DIGIT) - 1);
        if digit(all) == 0 {
            continue;
        }
        let mut places = vec![0usize; 1 << DIGIT];
        rows.iter().for_each(|(stamp, _)| places[digit(*stamp)] += 1);
        let mut sum = 0;
        places.iter_mut().for_each(|place| sum += std::mem::replace(place, sum));
        for row in rows.iter() {
            let place = &mut places[digit(row.0)];
            other[*place] = *row;
            *place += 1;
        }
        std::mem::swap(rows, &mut other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_a_stable_sort(keys in prop::collection::vec(any::<i64>(), 1..3000), width in 0u32..64) {
            let keys: Vec<i64> = keys.iter().map(|key| key >> width).collect();
            let mut expected: Vec<i64> = (0..keys.len() as i64).collect();
            expected.sort_by_key(|row| keys[*row as usize]);
            for parts in [1, 1000] {
                prop_assert_eq!(&order(&keys, parts), &expected);
            }
            let mut rows: Vec<(u64, u64)> = keys.iter().zip(0..).map(|(key, row)| (*key as u64 ^ 1 << 63, row)).collect();
            by_digits(&mut rows);
            prop_assert_eq!(rows.iter().map(|row| row.1 as i64).collect::<Vec<_>>(), expected);
        }
    }
}
