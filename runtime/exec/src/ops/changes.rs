//! When a continuous stream may change.
//!
//! ```
//! use tilt_exec::ops::{Changing, changes};
//! use tilt_ir::Grid;
//! let sources = [Changing::Rising(&[3, 8, 12], 0), Changing::Rising(&[3, 8, 12], 5), Changing::Grid(Grid::new(10, 0))];
//! assert_eq!(changes(&sources, 4, 17), [4, 8, 10, 12, 13, 17]);
//! ```

use tilt_ir::Grid;

/// Times of changes.
#[derive(Clone, Copy, Debug)]
pub enum Changing<'a> {
    /// Stamps that never fall, and how much later changes are than these.
    Rising(&'a [i64], i64),
    /// Times in any order, and how much later changes are than these.
    Any(&'a [i64], i64),
    /// Grid points.
    Grid(Grid),
}

/// `from` and all changes after it up to `to`, each once, in order. Times beyond 64 bits are not in the domain.
pub fn changes(sources: &[Changing<'_>], from: i64, to: i64) -> Vec<i64> {
    let mut times = vec![from];
    for source in sources {
        match *source {
            Changing::Rising(stamps, shift) => {
                let until = |time: i64| {
                    let time = i128::from(time) - i128::from(shift);
                    stamps.partition_point(|stamp| i128::from(*stamp) <= time)
                };
                let (start, end) = (until(from), until(to));
                if let Some(stamps) = stamps.get(start..end) {
                    times.extend(stamps.iter().map(|stamp| stamp + shift));
                }
            }
            Changing::Any(stamps, shift) => {
                let moved = stamps.iter().filter_map(|stamp| stamp.checked_add(shift));
                times.extend(moved.filter(|time| from < *time && *time <= to));
            }
            Changing::Grid(grid) => {
                let (period, offset) = (i128::from(grid.period), i128::from(grid.offset));
                let first = (i128::from(from) - offset).div_euclid(period) + 1;
                let last = (i128::from(to) - offset).div_euclid(period);
                times.extend((first..=last).map(|row| (offset + row * period) as i64));
            }
        }
    }
    // a merge of the runs that are there
    times.sort();
    times.dedup();
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_time() {
        let stamps = [i64::MIN, 0, i64::MAX];
        assert_eq!(changes(&[Changing::Rising(&stamps, 1)], i64::MIN, i64::MAX), [i64::MIN, i64::MIN + 1, 1]);
        assert_eq!(changes(&[Changing::Any(&stamps, -1)], i64::MIN, i64::MAX), [i64::MIN, -1, i64::MAX - 1]);
        let grid = Changing::Grid(Grid::new(i64::MAX, 5));
        assert_eq!(changes(&[grid], i64::MIN, i64::MAX), [i64::MIN, 5 - i64::MAX, 5]);
    }
}
