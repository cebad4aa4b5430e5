//! Queries over events and the loops beside them give the same bits.

use tilt::RunOptions;
use tilt_bench::events::workloads;

#[test]
fn the_same_bits() {
    for workload in workloads() {
        let query = workload.query();
        for rows in [1_000, 5_000, 40_000] {
            let data = workload.data(rows);
            let (got, wanted) =
                (workload.by_tilt(&query, &data, &RunOptions::default()), workload.by_hand(&data));
            assert_eq!(got.len(), wanted.len(), "{} of {rows} rows", workload.name);
            for (row, wanted) in wanted.iter().enumerate() {
                let value = got.is_valid(row).then(|| got.values::<f64>()[row]);
                let same = value.map_or(wanted.is_nan(), |value| value.to_bits() == wanted.to_bits());
                assert!(same, "{} of {rows} rows, row {row}: {value:?}, by hand {wanted}", workload.name);
            }
        }
    }
}
