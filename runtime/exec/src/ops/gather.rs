//! Chosen rows of a column.
//!
//! ```
//! use tilt_exec::ops::{Data, NONE, Numbers, Values, gather};
//! let made = gather(Values { data: Data::I32(&[10, 20, 30]), valid: None }, &[2, NONE, 0]);
//! assert_eq!(made.data, Numbers::I32(vec![30, 0, 10]));
//! assert_eq!((0..3).map(|row| made.is_valid(row)).collect::<Vec<_>>(), [true, false, true]);
//! ```

use super::{
    Bitmap, Made, Numbers, Values,
    cursor::advance,
    values::{Native, each_type},
};

/// The rows with these numbers; φ where there is no such row ([`NONE`](super::NONE), or any other).
pub fn gather(values: Values<'_>, rows: &[i64]) -> Made {
    fn numbers<T: Native>(from: &[T], rows: &[i64]) -> Numbers {
        let value = |row: &i64| from.get(*row as usize).copied().unwrap_or_default();
        T::numbers(rows.iter().map(value).collect())
    }
    let len = values.len();
    let place = |row: i64| (row as usize) < len;
    let data = each_type!(
        values.data,
        from => numbers(from, rows),
        bits => Numbers::Bool(rows.iter().map(|row| place(*row) && bits.get(*row as usize)).collect())
    );
    let there = |row: &i64| place(*row) && values.is_valid(*row as usize);
    let valid = match values.valid.is_none() && rows.iter().all(|row| place(*row)) {
        true => None,
        false => Some(rows.iter().map(there).collect()),
    };
    Made { data, valid }
}

/// An as-of join in one pass: at each of the rising `times` the value in the last row stamped at or before it. The same as
/// [`rows_as_of`](super::rows_as_of) and [`gather`].
pub fn gather_as_of(values: Values<'_>, stamps: &[i64], times: &[i64]) -> Made {
    fn numbers<T: Native>(from: &[T], stamps: &[i64], times: &[i64], missing: usize) -> Numbers {
        let mut made = vec![T::default(); missing];
        let Some(first) = times.get(missing) else { return T::numbers(made) };
        let mut next = stamps.partition_point(|stamp| stamp <= first);
        let mut held = from[next - 1];
        made.reserve_exact(times.len() - missing);
        made.extend(times[missing..].iter().map(|time| {
            if next < stamps.len() && stamps[next] <= *time {
                next = advance(next + 1, stamps.len(), |row| stamps[row] <= *time);
                held = from[next - 1];
            }
            held
        }));
        T::numbers(made)
    }
    // before the first row there is nothing
    let before = |first: &i64| times.partition_point(|time| time < first);
    let missing = stamps.first().map_or(times.len(), before);
    if values.valid.is_none() {
        let data = each_type!(
            values.data,
            from => Some(numbers(from, stamps, times, missing)),
            _bits => None
        );
        if let Some(data) = data {
            let valid = (missing > 0).then(|| (0..times.len()).map(|k| k >= missing).collect());
            return Made { data, valid };
        }
    }
    let mut rows = Vec::new();
    super::rows_as_of(stamps, times, 0, &mut rows);
    gather(values, &rows)
}

/// The rows of a bitmap that are set, in order.
pub fn rows_set(bits: &Bitmap) -> Vec<i64> {
    let mut rows = Vec::with_capacity(bits.ones());
    for (k, word) in bits.words().iter().enumerate() {
        let mut rest = *word;
        while rest != 0 {
            rows.push((k * 64) as i64 + i64::from(rest.trailing_zeros()));
            rest &= rest - 1;
        }
    }
    rows
}
