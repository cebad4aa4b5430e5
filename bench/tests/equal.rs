//! Queries and loops give the same bits, at sizes around the edges of vectors, words, windows and pieces.

use tilt_bench::apps;

#[test]
fn the_same_bits() {
    for app in apps() {
        let query = app.query().unwrap_or_else(|error| panic!("{error}"));
        for rows in [5, 125, 1_005, 10_000, 50_435] {
            if let Err(difference) = app.check(&query, &app.data(rows)) {
                panic!("{difference}");
            }
        }
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = apps().iter().map(|app| app.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), apps().len());
}
