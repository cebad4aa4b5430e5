//! Each pass on small queries as text, and all of them on random queries against the interpreter.

mod cse;
mod dce;
mod fold;
mod fuse;
mod inline;
mod pipeline;

use tilt_ir::tir::{Query, parse};

use super::{Pass, run};

/// What every small query may look at.
const INPUTS: &str = "\
input @x {v: f64, i: i64, b: bool, t: time, d: duration} every 1s offset 0s
input @slow {v: f64} every 10s offset 3s
";

fn query(text: &str) -> Query {
    parse(&format!("{INPUTS}{text}")).unwrap_or_else(|error| panic!("{error}\n{INPUTS}{text}"))
}

/// A legal query, after these passes; still legal after each.
fn after(passes: &[&Pass], text: &str) -> String {
    let mut query = query(text);
    run(&mut query, &[], true);
    run(&mut query, passes, true);
    query.to_string()
}

/// `pass` turns one text into the other.
fn check(pass: &'static Pass, before: &str, expected: &str) {
    pretty_assert(&after(&[pass], before), &query(expected).to_string());
}

/// `pass` has nothing to do.
fn check_same(pass: &'static Pass, text: &str) {
    check(pass, text, text);
    assert!(!(pass.run)(&mut query(text)), "`{}` claims a change", pass.name);
}

fn pretty_assert(found: &str, expected: &str) {
    assert!(found == expected, "found:\n{found}\nexpected:\n{expected}");
}
