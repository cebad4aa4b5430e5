//! The rows of several streams in time order.
//!
//! ```
//! use tilt_exec::ops::merge;
//! let merged = merge(&[&[10, 20], &[10, 15]]);
//! assert_eq!(merged.stamps, [10, 10, 15, 20]);
//! assert_eq!(merged.source, [0, 1, 1, 0]); // at equal stamps the first stream first
//! assert_eq!(merged.row, [0, 0, 1, 1]);
//! ```

use super::cursor::advance;

/// Merged rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// When each row is stamped.
    pub stamps: Vec<i64>,
    /// Which stream it comes from.
    pub source: Vec<u32>,
    /// Its number there.
    pub row: Vec<i64>,
}

/// The rows of streams with these sorted stamps, by time; at equal stamps in the order of the streams, then as they are.
pub fn merge(streams: &[&[i64]]) -> Merged {
    let total = streams.iter().map(|stamps| stamps.len()).sum();
    let mut merged = Merged {
        stamps: Vec::with_capacity(total),
        source: Vec::with_capacity(total),
        row: Vec::with_capacity(total),
    };
    let mut heads = vec![0; streams.len()];
    let head = |heads: &[usize], k: usize| streams[k].get(heads[k]).map(|stamp| (*stamp, k));
    while let Some((_, source)) = (0..streams.len()).filter_map(|k| head(&heads, k)).min() {
        let others = (0..streams.len()).filter(|k| *k != source);
        let other = others.filter_map(|k| head(&heads, k)).min();
        let stamps = streams[source];
        let start = heads[source];
        let end = match other {
            None => stamps.len(),
            Some(other) => advance(start, stamps.len(), |row| (stamps[row], source) < other),
        };
        merged.stamps.extend_from_slice(&stamps[start..end]);
        merged.source.resize(merged.stamps.len(), source as u32);
        merged.row.extend(start as i64..end as i64);
        heads[source] = end;
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_a_stable_sort(streams in prop::collection::vec(prop::collection::vec(0i64..20, 0..30), 0..5)) {
            let mut streams = streams;
            streams.iter_mut().for_each(|stamps| stamps.sort());
            let mut rows: Vec<(i64, u32, i64)> = Vec::new();
            for (k, stamps) in streams.iter().enumerate() {
                rows.extend(stamps.iter().enumerate().map(|(row, stamp)| (*stamp, k as u32, row as i64)));
            }
            rows.sort();
            let merged = merge(&streams.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let found = (0..rows.len()).map(|k| (merged.stamps[k], merged.source[k], merged.row[k]));
            prop_assert_eq!(merged.stamps.len(), rows.len());
            prop_assert_eq!(found.collect::<Vec<_>>(), rows);
        }
    }
}
