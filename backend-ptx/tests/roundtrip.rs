//! Printing a tree and reading it gives the tree.

mod generate;

use proptest::prelude::*;
use tilt_backend_ptx::{parse, print};

proptest! {
    #[test]
    fn every_tree_survives(module in generate::module()) {
        let text = print(&module);
        match parse(&text) {
            Ok(again) => prop_assert_eq!(again, module, "{}", text),
            Err(error) => prop_assert!(false, "{}\n{}", error, text),
        }
    }
}
