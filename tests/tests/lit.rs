//! The tests by stage in `tests/lit`, run by LLVM's lit and FileCheck.
//!
//! `scripts/lit.sh tests/lit/run/NAME.tilt` runs one of them.

use std::process::Command;

use tilt_tests::{root, run, tiltc};

#[test]
fn lit() {
    let output = run(Command::new(root().join("scripts/lit.sh")).env("TILTC", tiltc()));
    print!("{}", String::from_utf8_lossy(&output.stdout));
}
