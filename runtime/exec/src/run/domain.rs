//! The time that a run puts out.

use std::ops::Range;

use tilt_ir::Grid;

use crate::stream::RegularStream;

/// From the first to the last stamp of all inputs, or from and to given times. It clips what is put
/// out, never what is looked at.
///
/// ```
/// use tilt_exec::run::Domain;
/// use tilt_ir::Grid;
/// // data from 3 to 17: a grid of tens ends at 20, so that each row is in one window (t-10, t]
/// let data = Domain { first: 3, last: 17, to_given: false };
/// assert_eq!(data.rows(Grid::new(10, 0)), 1..3);
/// // told to end at 17: the last grid point is 10
/// let told = Domain { to_given: true, ..data };
/// assert_eq!(told.rows(Grid::new(10, 0)), 1..2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// No row before this time is put out.
    pub first: i64,
    /// The last stamp of the inputs, or the given end.
    pub last: i64,
    /// Whether `last` was given: then no row after it is put out. Otherwise every grid has one point
    /// at it or after it.
    pub to_given: bool,
}

impl Domain {
    /// The domain of these inputs; a given `from` or `to` replaces an end. `None` if an end is
    /// neither given nor in the data, because no input has rows.
    pub fn of(inputs: &[RegularStream], from: Option<i64>, to: Option<i64>) -> Option<Domain> {
        Domain::over(inputs.iter().filter_map(RegularStream::extent), from, to)
    }

    /// The domain of streams with these first and last stamps; see [`Domain::of`].
    pub fn over(
        extents: impl Iterator<Item = (i64, i64)>,
        from: Option<i64>,
        to: Option<i64>,
    ) -> Option<Domain> {
        let all = extents.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)));
        let first = from.or(all.map(|all| all.0))?;
        let last = to.or(all.map(|all| all.1))?;
        Some(Domain { first, last, to_given: to.is_some() })
    }

    /// The rows of a grid that are put out. A grid whose next point is beyond the range of time ends
    /// before it.
    pub fn rows(&self, grid: Grid) -> Range<i64> {
        if self.last < self.first {
            return 0..0;
        }
        let first = grid.row_from(self.first);
        let covering = if self.to_given { grid.row_at(self.last) } else { grid.row_from(self.last) };
        let last = covering.min(grid.row_at(i64::MAX));
        let end = last.saturating_add(1);
        if first < end { first..end } else { first..first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use tilt_ir::Type;

    fn stream(period: i64, first: i64, len: usize) -> RegularStream {
        let columns = vec![Column::from_values("v", Type::I64, vec![0i64; len])];
        RegularStream { grid: Grid::new(period, 0), first, len, columns }
    }

    #[test]
    fn it_reaches_over_all_inputs() {
        let inputs = [stream(10, -3, 2), stream(5, 0, 0), stream(3, 4, 1)];
        let domain = Domain::of(&inputs, None, None).unwrap();
        assert_eq!(domain, Domain { first: -30, last: 12, to_given: false });
        assert_eq!(domain.rows(Grid::new(7, 0)), -4..3);
        assert_eq!(Domain::of(&inputs[1..2], None, None), None);
        assert_eq!(Domain::of(&inputs[1..2], Some(0), None), None);
        assert!(Domain::of(&[], Some(0), Some(1)).is_some());
    }

    #[test]
    fn an_empty_or_backward_domain_has_no_rows() {
        let domain = Domain { first: 11, last: 12, to_given: true };
        assert!(domain.rows(Grid::new(10, 0)).is_empty());
        let backward = Domain { first: 5, last: 3, to_given: false };
        assert!(backward.rows(Grid::new(1, 0)).is_empty());
    }

    #[test]
    fn the_end_of_time_is_an_end() {
        let domain = Domain { first: i64::MAX - 1, last: i64::MAX, to_given: false };
        let grid = Grid::new(1_000_000_000, 0);
        assert!(domain.rows(grid).is_empty(), "the next grid point is no time");
    }
}
