//! The framework, and all passes together.

use super::{after, check, query};
use crate::passes::{ALL, O2, Pass, by_name, run};

#[test]
fn names_are_unique() {
    for pass in ALL.iter().chain(O2) {
        assert!(std::ptr::eq(
            by_name(pass.name).expect(pass.name),
            by_name(pass.name).unwrap()
        ));
    }
}
