//! How many cases a property is tested on.

use proptest::prelude::ProptestConfig;

/// So many cases, or as many as the environment variable `TILT_CASES` says.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let told = std::env::var("TILT_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig {
        cases: told.unwrap_or(cases),
        max_shrink_iters: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
