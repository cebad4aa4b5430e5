//! The example queries against an independent NumPy program (`tests/oracle`): on the interpreter and on compiled code, with one
//! thread and with two.

use std::process::Command;

use tilt_tests::{python, root, run, tiltc};

#[test]
fn examples_agree_with_numpy() {
    let output = run(Command::new(python())
        .arg("-B") // no __pycache__ in the tree
        .arg(root().join("tests/oracle/run.py"))
        .arg(tiltc()));
    print!("{}", String::from_utf8_lossy(&output.stdout));
}
